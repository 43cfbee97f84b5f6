"""Which fields a place reads, and which functions write them."""

from __future__ import annotations

import ast

import pytest

from crashwright.engine.subject.flow.conditions import position_of
from crashwright.engine.subject.flow.data_dependence import fields_read, fields_written, lines_written


@pytest.mark.parametrize(
    ("condition", "fields"),
    [
        ("self.a.b > 3 and c", ["b", "a"]),
        ("len(self.items) > x.limit()", ["items"]),
        ("self.__dict__", []),
        ("G and local", ["G"]),
    ],
)
def test_fields_read(condition: str, fields: list[str]) -> None:
    [function] = ast.parse(f"def f(self, x, local):\n  global G\n  if {condition}:\n    return self.other").body
    assert isinstance(function, ast.FunctionDef)
    test = function.body[1].test  # type: ignore[attr-defined]
    assert fields_read(function, {position_of(test)}) == tuple(fields)


@pytest.mark.parametrize(
    ("statement", "fields"),
    [
        ("self.a = x.b", {"a"}),
        ("(self.a, [x.b, c]) = d", {"a", "b"}),
        ("self.a[0] += 1", {"a"}),
        ("self.a.append(self.b)", {"a"}),
        ("self.a.find(self.b)", set()),
        ("self.a[x.b][0].append(1)", {"a"}),
        ("self.a[0][1] = 1", {"a"}),
        ("del x.a", {"a"}),
        ("G = 1", {"G"}),
        ("G[0] = 1", {"G"}),
        ("G.add(1)", {"G"}),
        ("local = 1; local[0] = 1; local.add(1)", set()),
        ("self.a: int = 1", {"a"}),
    ],
)
def test_fields_written(statement: str, fields: set[str]) -> None:
    [function] = ast.parse(f"def f(self, x):\n  global G\n  {statement}").body
    assert fields_written(function) == fields


def test_what_local_names_stand_for_is_read_too() -> None:
    source = """
def f(self, path):
    rows = self.by_path[path]
    for row in rows:
        if row and (first := self.head):
            return first.size
"""
    [function] = ast.parse(source).body
    test = next(node.test for node in ast.walk(function) if isinstance(node, ast.If))
    assert fields_read(function, {position_of(test)}) == ("head", "by_path")


def test_lines_written() -> None:
    [function] = ast.parse("def f(self):\n  self.a = 1\n  self.b = 2\n  if self.a:\n    self.a[0].append(3)").body
    assert lines_written(function, {"a", "c"}) == (2, 5)
