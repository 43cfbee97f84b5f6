"""Limits of what is reckoned: suites take both sides of them, and show what happens at the limit itself."""

from __future__ import annotations

import pytest
from trial import ONCE_AND_OFTEN, holds_for, takes_all_branches

from crashwright.core.settings import SearchSettings
from crashwright.core.suite import ModuleTarget

EVALUATIONS = 3_000
SEEDS = range(1, 11)


def covers_all(seed: int, without: tuple[str, ...] = ()) -> bool:
    """Whether a search for a suite takes all branches."""
    search = SearchSettings(algorithm="dynamosa", seed=seed, without_rows=without)
    return takes_all_branches(ModuleTarget("late_fees", (), ("branch",)), search, EVALUATIONS)


@ONCE_AND_OFTEN
def test_limits_of_what_is_reckoned_are_passed(often: bool) -> None:
    assert holds_for(5 if often else 1, SEEDS, covers_all)


@pytest.mark.nightly
def test_without_gaps_they_hardly_ever_are() -> None:
    # Right numbers in texts within a list are rare: mutation and selection alone pass the last limit hardly ever.
    assert not holds_for(4, SEEDS, lambda seed: covers_all(seed, without=("gaps",)))
