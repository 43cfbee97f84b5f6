"""How far a walk goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace


class OutOfTime(Exception):
    """The time of the walk is used up."""


@dataclass(slots=True)
class Limits:
    """``unrolled``: how often a loop is gone round (the paper: once). ``depth``: calls below a trace frame (the paper: 10).
    ``prune``, ``guided`` and ``recognise`` are the paper's three optimisations. ``until``: by ``clock``, in seconds."""

    clock: Callable[[], float]
    until: float
    unrolled: int = 2
    depth: int = 10
    check_seconds: float = 0.5
    prune: bool = True
    guided: bool = True
    recognise: bool = True

    def spend(self) -> None:
        """Raises OutOfTime when the time is over."""
        if self.clock() > self.until:
            raise OutOfTime

    def within(self, seconds: float) -> Limits:
        """The same for a part of the way, which ends sooner."""
        return replace(self, until=min(self.until, self.clock() + seconds))
