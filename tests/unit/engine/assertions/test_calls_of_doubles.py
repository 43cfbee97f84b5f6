"""What a double was called with is one fact, written with ``call``."""

from __future__ import annotations

from unittest.mock import ANY, Mock, call

from crashwright.engine.assertions.doubles import (
    MOST_CALLS,
    MOST_OPENED,
    calls_of,
    count_of_calls,
    doubles_in,
    method_calls_of,
    methods_named,
    objects_given,
)
from crashwright.engine.assertions.looks import Looker
from crashwright.engine.assertions.values import Present, ValueNames
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.statements import Ambient, Arguments, Call, Display, Literal, Made, Named, Ref

LOOKER = Looker(ValueNames(lambda _value: None), Present("", 1e9))
DIRECT = LOOKER.direct
CALL, ANYTHING = Named("unittest.mock", "call", call), Named("unittest.mock", "ANY", ANY)


def test_all_calls_are_told_in_order() -> None:
    double = Mock()
    double("/a", timeout=5)
    double()
    fact = calls_of(double, DIRECT)
    assert fact is not None
    assert (fact.path, fact.kind) == ((".call_args_list",), "equals")
    assert fact.expected == Display("list", (Made(CALL, ("/a",), (("timeout", 5),)), Made(CALL)))


def test_what_cannot_be_written_may_be_anything() -> None:
    double = Mock()
    double(object(), 1)
    fact = calls_of(double, DIRECT)
    assert fact is not None
    assert fact.expected == Display("list", (Made(CALL, (ANYTHING, 1)),))
    double.reset_mock()
    double(object())
    assert calls_of(double, DIRECT) is None


class Letter:
    def __init__(self, to: str) -> None:
        self.to = to
        self.stamps = {"red": 1}


def given_to(double: Mock) -> dict[tuple[str, ...], object]:
    return {one.path: one.expected for one in objects_given(double, DIRECT, lambda value: LOOKER.full(value, consume=False))}


def test_objects_that_cannot_be_written_are_looked_into() -> None:
    double = Mock()
    double(Letter("ann"), 1)
    seen = given_to(double)
    assert seen[".call_args", ".args", "[0]", ".to"] == "ann"
    assert seen[".call_args", ".args", "[0]", ".stamps"] == Display("dict", (("red", 1),))
    assert not any(path[2] == "[1]" for path in seen)


def test_of_several_calls_the_first_ones_are_looked_into() -> None:
    double = Mock()
    for number in range(MOST_OPENED + 1):
        double(Letter(f"ann {number}"))
    seen = given_to(double)
    assert seen[".call_args_list", "[1]", ".args", "[0]", ".to"] == "ann 1"
    assert len({path[1] for path in seen}) == MOST_OPENED


def test_mocks_that_a_mock_is_given_are_left_alone() -> None:
    double = Mock()
    double(Mock())
    assert given_to(double) == {}
    assert list(objects_given(print, DIRECT, lambda _value: ())) == []


def test_too_many_calls_are_not_told() -> None:
    double = Mock()
    for number in range(MOST_CALLS + 1):
        double(number)
    assert calls_of(double, DIRECT) is None


def test_only_mocks_are_asked() -> None:
    assert calls_of(print, DIRECT) is None


def test_doubles_are_what_is_put_in_the_place_of_something() -> None:
    statements = (Literal(0, 1), Ambient(1, "attribute", "m:n", Ref(0)), Ambient(2, "attribute", "m:o", 3))
    assert doubles_in(statements) == (0,)


class Stock:
    def save(self, name: str) -> None: ...
    def count(self, name: str) -> None: ...


def test_methods_are_told_one_by_one() -> None:
    double = Mock(spec=Stock)
    double.save("bolt")
    assert calls_of(double, DIRECT) is None
    saved, counted, times = method_calls_of(double, DIRECT, ["count"])
    assert (saved.path, saved.expected) == ((".save", ".call_args_list"), Display("list", (Made(CALL, ("bolt",)),)))
    assert (counted.path, counted.expected) == ((".count", ".call_args_list"), Display("list", ()))
    assert (times.path, times.expected) == ((".save", ".call_count"), 1)


def test_how_often_a_function_was_called_is_told_whatever_it_was_given() -> None:
    double = Mock()
    assert [*count_of_calls(double)] == []
    double(object())
    double(object())
    assert [(one.path, one.expected) for one in count_of_calls(double)] == [((".call_count",), 2)]
    assert [*count_of_calls(Mock(spec=Stock))] == []
    assert [*count_of_calls(print)] == []


def test_mocks_that_are_handed_over_count_and_those_within_them_do_not() -> None:
    mock = Callee("unittest.mock", "Mock", CalleeKind.CLASS)
    statements = (
        Literal(0, 1),
        Call(1, mock, Arguments((), (("return_value", 0),))),
        Call(2, mock, Arguments((), (("count", 1),))),
    )
    assert doubles_in(statements) == (2,)
    assert methods_named(statements, 2) == ["count"]
