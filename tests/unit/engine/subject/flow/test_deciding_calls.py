"""The calls behind a condition are found through local names, and those of a ``try`` behind its handlers."""

from __future__ import annotations

import ast
import textwrap

import pytest

from crashwright.engine.subject.flow.conditions import position_of
from crashwright.engine.subject.flow.deciding_calls import deciding_calls

SOURCE = """
def f(place, name):
    base, settings = load(place, find(name))
    with opened(base) as stream:
        text = stream.read()
    for row in text.split():
        kind = settings.kinds[row]
        if kind.checked:
            keep(row)
    try:
        done = store(text)
    except ValueError:
        done = None
    while waiting():
        rest(place)
    return done if name else None
"""


def names(condition: str) -> list[str]:
    function = ast.parse(textwrap.dedent(SOURCE)).body[0]
    asked = [position_of(node) for node in ast.walk(function) if isinstance(node, ast.expr) and ast.unparse(node) == condition]
    asked += [position_of(node) for node in ast.walk(function) if isinstance(node, ast.ExceptHandler) and condition == "except"]
    assert asked
    return [ast.unparse(call.func) for call in deciding_calls(function, asked)]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("kind.checked", ["load", "opened", "stream.read", "text.split"]),
        ("text.split()", ["opened", "stream.read", "text.split"]),
        ("done", ["store"]),
        ("except", ["store"]),
        ("name", []),
        ("waiting()", []),
    ],
)
def test_what_decides_is_what_the_condition_comes_from(condition: str, expected: list[str]) -> None:
    assert [one for one in names(condition) if one in ("load", "opened", "store", "find", "waiting", *expected)] == expected
