"""Members of enumerations are named."""

from __future__ import annotations

import enum

import pytest

from crashwright.engine.passes.enum_members import with_members
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.statements import Arguments, Call, Literal, Value
from crashwright.engine.testcase.testcase import TestCase


class Country(enum.Enum):
    DE = "de"
    FR = "fr"
    ONE = 1


SHIP = Callee("shop", "ship", CalleeKind.FUNCTION)


def shipping(value: Value, live: type = Country) -> TestCase:
    found = Call(1, Callee("shop", "Country", CalleeKind.CLASS, live=live), Arguments((0,)))
    return TestCase((Literal(0, value), found, Call(2, SHIP, Arguments((1,)))))


@pytest.mark.parametrize(("value", "written"), [("de", "ship(Country.DE)"), (1, "ship(Country.ONE)")])
def test_a_member_that_is_looked_up_is_named(value: Value, written: str) -> None:
    assert print_test(with_members(shipping(value))).body == (written,)


@pytest.mark.parametrize("value", ["DE", True, 1.0, None])
def test_what_is_no_value_of_a_member_stays(value: Value) -> None:
    test = shipping(value)
    assert with_members(test) is test


def test_what_is_no_enumeration_stays() -> None:
    test = shipping("de", str)
    assert with_members(test) is test
