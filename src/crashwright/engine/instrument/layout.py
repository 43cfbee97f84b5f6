"""How the state of an activation is laid out: one list, for that is what the interpreter writes to fastest."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter, not_
from types import CodeType
from typing import NamedTuple

from crashwright.core.location import Position
from crashwright.engine.instrument.trace import INFINITE

State = list[float]
"""What rewritten code and probes write to, one list for each activation."""
Picker = Callable[[State], tuple[float, ...]]

MARKED = 1
SLOT_SIZE = 3
FALSE, SETTLED = 1, 2
"""Within the slot of a predicate: first the least distance to true, then that to false, then whether both are 0."""


class Branching(NamedTuple):
    """A predicate whose true side is told by a marker: ``for`` loops (first statement of the body) and bare ``except`` clauses."""

    predicate: int
    marker: int


class ProbeLayout:
    """How the state of a function's activations is laid out: its markers, then a slot of three for each predicate.

    Rewritten code skips the probe of a settled predicate, which has nothing more to tell.
    """

    __slots__ = (
        "_open",
        "branching",
        "branchings",
        "function",
        "lines",
        "markers",
        "places",
        "predicates",
        "template",
        "untouched",
    )

    def __init__(self, function: int, markers: int, predicates: int, branchings: tuple[Branching, ...]) -> None:
        self.function = function
        self.markers = markers
        self.predicates = predicates
        self.branchings = branchings
        self.branching = dict(branchings)
        self.lines: dict[int, tuple[CodeType, int]] = {}
        """The lines of the instructions looked up so far, each with the code that it was looked up in."""
        self.places: dict[int, tuple[CodeType, Position | None]] = {}
        """Likewise their source ranges."""
        self.template: State = [0] * markers + [INFINITE, INFINITE, 0] * predicates
        if markers:
            self.template[0] = MARKED  # a function that is entered has begun its first statement
        self.untouched = as_bits([0] * markers + [INFINITE, INFINITE, 0] * predicates)
        self._open: tuple[int, Picker, Picker] = (-1, _nothing, _nothing)

    def open_entries(self, known: int) -> tuple[Picker, Picker]:
        """What picks from a state the entries whose bits are not in ``known``: first those that start as 0, then those that
        become 0."""
        if self._open[0] != known:
            zero_bits = self.untouched
            numbers = [number for number in range(len(self.template)) if not known >> 8 * number & 1]
            zero = [number for number in numbers if zero_bits >> 8 * number & 1]
            other = [number for number in numbers if not zero_bits >> 8 * number & 1]
            self._open = (known, _picker(zero), _picker(other))
        return self._open[1:]


def _nothing(_state: State) -> tuple[float, ...]:
    return ()


def _picker(numbers: list[int]) -> Picker:
    """Picks these entries, in C."""
    return itemgetter(*numbers, numbers[0]) if numbers else _nothing


def as_bits(state: State) -> int:
    """One bit for each entry that is 0. An entry's bit changes when a marker is hit or an outcome is taken, and never back."""
    return int.from_bytes(bytes(map(not_, state)), "little")


def slot_of(predicate: int, markers: int) -> int:
    """Where the slot of a predicate begins."""
    return markers + SLOT_SIZE * predicate
