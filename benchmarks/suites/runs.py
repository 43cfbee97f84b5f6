"""One run: an engine searches for a suite within a number of evaluations; where asked, another one measures all criteria on it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.comparison.runs import FAILED, PATIENCE, TICK, WALL_LIMIT, Limits, cpu_seconds
from benchmarks.store import Form
from benchmarks.suites.configurations import Configuration
from crashwright.core.messages import Failed, Finished, Message, Phase, StartSuite, Suite, SuiteProgress
from crashwright.core.settings import Budget, EngineSettings, LimitSettings, SearchSettings
from crashwright.core.suite import CriterionCoverage, ModuleTarget, SuiteTest
from crashwright.supervision.engine_process import EngineProcess

SEARCH = str(Path(__file__).with_name("search_session.py"))
TIMED = str(Path(__file__).with_name("processor_session.py"))
"""For searches that are bounded by time."""
REPLAY = str(Path(__file__).with_name("replay_session.py"))
REPLAY_SECONDS = 1.0
"""What a test may take when it is measured: at least what a search gives it."""
CURVE = "branch"
"""The criterion whose progress is kept."""
MEASURED = "measured"
"""How a run ended whose suite was measured on all criteria."""
Counts = Mapping[str, tuple[int, int]]
"""By criterion: goals covered, and goals known. Of exceptions, and of outputs that nobody declares, those are known that were
found."""


@dataclass(frozen=True, slots=True)
class Key:
    """What makes a run the run it is: a run whose key is in the store is not made again."""

    module: str
    configuration: str
    seed: int
    evaluations: int
    commit: str


@dataclass(frozen=True, slots=True)
class Row:
    """A run and what came of it. ``coverage`` is that of the archive at the end of the search, or of the suite where that was
    measured again; ``tests`` and ``statements`` are the size of the same. ``curve`` holds the points (evaluations, branches) at
    which the number of covered branches rose. ``seconds`` and ``cpu`` are those of the search, start included. ``ended``: budget,
    measured, wall limit or failed; the last two are no results."""

    key: Key
    coverage: Counts = field(default_factory=dict)
    tests: int = 0
    statements: int = 0
    curve: tuple[tuple[int, int], ...] = ()
    used: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    ended: str = ""
    note: str = ""

    @property
    def good(self) -> bool:
        """It is a result."""
        return self.ended not in ("", FAILED, WALL_LIMIT)


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


FORM = Form(
    Key,
    Row,
    {
        "coverage": (_compact, lambda text: {criterion: (met, known) for criterion, (met, known) in json.loads(text).items()}),
        "curve": (_compact, lambda text: tuple((used, met) for used, met in json.loads(text))),
    },
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where modules are imported: the interpreter, and folders put first on its ``sys.path``."""

    python: str
    path: tuple[str, ...] = ()


class _Over(Exception):
    """The wall limit is reached (``ended`` says so), or the campaign stops (it is empty)."""

    def __init__(self, ended: str) -> None:
        self.ended = ended


def run(place: Place, configuration: Configuration, key: Key, limits: Limits, replay: bool) -> Row | None:
    """Make the run of ``key``; None where it was stopped. Without ``replay`` it ends when the search does: no suite is made."""
    row = Row(key)
    try:
        row, suite = search(place, configuration, row, limits, replay)
        return measured(place, row, suite, limits) if replay and row.good else row
    except _Over as over:
        return replace(row, ended=over.ended) if over.ended else None
    except OSError as error:
        return replace(row, ended=FAILED, note=str(error))


def search(place: Place, configuration: Configuration, row: Row, limits: Limits, whole: bool) -> tuple[Row, tuple[SuiteTest, ...]]:
    """The row of a search, with the coverage of its archive; and its suite where the ``whole`` run is waited for."""
    key = row.key
    settings = configuration.settings(key.seed, key.evaluations, place.path)
    session = SEARCH if configuration.seconds is None else TIMED
    engine = EngineProcess(place.python, StartSuite(settings, configuration.target(key.module)), session)
    begin = time.monotonic()
    suite: tuple[SuiteTest, ...] = ()
    try:
        for message in _messages(engine, limits):
            if isinstance(message, SuiteProgress) and row.seconds:
                continue  # a test ended the process that made the suite small: its successor counts that one's tests, too
            row = after(row, message)
            if isinstance(message, Suite):
                suite = message.tests
            if isinstance(message, SuiteProgress) and message.phase is Phase.MINIMISE:
                row = replace(row, seconds=round(time.monotonic() - begin, 3), cpu=round(cpu_seconds(engine.pid), 3))
                if not whole:
                    row = replace(row, ended="budget")
            if row.ended:
                break
        return row, suite
    finally:
        engine.stop(0.0)


def after(row: Row, message: Message) -> Row:
    """What is known of a search after one more message of its engine."""
    match message:
        case SuiteProgress():
            found = counts(message.coverage)
            covered = found.get(CURVE, (0, 0))[0]
            rose = covered > (row.curve[-1][1] if row.curve else 0)
            point = ((message.evaluations, covered),) if rose else ()
            return replace(row, coverage=found, tests=message.tests, used=message.evaluations, curve=row.curve + point)
        case Finished():
            return replace(row, ended=message.reason)
        case Failed():
            return replace(row, ended=FAILED, note=message.text)
        case _:
            return row


def measured(place: Place, row: Row, suite: Sequence[SuiteTest], limits: Limits) -> Row:
    """The row with what its suite covers of all criteria, by running it once more in another process."""
    tests = tuple(test.test for test in suite)
    settings = EngineSettings(
        SearchSettings(seed=row.key.seed), Budget(None, None), LimitSettings(test_seconds=REPLAY_SECONDS), path=place.path
    )
    statements = sum(len(test["statements"]) for test in tests)
    row = replace(row, coverage={}, tests=len(tests), statements=statements)
    engine = EngineProcess(place.python, StartSuite(settings, ModuleTarget(row.key.module), seeds=tests), REPLAY)
    try:
        for message in _messages(engine, limits):
            if isinstance(message, SuiteProgress):
                lost = len(tests) - message.tests
                note = f"{lost} of {len(tests)} tests could not be replayed" if lost else ""
                row = replace(row, coverage=counts(message.coverage), note=note)
            elif isinstance(message, Failed):
                return replace(row, ended=FAILED, note=f"replay: {message.text}")
        return replace(row, ended=MEASURED)
    finally:
        engine.stop(0.0)


def counts(coverage: Sequence[CriterionCoverage]) -> dict[str, tuple[int, int]]:
    """By criterion."""
    return {one.criterion: (one.covered, one.total) for one in coverage}


def _messages(engine: EngineProcess, limits: Limits) -> Iterator[Message]:
    """To the end of the engine. Raises _Over where it must not be waited for any longer."""
    begin = time.monotonic()
    while engine.running:
        message = engine.next(TICK)
        if message is not None:
            yield message
        if limits.stop():
            raise _Over("")
        seconds = time.monotonic() - begin
        if seconds >= limits.wall and too_long(seconds, lambda: cpu_seconds(engine.pid), limits.wall):
            raise _Over(WALL_LIMIT)


def too_long(seconds: float, cpu: Callable[[], float], limit: float) -> bool:
    """On a busy machine a run may take ``PATIENCE`` times the limit, as long as its processes have not had that much processor
    time (0 where nobody counts it)."""
    return seconds >= PATIENCE * limit or not 0 < cpu() < limit
