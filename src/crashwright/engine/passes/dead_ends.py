"""What stands behind the crash in functions of the test goes: no run comes to it. With the bug fixed a run does, and what a
project's own test says there is about another case.

# Deviation: the tests of the papers have no functions of their own.
"""

from __future__ import annotations

import ast
import copy

from crashwright.engine.passes.found import FoundTest
from crashwright.engine.testcase.definitions.source import parsed, source_of
from crashwright.engine.testcase.statements import Definition
from crashwright.engine.testcase.testcase import TestCase

Block = list[ast.stmt]


def cut_off(found: FoundTest, test: TestCase) -> TestCase:
    """The blocks of functions end where the crash comes, the outer ones first. As long as it stays, more may go: half of it at a
    time."""
    for place, statement in enumerate(test.statements):
        if isinstance(statement, Definition):
            number = 0
            while number < len(_blocks(parsed(_source(test, place)))) and not found.is_late:
                test = _shortest(found, test, place, number)
                number += 1
    return test


def _shortest(found: FoundTest, test: TestCase, place: int, number: int) -> TestCase:
    """With as little of that block as the crash takes."""
    tree = parsed(_source(test, place))
    least, most = 1, len(_blocks(tree)[number])
    while least < most:
        middle = (least + most) // 2
        if isinstance(_blocks(tree)[number][middle], ast.Return):
            least = middle + 1  # what ends there comes to no crash
            continue
        less = copy.deepcopy(tree)
        del _blocks(less)[number][middle:]
        changed = _with_source(test, place, source_of(less))
        if changed.is_valid() and found.good(changed):
            test, most = changed, middle
        else:
            least = middle + 1
    return test


def _blocks(tree: ast.stmt) -> list[Block]:
    """Of functions, and those within them; a loop may come to the crash in a later round."""
    found: list[Block] = []
    waiting: list[ast.stmt] = [tree]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.With | ast.AsyncWith | ast.Try):
            found.append(node.body)
        if isinstance(node, ast.If):
            found += [one for one in (node.body, node.orelse) if one]
        waiting += [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.stmt)]
    return found


def _source(test: TestCase, place: int) -> str:
    statement = test.statements[place]
    return statement.source if isinstance(statement, Definition) else ""


def _with_source(test: TestCase, place: int, source: str) -> TestCase:
    statement = test.statements[place]
    changed = statement._replace(source=source) if isinstance(statement, Definition) else statement
    return TestCase((*test.statements[:place], changed, *test.statements[place + 1 :]))
