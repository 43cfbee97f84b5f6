"""Calls of what parses a command line get lines that its parser takes, where the line comes from: an argument, or the process."""

from __future__ import annotations

import argparse
import ast
import random
import sys
import types
from collections.abc import Iterator

import pytest
from no_tracer import NoTracer

from crashwright.core.settings import Budget
from crashwright.engine.execution.executor import Executor
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.sources.applications.live_parsers import CommandLines, parses_lines
from crashwright.engine.sources.recording_runs import RecordingNeeds
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Ambient
from crashwright.engine.testcase.testcase import TestCase

SOURCE = """
import argparse
import sys
from collections.abc import Sequence

SEEN = []

def _parse(line):
    parser = argparse.ArgumentParser()
    parser.add_argument("--depth", type=int, default=1)
    parser.add_argument("--colour", choices=["red", "green"])
    return parser.parse_args(line)

def of_the_process():
    SEEN.append(_parse(None))

def of_the_slice():
    SEEN.append(_parse(sys.argv[1:]))

def of_an_argument(times=1, argv: Sequence[str] | None = None):
    SEEN.append(_parse(argv))

def with_the_program(argv):
    SEEN.append(_parse(argv[1:]))

def of_nobody(argv):
    return None

def of_one_text(text: str):
    SEEN.append(_parse(text.split()))
"""


@pytest.fixture
def module() -> Iterator[types.ModuleType]:
    made = types.ModuleType("shelves_asked")
    sys.modules["shelves_asked"] = made
    exec(compile(SOURCE, "shelves_asked.py", "exec"), vars(made))
    yield made
    del sys.modules["shelves_asked"]


def made_for(name: str) -> tuple[list[TestCase], Executor]:
    api = ApiModel("shelves_asked", ["shelves_asked"])
    callee = next(one for one in api.callables if one.name == name)
    factory, executor = Factory(api, SeedPool(), (callee,)), Executor()
    meter = BudgetMeter(Budget(None, 1000), lambda: 0.0)
    around = RecordingNeeds(executor, NoTracer(), meter, Quarantine(), lambda _callee, _name: (), lambda _names: (), {})
    return CommandLines(around, factory, random.Random(1)).tests(callee), executor


@pytest.mark.parametrize("name", ["of_the_process", "of_the_slice", "of_an_argument", "with_the_program"])
def test_lines_go_where_the_parser_takes_them_from(module: types.ModuleType, name: str) -> None:
    original = argparse.ArgumentParser.parse_known_args
    found, executor = made_for(name)
    assert argparse.ArgumentParser.parse_known_args is original
    module.SEEN.clear()
    for test in found:
        assert executor.run(test).error is None
    assert {one.colour for one in module.SEEN} == {None, "red", "green"}
    assert {one.depth for one in module.SEEN} >= {1, 3, 0, -1}
    process = [one for test in found for one in test.statements if isinstance(one, Ambient)]
    assert bool(process) == name.startswith("of_the")


@pytest.mark.parametrize("name", ["of_nobody", "of_one_text"])
def test_what_parses_no_list_is_left_alone(module: types.ModuleType, name: str) -> None:
    assert made_for(name)[0] == []


def test_who_parses() -> None:
    assert parses_lines(ast.parse(SOURCE))
    assert not parses_lines(ast.parse("def parse_args():\n    return 1"))
