"""How the project's own tests make a client, and what they send."""

from __future__ import annotations

import ast
import sys
import types
from pathlib import Path

import pytest

from crashwright.engine.subject.usage.client_tests import client_test, client_tests, distinct_openings
from crashwright.engine.subject.usage.shipped_tests import imports_of_tests

CONFTEST = """
import pytest
from shop import create_app
from shop.extensions import db as store

@pytest.fixture
def app():
    app = create_app({"TESTING": True})
    with app.app_context():
        store.create_all()
        yield app

@pytest.fixture
def browser(app):
    return app.test_client()
"""
TESTS = """
def join(client):
    return client.post("/members", json={"name": "Ada"})

def test_lend(browser):
    join(browser)
    lent = browser.post("/loans", json={"card": 1})
    assert browser.get(f"/loans/{lent.json['id']}/state").status_code == 200
    assert lent.json["due"]

def test_table(table):
    assert table.get("price") == 1
"""
OPENING = [
    "app = create_app({'TESTING': True})",
    "with app.app_context():\n    pass",
    "store.create_all()",
    "client = app.test_client()",
]


@pytest.fixture(autouse=True)
def project(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = types.ModuleType("shop")
    module.__path__ = [str(tmp_path / "shop")]  # type: ignore[attr-defined]
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__init__.py").touch()
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "conftest.py").write_text(CONFTEST)
    (tmp_path / "tests" / "test_loans.py").write_text(TESTS)
    monkeypatch.setitem(sys.modules, "shop", module)


def lines(session: tuple[ast.stmt, ...]) -> list[str]:
    return list(map(ast.unparse, session))


def test_the_client_is_made_by_the_fixtures_and_called_so() -> None:
    (test,) = client_tests("shop", ("get", "post"))
    assert lines(test.opening) == OPENING
    assert [lines(one.opening) for one in distinct_openings([test, test])] == [OPENING]
    assert test.makes_client


def test_requests_are_kept_and_what_is_asserted_of_them_is_not() -> None:
    (test,) = client_tests("shop", ("get", "post"))
    aid, *sent = lines(test.sending)
    assert aid.startswith("def join(client)")
    assert sent == ["join(client)", "lent = client.post('/loans', json={'card': 1})", "client.get('/loans/1/state')"]
    assert test.paths == ("/loans", "/loans/1/state")


def test_what_asks_something_else_sends_no_request() -> None:
    assert client_tests("shop", ("put",)) == ()


def test_a_client_that_the_framework_brings_may_be_logged_in() -> None:
    source = "user = User.objects.create_user('ada')\nclient.force_login(user)\nanswer = client.get('/loans')"
    test = client_test(tuple(ast.parse(source).body), ("get",))
    assert test is not None
    assert (lines(test.opening), test.makes_client) == (source.split("\n")[:2], False)


def test_what_changes_an_imported_application_is_left_out() -> None:
    made = "app = create_app()\napp.testing = True\nclient = app.test_client()\nclient.get('/loans')"
    for source, expected in ((made, True), (made.replace("app = create_app()\n", ""), False)):
        assert (client_test(tuple(ast.parse(source).body), ("get",)) is not None) is expected


def test_names_are_what_the_tests_import() -> None:
    assert imports_of_tests("shop") == {"create_app": ("shop", "create_app"), "store": ("shop.extensions", "db")}
