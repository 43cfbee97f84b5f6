"""The subject does with the log what it does without: the zoo gives the same results, asks the same questions, raises the same."""

from __future__ import annotations

import pytest
from rewritten_zoo import ZOO, animals, loaded, observed, rewritten

from crashwright.engine.instrument.comparison_log.log import ComparisonLog
from crashwright.engine.instrument.comparison_log.rewriting import logged_functions

PLAIN, LOG = loaded(), ComparisonLog()
LOGGED, EXCHANGED = rewritten(logged_functions(ZOO.read_bytes(), str(ZOO), LOG, 0)[0])


@pytest.mark.parametrize("name", animals(PLAIN))
def test_the_same_with_and_without_the_log(name: str) -> None:
    for _ in range(3):
        LOG.begin("text of a test")
        assert observed(LOGGED, name) == observed(PLAIN, name)
        LOG.end()


def test_the_zoo_is_told_of() -> None:
    assert EXCHANGED > 100
    LOG.begin("text of a test")
    for name in animals(PLAIN):
        observed(LOGGED, name)
    notes = LOG.end()
    assert notes.words or notes.wants
