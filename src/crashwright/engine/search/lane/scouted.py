"""What the forks of the lane leave to the search, and to each other."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from crashwright.engine.search.lane.sightings import WHOLE, Sightings
from crashwright.engine.testcase.codec import encode
from crashwright.engine.testcase.testcase import TestCase

MOST = 24
"""Recipes that are left to the search."""
CALLS_PER_EVALUATION = 10
"""Calls that count as one evaluation: that is about what a test costs more than a call."""


class Scouted:
    """What the forks have found: ``calls`` they made, and ``tests``, encoded, each with its rank, the best first."""

    def __init__(self, calls: int = 0, tests: Sequence[tuple[list[float], dict[str, Any]]] = ()) -> None:
        self.calls = calls
        self.tests = list(tests)

    @property
    def evaluations(self) -> int:
        """What the calls count for."""
        return -(-self.calls // CALLS_PER_EVALUATION)

    @property
    def is_whole(self) -> bool:
        """Whether a test ended as the report does."""
        return bool(self.tests) and self.tests[0][0][0] == WHOLE

    def with_more(self, calls: int, sightings: Sightings) -> Scouted:
        """After so many further calls."""
        found = [(list(map(float, one.rank)), encode(TestCase(recipe))) for one in sightings.best(MOST) for recipe in one.recipes]
        tests = sorted((*self.tests, *found), key=lambda pair: [-part for part in pair[0]])[:MOST]
        return Scouted(self.calls + calls, tests)

    def dump(self) -> bytes:
        """As :meth:`load` reads it."""
        return json.dumps([self.calls, self.tests], separators=(",", ":")).encode()

    @classmethod
    def load(cls, data: bytes | None) -> Scouted:
        """Nothing, where nothing was saved."""
        return cls() if data is None else cls(*json.loads(data))
