"""The gradient of paper 003 in whole searches for a suite: its listings are covered with it, and hardly ever without it."""

from __future__ import annotations

import pytest
from trial import ONCE_AND_OFTEN, holds_for, takes_all_branches

from crashwright.core.settings import SearchSettings
from crashwright.core.suite import ModuleTarget

EVALUATIONS = 10_000
SEEDS = range(1, 6)


def found_key(seed: int, flags: bool) -> bool:
    """Whether a search for a suite covers ``return keys[index]``."""
    target = ModuleTarget("key_store", ("get",), ("branch",), flags=flags)
    return takes_all_branches(target, SearchSettings(algorithm="dynamosa", seed=seed), EVALUATIONS)


@ONCE_AND_OFTEN
def test_listings_are_covered_with_the_gradient(often: bool) -> None:
    assert holds_for(4 if often else 1, SEEDS, lambda seed: found_key(seed, True))


@pytest.mark.nightly
def test_listings_are_hardly_ever_covered_without_it() -> None:
    # By chance one in some thousand values is right, and now and then a search comes by it: in two of five at most.
    assert not holds_for(3, SEEDS, lambda seed: found_key(seed, False))
