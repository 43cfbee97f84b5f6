"""The way in to functions that a decorator replaced by something that hardly tells what it runs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from toy_package import load, unload

from crashwright.core.location import CodeKey
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.entry import Entry, entries
from crashwright.engine.subject.source import ModuleSource, Sources

CODE = """
    class Base:
        @classmethod
        def as_view(cls):
            def view(request):
                return cls().get(request)
            return view

        def get(self, request):
            return super().__repr__()


    def in_a_class(function):
        def handler(self, request):
            return function(request)

        return type("Made", (Base,), {"get": handler}).as_view()


    @in_a_class
    def show(request):
        return 1 / request


    class Task:
        __slots__ = ("_run",)

        def __init__(self, run):
            self._run = run

        def __call__(self):
            return 1


    @Task
    def nightly():
        return 1 / 0


    def twice():
        return 1


    def twice():
        return 2
"""


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiModel]:
    yield load(tmp_path_factory.mktemp("views"), "viewsware", {"web": CODE})
    unload("viewsware")


def found(api: ApiModel, name: str, which: int = 0) -> object:
    source = Sources().of_module("viewsware.web")
    assert isinstance(source, ModuleSource)
    keys: list[CodeKey] = [known for known, _ in source.codes() if known.qualname == name]
    key = keys[which]
    frame = TargetFrame(key, "web.py", key.first_line, "", None, True)
    entry = entries(api, CrashTarget("viewsware", "ZeroDivisionError", "", (frame,)))
    return [callee.address for callee in entry.callees] if isinstance(entry, Entry) else entry


def test_a_function_in_a_class_in_a_closure(api: ApiModel) -> None:
    assert found(api, "show") == ["viewsware.web:show"]


def test_what_the_module_has_by_the_name_of_the_function(api: ApiModel) -> None:
    assert found(api, "nightly") == ["viewsware.web:nightly"]


def test_a_later_function_of_that_name_is_another_one(api: ApiModel) -> None:
    assert found(api, "twice", -1) == ["viewsware.web:twice"]
    assert api.named("viewsware.web", "twice") is None
    assert api.named("viewsware.web", "gone") is None


def test_a_method_that_calls_super_encloses_no_class(api: ApiModel) -> None:
    shown = next(callee for callee in api.callables if callee.qualname == "Base.get")
    assert {key.qualname for key in api.keys_of(shown)} == {"Base.get"}
