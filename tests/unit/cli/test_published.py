"""Searches as they were published, each under one name."""

from __future__ import annotations

import pytest

from crashwright.cli.published import PUBLISHED, as_published
from crashwright.core.errors import UsageError
from crashwright.core.mechanisms import Mechanism
from crashwright.core.settings import SearchSettings


@pytest.mark.parametrize(("name", "secondary"), [("evocrash", "none"), ("botsing", "bbc-literal")])
def test_a_name_stands_for_all_that_the_paper_says(name: str, secondary: str) -> None:
    found = as_published(name, SearchSettings(seed=7))
    assert (found.fitness, found.trace_distance, found.secondary) == ("weighted-sum", "closest", secondary)
    assert (found.operators, found.schedule, found.seed) == ("evocrash", "restart", 7)
    assert set(found.without) == set(Mechanism)


def test_without_a_name_what_is_chosen_counts() -> None:
    chosen = SearchSettings(flags="interprocedural", seed=3)
    assert as_published(None, chosen) is chosen


@pytest.mark.parametrize("name", PUBLISHED)
def test_nothing_else_is_chosen_beside_a_name(name: str) -> None:
    with pytest.raises(UsageError, match=f"--published {name}"):
        as_published(name, SearchSettings(fitness="st-distance"))
