"""What Python raises in a module out of legal arguments is noted, one call for each place, and made smaller."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from crashwright.core.suite import PossibleDefect
from crashwright.engine.execution.executor import Executor
from crashwright.engine.search.suite.possible_defects import PossibleDefects
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal, MethodCall, StubCallable, Value
from crashwright.engine.testcase.testcase import TestCase

NAME = "defective_wares"
SOURCE = """\
def mean(values: list[float]) -> float:
    return sum(values) / len(values)

def share(part, whole):
    return part / whole

def shout(text):
    return text.upper()

def shouted(texts: list) -> list:
    return [text.upper() for text in texts]

def last(names: list[str | None]) -> str:
    return names[-1].upper()

def price(table: dict[str, int], name: str) -> int:
    return table[name]

def unit(name: str) -> int:
    return {"kg": 1}[name]

def refused(number: int) -> int:
    if number < 0:
        raise IndexError("too small")
    return [1][number]

def called(values: list[float], function) -> float:
    return function(mean(values))

def _hidden(values: list[float]) -> float:
    return 1 / len(values)

class Row:
    def __init__(self, cells: list[int]) -> None:
        self.cells = cells

    def first(self) -> int:
        return self.cells[0]

    def __getitem__(self, place: int) -> int:
        return self.cells[place]
"""


@pytest.fixture
def api(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ApiModel]:
    (tmp_path / f"{NAME}.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module(NAME)
    yield ApiModel(NAME, [NAME])
    del sys.modules[NAME]


def calling(api: ApiModel, name: str, *values: Value) -> TestCase:
    callee = next(one for one in api.functions_in(NAME) if one.name == name)
    literals = [Literal(place, value) for place, value in enumerate(values)]
    return TestCase((*literals, Call(len(values), callee, Arguments(tuple(range(len(values)))))))


def of_a_row(api: ApiModel, method: str, *values: Value) -> TestCase:
    cls = sys.modules[NAME].Row
    callee = next(one for one in api.methods_of(cls) if one.name == method)
    literals = [Literal(10 + place, value) for place, value in enumerate(values)]
    arguments = Arguments(tuple(one.variable for one in literals))
    made = (Literal(0, Display("list", ())), Call(1, api.constructor(cls), Arguments((0,))))
    return TestCase((*made, *literals, MethodCall(2, 1, method, arguments, callee)))


def found(*tests: TestCase, meant: bool = False, is_time: bool = True) -> tuple[PossibleDefect, ...]:
    defects = PossibleDefects(str(sys.modules[NAME].__file__), lambda _test, _outcome: meant)

    def run(test: TestCase) -> None:
        defects.note(test, Executor().run(test))

    for test in tests:
        run(test)
    return defects.found(run, lambda: is_time)


def test_each_place_has_one_call_the_smallest(api: ApiModel) -> None:
    tests = [calling(api, "share", number, 0) for number in (700, 3)]
    tests += [calling(api, "mean", Display("list", ())), of_a_row(api, "first"), calling(api, "last", Display("list", (None,)))]
    assert found(*tests) == (
        PossibleDefect("mean([])", "ZeroDivisionError: division by zero", 2, "mean"),
        PossibleDefect("share(0, 0)", "ZeroDivisionError: division by zero", 5, "share"),
        PossibleDefect("last([None])", "AttributeError: 'NoneType' object has no attribute 'upper'", 14, "last"),
        PossibleDefect("Row([]).first()", "IndexError: list index out of range", 38, "Row.first"),
    )


def test_a_key_that_a_table_of_the_module_lacks_is_one(api: ApiModel) -> None:
    [one] = found(calling(api, "unit", "mm"))
    assert (one.line, one.error, one.qualname) == (20, "KeyError: ''", "unit")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("shout", (3,)),
        ("shouted", (Display("list", (3,)),)),
        ("mean", ("text",)),
        ("price", (Display("dict", ()), "a")),
        ("refused", ("a",)),
        ("_hidden", (Display("list", ()),)),
    ],
)
def test_what_says_more_of_the_call_is_none(api: ApiModel, name: str, values: tuple[Value, ...]) -> None:
    assert found(calling(api, name, *values)) == ()


def test_neither_is_what_special_methods_answer_nor_what_functions_of_the_test_do(api: ApiModel) -> None:
    assert found(of_a_row(api, "__getitem__", 3)) == ()
    callee = next(one for one in api.functions_in(NAME) if one.name == "called")
    given = (Literal(0, Display("list", ())), StubCallable(1, "x", None), Call(2, callee, Arguments((0, 1))))
    assert found(TestCase(given)) == ()


def test_what_is_meant_is_none_and_without_time_nothing_is_told(api: ApiModel) -> None:
    assert found(calling(api, "mean", Display("list", ())), meant=True) == ()
    assert found(calling(api, "mean", Display("list", ())), is_time=False) == ()
