"""One run: tests are composed for a crash, and an engine runs these alone.

The engine gets them as tests of an earlier run; the report that it gets has no echoed lines and no local values, and most
mechanisms are switched off, so that nothing else leads it to the crash. A test at level 4 counts where the engine names it as one
of these.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, replace

from benchmarks.comparison.crashes import Aim
from benchmarks.store import Form
from crashwright.core.mechanisms import Mechanism
from crashwright.core.messages import Failed, Finished, Found, Start
from crashwright.core.precondition import Precondition
from crashwright.core.settings import Budget, EngineSettings, SearchSettings
from crashwright.core.target import CrashTarget
from crashwright.engine.sources.values.origin import EARLIER
from crashwright.engine.testcase.codec import decode
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.environment.imported_sources import with_imported
from crashwright.environment.interpreter import inspect_interpreter
from crashwright.supervision.engine_process import EngineProcess
from crashwright.symbolic.composition.composition_job import ComposedTest, Composition, Order
from crashwright.symbolic.composition.strategies import Strategy

REPRODUCED = 4
TICK = 0.25
ENGINE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Key:
    """What makes a run the run it is."""

    crash: str
    limit: float
    strategy: str
    commit: str


@dataclass(frozen=True, slots=True)
class Row:
    """A run and what came of it. ``subset``: the set of the pack; ``solved``: the outermost frame that has a precondition, of
    ``frames``; ``composed``: the outermost frame whose function a test calls (0: there is none), of ``tests``; ``refused``: the
    engine did not take them; ``level`` and ``agreeing`` are those of the best; ``place`` which of them it was; ``statements`` its
    length, and ``objects`` those that it makes; ``text`` how it reads. ``first``: seconds until the first was composed."""

    key: Key
    subset: str
    frames: int
    solved: int
    composed: int
    tests: int
    level: int
    agreeing: int
    place: int
    statements: int
    objects: int
    first: float
    seconds: float
    text: str
    note: str


FORM = Form(Key, Row)


def run(aim: Aim, key: Key) -> Row:
    """Make the run of ``key``."""
    facts = json.loads((aim.crash.folder / "crash.json").read_text(encoding="utf-8"))
    row = Row(key, str(facts.get("set", "")), aim.frames, 0, 0, 0, 0, 0, 0, 0, 0, 0.0, 0.0, "", "")
    row, tests = _composed(aim, row)
    # Of tests together an engine tells only of what comes nearest to the whole crash.
    for partial in (False, True):
        some = [one for one in tests if one.partial == partial]
        if some and row.level < REPRODUCED:
            row = _judged(aim, row, some)
    return row


def _composed(aim: Aim, row: Row) -> tuple[Row, list[ComposedTest]]:
    version = inspect_interpreter(str(aim.crash.python)).version[:2]
    begin = time.monotonic()
    try:
        sources = with_imported({one.key.module: one.path for one in aim.target.package_frames})
        order = Order(aim.target, sources, version, row.key.limit, Strategy(row.key.strategy), alone=True)
    except (OSError, SyntaxError, UnicodeError) as error:
        return replace(row, note=str(error)), []
    tests, first, solved = list[ComposedTest](), 0.0, 0
    with Composition(order, niceness=0) as composition:
        for one in composition.found():
            if isinstance(one, Precondition):
                solved = max(solved, one.level)
                continue
            first = first or time.monotonic() - begin
            tests.append(one)
        _, reason = composition.ending
    seconds = time.monotonic() - begin
    row = replace(
        row,
        solved=solved,
        composed=max((one.level for one in tests), default=0),
        tests=len(tests),
        first=round(first, 2),
        seconds=round(seconds, 2),
        note=reason.strip().rpartition("\n")[2],
    )
    return row, sorted(tests, key=lambda one: -one.level)


def _judged(aim: Aim, row: Row, tests: list[ComposedTest]) -> Row:
    without = tuple(one for one in Mechanism if one is not Mechanism.OBJECTS)
    settings = EngineSettings(search=SearchSettings(without=without), budget=Budget(None, len(tests)), path=aim.path)
    engine = EngineProcess(str(aim.crash.python), Start(settings, _silent(aim.target), tuple([one.test for one in tests])))
    until = time.monotonic() + ENGINE_SECONDS
    try:
        while engine.running and time.monotonic() < until:
            message = engine.next(TICK)
            if isinstance(message, Found) and message.origin == EARLIER and message.level > row.level:
                # What comes after them was made from them by the search.
                row = _better(row, message) if message.evaluations <= len(tests) else row
            elif isinstance(message, Failed):
                row = replace(row, note=message.text)
            if isinstance(message, Finished) or row.level == REPRODUCED:
                break
        return row
    finally:
        engine.stop(0.0)


def _better(row: Row, found: Found) -> Row:
    test = decode(found.test)
    printed = print_test(test)
    made = sum(type(one).__name__ in ("Call", "Reference") for one in test.statements)
    return replace(
        row,
        level=found.level,
        agreeing=found.frames,
        place=found.evaluations,
        statements=len(printed.body),
        objects=made,
        text="\n".join([*printed.imports, "", *printed.body]),
    )


def _silent(target: CrashTarget) -> CrashTarget:
    """Without what the report shows of the callers."""
    return replace(target, call_sites=(), frames=tuple([replace(one, local_values={}) for one in target.frames]))
