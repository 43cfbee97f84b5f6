"""Where a local name gets its value."""

from __future__ import annotations

import ast

import pytest

from crashwright.engine.subject.flow.definitions import definitions


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("x = 1\ny = x", [2]),
        ("if a:\n  (y, [x]) = 1, [2]\nelse:\n  x += 1", [3, 5]),
        ("for x in a:\n  b()\nelse:\n  c()", [3]),
        ("with a() as (x, y):\n  b()", [3]),
        ("try:\n  b()\nexcept E as x:\n  c()\nfinally:\n  x: int = 3", [5, 7]),
        ("import x.y\nfrom b import c as x", [2, 3]),
        ("while (x := a()):\n  b(x)", [2]),
        ("def x():\n  b()", [2]),
        ("def f():\n  x = 1\nx.y = 2\nx[0] = 1\na = lambda: (x := 1)", []),
        ("y = [x for x in a]\nz = [(x := y) for y in a]", [3]),
        ("match a:\n  case 1:\n    x = 2", [4]),
    ],
)
def test_definitions(source: str, lines: list[int]) -> None:
    text = "def function(a):\n" + "\n".join(f"  {line}" for line in source.split("\n"))
    [function] = ast.parse(text).body
    assert [place.line for place in definitions(function, "x")] == lines
