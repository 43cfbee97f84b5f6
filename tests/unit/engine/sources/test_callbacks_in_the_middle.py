"""A function in the middle of the report is handed over, registered, set, or made a method of a subclass: some test crashes so."""

from __future__ import annotations

import itertools
import sys
import types
from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from crashwright.core.location import CodeKey
from crashwright.core.target import Callback, CrashTarget, TargetFrame
from crashwright.engine.execution.executor import Executor
from crashwright.engine.sources.callbacks import Callbacks
from crashwright.engine.sources.source import When
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.testcase.making.definitions import Definer
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.testcase import TestCase

NAME = "called_back"
SOURCE = """
class Bell:
    def __init__(self):
        self.on_end = None
        self._handlers = {}
        self._ringing = []

    def on(self, topic, handler):
        self._handlers.setdefault(topic, []).append(handler)

    def ring(self, topic):
        if topic in self._ringing:
            raise RuntimeError("it rings already")
        self._ringing.append(topic)
        for handler in self._handlers.get(topic, ()):
            handler(topic)

    def end(self):
        self._ringing = ["end"]
        self.on_end()

    def each(self, steps):
        self._ringing = ["each"]
        for step in steps:
            step(self)

    def start(self):
        self._ringing = ["start"]
        self.at_start()

    def at_start(self):
        pass
"""
MOST = 200


@pytest.fixture
def api() -> Iterator[ApiModel]:
    module = types.ModuleType(NAME)
    exec(SOURCE, vars(module))
    sys.modules[NAME] = module
    yield ApiModel(NAME, [NAME])
    del sys.modules[NAME]


def frame(qualname: str, source: str) -> TargetFrame:
    return TargetFrame(CodeKey(NAME, qualname, 1), f"{NAME}.py", 1, source, None, True)


def proposed(api: ApiModel, entry: str, leading: str, *callbacks: Callback) -> list[TestCase]:
    bell = vars(sys.modules[NAME])["Bell"]
    callee = next(one for one in api.methods_of(bell) if one.name == entry)
    factory = Factory(api, SeedPool(), (callee,), definer=Definer())
    target = CrashTarget(NAME, "RuntimeError", "it rings already", (frame(f"Bell.{entry}", leading), frame("Bell.ring", "")))
    target = CrashTarget(NAME, "RuntimeError", "it rings already", target.frames, callbacks=callbacks)
    subject = SimpleNamespace(start=SimpleNamespace(target=target), used=SimpleNamespace(roles=lambda *_: None))
    so_far = SimpleNamespace(
        factory=factory,
        seeds=SimpleNamespace(names=NameChain(api, factory.entry)),
        moment=When.AHEAD,
        begun_with=lambda _: [],
        given={},
    )
    return list(itertools.islice(Callbacks().tests(cast(Any, subject), cast(Any, so_far), Random(1)), MOST))


WAYS = {
    "registered": ("ring", "handler(topic)", Callback("paid", "bell.ring(topic)", 0)),
    "set": ("end", "self.on_end()", Callback("ended", 'bell.ring("end")', 0)),
    "in a list": ("each", "step(self)", Callback("stepped", 'works.ring("each")', 0)),
    "a method": ("start", "self.at_start()", Callback("at_start", 'self.ring("start")', 0)),
}


@pytest.mark.parametrize("way", WAYS)
def test_it_is_called_and_calls_what_follows(api: ApiModel, way: str) -> None:
    entry, leading, callback = WAYS[way]
    crashed = []
    for test in proposed(api, entry, leading, callback):
        outcome = Executor().run(test)
        if str(outcome.error) == "it rings already":
            crashed.append("\n".join(print_test(test).body))
    assert crashed, "one of them crashes as the report says"


def test_without_such_a_function_nothing_is_proposed(api: ApiModel) -> None:
    assert proposed(api, "ring", "handler(topic)") == []
