"""The fork that searches: confines itself, sets up what tests run with, and hands over to the session."""

from __future__ import annotations

import errno
import gc
import os
import traceback
from os import _exit

from crashwright.core.messages import Start
from crashwright.engine.execution.guard import Guard
from crashwright.engine.execution.heartbeat import Cell, Heartbeat, State
from crashwright.engine.execution.interpreter import Executor, Spoiled
from crashwright.engine.execution.isolation import Isolation
from crashwright.engine.execution.limits import TestClock
from crashwright.engine.execution.rlimits import limit_this_process
from crashwright.engine.worker.channel import Channel
from crashwright.engine.worker.folders import Folders
from crashwright.engine.worker.protocol import Resume, Session, Workbench

COLLECT_AFTER = (10_000, 10, 20)
"""Thresholds of the garbage collector. Tests are trees of values without cycles, and what they leave behind is mostly gone at once:
with the usual (700, 10, 10) the collector takes 4 % of the time."""
CPU_PER_SECOND = 2.0
"""CPU seconds that the process gets for each second of its budget: a backstop for when every other watch has failed."""


def run_engine(
    session: Session,
    start: Start,
    channel: Channel,
    heartbeat: Heartbeat,
    isolation: Isolation,
    folders: Folders,
    resume: Resume,
    tolerated: frozenset[str],
) -> None:
    """Never returns: the process ends here, and the heartbeat says how."""
    cells = heartbeat.cells
    state = State.FAILED
    try:
        bench = _set_up(start, channel, heartbeat, isolation, folders, tolerated)
        session.run(bench, resume)
        state = State.DONE
    except Spoiled as spoiled:
        heartbeat.write_reason(spoiled.reason)
        state = State.RENEW
    except BrokenPipeError:
        state = State.DONE  # the host is gone, nobody is left to be told
    except OSError as error:
        closed = error.errno == errno.EBADF
        state = State.RENEW if closed else State.FAILED
        heartbeat.write_reason("a test closed files that it had not opened" if closed else _text_of(error))
    except BaseException as error:  # noqa: BLE001 (a defect of ours: reported through the parent, and the process ends)
        heartbeat.write_reason(_text_of(error))
    cells[Cell.RUNNING] = 0
    cells[Cell.STATE] = state
    _exit(0)


def _text_of(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))[-3000:]


def _set_up(
    start: Start, channel: Channel, heartbeat: Heartbeat, isolation: Isolation, folders: Folders, tolerated: frozenset[str]
) -> Workbench:
    settings = start.settings
    seconds = settings.budget.seconds
    limit_this_process(settings.limits, None if seconds is None else int(60 + CPU_PER_SECOND * seconds))
    clock = TestClock(heartbeat, settings.limits.test_seconds, os.getppid())
    guard = Guard(folders.root, settings.allow)
    guard.install()
    clock.start()
    isolation.begin(guard, tolerated, clock.ensure)
    gc.set_threshold(*COLLECT_AFTER)
    gc.enable()
    return Workbench(start, channel, Executor(heartbeat, clock, isolation, folders.files), clock, isolation, guard)
