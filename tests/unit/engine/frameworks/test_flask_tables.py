"""What makes the tables that a Flask application stores rows in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

import pytest

from crashwright.engine.frameworks.flask import FlaskApplication, makes_tables

DATABASE = """
SCHEMA = "schema.sql"

def get_db():
    return None

def init_db():
    get_db().executescript(SCHEMA)

def init_later(path):
    get_db().executescript(path)

def create_table():
    get_db().execute("create table crate (id integer)")
"""
FACTORY = """
from flask import Flask
from tablesofflask import db

def create_app():
    return Flask("tablesofflask")

def create_with_tables():
    db.init_db()
    init_db()
    return Flask("tablesofflask")

init_db = db.init_db
"""
EXTENDED = """
import click
from flask import Flask


class Extension:
    def __init__(self):
        self.session = None

    def create_all(self):
        return None


shelf = Extension()


def create_app():
    app = Flask("tablesofflask")

    @app.cli.command("make-tables")
    def make_tables():
        shelf.create_all()

    @app.cli.command("make-table")
    @click.argument("name")
    def make_table(name):
        shelf.create_all()

    return app
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    folder = tmp_path / "tablesofflask"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "db.py").write_text(DATABASE)
    (folder / "factory.py").write_text(FACTORY)
    (folder / "extended.py").write_text(EXTENDED)
    monkeypatch.syspath_prepend(str(tmp_path))
    __import__("tablesofflask.factory")
    yield
    for name in ("tablesofflask", "tablesofflask.db", "tablesofflask.factory", "tablesofflask.extended"):
        sys.modules.pop(name, None)


def named(name: str) -> FunctionType:
    found = getattr(sys.modules["tablesofflask.db"], name)
    assert isinstance(found, FunctionType)
    return found


@pytest.mark.usefixtures("package")
def test_what_runs_a_script_or_says_so_makes_tables() -> None:
    assert [name for name in ("get_db", "init_db", "init_later", "create_table") if makes_tables(named(name))] == [
        "init_db",
        "init_later",
        "create_table",
    ]


@pytest.mark.usefixtures("package")
def test_it_is_called_before_the_client_is_made_if_the_factory_does_not() -> None:
    known = {"create_app", "create_with_tables", "init_db"}
    assert FlaskApplication("tablesofflask.factory:create_app()").opening(known) == [
        "app = create_app()",
        "app.testing = True",
        "with app.app_context():\n    pass",
        "init_db()",
        "client = app.test_client()",
    ]
    assert FlaskApplication("tablesofflask.factory:create_app()").opening({"create_app"}) == [
        "app = create_app()",
        "app.testing = True",
        "client = app.test_client()",
    ]
    assert "init_db()" not in FlaskApplication("tablesofflask.factory:create_with_tables()").opening(known)


@pytest.mark.usefixtures("package")
def test_an_extension_makes_them_else_a_command_that_asks_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["tablesofflask.db"], "init_db", None)
    monkeypatch.setattr(sys.modules["tablesofflask.db"], "create_table", None)
    monkeypatch.setattr(sys.modules["tablesofflask.factory"], "init_db", None)
    __import__("tablesofflask.extended")
    make = sys.modules["tablesofflask.extended"]
    application = FlaskApplication("tablesofflask.extended:create_app()")
    with vars(make)["create_app"]().app_context():
        assert application.opening({"create_app", "shelf"})[2:4] == ["with app.app_context():\n    pass", "shelf.create_all()"]
        monkeypatch.setattr(make, "shelf", None)
        without = FlaskApplication("tablesofflask.extended:create_app()")
        assert without.opening({"create_app"})[2:3] == ["app.test_cli_runner().invoke(args=['make-tables'])"]
