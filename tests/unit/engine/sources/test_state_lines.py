"""Objects that are fed with lines of text before the crash."""

from __future__ import annotations

import random

import stations

from crashwright.core.location import CodeKey, Position
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.execution.executor import Executor
from crashwright.engine.sources.path_words import writers_of_guards
from crashwright.engine.sources.state_lines import lines_read, state_line_tests, state_lines_for, tell_state_lines_to
from crashwright.engine.sources.values.used_types import UsedAnywhere
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.source import Sources
from crashwright.engine.subject.usage.called import called_from
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool

API = ApiModel("stations", ["stations"])


CODE = stations.Gauge.spread.__code__
LINE = CODE.co_firstlineno + 2
KEY = CodeKey("stations", "Gauge.spread", CODE.co_firstlineno)
SPREAD = CrashTarget("stations", "", "", (TargetFrame(KEY, CODE.co_filename, LINE, "", Position(LINE, 15, LINE, 43), True),))


def made(crash: CrashTarget) -> tuple[Factory, list[object]]:
    sources, rng = Sources(), random.Random(1)
    writers = writers_of_guards(crash, sources, API)
    keys = [crash.frames[0].key, *writers.places]
    reading = [*writers.functions, *(node for _, node in called_from(keys, sources))]
    groups = lines_read(reading, crash, [vars(stations)], rng)
    factory = Factory(API, SeedPool(structured=True), API.callee_for(*crash.frames[0].key), diverse=True)
    given = state_lines_for(writers.callees, groups, UsedAnywhere(API, sources).hints)
    tell_state_lines_to(factory, given)
    return factory, list(state_line_tests(factory, given, rng))


def test_what_a_writer_matches_is_fed_and_then_asked_for() -> None:
    _, tests = made(SPREAD)
    executor = Executor()
    errors = [type(executor.run(test).error).__name__ for test in tests]  # type: ignore[arg-type]
    assert errors.count("ZeroDivisionError") > 3
    assert "NoneType" in errors  # two readings of one place that differ


def test_lines_of_one_pattern_come_in_pairs_that_differ_in_one_part() -> None:
    sources = Sources()
    node = sources.node_of(CodeKey("stations", "Gauge.feed", stations.Gauge.feed.__code__.co_firstlineno))
    assert node is not None
    groups = lines_read([node], SPREAD, [vars(stations)], random.Random(1))
    assert all(stations.READING.fullmatch(line) for group in groups for line in group)
    assert any(len(group) == 2 and group[0].split()[0] == group[1].split()[0] for group in groups)


def test_random_tests_draw_the_lines_too() -> None:
    factory, _ = made(SPREAD)
    rng = random.Random(2)
    feeding = next(one for one in API.callables if one.name == "feed")
    parts = [factory.shaped.draw(feeding, "lines", rng) for _ in range(40)]
    assert 8 < sum(bool(part) for part in parts) < 32
