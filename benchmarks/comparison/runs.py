"""One run: an engine searches for one crash, within a number of evaluations and a wall limit, until its first test at level 4.

Runs are the product's own engine processes. The printed test is not verified in a fresh interpreter: a run succeeds where the
engine sees level 4 (exception, message and all frames out to the target frame), and then it is stopped, before minimisation.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.comparison.configurations import Configuration
from benchmarks.comparison.crashes import Aim
from benchmarks.store import Form
from crashwright.core.messages import EndReason, Failed, Finished, Found, Message, Progress, Start
from crashwright.core.settings import Budget, EngineSettings
from crashwright.supervision.engine_process import EngineProcess

REPRODUCED = 4
"""The level of a whole reproduction."""
WALL_LIMIT, FAILED = "wall limit", "failed"
PATIENCE = 3
TICK = 0.25
"""Seconds between looks at the clock."""


@dataclass(frozen=True, slots=True)
class Key:
    """What makes a run the run it is: a run whose key is in the store is not made again. ``frame`` is the target frame."""

    crash: str
    frame: int
    configuration: str
    seed: int
    evaluations: int
    commit: str


@dataclass(frozen=True, slots=True)
class Row:
    """A run and what came of it. ``success`` is the number of evaluations until the crash was reproduced (None: it was not);
    ``used`` those spent; ``level`` and ``frames`` are the best seen, of ``total`` frames of the package; ``fitness`` is that of
    the best test, on the scale of its own function. ``ended``: reproduced, budget, exhausted, short of level 4, wall limit or
    failed. ``pairs`` and ``decided``: see ``Ties``."""

    key: Key
    total: int
    success: int | None
    used: int
    level: int
    frames: int
    fitness: float
    seconds: float
    cpu: float
    ended: str
    note: str = ""
    pairs: int = 0
    decided: int = 0


FORM = Form(Key, Row)


@dataclass(frozen=True, slots=True)
class Limits:
    """``wall`` is in seconds; on a busy machine a run may take ``PATIENCE`` times that, as long as its processes have not had that
    much processor time, so that other work does not decide. ``stop`` is asked several times a second; a run that is stopped leaves
    no row."""

    wall: float
    stop: Callable[[], bool]


def run(aim: Aim, configuration: Configuration, key: Key, limits: Limits) -> Row | None:
    """Make the run of ``key``; None where it was stopped. A run that does not end in ``limits.wall`` seconds is a failure."""
    settings = EngineSettings(search=configuration.settings(key.seed), budget=Budget(None, key.evaluations), path=aim.path)
    begin = time.monotonic()
    row = Row(key, aim.frames, None, 0, 0, 0, -1.0, 0.0, 0.0, "")
    known = aim.knowledge
    try:
        engine = EngineProcess(str(aim.crash.python), Start(settings, aim.target, (), known.preconditions, known.composed))
    except OSError as error:
        return replace(row, ended=FAILED, note=str(error))
    try:
        while not row.ended:
            message = engine.next(TICK)
            seconds = time.monotonic() - begin
            if message is not None:
                row = after(row, message)
            elif not engine.running:
                row = replace(row, ended=FAILED, note="the engine ended without a word")
            if not row.ended and limits.stop():
                return None
            if not row.ended and seconds >= limits.wall and _too_long(seconds, cpu_seconds(engine.pid), limits.wall):
                row = replace(row, ended=WALL_LIMIT)
        return replace(row, seconds=round(time.monotonic() - begin, 3), cpu=round(cpu_seconds(engine.pid), 3))
    finally:
        engine.stop(0.0)


def after(row: Row, message: Message) -> Row:
    """What is known of a run after one more message of its engine."""
    if isinstance(message, Found | Progress):
        # A fork that takes over from one that a test has ended counts from the beginning.
        row = replace(row, pairs=max(row.pairs, message.ties.pairs), decided=max(row.decided, message.ties.decided))
    match message:
        case Found(level=4):
            return replace(
                row,
                success=message.evaluations,
                used=message.evaluations,
                level=REPRODUCED,
                frames=message.frames,
                fitness=message.distance,
                ended="reproduced",
            )
        case Found():
            return replace(
                row,
                used=max(row.used, message.evaluations),
                level=max(row.level, message.level),
                frames=max(row.frames, message.frames),
                fitness=message.distance if row.fitness < 0 else min(row.fitness, message.distance),
            )
        case Progress():
            return replace(row, used=max(row.used, message.evaluations), fitness=message.distance)
        case Finished():
            # Reproduced by its own measure, but no test at level 4 came: not a success.
            reason = "short of level 4" if message.reason is EndReason.REPRODUCED else message.reason.value
            return replace(row, used=max(row.used, message.evaluations), ended=reason)
        case Failed():
            return replace(row, ended=FAILED, note=message.text)
        case _:
            return row


def _too_long(seconds: float, cpu: float, limit: float) -> bool:
    return cpu >= limit or cpu == 0 or seconds >= PATIENCE * limit


def cpu_seconds(group: int) -> float:
    """CPU seconds of all processes of a process group and of those that they have waited for. Linux; 0 elsewhere."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has just ended
        if int(fields[2]) == group:
            ticks += sum(int(field) for field in fields[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")
