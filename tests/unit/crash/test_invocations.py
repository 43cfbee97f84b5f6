"""What a report says of how the program was run: requests, command lines, tasks."""

from __future__ import annotations

import json

import pytest

from crashwright.core.invocation import GivenCommand, GivenTask, SentRequest
from crashwright.crash.invocations import invocations_in, told_invocations


@pytest.mark.parametrize(
    ("line", "request_told"),
    [
        ("[2026-11-23 19:46:50,847] ERROR in app: Exception on /appointments/1 [GET]", SentRequest("get", "/appointments/1")),
        ("web-1  | ERROR in app: Exception on /lines [POST]", SentRequest("post", "/lines")),
        (
            'INFO:     127.0.0.1:59742 - "GET /quote?plan=pro&on=2026-11-16 HTTP/1.1" 500 Internal Server Error',
            SentRequest("get", "/quote?plan=pro&on=2026-11-16", 500),
        ),
        ("ERROR django.request: Internal Server Error: /api/tickets/", SentRequest("get", "/api/tickets/")),
        ("Request Method: PUT\nRequest URL: http://localhost:8000/report/3/?x=1", SentRequest("put", "/report/3/?x=1")),
        ("DELETE https://shop.example/cart/7, from 10.0.0.1", SentRequest("delete", "/cart/7")),
    ],
)
def test_requests_are_read_from_lines_of_logs(line: str, request_told: SentRequest) -> None:
    assert invocations_in(f"{line}\nTraceback (most recent call last):\n").requests == (request_told,)


def test_the_request_that_failed_comes_first() -> None:
    text = '"POST /lines HTTP/1.1" 201\n"GET /basket HTTP/1.1" 500\n"GET /health HTTP/1.1" 200\nError: Exception on /other [GET]\n'
    assert [one.address for one in invocations_in(text).requests] == ["/basket", "/other", "/health", "/lines"]


@pytest.mark.parametrize(
    ("line", "commands"),
    [
        ("$ python manage.py escalate --at 2026-11-02T08:00", [("manage.py", "escalate", "--at", "2026-11-02T08:00")]),
        ("marc@x1:~/src/timesheet$ python -m timesheet stats ops", [("timesheet", "stats", "ops")]),
        ("(venv) $ TZ=UTC python3.11 -X dev -W error run.py 'a b' | tee log", [("run.py", "a b")]),
        ("$ jupytext --to py n.ipynb", [("jupytext", "--to", "py", "n.ipynb")]),
        ("$ lint -q run.py", [("lint", "-q", "run.py"), ("run.py",)]),
        ("$ uv run run.py a", [("uv", "run", "run.py", "a"), ("run", "run.py", "a"), ("run.py", "a")]),
        ("PS C:\\shop> py -m shop import lines.csv", [("shop", "import", "lines.csv")]),
        ("root@ab12:/app# poetry run fleet journal", [("poetry", "run", "fleet", "journal"), ("run", "fleet", "journal")]),
        ("+ ./nightly.py --full", [("./nightly.py", "--full")]),
        ("  + Exception Group Traceback (most recent call last):", []),
        (">>> python", []),
        ('$ python -c "import shop"', []),
        ("$ 'not closed", [("'not", "closed"), ("closed",)]),
    ],
)
def test_command_lines_stand_behind_a_prompt(line: str, commands: list[tuple[str, ...]]) -> None:
    assert invocations_in(line).commands == tuple(GivenCommand(program, tuple(words)) for program, *words in commands)


def test_what_was_typed_twice_is_told_twice() -> None:
    told = invocations_in("$ python -m shop sell a\n$ python -m shop sell a\n$ python -m shop total\n").commands
    assert [" ".join(one.words) for one in told] == ["total", "sell a", "sell a"]


def test_lines_of_frames_say_nothing() -> None:
    assert not invocations_in('  File "/srv/error: /app/x", line 3, in get\nValueError: x')


def test_a_task_is_known_by_its_name() -> None:
    text = "[ERROR/ForkPoolWorker-1] Task shop.tasks.bill[4f2b7c1e-aaaa-bbbb] raised unexpected: KeyError('x')"
    assert invocations_in(text).tasks == (GivenTask("shop.tasks.bill"),)


def test_an_event_has_its_request_its_arguments_and_its_task() -> None:
    event = {
        "request": {"method": "POST", "url": "https://shop.example/pay", "query_string": [["x", "1"]], "data": {"sku": "ink"}},
        "extra": {"sys.argv": ["shop.py", "pay"], "celery-job": {"task_name": "shop.bill", "args": [3], "kwargs": {}}},
    }
    found = invocations_in(json.dumps([event]))
    assert found.requests == (SentRequest("post", "/pay?x=1", body='{"sku": "ink"}'),)
    assert found.commands == (GivenCommand("shop.py", ("pay",)),)
    assert found.tasks == (GivenTask("shop.bill", "[3]", "{}"),)
    assert found.words == {"pay"}


def test_what_looks_like_a_secret_is_left_out() -> None:
    found = told_invocations("$ python run.py --token abc\n[GET] x", lambda text: text.replace("abc", "***"))
    assert found.commands == (GivenCommand("run.py", ("--token", "***")),)
    assert not told_invocations("{", str)
