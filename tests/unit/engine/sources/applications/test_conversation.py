"""What an application answers says how to go on: a workshop that lends tools is asked until it does not refuse."""

from __future__ import annotations

import ast
import json
from types import SimpleNamespace
from typing import Any

import pytest

from crashwright.engine.sources.applications.conversation import Conversation, said_beside
from crashwright.engine.sources.applications.operations import (
    AskedOperation,
    Word,
    call_in,
    line_of,
    text_of,
    written,
)
from crashwright.engine.sources.applications.replies import Reply, reply_of, reply_raised


def operation(name: str, *ways: str, keys: tuple[str, ...] = (), words: tuple[str, ...] = ()) -> AskedOperation:
    calls = [call for way in ways if (call := call_in(way)) is not None]
    assert len(calls) == len(ways)
    return AskedOperation(name, tuple(calls), keys, words)


class Workshop:
    """Asks for what it lacks, one thing after the other."""

    def __init__(self) -> None:
        self.members: list[str] = []
        self.asked: list[str] = []

    def __call__(self, call: ast.Call) -> Reply:
        statement = written(call)
        self.asked.append(ast.unparse(statement))
        client = SimpleNamespace(post=self.post)
        return reply_of(eval(self.asked[-1], {"client": client}))

    def post(self, path: str, json: dict[str, Any]) -> Any:
        status, said = self.members_(json) if path == "/members" else self.loans(json)
        return SimpleNamespace(status_code=status, text=said)

    def members_(self, json: dict[str, Any]) -> tuple[int, str]:
        if "name" not in json:
            return 422, '{"message": "name: is required"}'
        if "@" not in str(json.get("email", "")):
            return 422, '{"message": "email: not an address"}'
        if json["email"] in self.members:
            return 409, f'{{"message": "{json["email"]} is known"}}'
        if json.get("plan", "basic") not in ("basic", "pro"):
            return 422, '{"message": "plan: unknown"}'
        self.members.append(json["email"])
        return 201, f'{{"id": {len(self.members)}}}'

    def loans(self, json: dict[str, Any]) -> tuple[int, str]:
        if not 0 < json.get("member", 0) <= len(self.members):
            return 404, '{"message": "no such member"}'
        return 201, '{"id": 7, "due": "2026-02-01"}'


MEMBERS = operation("post /members", "client.post('/members', json={})", keys=("name", "email", "plan"))
LOANS = operation("post /loans", "client.post('/loans', json={'member': member})")


def test_keys_that_the_answers_name_are_added_and_filled() -> None:
    filling = Conversation().fill(Workshop(), MEMBERS)
    assert filling.call is not None
    assert ast.unparse(filling.call) == "client.post('/members', json={'name': 'name', 'email': 'ann@example.com'})"


def test_what_an_answer_gave_out_is_asked_about() -> None:
    workshop, conversation = Workshop(), Conversation()
    conversation.fill(workshop, MEMBERS)
    filling = conversation.fill(workshop, LOANS)
    assert filling.call is not None
    assert ast.unparse(filling.call) == "client.post('/loans', json={'member': 1})"
    assert workshop.asked[-1] == ast.unparse(filling.call)


def test_nothing_is_tried_for_long_about_what_is_not_there() -> None:
    workshop = Workshop()
    way = operation("post /loans", "client.post('/loans', json={'member': 5, 'note': 'x'})", keys=("note", "days"))
    assert Conversation().fill(workshop, way).call is None
    assert len(workshop.asked) <= 4


def test_the_same_again_takes_another_value_where_the_first_is_taken() -> None:
    workshop, conversation = Workshop(), Conversation()
    first = conversation.fill(workshop, MEMBERS).call
    second = conversation.fill(workshop, MEMBERS, first).call
    assert second is not None
    assert "bob@example.com" in ast.unparse(second)
    assert workshop.members == ["ann@example.com", "bob@example.com"]


