"""What arrives in a function, and where in the values of the test it is found."""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any, cast

from crashwright.core.location import CodeKey
from crashwright.core.target import TargetFrame
from crashwright.engine.sources.carrying import arrivals
from crashwright.engine.sources.carrying.arrivals import Arrival, Arrivals, PathStep, Spot, parts_of


class Box:
    shared = "all"

    def __init__(self, parts: object, label: str = "plain") -> None:
        self.parts = parts
        self.label = label


class Slotted:
    __slots__ = ("empty", "held")

    def __init__(self, held: object) -> None:
        self.held = held


class Loud:
    """Whoever asks it is told off."""

    def __getattribute__(self, name: str) -> object:
        raise AssertionError(name)


def take(one: object, /, *rest: object, keyword: object = None, **more: object) -> object:
    return one, rest, keyword, more


def rightly(value: object) -> object:
    return take(value)


def wrongly(value: object) -> object:
    return take(value)


def frame_of(function: Callable[..., object], down: int = 0) -> TargetFrame:
    code = cast(FunctionType, function).__code__
    key = CodeKey(function.__module__, code.co_qualname, code.co_firstlineno)
    return TargetFrame(key, code.co_filename, code.co_firstlineno + down, "", None, True)


def arriving(run: Callable[[], object], variables: dict[int, object], outside: TargetFrame | None = None) -> list[Arrival]:
    with Arrivals(frame_of(take), outside, lambda: variables) as arrivals:
        run()
    return arrivals.found


def test_each_argument_by_its_name() -> None:
    (found,) = arriving(lambda: take(1, 2, keyword="k", other=b"o"), {})
    assert {name: node.value for name, node in found.arguments.items() if node.is_scalar} == {"one": 1, "keyword": "k"}
    assert [(step, node.value) for step, node in found.arguments["rest"].parts] == [(PathStep("item", 0, True), 2)]
    assert [(step, node.value) for step, node in found.arguments["more"].parts] == [(PathStep("item", "other"), b"o")]


def test_the_very_object_is_found_by_attributes_and_items() -> None:
    wanted = Box([])
    variables: dict[int, object] = {5: {"boxes": (0, Box(wanted))}}
    (found,) = arriving(lambda: take(wanted), variables)
    path = (PathStep("item", "boxes"), PathStep("item", 1, True), PathStep("attribute", "parts"))
    assert found.arguments["one"].same == (Spot(5, path),)


def test_scalars_are_found_by_what_they_are_and_never_by_another_type() -> None:
    (found,) = arriving(lambda: take(1), {3: True, 4: 1, 5: [1.0, 1]})
    assert found.arguments["one"].alike == (Spot(4), Spot(5, (PathStep("item", 1),)))


def test_parts_have_what_slots_hold_and_what_a_class_has_for_all() -> None:
    (found,) = arriving(lambda: take(Slotted(Box(None, "own"))), {})
    ((step, box),) = found.arguments["one"].parts
    assert step == PathStep("attribute", "held")
    assert {own.key: node.value for own, node in box.parts} == {"parts": None, "label": "own", "shared": "all"}


def test_nothing_of_the_subject_is_asked() -> None:
    loud = Loud()
    (found,) = arriving(lambda: take(loud), {1: [loud]})
    assert found.arguments["one"].same == (Spot(1, (PathStep("item", 0),)),)


def test_a_call_from_elsewhere_is_told_apart() -> None:
    outside = frame_of(rightly, 1)
    found = arriving(lambda: (wrongly(1), rightly(2)), {}, outside)
    assert [(one.arguments["one"].value, one.rightly) for one in found] == [(1, False), (2, True)]


def test_the_first_entries_and_the_last_are_kept() -> None:
    found = arriving(lambda: [take(number) for number in range(20)], {})
    assert [one.arguments["one"].value for one in found] == [0, 1, 2, 3, 4, 19]


def test_a_profiler_gets_its_place_back() -> None:
    def own(*_: Any) -> None:
        pass

    before = sys.getprofile()
    sys.setprofile(own)
    try:
        arriving(lambda: take(1), {})
        assert sys.getprofile() is own
    finally:
        sys.setprofile(before)


class Status(enum.Enum):
    OPEN = "open"
    CLOSED = "closed"


def test_a_member_of_an_enumeration_is_found_and_nothing_is_reached_through_it() -> None:
    assert [*parts_of(Status.OPEN)] == []
    assert arrivals.TestPlaces({0: Status.OPEN}).spots(Status.OPEN) == (Spot(0),)
    assert arrivals.TestPlaces({0: Status.OPEN}).spots(Status.CLOSED) == ()
