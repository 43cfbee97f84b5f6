"""When a source has a turn between two generations: always, or as often as it reaches something new (``search.earned_shares``)."""

from __future__ import annotations

from collections.abc import Collection

from crashwright.engine.search.earned_shares import EarnedShares

SEARCH = "the generations of the search"
"""They earn too."""
BEFORE = "all that comes before the first generation"


class Turns:
    """Sources that are ``named`` have turns by success, compared with each other and with the search itself. The others have all of
    theirs."""

    def __init__(self, named: Collection[str]) -> None:
        self._shares = EarnedShares(dict.fromkeys((SEARCH, *named), 1.0))
        self._due = dict.fromkeys(named, 1.0)
        self._evaluations = self._gained = 0

    def has_one(self, name: str) -> bool:
        """One that earns less than all do on average misses turns."""
        if name not in self._due:
            return True
        due = self._due[name]
        self._due[name] = due % 1.0 + min(1.0, self._shares.lift(name))
        return due >= 1.0

    def times(self, name: str) -> float:
        """As many times as it earns what all do on average."""
        return self._shares.lift(name) if name in self._due else 1.0

    def settle(self, name: str, evaluations: int, gained: int) -> None:
        """What the others do counts for nobody."""
        spent = evaluations - self._evaluations
        if name == SEARCH or name in self._due:
            self._shares.note(name, spent, gained - self._gained)
        self._shares.age(spent)
        self._evaluations, self._gained = evaluations, gained
