"""One run: a search for a suite for one function (RQ2) or one module (RQ3), with or without distances from inside callees."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from benchmarks.comparison.runs import cpu_seconds
from benchmarks.flags.census import Census, census_of
from benchmarks.store import Form
from crashwright.core.messages import Failed, Finished, Message, StartSuite, Suite, SuiteProgress
from crashwright.core.settings import Budget, EngineSettings, SearchSettings
from crashwright.core.suite import CriterionCoverage, ModuleTarget
from crashwright.supervision.engine_process import EngineProcess

SESSION = "crashwright.engine.sessions.suite"
CRITERION = "branch"
TICK = 0.2
FAILED = "failed"
WALL_LIMIT = "wall limit"


@dataclass(frozen=True, slots=True)
class Key:
    """What was run. ``function`` is empty for the whole module; ``flags`` as in ``ModuleTarget``."""

    module: str
    function: str
    flags: bool
    seed: int
    evaluations: int
    algorithm: str
    commit: str


@dataclass(frozen=True, slots=True)
class Row:
    """What came of it: branches covered of all, evaluations, CPU seconds of the engine, and how it ended."""

    key: Key
    covered: int = 0
    total: int = 0
    used: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    ended: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class CensusKey:
    """A census is taken once by each program."""

    module: str
    program: str


@dataclass(frozen=True, slots=True)
class CensusRow:
    """What was found."""

    key: CensusKey
    found: Census


FORM = Form(Key, Row, {"flags": (int, bool)})
CENSUSES = Form(CensusKey, CensusRow, {"found": (json.dumps, lambda text: census_of(json.loads(text)))}, "censuses")


def run(python: str, key: Key, wall: float, stop: Callable[[], bool]) -> Row | None:
    """Make the run of ``key``; None where it was stopped."""
    target = ModuleTarget(key.module, (key.function,) if key.function else (), (CRITERION,), flags=key.flags)
    settings = EngineSettings(SearchSettings(algorithm=key.algorithm, seed=key.seed), Budget(None, key.evaluations))
    begin = time.monotonic()
    row = Row(key)
    try:
        engine = EngineProcess(python, StartSuite(settings, target), SESSION)
    except OSError as error:
        return replace(row, ended=FAILED, note=str(error))
    try:
        while not row.ended:
            message = engine.next(TICK)
            if message is not None:
                row = after(row, message)
            elif not engine.running:
                row = replace(row, ended=FAILED, note="the engine ended without a word")
            if not row.ended and stop():
                return None
            if not row.ended and time.monotonic() - begin > wall:
                row = replace(row, ended=WALL_LIMIT)
        return replace(row, seconds=round(time.monotonic() - begin, 3), cpu=round(cpu_seconds(engine.pid), 3))
    finally:
        engine.stop(0.0)


def after(row: Row, message: Message) -> Row:
    """What is known of a run after one more message of its engine."""
    match message:
        case SuiteProgress() | Suite():
            found = _branches(message.coverage)
            if found is None:
                return row
            return replace(row, covered=found.covered, total=found.total, used=max(row.used, message.evaluations))
        case Finished():
            return replace(row, used=max(row.used, message.evaluations), ended=message.reason)
        case Failed():
            return replace(row, ended=FAILED, note=message.text)
        case _:
            return row


def _branches(coverage: tuple[CriterionCoverage, ...]) -> CriterionCoverage | None:
    return next((one for one in coverage if one.criterion == CRITERION), None)