def test_words_of_the_code_are_tried() -> None:
    plans = operation(
        "post /members", "client.post('/members', json={'name': 'a', 'email': 'a@b', 'plan': plan})", words=("basic", "pro")
    )
    filling = Conversation().fill(Workshop(), plans)
    assert filling.call is not None
    assert "'plan': 'basic'" in ast.unparse(filling.call)
    assert [ast.unparse(one) for one in filling.heard] == [
        "client.post('/members', json={'name': 'a', 'email': 'a@b', 'plan': 'plan'})"
    ]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("'kind' is no day like 2026-12-24", "2026-12-24"),
        ("there is no shift 'kind'; known: early, late, night", "night"),
        ("invalid choice: 'kind' (choose from 'a', 'b')", "b"),
        ("no unit 'kind', but: metre", "metre"),
    ],
)
def test_what_an_answer_says_would_have_done_is_tried_next(said: str, meant: str) -> None:
    asked: list[str] = []

    def ask(call: ast.Call) -> Reply:
        asked.append(ast.unparse(written(call)))
        return Reply(meant in asked[-1], said)

    conversation = Conversation()
    filling = conversation.fill(ask, operation("assign", "client.post('/shifts', json={'kind': kind})"))
    assert filling.call is not None
    assert len(asked) == 2
    others = [text_of(one) for one in conversation.with_choices(filling.call, operation("assign", "client.get('/')"))]
    assert all(meant not in one for one in others)
    assert len(others) == len(conversation.offered["kind"]) - 1


def test_what_would_have_done_is_no_bare_word_of_a_sentence() -> None:
    asked: list[str] = []

    def ask(call: ast.Call) -> Reply:
        asked.append(ast.unparse(written(call)))
        return Reply(False, "race: error: argument --on: invalid date value: 'on'")

    Conversation().fill(ask, operation("race", "client.post('/races', json={'on': on})"))
    assert not any("invalid" in one or "argument" in one for one in asked)


def test_of_two_moments_one_is_moved_a_little_and_both_are_put_in_a_time_zone() -> None:
    def ask(call: ast.Call) -> Reply:
        sent = ast.unparse(written(call))
        return Reply("'ends': '2026-01-01T13:00:00'" in sent, "409 the end is before the start")

    way = "client.post('/bookings', json={'starts': '2026-01-01T12:00:00', 'ends': '2026-01-01T12:00:00'})"
    bookings, conversation = operation("book", way), Conversation()
    filling = conversation.fill(ask, bookings)
    assert filling.call is not None
    twins = [text_of(one) for one in conversation.with_twins(filling.call)]
    assert twins[0] == (
        "client.post('/bookings', json={'starts': '2026-01-01T12:00:00+00:00', 'ends': '2026-01-01T13:00:00+00:00'})"
    )
    assert any("'ends': '2026-01-02T13:00:00'" in one for one in twins)
    day = call_in("client.post('/days', json={'day': '2026-02-28'})")
    assert day is not None
    assert any("2026-03-01" in text_of(one) for one in conversation.with_twins(day))


def test_what_is_sent_in_another_form_than_is_read_is_given_up_at_once() -> None:
    asked: list[str] = []

    def ask(call: ast.Call) -> Reply:
        asked.append(ast.unparse(written(call)))
        unread = "data=" in asked[-1]
        said = "415 Unsupported Media Type" if unread else "409 no"
        return reply_of(SimpleNamespace(status_code=int(said[:3]), text=said))

    Conversation().fill(ask, operation("book", "client.post('/x', data={'a': 1})", "client.post('/x', json={'a': 1})"))
    assert sum("data=" in one for one in asked) == 1
    assert sum("json=" in one for one in asked) > 1


def test_a_key_that_could_have_any_name_is_known_by_that_name() -> None:
    conversation = Conversation(invented=frozenset({"category"}))
    shows = operation("post /shows", "client.post('/shows', json={'prices': {'category': 1.5}})")
    conversation.fill(lambda _call: Reply(True, "201", {"category": ("1.5",)}), shows)
    assert conversation.known["category"] == ("category",)


