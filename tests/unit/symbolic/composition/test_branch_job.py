"""Tests composed for branches of a module, from a child process."""

from __future__ import annotations

import ast
from types import CodeType

from crashwright.core.location import CodeKey, Position
from crashwright.core.suite import WantedBranch
from crashwright.engine.testcase.codec import decode
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.symbolic.composition.branch_job import BranchComposition, BranchOrder
from crashwright.symbolic.composition.composition_job import ComposedTest

MODULE = "depot"
SOURCE = """
class Depot:
    def __init__(self, room):
        self.room = room
        self.crates = []

    def store(self, weight, mark):
        if self.room * 3 == weight + 1000 and mark == "north":
            return True
        return self._fee(weight) > 4

    def _fee(self, weight):
        return 5 if weight % 89 == 7 and weight > 4000 else 0


def between(low, value, high):
    return low < value < high and value * value == 5329


def _check(code):
    return code == "Q-7"


def _unused(text):
    return len(text) == 3 and text.endswith("\\t")


def accepts(code):
    if _check(code):
        return 1
    return 0
"""


def _key(function: ast.FunctionDef) -> CodeKey:
    codes: list[CodeType] = [compile(SOURCE, MODULE, "exec")]
    for code in codes:
        codes += [one for one in code.co_consts if isinstance(one, CodeType)]
    [found] = [one for one in codes if one.co_name == function.name]
    return CodeKey(MODULE, found.co_qualname, found.co_firstlineno)


def _branch(condition: str, outcome: bool = True) -> WantedBranch:
    for function in ast.walk(ast.parse(SOURCE)):
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.expr) and ast.unparse(node) == condition:
                    place = Position(node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
                    return WantedBranch(_key(function), place, outcome)
    raise AssertionError(condition)


def _composed(*branches: WantedBranch, exact: bool = True) -> list[str]:
    with BranchComposition(BranchOrder(MODULE, branches, {MODULE: SOURCE}, 60.0, exact)) as composition:
        found = [decode(one.test) for one in composition.found() if isinstance(one, ComposedTest)]
        effort, reason = composition.ending
    assert reason == ""
    assert effort is not None
    assert effort.tests == len(found)
    return ["; ".join(print_test(test).body) for test in found]


def _value(test: str) -> object:
    names: dict[str, object] = {}
    exec(SOURCE, names)
    *before, last = test.split("; ")
    exec("\n".join(before), names)
    return eval(last, names)


def test_both_parts_of_a_condition_are_met() -> None:
    tests = _composed(_branch("mark == 'north'"))
    assert any(_value(test) is True for test in tests), tests


def test_what_is_private_is_come_to_from_its_callers() -> None:
    tests = _composed(_branch("weight > 4000"))
    assert all(".store(" in test and "_fee" not in test for test in tests), tests
    assert any(_value(test) is True for test in tests), tests
    assert any(_value(test) == 1 for test in _composed(_branch("_check(code)")))


def test_what_is_private_and_nobody_calls_is_called_by_its_name() -> None:
    tests = _composed(_branch("text.endswith('\\t')"))
    assert any(_value(test) is True for test in tests), tests


def test_a_condition_whose_value_is_returned_has_outcomes_too() -> None:
    tests = _composed(_branch("value * value == 5329"), _branch("low < value < high", False))
    assert {_value(test) for test in tests} == {True, False}, tests


def test_bounded_by_counts_it_repeats() -> None:
    branches = [_branch("mark == 'north'"), _branch("weight > 4000"), _branch("value * value == 5329")]
    assert _composed(*branches) == _composed(*branches)
