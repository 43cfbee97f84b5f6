"""For a crash, mocks answer for what libraries make, and not for what may have the bug itself."""

from __future__ import annotations

import configparser
import sqlite3
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from crashwright.engine.sources.library_mocks import is_of_library

NAME = "depot_beside"


@pytest.fixture
def beside(tmp_path: Path) -> Iterator[type]:
    """A class of another module of the project, which is no package."""
    module = types.ModuleType(NAME)
    module.__file__ = str(tmp_path / f"{NAME}.py")
    sys.modules[NAME] = module
    exec("class Shelf:\n    pass", vars(module))
    yield vars(module)["Shelf"]
    del sys.modules[NAME]


def test_the_standard_library_and_what_is_installed_is_of_others(beside: type) -> None:
    assert is_of_library(sqlite3.Connection, NAME)
    assert is_of_library(configparser.ConfigParser, NAME)
    assert is_of_library(pytest.Session, NAME)


def test_modules_of_the_package_and_of_the_project_are_not(beside: type) -> None:
    assert not is_of_library(beside, NAME)
    assert not is_of_library(beside, "depot")
    assert not is_of_library(pytest.Session, "_pytest.main")
