"""How far a walk goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final


class OutOfTime(Exception):
    """The time of the walk, or the number of its steps, is used up."""


@dataclass(frozen=True, slots=True)
class Optimisations:
    """The paper's three: static path pruning, guided backtracking, recognition of contradictions on the way."""

    prune: bool = True
    guided: bool = True
    recognise: bool = True


ALL: Final = Optimisations()


@dataclass(slots=True)
class Limits:
    """``unrolled``: how often a loop is gone round (the paper: once). ``depth``: calls below a trace frame (the paper: 10).
    ``until``: by ``clock``, in seconds. ``steps``: instructions that may be walked over, where they are counted."""

    clock: Callable[[], float]
    until: float
    unrolled: int = 2
    depth: int = 10
    check_seconds: float = 0.5
    steps: int | None = None
    use: Optimisations = ALL
    is_spent: Callable[[], bool] = lambda: False
    """Whether something else is used up."""

    def spend(self) -> None:
        """For a step. Raises OutOfTime when the time is over, or it is one too many."""
        if self.steps is not None:
            self.steps -= 1
            if self.steps < 0:
                raise OutOfTime
        if self.clock() > self.until or self.is_spent():
            raise OutOfTime

    def within(self, seconds: float, steps: int) -> Limits:
        """The same for a part of the way, which ends sooner: after so many steps where they are counted, else after the seconds."""
        if self.steps is not None:
            return replace(self, steps=steps)
        return replace(self, until=min(self.until, self.clock() + seconds))

    @property
    def left(self) -> float:
        """Seconds until its end."""
        return max(self.until - self.clock(), 0.0)

    @property
    def for_check(self) -> float:
        """Seconds that the solver may take for one check."""
        return min(self.check_seconds, max(self.left, 0.01))
