"""Code that reads its process is tested in one that has what it reads; the printed test gives it back when it is over."""

from __future__ import annotations

import ast
import os
import random
import sys
import textwrap

import pytest

from crashwright.engine.execution.executor import Executor
from crashwright.engine.sources.ambient_seeds import ambient_seeds
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.codec import decode, encode
from crashwright.engine.testcase.editing.edits import change
from crashwright.engine.testcase.editing.simpler import simpler_statements
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Ambient, Arguments, Call, Display
from crashwright.engine.testcase.testcase import TestCase

SOURCE = """
    def main():
        region = os.environ["SHIP_REGION"]
        level = os.getenv("SHIP_LEVEL", "1")
        name = sys.argv[2]
        for line in sys.stdin:
            print(region, level, name, line)
"""


def read() -> tuple[str, list[str], str]:
    return os.environ["SHIP_REGION"], sys.argv, sys.stdin.read()


ENTRY = Callee("m", "read", CalleeKind.FUNCTION, (), live=read)
AROUND = (
    Ambient(0, "environ", "SHIP_REGION", "eu"),
    Ambient(1, "argv", "", Display("list", ("--fast", "x"))),
    Ambient(2, "stdin", "", "a\nb\n"),
)
TEST = TestCase((*AROUND, Call(3, ENTRY, Arguments())))


def factory() -> Factory:
    return Factory(ApiModel("textwrap", ["textwrap"]), SeedPool(), (ENTRY,))


def seeds(source: str, *tests: TestCase) -> list[TestCase]:
    tree = ast.parse(textwrap.dedent(source))
    return ambient_seeds([tree], [tree], tests, factory(), random.Random(1))


def test_what_the_source_reads_is_there() -> None:
    found = seeds(SOURCE)
    asked = {(one.place, one.name) for one in found[0].statements if isinstance(one, Ambient)}
    assert asked == {("environ", "SHIP_REGION"), ("environ", "SHIP_LEVEL"), ("argv", ""), ("stdin", "")}
    lists = [one.content for test in found for one in test.statements if isinstance(one, Ambient) and one.place == "argv"]
    assert all(isinstance(one, Display) and len(one.items) >= 2 for one in lists)
    assert len({test.key() for test in found}) > 10


def test_options_of_a_parser_are_arguments() -> None:
    found = seeds("parser.add_argument('--depth', type=int); args = parser.parse_args()")
    assert any("--depth" in repr(test.statements) for test in found)


def test_code_that_reads_nothing_is_left_alone() -> None:
    assert seeds("def main(): return parse(settings['SHIP_REGION'])") == []


def test_tests_at_hand_come_first() -> None:
    (first, *_) = seeds(SOURCE, TestCase((Call(9, ENTRY, Arguments()),)))
    assert first.statements[-1][0] == 9


def test_a_test_runs_in_that_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", sys.argv)
    monkeypatch.setattr("sys.stdin", sys.stdin)
    monkeypatch.setenv("SHIP_REGION", "")
    seen: list[object] = []
    entry = Callee("m", "note", CalleeKind.FUNCTION, (), live=lambda: seen.append(read()))
    assert Executor().run(TestCase((*AROUND, Call(3, entry, Arguments())))).error is None
    assert seen == [("eu", ["program", "--fast", "x"], "a\nb\n")]


def test_it_is_printed_as_one_would_write_it() -> None:
    printed = print_test(TEST)
    assert printed.fixtures == ("monkeypatch",)
    assert list(printed.body) == [
        'monkeypatch.setenv("SHIP_REGION", "eu")',
        'monkeypatch.setattr("sys.argv", ["program", "--fast", "x"])',
        'monkeypatch.setattr("sys.stdin", StringIO("a\\nb\\n"))',
        "read()",
    ]
    assert [*print_test(decode(encode(TEST))).body] == [*printed.body]


def test_changes_keep_what_a_process_can_be_given() -> None:
    rng, maker = random.Random(3), factory()
    for index in [0, 1, 2] * 100:
        changed = change(TEST, index, maker, rng)
        content = next(one.content for one in changed.statements if isinstance(one, Ambient) and one.variable == index)
        texts = content.items if isinstance(content, Display) else (content,)
        assert all(type(text) is str and "\0" not in text for text in texts)
        assert all(str(text).encode("utf-8") is not None for text in texts)


def test_it_is_made_simpler() -> None:
    assert Ambient(2, "stdin", "", "") in list(simpler_statements(AROUND[2]))
    assert Ambient(1, "argv", "", Display("list", ())) in list(simpler_statements(AROUND[1]))
