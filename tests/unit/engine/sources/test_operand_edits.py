"""What a decision wants is put where the test has the value."""

from __future__ import annotations

from itertools import count
from random import Random
from types import SimpleNamespace
from typing import Any, cast

from crashwright.engine.instrument.operand_log.changes import ChangeKind, WantedChange
from crashwright.engine.sources.carrying.arrivals import PathStep, Spot
from crashwright.engine.sources.operand_edits import HELD, with_wanted
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Display, Literal, Statement, Value
from crashwright.engine.testcase.testcase import TestCase

LAST = Literal(9, 0)
"""The statement that would crash."""


def factory() -> Any:
    numbers = count(100)

    def argument(statements: list[Statement], hint: Any, rng: Random, legal: bool = False) -> int:
        statements.append(Literal(next(numbers), hint.cls()))
        return cast(Literal, statements[-1]).variable

    return SimpleNamespace(new=lambda: next(numbers), argument=argument)


def made(value: Value, way: ChangeKind, what: object, *path: PathStep) -> list[TestCase]:
    test = TestCase((Literal(1, value), LAST))
    return [*with_wanted(test, WantedChange((Spot(1, path),), way, what), factory(), Random(0))]


def values(tests: list[TestCase]) -> list[Value]:
    """Of the first statement of each."""
    return [cast(Literal, test.statements[0]).value for test in tests]


def test_a_plain_value() -> None:
    assert values(made(3, ChangeKind.VALUE, 7)) == [7]


def test_a_plain_value_within_a_container() -> None:
    whole = Display("dict", (("a", Display("list", (1, 2))),))
    assert values(made(whole, ChangeKind.VALUE, 7, PathStep("item", "a"), PathStep("item", 1))) == [
        Display("dict", (("a", Display("list", (1, 7))),))
    ]


def test_an_instance() -> None:
    [test] = made(3, ChangeKind.INSTANCE, list)
    assert cast(Literal, test.statements[0]).value == []


def test_an_element_is_added_or_is_all_that_there_is() -> None:
    assert values(made(Display("list", (1,)), ChangeKind.ITEM, "x")) == [Display("list", (1, "x")), Display("list", ("x",))]


def test_a_key_gets_several_values() -> None:
    assert values(made(Display("dict", ()), ChangeKind.ITEM, "k")) == [Display("dict", (("k", held),)) for held in HELD]


def test_a_key_of_an_object_is_stored() -> None:
    test = TestCase((st.Iterate(1, 2, "list"), LAST))
    test = TestCase((Literal(2, Display("list", ())), *test.statements))
    [first, *_] = with_wanted(test, WantedChange((Spot(1, ()),), ChangeKind.ITEM, "k"), factory(), Random(0))
    assert any(isinstance(one, st.SetItem) and one.receiver == 1 for one in first.statements)


def test_an_attribute_is_set() -> None:
    [test] = made(Display("list", ()), ChangeKind.ATTRIBUTE, "name")
    assert [one.name for one in test.statements if isinstance(one, st.SetAttribute)] == ["name"]


def test_lengths() -> None:
    assert values(made("ab", ChangeKind.LENGTH, 5)) == ["ababa"]
    assert values(made(Display("list", (1, 2)), ChangeKind.LENGTH, 0)) == [Display("list", ())]
    assert values(made(Display("tuple", ()), ChangeKind.LENGTH, 2)) == [Display("tuple", (1, 1))]
    assert values(made(Display("dict", (("a", 1),)), ChangeKind.LENGTH, 2)) == [Display("dict", (("a", 1), ("a1", 1)))]


def test_another_value_of_the_test_in_its_place() -> None:
    test = TestCase((Literal(1, 5), Literal(2, 6), st.SetItem(1, 2, 2)))
    found = with_wanted(test, WantedChange((Spot(2),), ChangeKind.SAME, Spot(1)), factory(), Random(0))
    assert [one.statements for one in found] == [(Literal(1, 5), st.SetItem(1, 1, 1))]


def test_what_is_private_is_left_alone() -> None:
    assert made(3, ChangeKind.VALUE, 7, PathStep("attribute", "_kept")) == []
    assert made(3, ChangeKind.ATTRIBUTE, "_kept") == []
    assert made(3, ChangeKind.VALUE, 7, PathStep("attribute", "kept"))
