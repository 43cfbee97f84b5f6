"""Calls that ask an application, and the places in them that can be filled."""

from __future__ import annotations

import ast
import enum

from crashwright.engine.frameworks.web import Route
from crashwright.engine.sources.applications.operations import (
    OpenPlace,
    Word,
    added,
    call_in,
    filled,
    keys_in,
    last_name,
    leaves_of,
    line_of,
    names_in_calls,
    words_of,
    written,
)

ROUTE = Route("/events/<int:event_id>/shifts", ("post",), (), (("event_id", r"\d+"),))


def call(text: str, route: Route | None = None) -> ast.Call:
    found = call_in(text, route)
    assert found is not None
    return found


def test_places_are_parts_of_the_path_and_of_the_document() -> None:
    asked = call("client.post('/events/1/shifts', json={'role': role, 'hours': [4, 'x'], 'of': {'age': 18}}, headers='h')", ROUTE)
    assert leaves_of(asked) == [
        OpenPlace("event_id", "1", True),
        OpenPlace("role", None),
        OpenPlace("hours", 4),
        OpenPlace("hours", "x"),
        OpenPlace("age", 18),
    ]


def test_a_document_may_be_an_argument_without_a_name() -> None:
    asked = call("client.post('/shifts', {'role': 'x'}, content_type='application/json')")
    assert leaves_of(asked) == [OpenPlace("role", "x")]
    assert keys_in(asked) == {"role"}


def test_filled_places_are_written_as_one_would() -> None:
    asked = call("client.post('/events/1/shifts?all=1', json={'role': role})", ROUTE)
    made = filled(asked, {0: 7, 1: "cook"})
    assert ast.unparse(written(made)) == "client.post('/events/7/shifts?all=1', json={'role': 'cook'})"
    assert ast.unparse(written(filled(made, {1: "2"}))) == "client.post('/events/7/shifts?all=1', json={'role': '2'})"
    assert leaves_of(asked)[0].value == "1"


def test_a_key_is_added_where_there_is_a_document() -> None:
    assert ast.unparse(added(call("client.post('/x', json={})"), "name", "Ida")) == "client.post('/x', json={'name': 'Ida'})"
    assert ast.unparse(added(call("client.get('/x')"), "name", "Ida")) == "client.get('/x')"


def test_the_last_name_of_an_address_is_no_place() -> None:
    assert last_name(call("client.post('/events/1/shifts', json={})", ROUTE)) == "shifts"
    assert last_name(call("client.get('/tools?sort=1')")) == "tools"
    assert last_name(call("run(['add'])")) == ""


def test_of_a_line_only_what_has_a_name_is_a_place() -> None:
    words = [Word("add"), Word("--day"), Word("2026-01-01", "day")]
    line = line_of(ast.Name("app"), words, others={"standalone_mode": False})
    assert leaves_of(line) == [OpenPlace("day", "2026-01-01")]
    assert ast.unparse(written(filled(line, {0: "x"}))) == "app(['add', '--day', 'x'], standalone_mode=False)"


def test_what_is_no_call_asks_nothing() -> None:
    assert call_in("client.post(") is None
    assert call_in("client") is None


def test_names_that_methods_are_called_with_are_keys() -> None:
    tree = ast.parse(
        "def view():\n    p = Payload.of(request)\n    a(p.day('on'), p.text('name', limit=3))\n    p.text('a b')\n    f('no')\n"
    )
    assert names_in_calls([tree]) == ("on", "name")


class Plan(enum.Enum):
    BASIC = "basic"
    PRO = "pro"


def test_words_are_compared_with_looked_up_and_members() -> None:
    tree = ast.parse("def f(x):\n    if x == 'gold' or x in ('new', 3):\n        Plan(x)\n    match x:\n        case 'old': pass\n")
    assert words_of([tree], [{"Plan": Plan}], ["top", 1]) == ("top", 1, "gold", "new", 3, "old", "basic", "pro")
