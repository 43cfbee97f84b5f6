"""What one use says of a value: what it may be, and what it usually is then."""

from __future__ import annotations

import pytest

from crashwright.symbolic.ir.evidence import Around, evidence
from crashwright.symbolic.ir.functions import functions_of
from crashwright.symbolic.ir.nodes import Constant, Local
from crashwright.symbolic.ir.type_names import ANYTHING, Types, constant_type

AROUND = Around(
    lambda _: (),
    lambda _, operand: frozenset({constant_type(operand.value)}) if isinstance(operand, Constant) else ANYTHING,
    lambda _: False,
)


def said(expression: str) -> list[tuple[Types | None, tuple[str, ...]]]:
    function = functions_of(f"def f(x, y):\n    return {expression}\n", "m").function("f")
    assert function is not None
    uses = [(node, place) for node in function.nodes for place, one in enumerate(node.operands) if one == Local("x")]
    return [tuple(evidence(node, place, AROUND)) for node, place in uses]


@pytest.mark.parametrize(
    ("expression", "possible", "usual"),
    [
        ("x.upper()", {"str"}, ("str",)),
        ("x.append(1)", {"list", "deque"}, ("list",)),
        ("x['a']", {"dict"}, ("dict",)),
        ("x[0]", {"list", "tuple", "str", "bytes"}, ("list", "tuple")),
        ("x - 1", {"int", "float"}, ("int",)),
        ("x + 'a'", {"str"}, ("str",)),
        ("x < 3", {"int", "float"}, ("int",)),
        ("range(x)", {"int"}, ("int",)),
        ("x == 'a'", ANYTHING, ("str",)),
        ("x in y", ANYTHING, ("str",)),
        ("y in x", ANYTHING, ("dict",)),
        ("int(x)", ANYTHING, ("str",)),
    ],
)
def test_what_a_use_says(expression: str, possible: set[str], usual: tuple[str, ...]) -> None:
    assert said(expression)[0] == (possible, usual)


def test_who_asks_for_the_type_has_several_in_mind() -> None:
    assert said("isinstance(x, str)") == [(None, ())]
