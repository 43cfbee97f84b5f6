"""What test functions do becomes sessions of plain statements."""

from __future__ import annotations

import ast
import sys
import types
from pathlib import Path

import pytest

from crashwright.engine.subject.usage.shipped_tests import shipped_tests
from crashwright.engine.subject.usage.usage import uses

TESTS = """
import unittest
from shelf import Shelf
DATA = [1, 2]

def helper():
    return Shelf().find("not a test")

def test_first():
    shelf = Shelf(DATA)
    with pytest.raises(KeyError):
        assert shelf.find("absent") == 1
    for key in ("a", "b"):
        shelf.find(key, deep=True)

class TestShelf(unittest.TestCase):
    def setUp(self):
        self.shelf = Shelf([3])
    def test_second(self):
        self.assertEqual(self.shelf.find("x").name, "y")
    def test_other(self):
        self.shelf.clear()
"""


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    module = types.ModuleType("shelf")
    module.__path__ = [str(tmp_path / "shelf")]  # type: ignore[attr-defined]
    (tmp_path / "shelf" / "tests").mkdir(parents=True)
    monkeypatch.setitem(sys.modules, "shelf", module)
    return tmp_path


def _uses(*names: str) -> list[list[str]]:
    wanted = frozenset(names)
    return [[ast.unparse(line) for line in use] for session in shipped_tests("shelf", wanted) for use in uses(session, wanted)]


WANTED = [
    ["DATA = [1, 2]", "shelf = Shelf(DATA)", "shelf.find('absent')"],
    ["DATA = [1, 2]", "shelf = Shelf(DATA)", "key = 'a'", "shelf.find(key, deep=True)"],
    ["shelf = Shelf([3])", "shelf.find('x')"],
]


def test_tests_inside_the_package(package: Path) -> None:
    (package / "shelf" / "tests" / "test_shelf.py").write_text(TESTS)
    assert _uses("find") == WANTED
    assert _uses("absent") == []


def test_tests_in_a_module_of_the_package(package: Path) -> None:
    (package / "shelf" / "core.py").write_text("class Shelf: ...\n\ndef test_it():\n    shelf = Shelf(2)\n    shelf.find('y')\n")
    assert _uses("find") == [["shelf = Shelf(2)", "shelf.find('y')"]]


@pytest.mark.parametrize("source", ["shelf", "src/shelf"])
def test_tests_beside_the_source_of_a_project(package: Path, source: str) -> None:
    (package / "pyproject.toml").touch()
    (package / "tests").mkdir()
    (package / "tests" / "test_shelf.py").write_text(TESTS)
    sys.modules["shelf"].__path__ = [str(package / source)]  # type: ignore[attr-defined]
    assert _uses("find") == WANTED


def test_folders_of_no_project_are_left_alone(package: Path) -> None:
    (package / "tests").mkdir()
    (package / "tests" / "test_shelf.py").write_text(TESTS)
    assert _uses("find") == []


@pytest.mark.parametrize("text", ["def test_x(:\n find(", "\x00 find(", "find(" * 3000, "def test_x(): find(*)"])
def test_files_that_are_no_python_are_passed_over(package: Path, text: str) -> None:
    (package / "shelf" / "tests" / "test_broken.py").write_text(text)
    (package / "shelf" / "tests" / "test_shelf.py").write_text(TESTS)
    assert _uses("find") == WANTED


def test_fixtures_are_written_out_those_of_conftest_files_too(package: Path) -> None:
    (package / "shelf" / "tests" / "conftest.py").write_text(
        "import pytest\nSIZE = 4\n@pytest.fixture\ndef shelf():\n    with Shelf(SIZE) as made:\n        yield made\n"
    )
    (package / "shelf" / "tests" / "test_shelf.py").write_text(
        "import pytest\n@pytest.mark.parametrize('key', ['a', 'b', 'c', 'd'])\ndef test_it(shelf, key):\n    shelf.find(key)\n"
    )
    made = ["SIZE = 4", "with Shelf(SIZE) as made:\n    pass", "shelf = made"]
    assert _uses("find") == [[*made, f"key = '{key}'", "shelf.find(key)"] for key in "abc"]
