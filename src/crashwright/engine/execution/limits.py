"""Time limits of a test: a 20 ms tick with a strike counter, so that running a test costs two stores and no clock read.

The first strike raises :class:`TestTimeout` in the test; code that swallows it gets another 40 ms later, and the third ends the
process with :data:`STRUCK_OUT`. Loops inside C never see the tick: the parent watches the heartbeat for those.

Ticks do not interrupt system calls: those that the kernel has somebody judge (``confinement.listener``) would fail with EINTR, and
Python tells the subject so where the call is one that ordinarily cannot be interrupted (``chmod``, ``utime``). A test that waits
in a call past its wall-clock limit is freed by the parent, with :data:`NUDGE`.
"""

from __future__ import annotations

import signal
from _signal import getsignal  # type: ignore[import-not-found]  # signal.getsignal wraps it at ten times the price
from os import _exit, getppid
from signal import ITIMER_REAL, SIGALRM, SIGVTALRM, getitimer, setitimer, siginterrupt
from time import monotonic, process_time
from types import FrameType

from crashwright.engine.execution.heartbeat import Heartbeat, HeartbeatCell, HeartbeatState

TICK_SECONDS = 0.02
STRIKE_SPACING = 0.03
STRIKES = 3
STRUCK_OUT = 124
NUDGE = SIGVTALRM
"""The signal that interrupts what a test waits in. Whoever sends it has put the test's number into ``HeartbeatCell.NUDGED``."""
SLOW_SECONDS = 0.015
"""CPU seconds between two ticks of a test that make it a slow one."""
WALL_FACTOR = 5.0
"""A test may take this many times its CPU limit on the wall clock: it may sleep, and the machine may be busy."""


class TestTimeout(BaseException):
    """Raised in a test that used up its time. Not an Exception, so that few subjects catch it."""

    __test__ = False


class TestClock:
    """Watches the test whose number is in the heartbeat. ``parent`` is the process whose death ends this one (0: none).

    All functions of ``os``, ``time`` and ``signal`` are copied at import: subjects replace them.
    """

    __test__ = False
    __slots__ = (
        "_cells",
        "_cpu",
        "_handler",
        "_limit",
        "_nudged",
        "_parent",
        "_seen",
        "_strikes",
        "_wall",
        "_wall_limit",
        "hung",
        "slow",
        "struck",
    )

    def __init__(self, heartbeat: Heartbeat, test_seconds: float, parent: int = 0) -> None:
        self._cells = heartbeat.cells
        self._parent = parent
        self._seen = 0
        self._cpu = 0.0
        self._wall = 0.0
        self._strikes = 0
        self._handler = self._tick
        self._nudged = self._nudge
        self.struck = 0
        """The number of the last test that ran out of time, however it ended."""
        self.hung = 0.0
        """CPU seconds that tests took which ran out of time, all runs of them, as far as ticks tell."""
        self.slow = 0
        """The number of the last test that took more than SLOW_SECONDS."""
        self.set_limit(test_seconds)

    @property
    def limit(self) -> float:
        """CPU seconds a test may take."""
        return self._limit

    @property
    def wall_limit(self) -> float:
        """Wall-clock seconds a test may take."""
        return self._wall_limit

    def set_limit(self, test_seconds: float, wall_seconds: float | None = None) -> None:
        """CPU seconds per test from now on; tells the parent too. ``wall_seconds``: else ``WALL_FACTOR`` times as many."""
        self._limit = test_seconds
        self._wall_limit = test_seconds * WALL_FACTOR if wall_seconds is None else wall_seconds
        self._cells[HeartbeatCell.LIMIT] = int(test_seconds * 1e6)
        self._cells[HeartbeatCell.WALL] = int(self._wall_limit * 1e6)

    def count_hung(self) -> None:
        """The last test ran out of time, and is over."""
        self.hung += process_time() - self._cpu + TICK_SECONDS / 2

    def begin_anew(self) -> None:
        """What follows under the same number has a limit of its own."""
        self._seen = 0

    def start(self) -> None:
        """Begin to tick, or begin again where the subject took our timer or handler away. Main thread only."""
        signal.signal(NUDGE, self._nudged)
        signal.signal(SIGALRM, self._handler)
        siginterrupt(SIGALRM, False)
        setitimer(ITIMER_REAL, TICK_SECONDS, TICK_SECONDS)

    def stop(self) -> None:
        """No more ticks."""
        setitimer(ITIMER_REAL, 0.0, 0.0)

    def keep_handler(self) -> None:
        """Start again where the subject took our handlers away: without one the next tick ends the process. For after each test."""
        if getsignal(SIGALRM) is not self._handler or getsignal(NUDGE) is not self._nudged:
            self.start()

    def ensure(self) -> None:
        """Start again where the subject took our handler or timer away."""
        if getsignal(SIGALRM) is not self._handler or getitimer(ITIMER_REAL)[1] == 0:
            self.start()

    def _tick(self, _signal: int, _frame: FrameType | None) -> None:
        cells = self._cells
        cells[2] += 1  # Cell.TICKS
        if self._parent and getppid() != self._parent:
            _exit(1)
        number = cells[0]  # Cell.RUNNING
        if not number:
            return
        # The real clocks: this is what ends a test, whatever time it thinks it is.
        if number != self._seen:
            self._begun(number, monotonic())
            return
        spacing = self._strikes * STRIKE_SPACING
        used = process_time() - self._cpu
        if used >= SLOW_SECONDS:
            self.slow = number
        if used >= self._limit + spacing or monotonic() - self._wall >= self._wall_limit + spacing:
            self._strike(number)

    def _nudge(self, _signal: int, _frame: FrameType | None) -> None:
        number = self._cells[HeartbeatCell.RUNNING]
        if not number or number != self._cells[HeartbeatCell.NUDGED]:
            return  # it has ended meanwhile
        if number != self._seen:
            self._begun(number, monotonic() - self._wall_limit)
        self._strike(number)

    def _begun(self, number: int, wall: float) -> None:
        """The number last: on a busy machine the next tick comes within this one, and would count from before the test."""
        self._strikes = 0
        self._cpu = process_time()
        self._wall = wall
        self._seen = number

    def _strike(self, number: int) -> None:
        self._strikes += 1
        self.struck = number
        if self._strikes >= STRIKES:
            self._cells[HeartbeatCell.STATE] = HeartbeatState.STRUCK_OUT
            _exit(STRUCK_OUT)
        raise TestTimeout