def test_what_a_run_of_its_own_gave_out_comes_before_what_was_known() -> None:
    conversation = Conversation()
    orders = operation("post /orders", "client.post('/orders', json={})")
    conversation.fill(lambda _call: Reply(True, "201", {"id": (3,)}), orders)
    conversation.learn_anew(
        [(orders.ways[0], Reply(True, "201", {"id": (2,)})), (orders.ways[0], Reply(False, "409", {"id": (9,)}))]
    )
    assert conversation.known["id"] == (2, 3)
    assert conversation.known["orders"] == (2, 3)


def test_what_has_no_id_is_known_by_what_is_said_of_it_first() -> None:
    def ask(call: ast.Call) -> Reply:
        sent = ast.unparse(written(call))
        said = '{"code": "thymol", "days": 3}' if "/products" in sent else "{}"
        status = 404 if "/treatments" in sent and "thymol" not in sent else 201
        return reply_of(SimpleNamespace(status_code=status, text=said))

    conversation = Conversation()
    conversation.fill(ask, operation("post /products", "client.post('/products', json={'code': code})"))
    filling = conversation.fill(ask, operation("post /treatments", "client.post('/treatments', json={'product': product})"))
    assert filling.call is not None
    assert "'product': 'thymol'" in ast.unparse(filling.call)


def test_keys_that_only_the_answer_knows_are_added() -> None:
    def ask(call: ast.Call) -> Reply:
        sent = ast.unparse(written(call))
        if "title" in sent and "'seats': 1" in sent:
            return Reply(True, "201 {}")
        lacking = {key: ["is required"] for key in ("title", "seats") if key not in sent}
        return reply_of(SimpleNamespace(status_code=400, text=json.dumps(lacking or {"seats": ["a number"]})))

    filling = Conversation().fill(ask, operation("post /rooms", "client.post('/rooms', {}, content_type='application/json')"))
    assert filling.call is not None
    assert "'title': 'title', 'seats': 1" in ast.unparse(filling.call)


def test_no_question_is_asked_twice() -> None:
    workshop = Workshop()
    Conversation().fill(workshop, operation("post /members", "client.post('/members', json={'name': 1, 'email': 2})"))
    assert len(workshop.asked) == len(set(workshop.asked)) > 3


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (SimpleNamespace(status_code=201, text='{"id": 3, "of": {"id": 4}}'), Reply(True, "", {"id": (3, 4)})),
        (SimpleNamespace(status_code=302, content=b"moved"), Reply(True, "")),
        (SimpleNamespace(status=404, text='{"id": 3}'), Reply(False, "", {"id": (3,)}, lacks=True)),
        (SimpleNamespace(status_code=404, content=b"\xff"), Reply(False, "", lacks=True)),
        (SimpleNamespace(status_code=422, text='[{"id": 1}]'), Reply(False, "", {"id": (1,)})),
        (None, Reply(True, "")),
    ],
)
def test_answers_of_any_framework_are_understood(value: object, expected: Reply) -> None:
    assert reply_of(value)._replace(text="") == expected


def test_what_an_exception_says_is_read_without_its_code() -> None:
    class Loud(ValueError):
        def __str__(self) -> str:
            raise AssertionError("code of the subject")

    assert reply_raised(Loud("no day", 3)) == Reply(False, "Loud: no day", crashed=True)


def test_echoes_of_what_was_sent_are_no_news() -> None:
    one, other = (call_in(f"client.post('/x', json={{'due': {value!r}}})") for value in ("soon", "later"))
    assert one is not None
    assert other is not None
    assert said_beside("ValueError: 'soon' at 12", one) == said_beside("ValueError: 'later' at 7", other)
    assert said_beside("due: soon", one) == "due: ..."


