"""Stories that end in the entry: what is called in between changes what the path reads, and what failed is not gone on with."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from crashwright.engine.execution.executor import Executor
from crashwright.engine.sources.entry_stories import EntryStories
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.source import Sources
from crashwright.engine.subject.usage.documentation import Documentation
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool

NAME = "shelves_of_stories"
SOURCE = """
class Shelf:
    def __init__(self, width: int = 5):
        self.width = width
        self._books = {}
        self.colour = "red"

    def put(self, title: str):
        self._books[title] = 1

    def take(self, title: str):
        books = self._books
        del books[title]

    def paint(self, colour: str):
        self.colour = colour

    def describe(self):
        return "a shelf"

    def first(self):
        return list(self._books)[0]

REGISTER = {}

def register(shelf: Shelf, place: str):
    REGISTER[place] = shelf

def books_at(shelf: Shelf):
    return list(shelf._books)[0]
"""


@pytest.fixture
def api(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ApiModel]:
    (tmp_path / f"{NAME}.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module(NAME)
    yield ApiModel(NAME, [NAME])
    del sys.modules[NAME]


def told(api: ApiModel, entry: str) -> list[str]:
    """The stories that end in the function of that name, each told what became of it."""
    callee = next(one for one in api.callables if one.name == entry)
    factory = Factory(api, SeedPool(), (callee,))
    tree = ast.parse(SOURCE)
    function = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == entry)
    frame = SimpleNamespace(key=SimpleNamespace(module=NAME))

    def hints(_callee: Callee, _name: str) -> list[object]:
        return []

    subject: Any = SimpleNamespace(
        api=api,
        requests=(),
        examples=Documentation((), ()),
        path=([function], [tree]),
        called=(),
        used=SimpleNamespace(hints=hints),
        sources=Sources(),
        start=SimpleNamespace(target=SimpleNamespace(own_frames=(frame,))),
    )
    so_far: Any = SimpleNamespace(factory=factory, latest=[])
    found = []
    for test in EntryStories().tests(subject, so_far, Random(1)):
        so_far.latest = [SimpleNamespace(ran=Executor().run(test).executed + 1)]
        found.append("; ".join(print_test(test).body))
    return found


def test_what_sets_what_is_read_is_called_before_a_method(api: ApiModel) -> None:
    stories = told(api, "first")
    assert stories[0].endswith("shelf.first()") or stories[0].endswith("Shelf().first()")
    put = next(place for place, one in enumerate(stories) if ".put(" in one)
    take = next(place for place, one in enumerate(stories) if ".take(" in one and ".put(" not in one)
    assert put < take, "what is certain to set it comes first"
    assert any('put("title"); shelf.take("title"); shelf.first()' in one for one in stories), "the same title is taken"
    assert not any(".describe()" in one for one in stories)
    assert not any(one.index(".take(") < one.index(".put(") for one in stories if ".put(" in one and ".take(" in one)
    assert len(stories) == len(set(stories))


def test_what_takes_the_same_object_is_called_before_a_function(api: ApiModel) -> None:
    stories = told(api, "books_at")
    assert any("register(" in one and one.rstrip(")").endswith("books_at(shelf") for one in stories)
    assert any("shelf.put(" in one for one in stories)
