"""A value of the report in place of the test's own, and the echoed call with what a test passes."""

from __future__ import annotations

import random

import pytest

from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.testcase.echoing.reshaping import reshaped
from crashwright.engine.testcase.echoing.shape import shown_calls, unlikeness
from crashwright.engine.testcase.editing.substitution import answered, in_places, inserted, lessened, substituted
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Arguments, Call, Definition, Display, FileFixture, Literal, Named, Scalar, Value
from crashwright.engine.testcase.testcase import TestCase

EITHER = ParameterKind.POSITIONAL_OR_KEYWORD
MAKE = Callee("shop", "make", CalleeKind.FUNCTION, tuple(Parameter(name, EITHER) for name in ("names", "kind", "value")))


class Api:
    """A package with one function."""

    package = "shop"
    callables = (MAKE,)
    constants = ()

    def methods_of(self, cls: type) -> tuple[Callee, ...]:
        return ()

    constructors_of = producers = methods_of


@pytest.mark.parametrize(
    ("value", "old", "new", "after"),
    [
        ("", "", "event", "event"),
        ("a b-", "b-", "mine", "a mine"),
        (0, 0, "zero", "zero"),
        (False, 0, "zero", False),
        ("row 7", 7, 12, "row 12"),
        (Display("dict", (("", None),)), "", "x", Display("dict", (("x", None),))),
    ],
)
def test_the_value_is_put_wherever_the_other_stood(value: Value, old: Scalar, new: Scalar, after: Value) -> None:
    found = list(substituted(TestCase((Literal(0, value),)), old, new))
    assert [test.statements[0][1] for test in found] == ([] if after is value else [after])


def test_everywhere_first_and_then_one_by_one() -> None:
    test = TestCase((Literal(0, "a"), Literal(1, "a")))
    assert [[one[1] for one in test.statements] for test in substituted(test, "a", "b")] == [["b", "b"], ["b", "a"], ["a", "b"]]


def test_a_text_goes_behind_a_mark_or_to_an_end() -> None:
    test = TestCase((Literal(0, "BEGIN:\nEND:x"), FileFixture(1, "data.txt", "y"), Literal(2, 5)))
    texts = [[part.value if isinstance(part, Literal) else part[2] for part in one.statements] for one in inserted(test, "TEL")]
    assert texts[:2] == [["BEGIN:\nEND:x", "yTEL", 5], ["BEGIN:\nEND:x", "TELy", 5]]
    assert ["BEGIN:TEL\nEND:x", "y", 5] in texts
    assert ["BEGIN:\nEND:TELx", "y", 5] in texts


def test_the_echoed_call_is_made_with_what_the_test_passes() -> None:
    factory = Factory(Api(), SeedPool(), (MAKE,))  # type: ignore[arg-type]
    shown = shown_calls("make(data, kind=bool)", {"make"})
    for arguments in (Arguments((9,), (("value", 9),)), Arguments((), (("names", 9), ("value", 9)))):
        near = TestCase((Literal(9, "x/y"), Call(10, MAKE, arguments)))
        after = reshaped(near, shown, factory, random.Random(1))
        assert unlikeness(near, shown) > 0
        assert unlikeness(after, shown) == 0
        assert after.is_valid()
        call = after.statements[-1]
        assert isinstance(call, Call)
        assert call.arguments.positional == (9,)


def test_what_was_compared_is_what_was_wanted_deep_in_a_literal() -> None:
    headers = Display("list", (Display("tuple", (b"content-type", b"1; x")),))
    test = TestCase((Literal(0, Display("dict", (("type", "http"), ("headers", headers)))), Literal(1, 3)))
    found = answered(test, [("absent", "never"), (b"1", b"form-data"), ("http", "websocket"), (3, 4)], 3)
    texts = [repr(one.statements) for one in found]
    assert len(texts) == 3
    assert "value=4" in texts[0]
    assert "'websocket'" in texts[1]
    assert "b'form-data; x'" in texts[2]
    assert len(answered(test, [(3, 4), ("http", "websocket")], 1)) == 1


def test_one_value_is_none_or_one_key_is_gone() -> None:
    message = Display("dict", (("type", "end"), ("codes", Display("list", (1, None)))))
    test = TestCase((Literal(0, Display("list", (2,))), Literal(1, message), Literal(2, 5)))
    found = [one.statements for one in lessened(test, {0}, 40)]
    assert [statements[1].value for statements in found] == [  # type: ignore[union-attr]
        Display("dict", (("type", None), message.items[1])),
        Display("dict", (message.items[1],)),
        Display("dict", (message.items[0], ("codes", None))),
        Display("dict", (message.items[0], ("codes", Display("list", (None, None))))),
        Display("dict", (message.items[0],)),
    ]
    assert all(statements[0] == test.statements[0] and statements[2] == test.statements[2] for statements in found)
    assert len(lessened(test, (), 3)) == 3


def test_a_definition_gets_the_name_that_the_report_quotes() -> None:
    test = TestCase((Definition(0, "class Item:\n    name = 'Item'"), Call(1, MAKE, Arguments((0, 0, 0)))))
    [renamed] = substituted(test, "Item", "Shelf")
    assert renamed.statements[0] == Definition(0, "class Shelf:\n    name = 'Shelf'")
    other = TestCase((Definition(0, "class Item(Base):\n    pass", (("Base", Named("shop", "Base")),)),))
    assert not [*substituted(other, "Base", "Shelf")]
    assert not [*substituted(other, "Item", "Base")]
    assert not [*substituted(other, "Item", "not a name")]


def test_one_place_after_the_other() -> None:
    test = TestCase((Literal(1, Display("dict", (("every", "every day"), ("n", Display("list", ("y",)))))), Literal(2, "by")))
    found = [[one.value for one in changed.statements if isinstance(one, Literal)] for changed in in_places(test, "y", "h")]
    whole, by, leaf, *others = found
    assert whole[1] == "bh"
    assert by == [test.statements[0][1], "bh"]
    assert "('h',)" in repr(leaf[0])
    assert len(others) == 3
    assert any("'every dah'" in repr(one[0]) and "'every'," in repr(one[0]) for one in others)
