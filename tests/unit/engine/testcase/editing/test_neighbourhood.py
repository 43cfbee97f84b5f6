"""Every single change of a test: of literals at their boundaries, of arguments, of statements."""

from __future__ import annotations

import itertools
import math

import pytest

from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase.editing.neighbourhood import KnownValues, boundaries, neighbourhood
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.statements import Arguments, Call, Display, FileFixture, Literal, MethodCall, Statement, Value
from crashwright.engine.testcase.testcase import TestCase


class Shelf:
    """Keeps things under keys."""

    def put(self, key: str, thing: object, *, strict: bool = True, depth: int = 3) -> None:
        """Puts it there."""


API = ApiModel(__name__, [__name__])
SHELF = next(one for one in API.callables if one.live is Shelf)
PUT: Callee = next(one for one in API.callables if one.name == "put")


NOTHING = KnownValues({}, frozenset())


def around(*statements: Statement, known: KnownValues = NOTHING, most: int = 3000) -> list[TestCase]:
    fresh = itertools.count(100)
    return list(neighbourhood(TestCase(statements), known, lambda: next(fresh), most))


def values(tests: list[TestCase]) -> list[Value]:
    return [one.value for test in tests for one in test.statements if isinstance(one, Literal)]


def shelved(key: str, thing: Value) -> tuple[Statement, ...]:
    made = Call(1, SHELF, Arguments())
    return (made, Literal(2, key), Literal(3, thing), MethodCall(4, 1, "put", Arguments((2, 3)), PUT))


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (True, [False]),
        (41, [42, 40, 0, 1, -1, 2**63]),
        (2.5, [0.0, math.inf]),
        ("ab", ["", "a", "abab", "a" * 1500, "AB"]),
        (b"ab", [b"", b"\0\0", b"abab"]),
        (
            Display("list", (1, 2)),
            [Display("list", ()), Display("list", (1, 2, 1, 2)), Display("list", (2, 1)), Display("list", (None, 2))],
        ),
        (Display("dict", (("a", 1),)), [Display("dict", ()), Display("dict", (("a", None),))]),
    ],
)
def test_values_have_boundaries(value: Value, wanted: list[Value]) -> None:
    found = list(boundaries(value))
    assert [one for one in wanted if one not in found] == []


def test_parts_of_literals_change_one_at_a_time() -> None:
    rows = Display("list", (Display("dict", (("pieces", 3),)), Display("dict", (("pieces", 4),))))
    found = values(around(Literal(1, rows)))
    assert Display("list", (Display("dict", (("pieces", 0),)), rows.items[1])) in found
    assert Display("list", (rows.items[0], Display("dict", (("pieces", 3),)))) in found, "equal to the other"
    assert Display("list", (rows.items[0], Display("dict", ()))) in found


def test_what_stays_is_not_changed() -> None:
    kept = KnownValues({str: ["ink"]}, frozenset({2}))
    held = {
        one.value
        for test in around(*shelved("a", "b"), known=kept)
        for one in test.statements[:3]
        if isinstance(one, Literal) and one.variable == 2
    }
    assert held == {"a"}


def test_values_of_the_code_come_in() -> None:
    found = values(around(*shelved("a", "b"), known=KnownValues({str: ["merge"]}, frozenset())))
    assert found.count("merge") >= 2


def test_a_switch_is_thrown() -> None:
    printed = ["\n".join(print_test(test).body) for test in around(*shelved("a", 1))]
    assert any("strict=False" in one for one in printed)
    assert any("depth=0" in one for one in printed)


def test_the_same_key_is_used_once_more_with_another_value() -> None:
    tests = around(*shelved("a", 1))
    twice = [test for test in tests if sum(isinstance(one, MethodCall) for one in test.statements) == 2]
    assert twice
    changed = [test.statements[-1] for test in twice if isinstance(test.statements[-1], MethodCall)]
    assert any(call.arguments.positional[0] == 2 and call.arguments.positional[1] != 3 for call in changed)
    assert any(call.arguments.positional[0] != 2 and call.arguments.positional[1] == 3 for call in changed)


def test_files_change_at_their_boundaries() -> None:
    contents = [
        one.content for test in around(FileFixture(1, "a.csv", "x\ny\n")) for one in test.statements if isinstance(one, FileFixture)
    ]
    assert "" in contents
    assert "x\ny\nx\ny\n" in contents


def test_every_change_is_new_and_valid_and_there_is_an_end() -> None:
    start = TestCase(shelved("a", Display("list", (1, 2, 3))))
    tests = around(*start.statements)
    assert len({test.key() for test in tests}) == len(tests)
    assert all(test.is_valid() for test in tests)
    assert start.key() not in {test.key() for test in tests}
    assert len(around(*start.statements, most=17)) == 17
