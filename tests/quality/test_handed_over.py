"""What libraries make and a call is given: suites take the branches that its answers decide."""

from __future__ import annotations

import pytest
from trial import ONCE_AND_OFTEN, holds_for, takes_all_branches

from crashwright.core.settings import SearchSettings
from crashwright.core.suite import ModuleTarget

EVALUATIONS = 2_500
SEEDS = range(1, 4)


def covers_all(seed: int, without: tuple[str, ...] = ()) -> bool:
    """Whether a search for a suite takes all branches."""
    search = SearchSettings(algorithm="dynamosa", seed=seed, without_rows=without)
    return takes_all_branches(ModuleTarget("handed_over", (), ("branch",)), search, EVALUATIONS)


@ONCE_AND_OFTEN
def test_answers_of_objects_that_libraries_make_are_varied(often: bool) -> None:
    assert holds_for(2 if often else 1, SEEDS, covers_all)


@pytest.mark.nightly
def test_without_mocks_they_are_not() -> None:
    # Nothing fills a parser, and nobody is at the other end of a socket.
    assert not holds_for(1, SEEDS, lambda seed: covers_all(seed, without=("mocks",)))
