"""What is known of the callables of a live module."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from crashwright.engine.goals.coverage.callables import CallableFacts, facts_of, wrapper_keys
from crashwright.engine.subject.api.api import ApiModel

TEXT = """
import functools


def deco(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)
    return wrapper


@deco
def half(n: int) -> float:
    return n / 2


class Shelf:
    def __init__(self, size: int) -> None:
        self.size = size

    def names(self) -> list[str]:
        return []


async def later() -> int:
    return 1


def count() -> int:
    yield 1
"""


@pytest.fixture
def facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, CallableFacts]]:
    (tmp_path / "callables_of_shelf.py").write_text(TEXT)
    monkeypatch.syspath_prepend(str(tmp_path))
    module = __import__("callables_of_shelf")
    try:
        api = ApiModel("callables_of_shelf", ["callables_of_shelf"])
        callees = [
            *(api.callee_of(getattr(module, name)) for name in ("half", "Shelf", "later", "count")),
            api.member(module.Shelf, "names"),
        ]
        yield {one.qualname: one for one in facts_of([callee for callee in callees if callee is not None], api)}
    finally:
        sys.modules.pop("callables_of_shelf", None)


def test_a_decorated_function_has_its_public_name_and_all_codes(facts: dict[str, CallableFacts]) -> None:
    half = facts["half"]
    assert half.address == "callables_of_shelf:half"
    assert {key.qualname for key in half.keys} == {"half", "deco.<locals>.wrapper"}
    assert half.outputs == ("float negative", "float zero", "float positive")
    assert {key.qualname for key in wrapper_keys(tuple(facts.values()))} == {"deco.<locals>.wrapper"}


def test_a_class_runs_its_initialiser_and_promises_no_output(facts: dict[str, CallableFacts]) -> None:
    shelf = facts["Shelf"]
    assert shelf.makes_instance
    assert shelf.outputs == ()
    assert [key.qualname for key in shelf.keys] == ["Shelf.__init__"]
    assert facts["Shelf.names"].outputs == ("list empty", "list non-empty")


def test_what_is_awaited_counts_and_what_is_iterated_does_not(facts: dict[str, CallableFacts]) -> None:
    assert facts["later"].outputs == ("int negative", "int zero", "int positive")
    assert facts["count"].outputs == ()
