"""Where the source shows that operands are ints."""

from __future__ import annotations

import ast

import pytest

from crashwright.engine.goals.coverage.integer_operands import IntegerOperands, integer_names
from crashwright.engine.subject.mutants.enumeration import functions_of, mutants_of
from crashwright.engine.subject.mutants.operators import Operator


def names(source: str) -> set[str]:
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    return set(integer_names(function))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("i = 0\n i += 2\n j = i * 2", {"i", "j"}),
        ("i = 0\n i /= 2", set()),
        ("i = 0\n i = i / 2\n j = i + 1", set()),
        ("i = True", set()),
        ("i = 2 ** -1", set()),
        ("for i in range(3):\n  j = -i", {"i", "j"}),
        ("for i in text:\n  pass", set()),
        ("i = len(text) if text else 0", {"i"}),
        ("i: int = text", {"i"}),
        ("i: str = 1", set()),
        ("if (i := 3) > 2:\n  pass", {"i"}),
        ("i = j = 1\n j = ''", {"i"}),
        ("i, j = 1, 2", set()),
        ("i = 1\n del i", set()),
        ("i = 1\n with text as i:\n  pass", set()),
        ("i = 1\n try:\n  pass\n except OSError as i:\n  pass", set()),
        ("i = 1\n import os as i", set()),
        ("i = 1\n def i(): pass", set()),
        ("i = 1\n global i", set()),
        ("i = 1\n def inner():\n  nonlocal i\n  i = ''", set()),
        ("i = 1\n f = lambda i: i", set()),
        ("i = 1\n match text:\n  case [*i]: pass\n  case {**j}: pass\n  case str() as k: pass", set()),
        ("i = 1\n x = [i for i in text]", set()),
        ("i = 1\n x = [i for i in range(2)]", {"i"}),
    ],
)
def test_variables(body: str, expected: set[str]) -> None:
    assert names(f"def f(text):\n {body}") == expected


def test_parameters() -> None:
    assert names("def f(a: int, b: 'int', c: float, d, *e: int, k: int = 3, **m: str): pass") >= {"a", "b", "k"}
    assert names("def f(a: int, c: float, d): pass") == {"a"}
    assert names("def f(a: int):\n a = str(a)") == set()


SOURCE = """
def f(n: int, text):
    a = n + 1
    b = text + "x" * 2
    c = len(text) - n
    c -= 1
    c -= text
    return (a << 1) | text

def g(n): return n + 1
"""


def test_places_of_operators() -> None:
    tree = ast.parse(SOURCE)
    keys = [key for key, _ in functions_of(tree, "m")]
    integers = IntegerOperands(tree, "m")
    arithmetic = [one for one in mutants_of(tree, "m", keys) if one.operator in (Operator.AOR, Operator.BITWISE)]
    found = {(one.key.name, one.position.line, one.original): integers(one) for one in arithmetic}
    assert found == {
        ("f", 3, "+"): True,
        ("f", 4, "+"): False,
        ("f", 5, "-"): True,
        ("f", 6, "-"): False,  # c is not always an int
        ("f", 7, "-"): False,
        ("f", 8, "|"): False,
        ("f", 8, "<<"): True,
        ("g", 10, "+"): False,
    }
