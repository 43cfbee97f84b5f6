"""How tests sign a caller in, by what each framework says of the application."""

from __future__ import annotations

import ast
from collections.abc import Callable

from flask import Flask, session

from crashwright.core.location import CodeKey
from crashwright.core.preparation import Preparation
from crashwright.engine.frameworks.registry import web_of
from crashwright.engine.frameworks.web import Route

HERE = __name__.partition(".")[0]
app = Flask(__name__)
app.secret_key = "test"
VIEWS = """
def show():
    if "user" not in session:
        return "who?", 401
    return str(loans_of(session["user"]))
def staff():
    return session.get("role") == "owner"
"""


@app.get("/who")
def who() -> dict[str, object]:
    return {"user": session.get("user"), "role": session.get("role")}


def in_flask(source: str) -> list[list[str]]:
    framework = web_of(Preparation(flask=f"{__name__}:app"))
    assert framework is not None
    own: Callable[[str], ast.AST | None] = lambda module: ast.parse(source) if module == __name__ else None  # noqa: E731
    return list(framework.signing_in(Route("/loans", ("get",), (CodeKey(HERE, "show", 2),)), {"app"}, own))


def test_flask_puts_what_the_code_reads_of_the_session_into_it() -> None:
    ways = in_flask(VIEWS)
    assert ways[0] == ["with client.session_transaction() as session:\n    session['user'] = '1'\n    session['role'] = 'owner'"]
    assert ways[1] == ["with client.session_transaction() as session:\n    session['user'] = '1'"]
    assert ["with client.session_transaction() as session:\n    session['user'] = 1"] in ways


def test_the_view_finds_it_there() -> None:
    (line,) = in_flask(VIEWS)[0]
    client = app.test_client()
    exec(line, {"client": client})
    assert client.get("/who").get_json() == {"user": "1", "role": "owner"}


def test_an_application_that_reads_nothing_of_its_session_signs_nobody_in() -> None:
    assert in_flask("def show(): return 1") == []
