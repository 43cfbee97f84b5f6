"""How often a test is changed in which way, by what became of tests that were changed so: see ``earned_shares``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from crashwright.engine.search.earned_shares import EarnedShares
from crashwright.engine.testcase.editing.mix import (
    CALLS,
    CHANGED,
    CIRCLES,
    DATA,
    DELETED,
    OTHERWISE,
    PROLONGED,
    TEXTS_CROSSED,
    Mix,
)
from crashwright.engine.testcase.testcase import TestCase

MENUS: Mapping[str, Mapping[str, float]] = {
    "data": DATA,
    "calls": CALLS,
    "texts crossed": {"texts crossed": TEXTS_CROSSED, OTHERWISE: 1 - TEXTS_CROSSED},
    "circles": {"circles": CIRCLES, OTHERWISE: 1 - CIRCLES},
    "prolonged": {"prolonged": PROLONGED, OTHERWISE: 1 - PROLONGED},
}


class EarnedMix(Mix):
    """A test has the ways that were taken to it from tests of the generation before; each of them earns what it reaches."""

    def __init__(self) -> None:
        super().__init__()
        self._menus = {name: EarnedShares(menu) for name, menu in MENUS.items()}
        self._taken: set[tuple[str, str]] = set()
        self._ways: dict[TestCase, frozenset[tuple[str, str]]] = {}

    def begin(self) -> None:
        """Another test is made."""
        self._taken.clear()

    def took(self, menu: str, way: str) -> None:
        """Of a menu of ways, this one was taken."""
        self._taken.add((menu, way))

    def made(self, test: TestCase, *parents: TestCase) -> None:
        """``test`` is what came of it; its parents may have been made just before."""
        self._ways[test] = frozenset(self._taken).union(*(self._ways.get(one, ()) for one in parents))

    def settle(self, tests: Iterable[tuple[TestCase, bool]]) -> None:
        """These were run, and have reached something new or not. What else was made is forgotten."""
        count = 0
        for test, earned in tests:
            count += 1
            for menu, way in sorted(self._ways.get(test, ())):
                self._menus[menu].note(way, 1, earned)
        self._ways.clear()
        for shares in self._menus.values():
            shares.age(count)
        self.data, self.calls = self._bounds("data"), self._bounds("calls")
        self.texts_crossed, self.circles, self.prolonged = map(self._share, ("texts crossed", "circles", "prolonged"))

    def _share(self, menu: str) -> float:
        return self._menus[menu].share(menu)

    def _bounds(self, menu: str) -> tuple[float, float]:
        changed = self._menus[menu].share(CHANGED)
        return changed, changed + self._menus[menu].share(DELETED)
