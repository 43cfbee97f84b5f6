"""Whether a run reached something on the path that no run before reached: a statement, or an outcome of a condition.

Crash fitness looks at one line at a time; what leads there in several steps (a state that an earlier part of the input sets up)
shows first as a new place, not as a better fitness. # Deviation: not in the papers; coverage-guided fuzzers keep such inputs.
"""

from __future__ import annotations

from crashwright.engine.instrument.trace import Trace

LOOKED_AT = 40
"""Activations of a run that are looked at: the first half and the last half of so many."""


class Novelty:
    """Remembers, per function, everything that was ever reached."""

    def __init__(self, looked_at: int = LOOKED_AT) -> None:
        self._reached: dict[int, int] = {}
        self._looked_at = looked_at

    def is_new(self, trace: Trace) -> bool:
        """Whether ``trace`` reached something new; from then on it is known."""
        activations, most = trace.activations, self._looked_at
        if len(activations) > most:
            activations = [*activations[: most // 2], *activations[-(most // 2) :]]
        new = False
        reached = self._reached
        for activation in activations:
            known = reached.get(activation.function, 0)
            found = activation.beyond(known)
            if found:
                reached[activation.function] = known | found
                new = True
        return new
