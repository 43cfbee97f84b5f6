"""Chains of two to eight frames each of which asks one thing of what it is given, and hands a part or a reading of it on: what is
found further in is carried outwards (docs/decisions/0049)."""

from __future__ import annotations

import pytest
from trial import ONCE_AND_OFTEN, most_find

SEEDS = range(1, 4)


@ONCE_AND_OFTEN
@pytest.mark.parametrize(
    ("subject", "depth", "evaluations", "least"),
    [
        pytest.param("audit", 2, 2_000, 3, id="objects, two frames"),
        pytest.param("audit", 4, 4_000, 2, id="objects, four frames"),
        pytest.param("audit", 8, 4_000, 2, id="objects, eight frames"),
        pytest.param("intake", 2, 2_500, 3, id="a message, two frames"),
        pytest.param("outline", 2, 2_500, 3, id="a tree, two frames"),
    ],
)
def test_found(subject: str, depth: int, evaluations: int, least: int, often: bool) -> None:
    asked = most_find(least if often else 1, subject, SEEDS, evaluations, depth=depth)
    assert asked.found, asked.trials
