"""Walks on objects: what is refused leaves no trace, and what calls gave is handed to others by its name."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from crashwright.engine.execution.executor import Executor
from crashwright.engine.sources.object_walks import WALKS, ObjectWalks
from crashwright.engine.sources.source import When
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.source import Sources
from crashwright.engine.subject.usage.documentation import Documentation
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.testcase import TestCase

NAME = "depots_of_walks"
SOURCE = """
class Refused(Exception):
    pass

class Depot:
    def __init__(self, *, rooms, slips):
        self._rooms = rooms
        self._slips = slips

    def store(self, room: str) -> str:
        if room not in self._rooms:
            raise Refused(room)
        self._slips.append(room)
        return f"slip of {room}"

    def fetch(self, store_slip: str):
        if not store_slip.startswith("slip"):
            raise Refused(store_slip)
        return self._slips.pop()

    def _hidden(self):
        raise KeyError

def open_depot(rooms: list[str]):
    return Depot(rooms=set(rooms), slips=[])

def take_over(depot: Depot, store_slip: str):
    return depot.fetch(store_slip).missing
"""


@pytest.fixture
def api(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ApiModel]:
    (tmp_path / f"{NAME}.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module(NAME)
    yield ApiModel(NAME, [NAME])
    del sys.modules[NAME]


class Walked:
    """All tests that walks to the callable of that name bring."""

    def __init__(self, api: ApiModel, entry: str, exception: str, spent_after: int = 1000) -> None:
        callee = next(one for one in api.callables if one.name == entry)
        factory = Factory(api, SeedPool(), (callee,))
        self.runs = 0

        def hints(_callee: Callee, _name: str) -> list[object]:
            return []

        def spend() -> None:
            self.runs += 1
            so_far.is_spent = self.runs >= spent_after

        subject: Any = SimpleNamespace(
            api=api,
            requests=(),
            examples=Documentation((), ()),
            path=([], []),
            used=SimpleNamespace(hints=hints),
            sources=Sources(),
            recorder=SimpleNamespace(reset=lambda: None, drop_wanted=lambda: None),
            start=SimpleNamespace(target=SimpleNamespace(exception=exception)),
        )
        so_far: Any = SimpleNamespace(
            factory=factory,
            is_spent=False,
            moment=When.STANDSTILL,
            quarantine=SimpleNamespace(holds=lambda _test: False),
            meter=SimpleNamespace(spend=spend),
            bench=SimpleNamespace(executor=Executor()),
        )
        self.tests: list[TestCase] = list(ObjectWalks().tests(subject, so_far, Random(1)))
        self.errors = [Executor().run(test).error for test in self.tests]


def test_what_calls_gave_is_handed_on_and_what_was_refused_is_left_out(api: ApiModel) -> None:
    walked = Walked(api, "fetch", "IndexError")
    ends = [error for error in walked.errors if error is not None]
    assert ends
    assert all(isinstance(error, IndexError) for error in ends)
    assert any("fetch(" in line for test in walked.tests for line in print_test(test).body)
    lines = ["\n".join(print_test(test).body) for test, error in zip(walked.tests, walked.errors, strict=True) if error]
    assert any("open_depot(" in one and ".store(" in one and one.count(".fetch(") > 1 for one in lines), lines
    assert not any("_hidden" in one or "SimpleNamespace" in one for one in lines)
    assert walked.runs <= WALKS


def test_a_function_is_walked_to_with_what_it_takes(api: ApiModel) -> None:
    walked = Walked(api, "take_over", "AttributeError")
    ends = [test for test, error in zip(walked.tests, walked.errors, strict=True) if isinstance(error, AttributeError)]
    assert ends
    assert all(print_test(test).body[-1].startswith("take_over(") for test in ends)


def test_it_ends_with_its_share(api: ApiModel) -> None:
    assert Walked(api, "fetch", "IndexError", spent_after=2).runs == 2
