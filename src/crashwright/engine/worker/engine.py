"""The fork that searches: confines itself, sets up what tests run with, and hands over to the session."""

from __future__ import annotations

import errno
import gc
import os
import traceback
from os import _exit
from time import monotonic, process_time, time

from crashwright.core.messages import AnyStart
from crashwright.engine.execution.enclosure import Enclosure
from crashwright.engine.execution.executor import Executor, Spoiled
from crashwright.engine.execution.heartbeat import Heartbeat, HeartbeatCell, HeartbeatState
from crashwright.engine.execution.isolation.ambient import LEFT_RUNNING, MOST_THREADS
from crashwright.engine.execution.isolation.isolation import FILES_LEFT_OPEN, Isolation
from crashwright.engine.execution.limits import TestClock
from crashwright.engine.execution.running_call import RunningCall
from crashwright.engine.worker.channel import Channel, open_descriptors
from crashwright.engine.worker.folders import Folders
from crashwright.engine.worker.protocol import Clocks, Resume, Session, Workbench

COLLECT_AFTER = (10_000, 10, 20)
"""Thresholds of the garbage collector. Tests are trees of values without cycles, and what they leave behind is mostly gone at once:
with the usual (700, 10, 10) the collector takes 4 % of the time."""
CPU_PER_SECOND = 2.0
"""CPU seconds that the process gets for each second of its budget: a backstop for when every other watch has failed."""

CLOCKS = Clocks(monotonic, process_time, time)
"""Taken here, before the subject is imported; whatever works in a fork is given them."""
_OUT_OF_FILES = {
    errno.EBADF: "a test closed files that it had not opened",
    errno.EMFILE: FILES_LEFT_OPEN,
}
"""Errors of our own calls for which a test is to blame: a new fork begins without what it did."""


NO_MEMORY = "the tests left no memory"


def run_engine(
    session: Session,
    start: AnyStart,
    channel: Channel,
    heartbeat: Heartbeat,
    isolation: Isolation,
    folders: Folders,
    enclosure: Enclosure,
    resume: Resume,
    tolerated: frozenset[str],
) -> None:
    """Never returns: the process ends here, and the heartbeat says how."""
    cells = heartbeat.cells
    state = HeartbeatState.FAILED
    try:
        bench = _set_up(start, channel, heartbeat, isolation, folders, enclosure, tolerated)
        session.run(bench, resume)
        state = HeartbeatState.DONE
    except Spoiled as spoiled:
        heartbeat.write_reason(spoiled.reason)
        state = HeartbeatState.RENEW
    except MemoryError:
        heartbeat.write_reason(NO_MEMORY)
        state = HeartbeatState.RENEW
    except BrokenPipeError:
        state = HeartbeatState.DONE  # the host is gone, nobody is left to be told
    except OSError as error:
        reason = _OUT_OF_FILES.get(error.errno or 0)
        state = HeartbeatState.FAILED if reason is None else HeartbeatState.RENEW
        heartbeat.write_reason(reason or _text_of(error))
    except BaseException as error:  # noqa: BLE001 (a defect of ours: reported through the parent, and the process ends)
        heartbeat.write_reason(_text_of(error))
    cells[HeartbeatCell.RUNNING] = 0
    cells[HeartbeatCell.STATE] = state
    _exit(0)


def _text_of(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))[-3000:]


def _set_up(
    start: AnyStart,
    channel: Channel,
    heartbeat: Heartbeat,
    isolation: Isolation,
    folders: Folders,
    enclosure: Enclosure,
    tolerated: frozenset[str],
) -> Workbench:
    settings = start.settings
    seconds = settings.budget.seconds
    cpu_seconds = None if seconds is None else int(60 + CPU_PER_SECOND * seconds)
    enclosure.close_in_fork(cpu_seconds, open_descriptors(), MOST_THREADS if LEFT_RUNNING in tolerated else 0)
    clock = TestClock(heartbeat, settings.limits.test_seconds, os.getppid())
    clock.start()
    isolation.begin(enclosure.guard, tolerated, clock.ensure)
    gc.set_threshold(*COLLECT_AFTER)
    gc.enable()
    executor = Executor(heartbeat, clock, isolation, folders.files)
    return Workbench(
        start=start,
        clocks=CLOCKS,
        channel=channel,
        executor=executor,
        clock=clock,
        isolation=isolation,
        guard=enclosure.guard,
        waiting=heartbeat.note_waiting,
        running=RunningCall(heartbeat),
    )
