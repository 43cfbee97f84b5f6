"""From what a run reached to the goals that it covers: tables from entries to goals, and a memory of patterns seen before.

Asked for every test. Runs reach few patterns of a function over and over, so that mostly a look-up is all there is to do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crashwright.engine.goals.suite.footprint import Entries
from crashwright.engine.goals.suite.goal import Goals
from crashwright.engine.instrument.layout import as_bits

REMEMBERED = 4096
"""Patterns of one function."""


class EntryGoals:
    """The goals of one function by entry: covered where a marker was reached or a distance is 0."""

    __slots__ = ("_goals", "_known", "_mask", "_untouched")

    def __init__(self, markers: int, goals: Mapping[int, Goals]) -> None:
        self._goals = dict(goals)
        self._mask = sum(0xFF << 8 * entry for entry, goals in self._goals.items() if goals)
        self._untouched = int.from_bytes(b"\x01" * markers, "little")
        self._known: dict[int, Goals] = {}

    def covered(self, parts: Sequence[Entries]) -> Goals:
        """By any of the (unmerged) entries."""
        if not self._mask:
            return 0
        reached = 0
        for entries in parts:
            reached |= as_bits(entries) ^ self._untouched
        reached &= self._mask
        found = self._known.get(reached)
        if found is None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            found = self._known[reached] = self._look_up(reached)
        return found

    def _look_up(self, reached: int) -> Goals:
        found = 0
        for entry, goals in self._goals.items():
            if reached >> 8 * entry & 1:
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
        self._tables: tuple[EntryGoals, EntryGoals] | None = None

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
            self._tables = EntryGoals(self._markers, self._met), EntryGoals(self._markers, self._direct)
        met, own = self._tables
        found = self._entered | met.covered(parts)
        return found if direct is None else found | self._direct_entered | own.covered(direct)


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
