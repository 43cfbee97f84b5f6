"""What was sent, as reports show it."""

from __future__ import annotations

import json

import pytest

from crashwright.core.invocation import SentRequest
from crashwright.crash.invocations import invocations_in


def first(text: str) -> tuple[str, str, object]:
    request = invocations_in(text).requests[0]
    return request.method, request.address, json.loads(request.body) if request.body else None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            """$ curl -s -X POST http://localhost:8000/bookings -H 'Content-Type: application/json' -d '{"seats": 2}'""",
            ("post", "/bookings", {"seats": 2}),
        ),
        ("$ curl http://127.0.0.1:5000/stock?low=1", ("get", "/stock?low=1", None)),
        ("""$ curl localhost:8000/login -d 'name=ada&pin=1234'""", ("post", "/login", {"name": "ada", "pin": "1234"})),
        ("$ http PUT :8000/loans/3 member=ada days:=14", ("put", "/loans/3", {"member": "ada", "days": 14})),
        ("$ http desk-1.example:8000/loans", ("get", "/loans", None)),
        ("$ http :8000/loans page==2", ("get", "/loans?page=2", None)),
        (
            "```\ncurl -XPATCH https://desk.example/api/loans/3 \\\n  -H 'Accept: */*' \\\n  --data '{\"days\": null}'\n```",
            ("patch", "/api/loans/3", {"days": None}),
        ),
    ],
)
def test_a_command_line_with_an_address_is_a_request(text: str, wanted: tuple[str, str, object]) -> None:
    assert first(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        """POST /bookings HTTP/1.1\nHost: localhost\nContent-Type: application/json\n\n{"seats": 2, "names": ["a", "b"]}\n""",
        """POST /bookings {"seats": 2, "names": ["a", "b"]}""",
        """INFO POST /bookings body={'seats': 2, 'names': ['a', 'b']}""",
        """"POST /bookings HTTP/1.1" 500\nrequest body: {\n  "seats": 2,\n  "names": ["a",\n "b"]\n}\n""",
    ],
)
def test_a_document_behind_or_below_a_request_was_sent_with_it(text: str) -> None:
    assert first(text) == ("post", "/bookings", {"seats": 2, "names": ["a", "b"]})


@pytest.mark.parametrize(
    "text",
    [
        "POST /bookings 500\nValueError: no {seats} in [1, 2]",
        "POST /bookings 500\nthe desk has {'a': object()}",
        "POST /bookings 500\n" + "idle\n" * 20 + '{"seats": 2}',
        'POST /bookings 500\nGET /stock 200\n{"seats": 2}',
    ],
)
def test_what_is_no_document_is_none(text: str) -> None:
    requests = {(one.method, one.address): one.body for one in invocations_in(text).requests}
    assert requests["post", "/bookings"] == ""


@pytest.mark.parametrize(
    "text",
    [
        "$ python -m shop book data/rooms.csv --at 12:30",
        "$ shop book rooms/3 --ratio 16:9",
        "See docs/api for the rest, at 12:30 say",
    ],
)
def test_a_command_line_without_an_address_is_no_request(text: str) -> None:
    assert invocations_in(text).requests == ()


def test_a_request_of_the_log_has_the_document_that_was_typed() -> None:
    text = """$ curl -d '{"seats": 2}' http://localhost:8000/bookings\n127.0.0.1 - "POST /bookings HTTP/1.1" 500\n"""
    assert invocations_in(text).requests == (SentRequest("post", "/bookings", 500, '{"seats": 2}'),)
