"""Work at a place that becomes wider and narrower: as many at a time as there is room for."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from crashwright.core.errors import EnvironmentProblem
from crashwright.core.settings import Budget
from crashwright.workflows.batch.work import Waiting, WorkedOff
from crashwright.workflows.places.place import Asked, Told
from crashwright.workflows.reproduce.request import Request


@dataclass
class Breathing:
    """A place with the next width each time it is asked something; ``together`` is how many were at work then, and on what."""

    widths: Iterator[int]
    now: int = 1
    at_work: int = 0
    together: list[tuple[int, str]] = field(default_factory=list)

    async def open(self, _told: Told, /) -> None: ...

    def width(self) -> int:
        return self.now

    async def run(self, request: Asked, told: Told) -> dict[str, Any]:
        self.at_work += 1
        self.together.append((self.at_work, request.report_name))
        try:
            await asyncio.sleep(0.02)
            self.now = next(self.widths, self.now)
            await asyncio.sleep(0.02)
        finally:
            self.at_work -= 1
        if request.report_name == "unfit":
            raise EnvironmentProblem("It is not fit.")
        return {"verdict": "reproduced"}

    async def close(self) -> None:
        assert self.at_work == 0


@dataclass
class Names:
    """Work on names, each for a second; ``widths`` are those of the place when they were begun."""

    widths: dict[str, int] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)
    last: str = ""

    def title(self, item: str) -> str:
        return item

    def share(self, item: str, waiting: Waiting) -> Budget | None:
        self.widths[item] = waiting.width
        return None if item == self.last else Budget(1.0)

    def request_for(self, item: str, budget: Budget) -> Asked:
        return Request("", report_name=item)

    def answered(self, item: str, document: dict[str, Any] | None, worker: int, waiting: Waiting) -> None:
        if item == "defect":
            raise ZeroDivisionError
        self.done.append(item)


def worked_off(place: Breathing, work: Names, items: list[str]) -> tuple[int, list[str]]:
    problems: dict[str, None] = {}
    left = asyncio.run(WorkedOff(work, place, lambda event: None, problems).all(items))
    return left, list(problems)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crashwright.workflows.batch.work.LOOK_SECONDS", 0.005)


def test_what_is_wider_later_is_used_and_what_is_narrower_is_not_overfilled() -> None:
    place, work = Breathing(iter([3, 3, 3, 1, 1, 1])), Names()
    assert worked_off(place, work, [str(number) for number in range(8)]) == (0, [])
    assert sorted(work.done) == [str(number) for number in range(8)]
    seen = [(together, work.widths[name]) for together, name in place.together]
    assert max(together for together, _ in seen) == 3
    assert all(together <= width for together, width in seen)
    assert seen[-1] == (1, 1)


def test_where_nobody_is_left_the_place_is_asked_all_the_same() -> None:
    work = Names()
    assert worked_off(Breathing(iter([]), now=0), work, ["unfit", "b"]) == (0, ["It is not fit."])
    assert work.done == ["b"]


def test_what_there_is_no_time_for_is_left() -> None:
    work = Names(last="c")
    assert worked_off(Breathing(iter([])), work, ["a", "b", "c", "d"]) == (2, [])
    assert work.done == ["a", "b"]


def test_a_defect_ends_what_is_under_way() -> None:
    place = Breathing(iter([2]), now=2)
    with pytest.raises(ZeroDivisionError):
        worked_off(place, Names(), ["defect", "b", "c"])
