"""The stand-in says of a test what pytest would say."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as some

from crashwright.finishing.suite.stand_in import Approx, pytest_module

NUMBERS = some.one_of(some.integers(-(10**6), 10**6), some.floats(), some.sampled_from([0.0, 1.0, 1.0 + 5e-7, 1e-13, math.inf]))


@given(NUMBERS, NUMBERS)
def test_numbers_are_near_as_in_pytest(actual: float, expected: float) -> None:
    assert (actual == Approx(expected)) == (actual == pytest.approx(expected))
    assert ([actual] == Approx([expected])) == ([actual] == pytest.approx([expected]))
    assert ({"a": actual} == Approx({"a": expected})) == ({"a": actual} == pytest.approx({"a": expected}))


@pytest.mark.parametrize(("actual", "expected"), [([1.0], [1.0, 2.0]), ({"a": 1.0}, {"b": 1.0}), (None, [1.0]), ("a", 1.0)])
def test_other_shapes_are_not_near(actual: object, expected: object) -> None:
    assert actual != Approx(expected)


def test_raises_is_strict() -> None:
    stand_in = pytest_module()
    with stand_in.raises(ValueError, match="^a+$"):
        raise ValueError("aa")
    with pytest.raises(AssertionError, match="does not match"), stand_in.raises(ValueError, match="^a+$"):
        raise ValueError("b")
    with pytest.raises(AssertionError, match="did not raise ValueError"), stand_in.raises(ValueError):
        pass
    with pytest.raises(KeyError), stand_in.raises(ValueError):
        raise KeyError("other")


def test_parametrized_functions_know_their_cases() -> None:
    stand_in = pytest_module()
    one = stand_in.mark.parametrize("a", [1, stand_in.param((2, 3), id="x")])(lambda a: a)
    two = stand_in.mark.parametrize(("a", "b"), [(1, 2), stand_in.param(3, 4, id="x")])(lambda a, b: a)
    assert one.crashwright_cases == [{"a": 1}, {"a": (2, 3)}]
    assert two.crashwright_cases == [{"a": 1, "b": 2}, {"a": 3, "b": 4}]
