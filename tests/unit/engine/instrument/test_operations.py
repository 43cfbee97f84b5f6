"""The table of operators agrees with Python, and its order with what probes are told."""

import ast

import pytest

from crashwright.engine.instrument.interface import OPERATORS
from crashwright.engine.instrument.operations import ARITHMETIC, COMPARISONS, ORDERINGS


@pytest.mark.parametrize("symbol", [*COMPARISONS, *ARITHMETIC])
@pytest.mark.parametrize(("left", "right"), [(6, 3), (3, 6), (3, 3)])
def test_each_does_what_its_symbol_does(symbol, left, right):
    other = {right} if symbol in ("in", "not in") else right
    operation = {**COMPARISONS, **ARITHMETIC}[symbol]
    assert operation(left, other) == eval(f"left {symbol} other")


def test_the_order_is_that_of_the_probes():
    kinds = [type(ast.parse(f"a {symbol} b", mode="eval").body.ops[0]).__name__ for symbol in COMPARISONS]
    spelt = {"LtE": "le", "GtE": "ge", "NotEq": "ne", "IsNot": "is_not", "NotIn": "not_in"}
    assert tuple(spelt.get(kind, kind.lower()) for kind in kinds) == OPERATORS


def test_orderings_are_comparisons():
    assert {*COMPARISONS} > ORDERINGS
