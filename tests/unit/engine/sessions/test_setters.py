"""A crash in the setter of a property is entered by setting it."""

from __future__ import annotations

import random
from typing import cast

import ovens

from crashwright.core.location import CodeKey
from crashwright.core.messages import Start
from crashwright.core.settings import EngineSettings
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.sources.crash_subject import crash_subject
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.entry import Entry, entries
from crashwright.engine.subject.source import Sources
from crashwright.engine.teaching.crash_calls import setters_entered
from crashwright.engine.testcase.echoing.echoed_tests import echo_tests
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import SetAttribute, Statement

API = ApiModel("ovens", ["ovens"])
MINUTES = cast(property, ovens.Timer.__dict__["minutes"])


def entered(function: object) -> tuple[Callee, ...]:
    code = function.__code__  # type: ignore[attr-defined]
    key = CodeKey("ovens", code.co_qualname, code.co_firstlineno)
    frame = TargetFrame(key, ovens.__file__, code.co_firstlineno + 2, "", None, True)
    target = CrashTarget("ovens", "AttributeError", "", (frame,))
    entry = entries(API, target, Sources())
    assert isinstance(entry, Entry)
    return setters_entered(crash_subject(Start(EngineSettings(), target), Recorder(), API, entry, Sources(), None))


def test_the_frame_tells_whether_it_is_read_or_set() -> None:
    assert [callee.name for callee in entered(MINUTES.fset)] == ["minutes"]
    assert entered(MINUTES.fget) == ()


def test_random_tests_set_it() -> None:
    setters, rng = entered(MINUTES.fset), random.Random(1)
    made = Factory(API, SeedPool(), setters)
    made.preferences.setters = setters
    done = 0
    for _ in range(40):
        statements: list[Statement] = []
        made.call_entry(statements, rng)
        done += isinstance(statements[-1], SetAttribute)
    assert done > 20


def test_an_echoed_assignment_is_made_on_an_instance_of_its_class() -> None:
    entry = entered(MINUTES.fset)
    made = Factory(API, SeedPool(), entry)
    echo = next(echo_tests("clock.minutes = '5:00'", {}, NameChain(API, entry), made, random.Random(1)), None)
    assert echo is not None
    assert "Timer()" in "\n".join(print_test(echo.test).body)
