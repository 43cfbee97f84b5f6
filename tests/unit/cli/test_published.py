"""Searches as they were published, each under one name."""

from __future__ import annotations

import pytest

from crashwright.cli.published import OUR_SOURCES, OUR_TEACHINGS, PUBLISHED, as_published
from crashwright.core.errors import UsageError
from crashwright.core.mechanisms import Mechanism
from crashwright.core.settings import SearchSettings
from crashwright.engine.sources.table import SOURCES
from crashwright.engine.teaching.table import TEACHINGS


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


def test_every_part_of_the_search_is_the_papers_or_is_left_out() -> None:
    """The papers know constants and types; suggestions and earlier tests come from users, composed ones from the other engine."""
    sources = {row.name for row in SOURCES if row.crash is not None and row.mechanism is None}
    assert sources - set(OUR_SOURCES) == {"suggested", "earlier", "composed", "granted"}
    teachings = {row.name for row in TEACHINGS if row.crash is not None and row.mechanism is None}
    assert teachings - set(OUR_TEACHINGS) == {"constants", "declarations", "makers", "uses", "inner-uses"}
