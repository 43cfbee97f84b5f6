"""An object of a class on the path is passed where another class takes it."""

from __future__ import annotations

import linecache
import random
import sys
import types
from collections.abc import Iterator
from dataclasses import replace

import pytest

from crashwright.core.location import CodeKey
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.execution.executor import Executor
from crashwright.engine.sources.receivers import called_over, handed_over, handed_seeds
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool

SOURCE = """
class Label:
    def __init__(self, widths=()):
        self.widths = widths
    def __iter__(self):
        return iter([1 / len(self.widths)])

class Sheet:
    def __init__(self, title, *, size: int = 3, parts=None):
        self.parts = parts
    @property
    def rows(self):
        return [list(part) for part in self.parts]

def total(parts, /):
    return sum(parts)
"""


@pytest.fixture
def api() -> Iterator[ApiModel]:
    module = types.ModuleType("sheets_handed")
    exec(compile(SOURCE, "sheets_handed.py", "exec"), vars(module))
    sys.modules["sheets_handed"] = module
    yield ApiModel("sheets_handed", ["sheets_handed"])
    del sys.modules["sheets_handed"]
    linecache.clearcache()


def target(*qualnames: str) -> CrashTarget:
    frames = tuple(TargetFrame(CodeKey("sheets_handed", name, 1), "sheets_handed.py", 1, "", None, True) for name in qualnames)
    return CrashTarget("sheets_handed", "ZeroDivisionError", "division by zero", frames)


def entered(api: ApiModel, name: str) -> Factory:
    sheet = sys.modules["sheets_handed"].Sheet
    entry = next(one for one in (*api.methods_of(sheet), *api.callables) if one.name == name)
    return Factory(api, SeedPool(), (entry,))


def test_it_is_given_to_what_makes_the_object_that_is_entered(api: ApiModel) -> None:
    factory = entered(api, "rows")
    classes = handed_over(target("Sheet.rows", "Label.__iter__"), factory.entry)
    assert [cls.__name__ for cls in classes] == ["Label"]
    tests = list(handed_seeds(classes, factory, random.Random(1)))
    assert tests
    assert all(test.is_valid() for test in tests)
    crashing = [test for test in tests if isinstance(Executor().run(test).error, ZeroDivisionError)]
    texts = ["\n".join(print_test(test).body) for test in crashing]
    assert any("parts=" in text and "Label(" in text for text in texts)
    assert any("parts=[" in "\n".join(print_test(test).body) for test in tests)


def test_it_is_given_to_a_function_by_position(api: ApiModel) -> None:
    factory = entered(api, "total")
    tests = handed_seeds(handed_over(target("total", "Label.__iter__"), factory.entry), factory, random.Random(1))
    assert any(isinstance(Executor().run(test).error, ZeroDivisionError) for test in tests)


def test_what_the_message_names_is_given_as_well(api: ApiModel) -> None:
    factory = entered(api, "total")
    crash = replace(target("total"), message="Label.__init__() got an unexpected keyword argument 'a'")
    label = sys.modules["sheets_handed"].Label
    assert handed_over(crash, factory.entry) == called_over(crash) == (label,)
    texts = ["\n".join(print_test(test).body) for test in handed_seeds((), factory, random.Random(1), (label,))]
    assert "total(Label)" in texts
    assert called_over(replace(crash, message="unsupported operand 'Label'")) == ()


def test_the_object_that_is_entered_is_handed_to_nobody(api: ApiModel) -> None:
    factory = entered(api, "rows")
    assert handed_over(target("Sheet.rows"), factory.entry) == ()
    assert list(handed_seeds((), factory, random.Random(1))) == []
