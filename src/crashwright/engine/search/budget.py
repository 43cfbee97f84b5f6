"""When a search ends: evaluations counted, seconds on a clock that is passed in."""

from __future__ import annotations

import math
from collections.abc import Callable

from crashwright.core.settings import Budget

Clock = Callable[[], float]


class BudgetMeter:
    """What of a budget is used up. ``clock`` gives wall seconds; it is read once in ``CLOCK_EVERY`` evaluations, and so is
    ``is_called_off``, which ends the search before its time."""

    CLOCK_EVERY = 16

    def __init__(
        self,
        budget: Budget,
        clock: Clock,
        evaluations: int = 0,
        elapsed: float = 0.0,
        is_called_off: Callable[[], bool] = lambda: False,
    ) -> None:
        self._budget = budget
        self._clock = clock
        self._start = clock() - elapsed
        self._is_called_off = is_called_off
        self.evaluations = evaluations
        self.stopped = False

    @property
    def seconds(self) -> float:
        """Seconds since the search began, restarts included."""
        return self._clock() - self._start

    def seconds_left(self) -> float:
        """Until the budget is used up; no end where seconds are not bounded."""
        return math.inf if self._budget.seconds is None else self._budget.seconds - self.seconds

    @property
    def is_bounded(self) -> bool:
        """Whether the search ends by itself."""
        return self._budget.seconds is not None or self._budget.evaluations is not None

    @property
    def is_timed(self) -> bool:
        """Whether the clock decides anything."""
        return self._budget.seconds is not None

    def share(self) -> float:
        """The part of the budget that is used up, of the bound that is nearer. Reads the clock only where seconds are bounded."""
        seconds, evaluations = self._budget.seconds, self._budget.evaluations
        return max(
            0.0 if seconds is None else self.seconds / seconds, 0.0 if evaluations is None else self.evaluations / evaluations
        )

    def until(self, part: float) -> float:
        """The share at which a stage is over that begins now and may take ``part`` of the seconds; never, where none are bounded: a
        stage knows by itself how many evaluations are enough."""
        return self.share() + part if self.is_timed else 1.0

    def spend(self) -> None:
        """Count one evaluation."""
        self.evaluations += 1
        if self.evaluations % self.CLOCK_EVERY == 0:
            self.check()
        if self._budget.evaluations is not None and self.evaluations >= self._budget.evaluations:
            self.stopped = True

    def check(self) -> bool:
        """True where the budget is used up; reads the clock, for the slow steps between evaluations."""
        if (self._budget.seconds is not None and self.seconds >= self._budget.seconds) or self._is_called_off():
            self.stopped = True
        return self.stopped


class TurnMeter(BudgetMeter):
    """The budget of a search within another: :meth:`give` says how much it has for a turn; what it uses is the other's too."""

    def __init__(self, whole: BudgetMeter, clock: Clock) -> None:
        super().__init__(Budget(None, 0), clock, is_called_off=lambda: whole.stopped)
        self._whole = whole
        self.stopped = True

    def give(self, seconds: float | None, evaluations: int) -> None:
        """Of so many evaluations, and of so many seconds where the clock decides anything."""
        self._start = self._clock()
        self._budget = Budget(seconds, self.evaluations + evaluations)
        self.stopped = self._whole.stopped

    def spend(self) -> None:
        """Count one evaluation, of the other budget too."""
        super().spend()
        self._whole.spend()
        self.stopped = self.stopped or self._whole.stopped

    def check(self) -> bool:
        """True where the turn, or everything, is over."""
        self.stopped = self._whole.check() or super().check()
        return self.stopped
