from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from crashwright.pytest_plugin.failures import FailedTest, Project, failure_from, runnable_source

PATTERNS = ("test_*.py", "*_test.py")
STOCK = """\
import json

def take(items, place):
    return items[place]

def read(text):
    return json.loads(text)

def call(function):
    return function()
"""
TEST = """\
import os
from shelves import stock
WIDE = 3

def test_take():
    stock.take([], WIDE)

class TestShelf:
    def test_it(self): ...
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    package = tmp_path / "src" / "shelves"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "stock.py").write_text(STOCK)
    (tmp_path / "checks").mkdir()
    (tmp_path / "checks" / "test_stock.py").write_text(TEST)
    for folder in (tmp_path / "src", tmp_path / "checks"):
        monkeypatch.syspath_prepend(str(folder))
    for name in ("shelves", "shelves.stock", "test_stock"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


def raised(call: Callable[[ModuleType, ModuleType], object]) -> BaseException:
    stock, test = importlib.import_module("shelves.stock"), importlib.import_module("test_stock")
    try:
        call(stock, test)
    except (AssertionError, IndexError, KeyError, ValueError) as error:
        return error
    raise RuntimeError("nothing was raised")


def failure(root: Path, call: Callable[[ModuleType, ModuleType], object]) -> FailedTest | None:
    return Project(root, PATTERNS).failure("checks/test_stock.py::test_take", raised(call), "source")


def test_an_exception_of_the_project_is_a_report_that_begins_at_the_test(project: Path) -> None:
    found = failure(project, lambda _stock, test: test.test_take())
    assert found is not None
    assert (found.package, found.folder) == ("shelves", str(project / "src"))
    lines = found.report.splitlines()
    assert lines[1].strip().startswith(f'File "{project / "checks" / "test_stock.py"}", line 6, in test_take')
    assert lines[-1] == "IndexError: list index out of range"
    assert __file__ not in found.report
    assert failure_from(found.to_data()) == found


def test_what_the_project_lets_a_library_raise_is_of_the_project(project: Path) -> None:
    found = failure(project, lambda stock, _test: stock.read("{"))
    assert found is not None
    assert "json" in found.place


def test_what_a_test_raises_is_not_even_where_the_project_calls_it(project: Path) -> None:
    (project / "checks" / "test_stock.py").write_text(TEST + "\ndef fails():\n    assert 0\n")
    assert failure(project, lambda _stock, test: test.fails()) is None
    assert failure(project, lambda stock, test: stock.call(test.fails)) is None
    assert failure(project, lambda _stock, _test: [][0]) is None


def test_crashes_are_told_apart_by_type_and_place(project: Path) -> None:
    calls = (lambda stock, _: stock.take([], 1), lambda stock, _: stock.take((), 2), lambda stock, _: stock.take({}, 1))
    places = [failure(project, call).place for call in calls]
    assert places[0] == places[1]
    assert places[0] != places[2]


@pytest.mark.parametrize(
    ("file", "owned"),
    [
        ("src/shelves/stock.py", True),
        ("conftest.py", False),
        ("src/shelves/tests/helping.py", False),
        ("src/shelves/stock_test.py", False),
        (".venv/lib/python3.11/site-packages/x.py", False),
        ("../elsewhere.py", False),
    ],
)
def test_tests_and_what_is_installed_are_not_the_project(file: str, owned: bool, tmp_path: Path) -> None:
    assert Project(tmp_path, PATTERNS).owns(str((tmp_path / file).resolve())) is owned


def test_a_test_can_be_tried_with_its_imports(project: Path) -> None:
    file = project / "checks" / "test_stock.py"
    assert runnable_source(file, "test_take") == (
        "import os\nfrom shelves import stock\n\n\ndef test_take():\n    stock.take([], WIDE)"
    )
    assert runnable_source(file, "test_it") == ""
    assert runnable_source(project / "none.py", "test_take") == ""
