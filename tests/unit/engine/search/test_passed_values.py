"""Whether a crash complains of what the test passed: runs of real functions, at the place that a report shows."""

from __future__ import annotations

import argparse
import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from crashwright.core.location import CodeKey, Position
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.execution.executor import Executor, release
from crashwright.engine.search.passed_values import PassedValues
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal, Statement, Value
from crashwright.engine.testcase.testcase import TestCase

SOURCE = """
class Box:
    def __init__(self, held):
        self.held = held

def joined(words, ready=False):
    words = None if ready else words
    return " ".join(words)

def added(one, other):
    total = one if one else None
    return total + other

def found(table, name):
    return table.get(name).upper()

def shouted(box):
    return box.held.upper()

def named(box):
    return box.name
"""
NAMES: dict[str, Any] = {"__name__": "words", "Namespace": argparse.Namespace}
NO_KEPT: Mapping[int, Value] = {}


class Place(NamedTuple):
    """The failing part of the last line of a function."""

    function: str
    part: str
    exception: str

    def told(self, path: Path, kept: Mapping[int, Value] = NO_KEPT) -> PassedValues:
        """What tells for this place."""
        trees = [one for one in ast.parse(SOURCE).body if isinstance(one, ast.FunctionDef) and one.name == self.function]
        line = trees[0].end_lineno or 0
        column = SOURCE.splitlines()[line - 1].index(self.part)
        caret = Position(line, column, line, column + len(self.part))
        frame = TargetFrame(CodeKey("words", self.function, trees[0].lineno), str(path), line, self.part, caret, True)
        return PassedValues(CrashTarget("words", self.exception, "", (frame,)), trees, kept)


JOINED = Place("joined", '" ".join(words)', "TypeError")
ADDED = Place("added", "total + other", "TypeError")
FOUND = Place("found", "table.get(name).upper", "AttributeError")
SHOUTED = Place("shouted", "box.held.upper", "AttributeError")
NAMED = Place("named", "box.name", "AttributeError")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    source = tmp_path / "words.py"
    source.write_text(SOURCE)
    exec(compile(SOURCE, str(source), "exec"), NAMES)
    return source


def call(variable: int, name: str, *variables: int, **keywords: int) -> Call:
    kind = CalleeKind.CLASS if name[0].isupper() else CalleeKind.FUNCTION
    callee = Callee("words", name, kind, (), live=NAMES[name])
    return Call(variable, callee, Arguments(variables, tuple(keywords.items())))


def handed(told: PassedValues, *statements: Statement) -> bool:
    executor = Executor()
    executor.keep_variables()
    test = TestCase(statements)
    outcome = executor.run(test)
    assert outcome.variables
    found = told.of(test, outcome)
    release(outcome)
    assert not outcome.variables
    return found


def test_what_is_refused_was_passed_or_made(path: Path) -> None:
    told = JOINED.told(path)
    assert handed(told, Literal(0, 5), call(1, "joined", 0))
    assert not handed(told, Literal(0, "x"), Literal(1, True), call(2, "joined", 0, 1))


def test_what_the_report_itself_shows_is_not_held_against_a_test(path: Path) -> None:
    told = JOINED.told(path, {0: None})
    assert not handed(told, Literal(0, None), call(1, "joined", 0))
    assert handed(told, Literal(0, 3), call(1, "joined", 0))


def test_all_that_the_failing_part_works_on_has_to_be_passed(path: Path) -> None:
    told = ADDED.told(path)
    assert handed(told, Literal(0, 1), Literal(1, "x"), call(2, "added", 0, 1))
    assert not handed(told, Literal(0, 0), Literal(1, "x"), call(2, "added", 0, 1))


def test_what_the_line_makes_itself_is_not_passed(path: Path) -> None:
    told = FOUND.told(path)
    assert not handed(told, Literal(0, Display("dict", (("a", None),))), Literal(1, "a"), call(2, "found", 0, 1))


def test_what_containers_and_namespaces_hold_is_passed_with_them(path: Path) -> None:
    told = SHOUTED.told(path)
    assert handed(told, Literal(0, 5), call(1, "Namespace", held=0), call(2, "shouted", 1))
    assert handed(told, Literal(0, 5), call(1, "Box", 0), call(2, "shouted", 1))


def test_what_lacks_an_attribute_of_its_own_is_no_wrong_kind(path: Path) -> None:
    told = NAMED.told(path)
    assert not handed(told, Literal(0, 5), call(1, "Box", 0), call(2, "named", 1))
    assert handed(told, Literal(0, 5), call(2, "named", 0))


def test_other_exceptions_and_other_places_tell_nothing(path: Path) -> None:
    assert JOINED.told(path).is_telling
    assert not Place("joined", '" ".join(words)', "IndexError").told(path).is_telling
    assert not Place("joined", '" "', "TypeError").told(path).is_telling
    elsewhere = handed(JOINED.told(path), Literal(0, 5), call(2, "named", 0))
    assert not elsewhere
