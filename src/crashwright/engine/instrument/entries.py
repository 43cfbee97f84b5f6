"""The probe at the entry of a function whose arguments are measured: how far they are from a precondition of the crash.

What is measured is none of the probe's business: it records the distance as that of a predicate of kind ``entry``, true where it
is 0, with the second distance in the entry that other predicates have for themselves. Arguments are handed over by name from the
function's own code and nothing of them is kept, so that they live as long as ever.
"""

from __future__ import annotations

from crashwright.engine.instrument.comparisons import record
from crashwright.engine.instrument.distances import OPAQUE
from crashwright.engine.instrument.interface import Measure
from crashwright.engine.instrument.layout import SETTLED, State

MOST_MEASURED = 8
"""Entries of one run that are measured: the first ones. Later activations tell nothing, and so count as farthest."""


class Entries:
    """``measures`` are those of functions, by their numbers."""

    def __init__(self) -> None:
        self.measures: dict[int, Measure] = {}
        self._left = MOST_MEASURED

    def begin(self) -> None:
        """A run begins."""
        self._left = MOST_MEASURED

    def entered(self, state: State, slot: int, function: int, arguments: tuple[object, ...], /) -> None:
        """See ``interface``."""
        if self._left <= 0:
            return
        self._left -= 1
        try:
            found, way = self.measures[function](arguments)
            record(state, slot, not found, found or OPAQUE)
            state[slot + SETTLED] = way
        except RecursionError:  # at the recursion limit of the subject: this entry stays unrecorded
            return