def test_other_choices_come_before_words_of_the_code() -> None:
    lend = operation("lend", "client.post('/loans', json={'grade': 'good', 'days': 1})", words=("bad",))
    lend = lend._replace(choices={"grade": ("good", "worn")})
    assert [text_of(one) for one in Conversation().with_words(lend.ways[0], lend)] == [
        "client.post('/loans', json={'grade': 'worn', 'days': 1})",
        "client.post('/loans', json={'grade': 'bad', 'days': 1})",
        "client.post('/loans', json={'grade': 'good', 'days': 'bad'})",
    ]


def test_what_a_program_printed_is_asked_about() -> None:
    record = operation("record", "main(['record'])")
    talk = Conversation()
    talk.fill(lambda _call: reply_of(None, "20261127T1016, 31 GB\n"), record)
    asked: list[str] = []

    def plan(call: ast.Call) -> Reply:
        asked.append(text_of(call))
        return Reply("20261127T1016" in asked[-1], "no such snapshot")

    line = line_of(ast.Name("main"), [Word("plan"), Word(None, "snapshot_id")])
    assert talk.fill(plan, AskedOperation("plan", (line,))).call is not None
    assert asked == ["main(['plan', '20261127T1016'])"]


def test_a_page_after_a_post_is_gone_on_from_and_taken_in_the_end() -> None:
    asked: list[str] = []

    def form(call: ast.Call) -> Reply:
        asked.append(ast.unparse(call))
        if "'size': 'large'" in asked[-1]:
            return Reply(True, "302", {"id": (7,)})
        return Reply(True, "200 Choose a size", page=True)

    chosen = Conversation().fill(form, operation("order", "client.post('/orders', {'size': size})", words=("large",)))
    assert chosen.call is not None
    assert "'size': 'large'" in ast.unparse(chosen.call)
    never = Conversation().fill(form, operation("order", "client.post('/orders', {'size': size})", words=("small",)))
    assert never.call is not None
    assert len(asked) > 3


def test_what_stands_in_rows_is_known() -> None:
    conversation = Conversation()
    made = "member = Member.objects.create(number='1', joined=date(2026, 1, 1))\nclient = Client()"
    conversation.learn_stored(ast.parse(made).body)
    assert conversation.known == {"number": ("1",), "member": ("1",), "id": (1,)}


def test_what_is_not_for_the_caller_is_asked_a_few_times_only() -> None:
    asked: list[str] = []

    def guarded(call: ast.Call) -> Reply:
        asked.append(ast.unparse(call))
        return reply_of(SimpleNamespace(status_code=403, text="403 for keepers"))

    filling = Conversation().fill(guarded, operation("add", "client.post('/crates', json={'label': label})", words=("a", "b")))
    assert filling.call is None
    assert "keepers" in filling.denied
    assert len(asked) == 3


def test_another_caller_has_a_word_under_a_key_that_was_not_sent() -> None:
    (call,) = operation("join", "client.post('/join', json={'email': 'ann@example.com'})").ways
    made = Conversation().as_others(call, operation("join", keys=("role", "email")), ("keeper", "admin"))
    assert [ast.unparse(one) for one in made] == [
        "client.post('/join', json={'email': 'ann@example.com', 'role': 'keeper'})",
        "client.post('/join', json={'email': 'ann@example.com', 'role': 'admin'})",
    ]


def test_what_ended_by_the_exception_that_is_looked_for_is_told_though_others_came_later() -> None:
    def month(call: ast.Call) -> Reply:
        text = ast.unparse(call)
        if "'2026-04'" in text:
            return reply_raised(ValueError("day is out of range for month"))
        return Reply(False, f"422 month: not one of {len(text)}")

    words = ("a", "2026-04", "bb", "ccc")
    filling = Conversation("ValueError").fill(month, operation("bill", "client.post('/bills', json={'month': month})", words=words))
    assert filling.call is None
    assert [ast.unparse(one) for one in filling.sought] == ["client.post('/bills', json={'month': '2026-04'})"]
