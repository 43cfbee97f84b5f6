"""The classes of returned values, seen and declared."""

from __future__ import annotations

import abc
import collections
from typing import Literal, NoReturn

import pytest

from crashwright.engine.goals.coverage.output import declared_outputs, output_classes
from crashwright.engine.subject.api.hints import hint_of
from crashwright.engine.subject.api.types import ClassHint


class Hostile:
    def __len__(self) -> NoReturn:
        raise RuntimeError

    __bool__ = __repr__ = __str__ = __eq__ = __hash__ = __iter__ = __len__  # type: ignore[assignment]

    def __getattribute__(self, name: str) -> NoReturn:
        raise RuntimeError


class Meta(type):
    def __getattribute__(cls, name: str) -> NoReturn:
        raise RuntimeError

    def __eq__(cls, other: object) -> bool:
        raise RuntimeError

    def __hash__(cls) -> int:
        raise RuntimeError


class Odd(metaclass=Meta):
    pass


class Items(list[int]):
    pass


class Counted(list[int]):
    def __len__(self) -> int:
        raise RuntimeError


Point = collections.namedtuple("Point", "x y")


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self) -> float: ...


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, ("None",)),
        (True, ("True",)),
        (False, ("False",)),
        (-3, ("int negative",)),
        (0, ("int zero",)),
        (10**400, ("int positive",)),
        (-0.5, ("float negative",)),
        (-0.0, ("float zero",)),
        (float("nan"), ("float nan",)),
        (float("-inf"), ("float infinite",)),
        ("", ("str empty",)),
        (b"x", ("bytes non-empty",)),
        ([], ("list empty",)),
        ((None,), ("tuple non-empty",)),
        (set(), ("set empty",)),
        ({1: 2}, ("dict non-empty",)),
        (range(0), ("range empty",)),
        (1j, ("complex",)),
        (Items(), ("Items", "Items empty")),
        (Items([1]), ("Items", "Items non-empty")),
        (Counted([1]), ("Counted",)),
        (Point(1, 2), ("Point",)),
        (collections.OrderedDict(a=1), ("OrderedDict", "OrderedDict non-empty")),
    ],
)
def test_seen(value: object, expected: tuple[str, ...]) -> None:
    assert output_classes(value) == expected


def test_code_of_the_subject_is_never_asked() -> None:
    assert output_classes(Hostile()) == ("Hostile",)
    assert output_classes(Odd()) == ("Odd",)
    assert output_classes(Odd) == ("Meta",)
    assert declared_outputs(ClassHint(Odd)) == ("Odd",)


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (bool, ("True", "False")),
        (int, ("int negative", "int zero", "int positive")),
        (str | None, ("str empty", "str non-empty", "None")),
        (list[int], ("list empty", "list non-empty")),
        (tuple[int, int], ("tuple non-empty",)),
        (tuple[int, ...], ("tuple empty", "tuple non-empty")),
        (Items, ("Items",)),
        (Shape, ()),
        (object, ()),
        (None, ()),
        (collections.abc.Iterable, ()),
        (Literal["a", ""], ("str non-empty", "str empty")),
        ("Unknown", ()),
    ],
)
def test_declared(annotation: object, expected: tuple[str, ...]) -> None:
    assert declared_outputs(hint_of(annotation)) == expected
