"""The subject does with the log of operands what it does without: the zoo gives the same results, asks the same questions, raises
the same."""

from __future__ import annotations

import pytest
from rewritten_zoo import ZOO, animals, loaded, observed, rewritten

from crashwright.engine.instrument.operand_log.log import OperandLog
from crashwright.engine.instrument.operand_log.rewriting import asked_functions

PLAIN, LOG = loaded(), OperandLog()
TELLING, EXCHANGED = rewritten(asked_functions(ZOO.read_bytes(), str(ZOO), LOG, 0).codes)


def everywhere(_: object) -> tuple[object, ...]:
    return ("here",)


@pytest.mark.parametrize("name", animals(PLAIN))
def test_the_same_with_and_without_the_log_of_operands(name: str) -> None:
    LOG.begin(everywhere)
    assert observed(TELLING, name) == observed(PLAIN, name)
    LOG.end()


def test_the_zoo_tells_what_it_decides_on() -> None:
    assert EXCHANGED > 100
    LOG.begin(everywhere)
    for name in animals(PLAIN):
        observed(TELLING, name)
    assert len({asked.site for asked in LOG.end()}) > 50
