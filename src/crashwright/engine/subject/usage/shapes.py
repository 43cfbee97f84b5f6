"""The shape of a record that functions read: which keys of which value, nested how, and what becomes of what stands there.

# Deviation: not in the papers; a type says this of no text and of no dict, in Java or in Python.
"""

from __future__ import annotations

from datetime import UTC, datetime

Plain = str | int | float
_WIDE, _DEEPEST = 12, 6
"""Parts of a text, and records within each other."""
MOST_VALUES = 8
TEXT = "text"
"""Stands for any."""
MOMENT = datetime(2020, 1, 2, 13, 4, 5, tzinfo=UTC)
MOMENTS = (MOMENT, datetime(2030, 12, 31, 23, 59, 58, tzinfo=UTC), datetime(2001, 2, 3, 1, 2, 3, tzinfo=UTC))
"""What is written where a moment is read: it may have to be later than another one, or earlier."""


class Shape:
    """What is asked of one value. ``fields`` are read from it by their keys, in the order of the source; ``items`` when it is
    iterated over; ``values`` it is compared with or has to look like; ``names`` are its own and those of what it is passed to.
    ``is_row``: it is what a loop goes through. What is ``made`` are keys that the code itself adds. ``splits`` are the marks that
    it is split at, with the parts; ``kinds`` follow the prefixes that it may have."""

    __slots__ = ("fields", "is_optional", "is_row", "items", "kinds", "made", "names", "prefixes", "splits", "values")

    def __init__(self) -> None:
        self.fields: dict[str, Shape] = {}
        self.items: Shape | None = None
        self.values: list[Plain] = []
        self.names: list[str] = []
        self.is_optional = False
        self.is_row = False
        self.splits: dict[str, Split] = {}
        self.kinds: dict[str, Shape] = {}
        self.prefixes: list[str] = []
        self.made: set[str] = set()

    def field(self, key: str, optional: bool = False) -> Shape:
        """The value under ``key``."""
        found = self.fields.get(key)
        if found is None:
            found = self.fields[key] = Shape()
            found.names.append(key)
            found.is_optional = optional
        return found

    def item(self) -> Shape:
        """Its items."""
        if self.items is None:
            self.items = Shape()
        return self.items

    def expect(self, value: Plain) -> None:
        """It may be ``value``."""
        if len(self.values) < MOST_VALUES and not any(type(one) is type(value) and one == value for one in self.values):
            self.values.append(value)

    def absorb(self, other: Shape, depth: int = 0) -> None:
        """It is asked what ``other`` is asked too."""
        if other is self or depth > _DEEPEST:
            return
        for key, shape in other.fields.items():
            if key not in self.made:
                self.field(key, shape.is_optional).absorb(shape, depth + 1)
        if other.items is not None:
            self.item().absorb(other.items, depth + 1)
        for value in other.values:
            self.expect(value)
        self.names += [name for name in other.names if name not in self.names]
        for mark, split in other.splits.items():
            self.splits.setdefault(mark, Split()).absorb(split, depth + 1)
        for prefix, kind in other.kinds.items():
            self.kinds.setdefault(prefix, Shape()).absorb(kind, depth + 1)


class Split:
    """The parts of a text that is split at a mark. ``least``: so many are always taken."""

    __slots__ = ("least", "parts")

    def __init__(self) -> None:
        self.parts: list[Shape] = []
        self.least = 0

    def part(self, place: int) -> Shape | None:
        """None where that is far out, or counted from the end."""
        if not 0 <= place < _WIDE:
            return None
        self.parts += [Shape() for _ in range(place + 1 - len(self.parts))]
        return self.parts[place]

    def absorb(self, other: Split, depth: int) -> None:
        """What is asked of its parts is asked of these."""
        self.least = max(self.least, other.least)
        for place, shape in enumerate(other.parts):
            mine = self.part(place)
            if mine is not None:
                mine.absorb(shape, depth)
