"""From what a run reached to the goals that it covers: tables from entries to goals, and a memory of patterns seen before.

Asked for every test. Runs reach few patterns of a function over and over, so that mostly a look-up is all there is to do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import not_

from crashwright.engine.goals.coverage.footprint import Entries
from crashwright.engine.goals.coverage.goal import Goals

REMEMBERED = 4096
"""Patterns of one function."""


class EntryGoals:
    """The goals of one function by entry: covered where a marker was reached or a distance is 0."""

    __slots__ = ("_goals", "_known", "_markers", "_whatever")

    def __init__(self, markers: int, goals: Mapping[int, Goals], whatever: Goals = 0) -> None:
        """``whatever``: the goals that are covered by any entries."""
        self._goals = {entry: found for entry, found in goals.items() if found}
        self._markers = markers
        self._whatever = whatever
        self._known: dict[bytes, Goals] = {}

    def covered(self, parts: Sequence[Entries]) -> Goals:
        """By any of the (unmerged) entries."""
        found = self._whatever
        if not self._goals:
            return found
        known = self._known
        for entries in parts:
            pattern = bytes(map(not_, entries))
            goals = known.get(pattern)
            if goals is None:
                if len(known) >= REMEMBERED:
                    known.clear()
                goals = known[pattern] = self._look_up(pattern)
            found |= goals
        return found

    def _look_up(self, pattern: bytes) -> Goals:
        """Markers are reached where they are not 0, outcomes where their distance is 0."""
        markers = self._markers
        found = 0
        for entry, goals in self._goals.items():
            if pattern[entry] ^ (entry < markers):
                found |= goals
        return found


class FunctionGoals:
    """The goals of one function: those of its entries and those of being called, in all calls and in the test's own."""

    __slots__ = ("_direct", "_direct_entered", "_entered", "_markers", "_met", "_tables")

    def __init__(self, markers: int) -> None:
        self._markers = markers
        self._met: dict[int, Goals] = {}
        self._direct: dict[int, Goals] = {}
        self._entered: Goals = 0
        self._direct_entered: Goals = 0
        self._tables: tuple[EntryGoals, EntryGoals, EntryGoals] | None = None

    def add(self, goal: int, entry: int | None, direct: bool = False) -> None:
        """A goal that is covered by an entry, or (None) by the call alone."""
        if entry is not None:
            goals = self._direct if direct else self._met
            goals[entry] = goals.get(entry, 0) | 1 << goal
        elif direct:
            self._direct_entered |= 1 << goal
        else:
            self._entered |= 1 << goal

    def covered(self, parts: Sequence[Entries], direct: Sequence[Entries] | None) -> Goals:
        """By a run in which the function was called; ``direct`` are the parts of the test's own calls."""
        if self._tables is None:
            both = {entry: self._met.get(entry, 0) | self._direct.get(entry, 0) for entry in {**self._met, **self._direct}}
            self._tables = (
                EntryGoals(self._markers, self._met, self._entered),
                EntryGoals(self._markers, self._direct, self._direct_entered),
                EntryGoals(self._markers, both, self._entered | self._direct_entered),
            )
        met, own, together = self._tables
        if direct is parts:  # mostly the test made all the calls
            return together.covered(parts)
        return met.covered(parts) if direct is None else met.covered(parts) | own.covered(direct)


class MutantGoals:
    """The goals of mutants, which have consecutive numbers from ``first`` on. A set of many goals is built as a text of binary
    digits: much faster than bit by bit."""

    __slots__ = ("_first", "_places", "_size")

    def __init__(self, first: int, mutants: Sequence[int]) -> None:
        self._first = first
        self._size = len(mutants)
        self._places = {mutant: len(mutants) - 1 - place for place, mutant in enumerate(mutants)}

    def covered(self, infections: Mapping[int, float]) -> Goals:
        """Those with infection distance 0."""
        places = self._places
        digits = bytearray(b"0" * self._size)
        some = False
        for mutant, distance in infections.items():
            if not distance and mutant in places:
                digits[places[mutant]] = 49
                some = True
        return int(digits, 2) << self._first if some else 0
