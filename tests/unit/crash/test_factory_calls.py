"""With which arguments the factory of an application is called for tests."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from crashwright.crash.frameworks.factory_calls import call_for_tests
from crashwright.crash.frameworks.flask import IN_MEMORY

UPDATES = "def create_app(config=None):\n    app = Flask('x')\n    app.config.from_mapping(config)\n"
EXTENSION = "from flask_sqlalchemy import SQLAlchemy\n"


def call(folder: Path, factory: str, **texts: str) -> str:
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    (node,) = ast.parse(factory).body
    assert isinstance(node, ast.FunctionDef)
    return call_for_tests(node, sorted(folder.glob("*.py")), IN_MEMORY)


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ("app = shop.create_app({'DB': 'sqlite://'})", "({'DB': 'sqlite://'})"),
        ("app = create_app('testing', debug=True)", "('testing', debug=True)"),
        ("app = create_app(settings)", ""),
        ("app = create_app(**options)", ""),
        ("def broken(", ""),
    ],
)
def test_as_the_projects_tests_call_it_with_literals(tmp_path: Path, shown: str, expected: str) -> None:
    assert call(tmp_path, "def create_app(config, debug=False): pass", conftest=shown) == expected


@pytest.mark.parametrize(
    ("factory", "expected"),
    [
        ("def create_app(): pass", "()"),
        ("def create_app(config=None, *, debug=False): pass", "('testing', debug=True)"),
        ("def create_app(*given, **options): pass", "('testing', debug=True)"),
        ("def create_app(config=None): pass", "()"),
        ("def create_app(config, place, debug=False): pass", ""),
        ("def create_app(config, *, place, debug=False): pass", ""),
    ],
)
def test_the_calls_of_another_applications_factory_are_left(tmp_path: Path, factory: str, expected: str) -> None:
    assert call(tmp_path, factory, conftest="app = create_app('testing', debug=True)") == expected


def test_what_is_no_test_shows_nothing(tmp_path: Path) -> None:
    assert call(tmp_path, "def create_app(config): pass", run="app = create_app('production')") == ""


def test_a_configuration_keeps_the_database_in_memory(tmp_path: Path) -> None:
    assert call(tmp_path, UPDATES) == "()"
    expected = "({'TESTING': True, 'SQLALCHEMY_DATABASE_URI': 'sqlite://'})"
    assert call(tmp_path, UPDATES, extensions=EXTENSION) == expected
    assert call(tmp_path, UPDATES.replace("config=None", "config"), extensions=EXTENSION) == expected


def test_a_factory_whose_parameter_is_something_else_is_called_without(tmp_path: Path) -> None:
    factory = "def create_app(name='x'):\n    app = Flask(name)\n    app.config.update({'NAME': name})\n"
    assert call(tmp_path, factory, extensions=EXTENSION) == "()"
    assert call(tmp_path, factory.replace("name='x'", "name"), extensions=EXTENSION) == ""
