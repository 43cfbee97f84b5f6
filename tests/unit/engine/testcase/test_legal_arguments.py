"""Argument types are held against annotations, and against nothing else."""

from __future__ import annotations

import enum
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import pytest

from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.api.signatures import SignatureReader
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.legality import is_legal, judged_arguments
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal, Named, Ref, Reference
from crashwright.engine.testcase.testcase import TestCase


class Colour(enum.Enum):
    RED = 1


class Reader(typing.Protocol):
    def read(self) -> str: ...


class Shelf:
    def __init__(self, label: str = "") -> None: ...


class Deep(Shelf): ...


class Options(typing.TypedDict):
    width: int


def callee_of(function, name="f", module="shop"):
    signature = SignatureReader(lambda _name: None).function(function)
    return Callee(module, name, CalleeKind.FUNCTION, signature.parameters, signature.returns, function)


def annotated(annotation, default=...):
    def f(x): ...

    f.__annotations__["x"] = annotation
    if default is not ...:
        f.__defaults__ = (default,)
    return callee_of(f)


def call(callee, *statements, **more):
    variables = tuple(statement[0] for statement in statements)
    return TestCase((*statements, Call(99, callee, Arguments(variables, **more))))


def literal(value, variable=0):
    return Literal(variable, value)


def display(kind, *items):
    return literal(Display(kind, items))


@pytest.mark.parametrize(
    ("annotation", "value", "legal"),
    [
        (int, literal(3), True),
        (int, literal(True), True),
        (int, literal("3"), False),
        (int, literal(None), False),
        (float, literal(3), True),
        (int, literal(3.0), False),
        (int | None, literal(None), True),
        (str | bytes, literal(b"x"), True),
        (str | bytes, literal(1), False),
        (object, literal(None), True),
        (typing.Any, literal(None), True),
        (typing.Literal["a", "b"], literal("b"), True),
        (typing.Literal["a", "b"], literal("c"), False),
        (typing.Literal[1], literal(True), False),
        (list[int], display("list", 1, 2), True),
        (list[int], display("list", 1, "2"), False),
        (list[int], display("list"), True),
        (list[int], display("tuple", 1), False),
        (list[list[int]], display("list", Display("list", (1,))), True),
        (list[list[int]], display("list", Display("list", ("1",))), False),
        (Sequence[str], literal("abc"), True),
        (Sequence[int], display("tuple", 1), True),
        (Iterable[int], display("set", 1), True),
        (Iterable[int], literal(5), False),
        (tuple[int, str], display("tuple", 1, "a"), True),
        (tuple[int, str], display("tuple", 1), False),
        (tuple[int, ...], display("tuple", 1, 2, 3), True),
        (tuple[int, ...], display("tuple", 1, None), False),
        (dict[str, int], display("dict", ("a", 1)), True),
        (dict[str, int], display("dict", ("a", "1")), False),
        (Mapping[str, int], display("dict", (1, 1)), False),
        (dict, display("dict", (1, 1)), True),
        (Options, display("dict", ("width", 1)), True),
        (Colour, Reference(0, Named("shop", "Colour.RED", Colour.RED)), True),
        (str, Reference(0, Named("shop", "Colour.RED", Colour.RED)), False),
        (type[Shelf], Reference(0, Named("shop", "Deep", Deep)), True),
        (type[Shelf], Reference(0, Named("shop", "Colour", Colour)), False),
        (Callable[[int], int], st.StubCallable(0, "x", 1), True),
        (int, st.StubCallable(0, "x", 1), False),
        (type[Shelf], st.Definition(0, "class A(B):\n    pass", (("B", Named("shop", "Deep", Deep)),)), True),
        (type[Shelf], st.Definition(0, "class A(B):\n    pass", (("B", Named("shop", "Colour", Colour)),)), False),
        (Callable[[int], int], st.Definition(0, "def f(x):\n    return x"), True),
        (int, st.Definition(0, "def f(x):\n    return x"), False),
        (str, st.FileFixture(0, "a.txt", ""), True),
        (Path, st.FileFixture(0, "a.txt", ""), False),
        (Reader, st.StubClass(0, "Stub", (), (("read", "method", ""),)), True),
        (Reader, st.StubClass(0, "Stub", (), (("write", "method", ""),)), False),
        (Shelf, st.StubClass(0, "Stub", (Named("shop", "Deep", Deep),), ()), True),
        (Shelf, st.StubClass(0, "Stub", (), (("label", "attribute", ""),)), False),
        (Iterable[int], st.StubClass(0, "Stub", (), (("__iter__", "method", 1),)), True),
    ],
)
def test_annotation_and_value(annotation, value, legal):
    assert is_legal(call(annotated(annotation), value), {}) is legal


