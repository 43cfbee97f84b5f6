"""What the uses of a value speak for. None always counts as possible: who uses a value may have checked it."""

from __future__ import annotations

from textwrap import dedent

import pytest

from crashwright.symbolic.ir.functions import functions_of
from crashwright.symbolic.ir.nodes import Kind, Local
from crashwright.symbolic.ir.types import TypesOfFile

HEAD = """
class Box:
    def __init__(self, held):
        self.held = held
    def unpacked(self):
        return self.held
"""
OWN = {"Box": ("m:Box",), "held": ("m:Box",), "unpacked": ("m:Box",)}


def likely(body: str, name: str = "x") -> set[str]:
    """The types of ``x`` at the return."""
    source = f"{HEAD}\ndef f(x, y=0):\n" + "".join(f"    {line}\n" for line in dedent(body).strip().splitlines())
    functions = functions_of(source, "m")
    function = functions.function("f")
    assert function is not None
    types = TypesOfFile(functions, lambda attribute: OWN.get(attribute, ())).likely_of_function(function)
    last = [node for node in function.nodes if node.kind is Kind.RETURN][-1]
    return set(types.of(last.number, Local(name)))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return x.split(',')", {"str"}),
        ("return x.unpacked()", {"m:Box"}),
        ("return x.held", {"m:Box"}),
        ("return x['a']", {"dict"}),
        ("x['a'] = 1\nreturn x", {"dict"}),
        ("return x + 1", {"int", "float"}),
        ("return x + 'a'", {"str"}),
        ("return len(y) < x", {"int", "float"}),
        ("return x > 'a'", {"str"}),
        ("return range(x)", {"int"}),
        ("x.append(1)\nreturn x[0]", {"list"}),
        ("z = x\nreturn z.strip()", {"str"}),
        ("return x.get('a')", {"dict"}),
        ("for z in x:\n    x.append(z)\nreturn x", {"list", "deque"}),
    ],
)
def test_what_a_use_speaks_for(body: str, expected: set[str]) -> None:
    assert likely(body) == {*expected, "NoneType"}


@pytest.mark.parametrize(
    "body",
    [
        "return x == 'a'",
        "return x + y[0]",
        "return x.split() if isinstance(x, str) else x",
        "return x.nobody_has_this()",
        "for y in x.keys():\n    x.nobody_has_this(y)\nreturn x['a']",
        "x.append(1)\nreturn x.split()",
    ],
)
def test_what_says_too_little(body: str) -> None:
    assert "unknown" in likely(body)


def test_parts_of_what_is_known_have_types_then() -> None:
    assert likely("z = x.split(',')[0]\nreturn z", "z") == {"str"}


def test_a_variable_that_is_assigned_again_is_something_else() -> None:
    assert likely("x = x.split(',')\nx.append(y)\nreturn x") == {"list[str]"}


def test_a_default_speaks_where_no_use_does() -> None:
    assert likely("return y", "y") == {"int", "NoneType"}
