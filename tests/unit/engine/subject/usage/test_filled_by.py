"""A ``with`` that only gives items to what it enters is one step of a session, not a block around what follows."""

from __future__ import annotations

import ast

import pytest

from crashwright.engine.subject.usage.usage import filled_by, flat, uses

SESSION = """
client = app.test_client()
with client.session_transaction() as session:
    session["user"] = "1"
with client:
    client.get("/loans")
"""


def test_it_stays_whole_and_others_are_taken_apart() -> None:
    lines = [ast.unparse(one) for one in flat(ast.parse(SESSION).body)]
    assert lines[1] == "with client.session_transaction() as session:\n    session['user'] = '1'"
    assert lines[2:] == ["with client:\n    pass", "client.get('/loans')"]


def test_it_changes_the_client() -> None:
    (found,) = uses(tuple(ast.parse(SESSION).body), frozenset({"get"}))
    assert "session_transaction" in "\n".join(map(ast.unparse, found))


@pytest.mark.parametrize(
    "source",
    [
        "with opened() as session:\n    session['user'] = 1\n    go()",
        "with opened() as session:\n    other['user'] = 1",
        "with opened():\n    session['user'] = 1",
        "with opened() as session, opened():\n    session['user'] = 1",
        "session['user'] = 1",
    ],
)
def test_what_does_more_is_none(source: str) -> None:
    (node,) = ast.parse(source).body
    assert filled_by(node) == []
