from __future__ import annotations

import pytest

from crashwright.engine.testcase.operators import OPERATIONS
from crashwright.engine.testcase.statements import Literal, Named, Reference
from crashwright.engine.testcase.testcase import TestCase


def test_named_things_are_compared_by_address():
    assert Named("m", "a", [1]) == Named("m", "a")
    assert Named("m", "a") != Named("m", "b")
    assert hash(Named("m", "a", [1])) == hash(Named("m", "a"))


def test_a_test_with_an_unhashable_constant_has_a_key():
    assert TestCase((Reference(0, Named("m", "a", [])),)).key() == TestCase((Reference(0, Named("m", "a", {})),)).key()


@pytest.mark.parametrize("other", [True, 1.0])
def test_equal_literals_of_other_types_have_other_keys(other):
    assert TestCase((Literal(0, 1),)).key() != TestCase((Literal(0, other),)).key()


def test_operations_take_the_receiver_first():
    assert OPERATIONS["__contains__", 1]("abc", "b") is True
    assert OPERATIONS["__sub__", 1](5, 3) == 2
    assert OPERATIONS["__len__", 0]("abc") == 3
    assert OPERATIONS["__format__", 1](5, "03") == "005"
