"""What must come before a place is reached for the first time: no loop waits for its own outcome."""

from __future__ import annotations

import ast
import textwrap

import pytest

from crashwright.engine.subject.flow.cfg import BranchKind
from crashwright.engine.subject.flow.conditions import position_of
from crashwright.engine.subject.flow.control_dependence import ControlDependence


def _is_read(part: ast.AST) -> bool:
    return isinstance(part, ast.expr) and isinstance(getattr(part, "ctx", ast.Load()), ast.Load)


def before(source: str, text: str, decision: BranchKind | None) -> dict[str, int]:
    """The outcomes on the way to the first expression with that text, with their levels."""
    source = textwrap.dedent(source).lstrip("\n")
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    node = next(part for part in ast.walk(function) if _is_read(part) and ast.get_source_segment(source, part) == text)
    lines = source.splitlines()
    found = ControlDependence(function).first_approach(position_of(node), decision)
    return {
        f"{lines[branch.position.line - 1][branch.position.column : branch.position.end_column]} {branch.outcome}": level
        for branch, level in found
    }


@pytest.mark.parametrize(
    ("text", "decision", "expected"),
    [
        ("a", BranchKind.CONDITION, {"c True": 0}),
        ("b", BranchKind.CONDITION, {"a True": 0, "c True": 1}),
        ("step()", None, {"b True": 0, "a True": 1, "c True": 2}),
        ("c", BranchKind.CONDITION, {}),
    ],
)
def test_a_loop_with_two_atoms(text: str, decision: BranchKind | None, expected: dict[str, int]) -> None:
    source = """
    def f(a, b, c):
        if c:
            while a and b:
                step()
    """
    assert before(source, text, decision) == expected


def test_the_head_of_an_endless_loop_waits_for_nothing() -> None:
    source = """
    def f(x):
        while True:
            read()
            if x:
                break
    """
    assert before(source, "read()", None) == {}
    assert before(source, "x", BranchKind.CONDITION) == {}


def test_an_outer_loop_is_waited_for_and_the_inner_one_is_not() -> None:
    source = """
    def f(rows):
        for row in rows:
            for item in row:
                use(item)
    """
    assert before(source, "use(item)", None) == {"row True": 0, "rows True": 1}
    assert before(source, "row", BranchKind.FOR) == {"rows True": 0}


def test_a_place_that_is_no_decision_of_that_kind_is_a_place() -> None:
    source = """
    def f(a):
        if a:
            x = a == 3
    """
    assert before(source, "a == 3", BranchKind.CONDITION) == {"a True": 0}
