"""Shares by success: of several ways to go on, each gets as much as it earns, and never less than a floor.

Probability matching (Goldberg 1990; Thierens 2005 for the operators of an evolutionary search), from a fixed share onwards: that is
multiplied with how much more a way has earned than all of them would have with as many tests. Where little was tried, the quotient
is drawn towards 1 (the posterior mean of a Poisson rate under a gamma prior); what was long ago counts less and less, since what
opens the way to a function earns nothing once it is open. Nothing is drawn at random, and tests are counted instead of seconds, so
that a seed with a budget of evaluations repeats a run.

# Deviation: not in the papers.
"""

from __future__ import annotations

from collections.abc import Mapping

FLOOR = 0.2
"""Of its fixed share, what a way has however little it earns."""
MOST = 5.0
"""And what it has at most."""
DOUBT = 1.0
"""So much that was earned as expected counts as if it had been seen before."""
MEMORY = 1000.0
"""Tests after which what was seen counts half."""


class EarnedShares:
    """``fixed``: what each way has as long as nothing is known."""

    def __init__(self, fixed: Mapping[str, float]) -> None:
        self._fixed = dict(fixed)
        self._spent = dict.fromkeys(fixed, 0.0)
        self._earned = dict.fromkeys(fixed, 0.0)

    def note(self, way: str, spent: float, earned: float) -> None:
        """So many tests went this way, and reached so much that is new."""
        self._spent[way] += spent
        self._earned[way] += earned

    def age(self, tests: float) -> None:
        """So many were run since this was called last."""
        kept = 0.5 ** (tests / MEMORY)
        for counted in (self._spent, self._earned):
            for way in counted:
                counted[way] *= kept

    def lift(self, way: str) -> float:
        """How many times its fixed share a way has earned."""
        spent = sum(self._spent.values())
        if not spent:
            return 1.0
        expected = self._spent[way] * sum(self._earned.values()) / spent
        return min(MOST, max(FLOOR, (self._earned[way] + DOUBT) / (expected + DOUBT)))

    def share(self, way: str) -> float:
        """Its part of all that is to be done."""
        return self._fixed[way] * self.lift(way) / sum(self._fixed[other] * self.lift(other) for other in self._fixed)
