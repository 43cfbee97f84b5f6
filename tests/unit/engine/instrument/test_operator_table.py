"""The table of operators agrees with Python, and its order with what probes are told."""

import operator

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
    functions = [getattr(operator, name + "_" if name == "is" else name, None) for name in OPERATORS]
    assert list(COMPARISONS.values())[:8] == functions[:8]
    assert [name.replace("_", " ") for name in OPERATORS[-2:]] == list(COMPARISONS)[-2:]


def test_orderings_are_comparisons():
    assert {*COMPARISONS} > ORDERINGS
