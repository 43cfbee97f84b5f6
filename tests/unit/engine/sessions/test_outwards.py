"""What an inner search has found goes into others: by what arrives, or wherever it fits."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from crashwright.engine.sessions.outwards import UNSEEN, Outwards
from crashwright.engine.sources.carrying.arrivals import Arrival, ArrivedValue, Spot
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.statements import Arguments, Call, Literal
from crashwright.engine.testcase.testcase import TestCase

TAKE = Callee("shop", "take", CalleeKind.FUNCTION)
FRAMES = cast(Any, ["outermost", "outer", "inner"])


def taking(value: int, *more: int) -> TestCase:
    return TestCase(
        (*(Literal(place + 2, one) for place, one in enumerate(more)), Literal(0, value), Call(1, TAKE, Arguments((0,))))
    )


class Watched:
    """A search in which the value of a test's last literal arrives in the frame."""

    def __init__(self, *bases: TestCase) -> None:
        self.factory = cast(Any, SimpleNamespace(new=itertools.count(50).__next__, observed={}))
        self.own = list(bases)
        self.ran: list[object] = []
        self.asked: list[tuple[object, object]] = []
        self.carried: list[TestCase] = []
        self.found: TestCase | None = None

    def is_over(self) -> bool:
        return self.found is not None

    def bases(self) -> list[TestCase]:
        return self.own

    def carry(self, tests: Sequence[TestCase]) -> None:
        self.carried += tests

    def handing(self, test: TestCase, frame: object) -> list[Arrival]:
        return [self._arrival(test)]

    def arriving(self, test: TestCase, frame: object, outside: object) -> list[Arrival]:
        self.asked.append((frame, outside))
        arrival = self._arrival(test)
        self.ran.append(arrival.arguments["value"].value)
        return [arrival]

    def marks(self) -> list[str]:
        return []

    def inverses(self, frames: object) -> list[Callee]:
        return []

    @staticmethod
    def _arrival(test: TestCase) -> Arrival:
        literal = cast(Literal, test.statements[-2])
        return Arrival({"value": ArrivedValue(int, True, literal.value, alike=(Spot(literal.variable),))}, True)


def test_the_needed_value_arrives_and_the_next_frame_out_is_where_it_is_called_from() -> None:
    outwards, outer = Outwards(FRAMES), Watched(taking(7))
    inner = taking(5)
    outwards.note(1, inner, Watched())
    outwards.carry_into(outer)
    assert outer.ran[:2] == [7, 5]
    assert set(outer.asked) == {("inner", "outer")}
    assert outwards.found == [inner]


def test_the_outermost_frame_has_no_caller() -> None:
    outwards, outer = Outwards(FRAMES), Watched(taking(7))
    outwards.note(3, taking(5), Watched())
    outwards.carry_into(outer)
    assert set(outer.asked) == {("outermost", None)}


@pytest.mark.parametrize("flows", [True, False])
def test_where_it_fits_otherwise_it_is_put_once(flows: bool) -> None:
    outwards, outer = Outwards(FRAMES, flows), Watched(taking(7, *range(60)))
    outwards.note(1, taking(5), Watched())
    outwards.carry_into(outer)
    first = len(outer.carried)
    assert bool(outer.ran) is flows
    assert first > 0
    assert first <= UNSEEN or not flows
    outwards.carry_into(outer)
    assert len(outer.carried) == first


def test_a_search_that_is_over_is_given_no_more() -> None:
    outwards, outer = Outwards(FRAMES), Watched(taking(7))
    outer.found = taking(5)
    outwards.note(1, taking(5), Watched())
    outwards.carry_into(outer)
    assert not outer.carried


def test_only_those_found_last_are_carried() -> None:
    outwards, outer = Outwards(FRAMES), Watched(taking(7))
    for number, value in ((1, 5), (2, 6), (3, 8)):
        outwards.note(number, taking(value), Watched())
    outwards.carry_into(outer, 1)
    assert 8 in outer.ran
    assert not {5, 6} & set(outer.ran)
