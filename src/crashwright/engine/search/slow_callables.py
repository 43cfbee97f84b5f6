"""More time for what the frames of a report need: a class whose constructor is slow runs out of the time of a test at each try, and
there is no other way to the crash. What hangs all the same gets it a few times only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection

from crashwright.engine.execution.limits import TestClock
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.search.adaptive_timeout import LONGEST_TEST
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.testcase import TestCase

TRIES = 3
"""How often a callable that does not end with more time gets it."""
ROOM = 2.0
"""How many times what such a test took one may take from then on."""


class SlowCallables:
    """Raises the limit of ``clock`` when a test ran out of time in one of ``needed`` and ends with more. ``cpu`` tells the CPU
    seconds that this process has used."""

    def __init__(self, clock: TestClock, needed: Collection[Callee], cpu: Callable[[], float]) -> None:
        self._clock = clock
        self._needed = frozenset(needed)
        self._cpu = cpu
        self._failed: Counter[Callee] = Counter()
        self._tried: tuple[Callee, float, float] | None = None
        self._since = 0.0

    def is_worth_more(self, test: TestCase, outcome: Outcome) -> bool:
        """Whether ``test``, which ran out of time, is worth a run with more of it, for which the limit is raised now. Call
        :meth:`end` after that run."""
        if self._tried is not None or self._clock.limit >= LONGEST_TEST:
            return False
        callee = _called_last(test, outcome)
        if callee is None or callee not in self._needed or self._failed[callee] >= TRIES:
            return False
        self._tried = callee, self._clock.limit, self._clock.wall_limit
        self._clock.set_limit(LONGEST_TEST)
        self._since = self._cpu()
        return True

    def end(self, outcome: Outcome) -> None:
        """The run with more time is over: the limit stays where that was of use."""
        if self._tried is None:
            return
        (callee, limit, wall), self._tried = self._tried, None
        if outcome.timed_out:
            self._failed[callee] += 1
            self._clock.set_limit(limit, wall)
            return
        used = self._cpu() - self._since
        while limit < min(LONGEST_TEST, ROOM * used):
            limit *= 2  # in steps, so that runs of the same search mostly have the same limit
        self._clock.set_limit(min(LONGEST_TEST, limit))


def _called_last(test: TestCase, outcome: Outcome) -> Callee | None:
    """What was called when the time was over."""
    if outcome.executed >= len(test.statements):
        return None
    statement = test.statements[outcome.executed]
    return statement.callee if isinstance(statement, st.Call | st.MethodCall) else None
