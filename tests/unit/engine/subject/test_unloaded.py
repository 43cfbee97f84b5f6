"""What a report mentions of a package and nothing has imported."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from crashwright.engine.subject.importing import load_further
from crashwright.engine.subject.introspection import loaded_names
from crashwright.engine.subject.unloaded import (
    Mentioned,
    lazy_names,
    mentioned_in,
    modules_among,
    modules_defining,
    modules_importing,
)

SOURCES = {
    "__init__.py": "__all__ = ['Boat', 'Wreck', 'here']\nhere = 1\n"
    "def __getattr__(name):\n    if name == 'Boat':\n        from orchardsea.boats import Boat\n        return Boat\n"
    "    raise SystemExit(name)\n",
    "boats.py": "class Boat: ...\n",
    "harbour.py": "def moor(boat): ...\n",
    "inner/__init__.py": "",
    "inner/sails.py": "class Sail: ...\n\nclass Mast: ...\n",
    "inner/broken.py": "class Keel: ...\nraise RuntimeError\n",
    "fleet.py": "from .inner import sails as used\n",
    "port.py": "def main():\n    import orchardsea.fleet\n",
    "log.py": "from orchardsea.inner.sails import Sail\n",
    "tests/test_sails.py": "class Sail: ...\n",
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    for name, source in SOURCES.items():
        path = tmp_path / "orchardsea" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.import_module("orchardsea")
    yield "orchardsea"
    for name in loaded_names("orchardsea"):
        del sys.modules[name]


def mentioned(line: str) -> Mentioned:
    return mentioned_in(ast.parse(line).body)


def test_modules_that_define_what_a_line_names(package: str) -> None:
    assert modules_defining(package, mentioned("hoist(Sail(rig), data)")) == ["orchardsea.inner.sails"]
    assert modules_defining(package, mentioned("harbour.moor(data)")) == ["orchardsea.harbour"]
    assert modules_defining(package, mentioned("main(data)")) == []
    assert modules_defining(package, mentioned("json.dumps(data)")) == []


def test_what_is_loaded_already_is_looked_for_no_more(package: str) -> None:
    importlib.import_module("orchardsea.inner.sails")
    assert modules_defining(package, mentioned("hoist(Sail(rig))")) == []


def test_lazy_names_of_the_package_and_nothing_that_is_there(package: str) -> None:
    assert list(lazy_names(package, mentioned("Mast().up()"))) == ["up", "Mast", "Boat", "Wreck"]


def test_what_cannot_be_loaded_is_left_out(package: str) -> None:
    load_further([(package, "Wreck"), (f"{package}.inner.broken", ""), (package, "Boat")], 5.0)
    assert "orchardsea.boats" in sys.modules
    assert "orchardsea.inner.broken" not in sys.modules


def test_modules_of_the_calls_that_define_what_the_users_line_calls(package: str) -> None:
    through = ["orchardsea.harbour", "orchardsea.inner.sails", "json.decoder", "orchardsea.inner.sails"]
    assert modules_among(through, mentioned("Sail(rig).hoist(data)")) == ["orchardsea.inner.sails"]
    assert modules_among(through, mentioned("JSONDecoder().decode(data)")) == []
    assert modules_among(through, mentioned("print(len(data))")) == []


def test_modules_that_put_others_together_are_found_by_what_they_import(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert modules_importing(package, ["orchardsea.inner.sails"]) == ["orchardsea.fleet", "orchardsea.log", "orchardsea.port"]
    assert modules_importing(package, ["orchardsea.boats"]) == []
    monkeypatch.setattr("crashwright.engine.subject.unloaded.MOST_IMPORTED", 3)
    assert modules_importing(package, ["orchardsea.inner.sails"]) == []