def test_what_is_only_documented_or_a_default_is_no_promise():
    def documented(x, y=3):
        """Do.

        :param int x: a number
        """

    callee = callee_of(documented)
    assert is_legal(call(callee, literal("a"), literal("b", 1)), {})


def test_none_is_legal_where_it_is_the_default():
    assert is_legal(call(annotated(int, None), literal(None)), {})
    assert not is_legal(call(annotated(int, 0), literal(None)), {})


def test_keywords_and_stars():
    def f(a: int, *rest: str, key: bytes = b"", **more: float): ...

    callee = callee_of(f)
    one, text, data, half = literal(1), literal("a", 1), literal(b"", 2), literal(0.5, 3)

    def legal(positional, keywords=(), star=None):
        star_list = literal(Display("list", ("b", 3 if star else "c")), 4)
        arguments = Arguments(positional, keywords, None if star is None else 4)
        return is_legal(TestCase((one, text, data, half, star_list, Call(99, callee, arguments))), {})

    assert legal((0, 1, 1), (("key", 2), ("other", 3)))
    assert not legal((0, 0))
    assert not legal((0,), (("key", 1),))
    assert not legal((0,), (("other", 1),))
    assert legal((0,), star=False)
    assert not legal((0,), star=True)


def test_results_count_as_what_they_were_seen_to_be():
    make = annotated(typing.Any)
    wants = annotated(int)
    test = TestCase((literal(1), Call(1, make, Arguments((0,))), Call(2, wants, Arguments((1,)))))
    assert is_legal(test, {}), "nothing is known of it"
    assert is_legal(test, {make: {str, int}})
    assert not is_legal(test, {make: {str}})


def test_instances_by_their_class():
    shelf = Callee("shop", "Shelf", CalleeKind.CLASS, live=Shelf)
    deep = Callee("shop", "Deep", CalleeKind.CLASS, live=Deep)
    assert is_legal(call(annotated(Shelf), Call(0, deep, Arguments())), {})
    assert not is_legal(call(annotated(Deep), Call(0, shelf, Arguments())), {})
    shelves = literal(Display("list", (Ref(0),)), 1)
    wants = Call(2, annotated(list[Shelf]), Arguments((1,)))
    assert is_legal(TestCase((Call(0, shelf, Arguments()), shelves, wants)), {})
    assert not is_legal(TestCase((literal(3), shelves, wants)), {})


def test_private_names_are_illegal_unless_the_report_enters_there():
    callee = callee_of(lambda: None, name="_f")
    assert not is_legal(call(callee), {})
    assert is_legal(call(callee), {}, {"shop", "_f"})
    receiver = literal("a")
    assert not is_legal(TestCase((receiver, st.GetAttribute(1, 0, "_hidden"))), {})
    assert is_legal(TestCase((receiver, st.MethodCall(1, 0, "__len__", Arguments()))), {})
    assert not is_legal(TestCase((receiver, st.SetAttribute(0, "_x", 0))), {})


class Counter:
    step: int = 1
    name = "a"

    def __init__(self) -> None:
        self.last = 0

    @property
    def whole(self) -> int:
        return self.last


Counter.__annotations__["step"] = int  # as without the import from the future


def test_attributes_are_assigned_that_the_class_has_and_of_their_types() -> None:
    made = Call(0, Callee("shop", "Counter", CalleeKind.CLASS, live=Counter), Arguments())

    def setting(name: str, value: object) -> TestCase:
        return TestCase((made, literal(value, 1), st.SetAttribute(0, name, 1)))

    assert all(is_legal(setting(name, 3), {}) for name in ("step", "name", "last"))
    assert not any(is_legal(setting(name, 3), {}) for name in ("width", "whole"))
    assert not is_legal(setting("step", "a"), {})
    assert judged_arguments(setting("step", 3)) == (1, 1)
    assert judged_arguments(setting("last", 3)) == (1, 0)


def test_what_no_signature_says_is_counted() -> None:
    def half(a: int, b=None):  # type: ignore[no-untyped-def]
        """One parameter says what it takes."""

    said = callee_of(half)
    standard = callee_of(half, module="decimal")
    one, other = Literal(0, 1), Literal(1, 2)
    assert judged_arguments(TestCase((one, other, Call(2, said, Arguments((0, 1)))))) == (2, 1)
    assert judged_arguments(TestCase((one, Call(2, said, Arguments((0,)))))) == (1, 1)
    assert judged_arguments(TestCase((one, Call(2, standard, Arguments((0,)))))) == (0, 0)
