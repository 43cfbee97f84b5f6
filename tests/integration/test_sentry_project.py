"""`crashwright sentry` against a server on this machine: its events are reproduced, once, and the token is nowhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import MARK, PROGRAM, Place
from fake_sentry import PROJECT, TOKEN, Answer, event, issue, serving

SUBJECT = """
import os

assert "SENTRY_AUTH_TOKEN" not in os.environ


def work(text):
    if text == "left":
        raise ValueError("too many")
    return text
"""


def exception(frames: list[dict[str, object]]) -> list[dict[str, object]]:
    value = {"type": "ValueError", "value": "too many", "module": None, "stacktrace": {"frames": frames}}
    return [{"type": "exception", "data": {"values": [value]}}]


def frame(name: str, function: str, line: int) -> dict[str, object]:
    return {"filename": name, "absPath": f"/srv/{name}", "function": function, "lineNo": line, "context": [], "inApp": True}


def asked(place: Place, url: str) -> tuple[dict[str, Any], str]:
    """The document of the command and all that it printed."""
    words = ["sentry", "acme/shop", "--url", url, "--path", str(place.code), "--budget-each", "40", "--json"]
    environment = {**os.environ, "TMPDIR": str(place.temporary), MARK: str(place.root), "SENTRY_AUTH_TOKEN": TOKEN}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words], cwd=place.work, env=environment, capture_output=True, text=True, check=False
    )
    document = json.loads(done.stdout)
    assert done.returncode == document["exit_code"]
    return document, done.stdout + done.stderr


@pytest.mark.parametrize("python", [True, pytest.param(False, marks=pytest.mark.nightly)])
def test_events_of_a_project_are_reproduced_once_and_the_token_is_nowhere(tmp_path: Path, python: bool) -> None:
    place = Place(tmp_path)
    place.subject(SUBJECT)
    line = SUBJECT.strip().splitlines().index('        raise ValueError("too many")') + 1
    crash = event(1, platform="python", entries=exception([frame("app.py", "main", 3), frame("victim.py", "work", line)]))
    script = event(2, platform="javascript", entries=exception([frame("app.js", "main", 3)]))
    answers: dict[str, Answer | list[Answer]] = {
        f"{PROJECT}/issues/": Answer([issue(1), issue(2)] if python else [issue(2)]),
        "/api/0/issues/1/events/latest/": Answer(crash),
        "/api/0/issues/2/events/latest/": Answer(script),
    }
    with serving(answers) as server:
        first, told = asked(place, server.url)
        again, told_again = asked(place, server.url) if python else (first, told)
    for result in (first, again):
        if python:
            [found] = result["crashes"]
            assert (found["verdict"], found["count"], found["source"]) == ("reproduced", 1, f"acme/shop/issues/1/events/{1:032x}")
            [unread] = result["unread"]
            assert (unread["name"], "javascript" in unread["reason"]) == (f"acme/shop/issues/2/events/{2:032x}", True)
        else:
            assert (result["exit_code"], "There is no report" in result["error"]["message"]) == (2, True)
            assert "platform 'javascript', not from Python" in result["error"]["advice"]
    assert TOKEN not in told + told_again
    assert not [file for file in place.root.rglob("*") if file.is_file() and TOKEN.encode() in file.read_bytes()]
    assert place.processes() == []
    assert os.listdir(place.temporary) == []
