"""Looks after one fork until it ends: how it died, or that its heartbeat stands still."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Callable
from dataclasses import dataclass
from time import clock_gettime

from crashwright.engine.execution.heartbeat import Heartbeat, HeartbeatCell
from crashwright.engine.execution.limits import NUDGE, STRIKE_SPACING

POLL_SECONDS = 0.01
GRACE_SECONDS = 0.06
"""How long after its limit a test is killed that does not even let the tick through."""
LATE_SECONDS = 1.0
"""How long after its limit a test is killed that the ticks reach, but cannot end."""
SILENCE_CPU = 15.0
"""CPU seconds that may be used between two tests ..."""
SET_UP_CPU = 60.0
"""... and before the first one, when a fork sets up what it works with."""
SILENCE_WAITING, SILENCE_LEAST_CPU = 60.0, 1.0
"""Wall seconds between two tests with less than so many CPU seconds: it waits for what will not
come. However busy the machine is, it gives a process more."""


@dataclass(slots=True)
class _Vigil:
    """What the watch remembers about one fork between two looks."""

    pid: int
    wall: float
    active: float
    number: int = 0
    ticks: int = -1
    cpu: float = 0.0
    tick_cpu: float = 0.0
    activity: tuple[int, int] = (0, 0)
    active_cpu: float | None = None
    """CPU seconds used when something last happened; None until somebody asks."""
    nudged: float = 0.0
    """When the test that runs was last told to come out of what it waits in."""


class Watch:
    """``control`` is a pipe that is only watched for its end. ``heartbeat`` is what the forks share with this process."""

    def __init__(self, heartbeat: Heartbeat, control: int, clock: Callable[[], float]) -> None:
        self._cells = heartbeat.cells
        self._clock = clock
        self._control = select.poll()
        self._control.register(control, 0)

    def end_of(self, pid: int) -> str | None:
        """Wait for the end of a fork. How it ended, in words; None where the host asked to stop."""
        now = self._clock()
        vigil = _Vigil(pid, now, now)
        try:
            return self._watch(vigil)
        except BaseException:  # SIGTERM: the fork must not outlive this process
            _kill(pid)
            raise

    def _watch(self, vigil: _Vigil) -> str | None:
        while True:
            if self._control.poll(POLL_SECONDS * 1000.0):  # the host has closed its end: nothing else is polled for
                _kill(vigil.pid)
                return None
            pid, status = os.waitpid(vigil.pid, os.WNOHANG)
            if pid:
                return _describe(status)
            if self._is_stuck(vigil):
                _kill(vigil.pid)
                return "used up its time in a loop that cannot be interrupted"

    def _is_stuck(self, vigil: _Vigil) -> bool:
        cells, now = self._cells, self._clock()
        number, ticks = cells[HeartbeatCell.RUNNING], cells[HeartbeatCell.TICKS]
        activity = (cells[HeartbeatCell.TESTS], cells[HeartbeatCell.SEQUENCE])
        if activity != vigil.activity or number or cells[HeartbeatCell.WAITING]:
            vigil.activity, vigil.active, vigil.active_cpu = activity, now, None
        cpu = _cpu_seconds(vigil.pid, now)
        if ticks != vigil.ticks:
            vigil.ticks, vigil.tick_cpu = ticks, cpu
        if number != vigil.number:
            vigil.number, vigil.wall, vigil.cpu = number, now, cpu
            return False
        if not number:
            return self._is_silent(vigil, now)
        # In CPU seconds: on a busy machine a process may wait longer than that for its turn, and then the tick gets through.
        grace = GRACE_SECONDS if cpu - vigil.tick_cpu > GRACE_SECONDS else LATE_SECONDS
        used, over = cpu - vigil.cpu, now - vigil.wall - cells[HeartbeatCell.WALL] / 1e6
        if over > GRACE_SECONDS / 2 and now - vigil.nudged > STRIKE_SPACING:
            # By now a tick would have ended it: it waits in a system call, which ticks do not interrupt.
            vigil.nudged = now
            cells[HeartbeatCell.NUDGED] = number
            _send(vigil.pid, NUDGE)
        return used > cells[HeartbeatCell.LIMIT] / 1e6 + grace or over > grace

    def _is_silent(self, vigil: _Vigil, now: float) -> bool:
        cpu = _cpu_seconds(vigil.pid, now)
        if vigil.active_cpu is None:
            vigil.active_cpu = cpu
        return is_dead(cpu - vigil.active_cpu, now - vigil.active, bool(self._cells[HeartbeatCell.TESTS]))


def is_dead(cpu: float, wall: float, has_run_tests: bool) -> bool:
    """Whether a fork will not come back that has used so many seconds without a test: a busy machine is no death."""
    return cpu > (SILENCE_CPU if has_run_tests else SET_UP_CPU) or (cpu < SILENCE_LEAST_CPU and wall > SILENCE_WAITING)


def _send(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return  # the next look says how it ended


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    except (ProcessLookupError, ChildProcessError):
        return  # it was faster


def _describe(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"ended the process (exit code {code})"
    try:
        return f"crashed the interpreter ({signal.Signals(-code).name})"
    except ValueError:
        return f"crashed the interpreter (signal {-code})"


def _cpu_seconds(pid: int, otherwise: float) -> float:
    """CPU time that another process has used. ``otherwise`` where the system has no clock for that (then wall time decides)."""
    try:
        # No clock of this process: it has to be asked for directly.
        return clock_gettime((~pid << 3) | 2)  # Linux: the clock number of a process's CPU time
    except (OSError, OverflowError, AttributeError):
        return otherwise
