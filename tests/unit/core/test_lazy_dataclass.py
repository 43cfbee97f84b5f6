"""What is compiled late is a dataclass like any other: each class is declared by both decorators, and compared."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from crashwright.core.lazy_dataclass import lazy_dataclass


@lazy_dataclass(frozen=True, slots=True)
class Parcel:
    """One to be pickled, which is done by name."""

    weight: int
    notes: list[str] = field(default_factory=list)


def declared(decorator: Callable[..., Any], frozen: bool, slots: bool) -> Any:
    @decorator(frozen=frozen, slots=slots)
    class Shelf:
        """For bolts."""

        width: int
        name: str = "a"
        bolts: list[str] = field(default_factory=list, compare=False)
        hidden: str = field(default="", repr=False)

        @property
        def area(self) -> int:
            return self.width**2

    return Shelf


@pytest.mark.parametrize("slots", [True, False])
@pytest.mark.parametrize("frozen", [True, False])
def test_it_does_as_the_other_one(frozen: bool, slots: bool) -> None:
    usual, lazy = declared(dataclass, frozen, slots), declared(lazy_dataclass, frozen, slots)
    signature = str(inspect.signature(lazy))
    assert signature == str(inspect.signature(usual))
    for arguments in ((1,), (2, "b"), (2, "b", ["c"], "d")):
        one, other = usual(*arguments), lazy(*arguments)
        assert repr(one) == repr(other)
        assert dataclasses.asdict(one) == dataclasses.asdict(other)
        assert dataclasses.replace(other, width=7) == lazy(7, *arguments[1:])
        assert copy.deepcopy(other) == other
        assert other != one
        assert other != lazy(9)
        assert other == lazy(arguments[0], one.name, ["not compared"], one.hidden)
    assert lazy(1).bolts is not lazy(1).bolts
    assert lazy(3).area == 9
    assert lazy.__match_args__ == usual.__match_args__
    assert hasattr(lazy(1), "__dict__") is not slots
    for problem in ((), (1, "b", [], "", 5)):
        with pytest.raises(TypeError):
            lazy(*problem)


def test_frozen_ones_are_hashed_and_not_written() -> None:
    usual, lazy = declared(dataclass, True, True), declared(lazy_dataclass, True, True)
    assert hash(lazy(1, "b")) == hash(usual(1, "b")) == hash(lazy(1, "b", ["c"]))
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'width'"):
        lazy(1).width = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'width'"):
        del lazy(1).width
    with pytest.raises(TypeError, match="unhashable"):
        hash(declared(lazy_dataclass, False, True)(1))


def test_what_a_class_defines_itself_stays() -> None:
    @lazy_dataclass(frozen=True, slots=True)
    class Odd:
        """Compared by its length."""

        text: str

        def __post_init__(self) -> None:
            object.__setattr__(self, "text", self.text.strip())

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Odd) and len(self.text) == len(other.text)

        def __hash__(self) -> int:
            return len(self.text)

    assert Odd(" ab ") == Odd("cd")
    assert hash(Odd(" ab ")) == 2
    assert Odd(" ab ").text == "ab"


def test_a_subclass_has_the_fields_of_both() -> None:
    @lazy_dataclass(frozen=True)
    class Base:
        """The first fields."""

        first: int

    @lazy_dataclass(frozen=True)
    class Derived(Base):
        """One more."""

        second: int = 2

    assert repr(Derived(1)).endswith("Derived(first=1, second=2)")
    assert Derived(1) != Base(1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        Derived(1).first = 3  # type: ignore[misc]


def test_one_is_pickled() -> None:
    assert pickle.loads(pickle.dumps(Parcel(5, ["fragile"]))) == Parcel(5, ["fragile"])


def test_a_method_is_compiled_when_it_is_looked_up() -> None:
    lazy = declared(lazy_dataclass, True, True)
    before = vars(lazy)["__init__"]
    assert not inspect.isfunction(before)
    lazy(1)
    assert inspect.isfunction(vars(lazy)["__init__"])
    assert not inspect.isfunction(vars(lazy)["__eq__"])
