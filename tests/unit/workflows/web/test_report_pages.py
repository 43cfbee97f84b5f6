"""Reports at an address, of a server on this machine: what is asked for, what is sent, and what is told where it fails."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fake_sentry import Answer, Server, serving

from crashwright.cli.main import run
from crashwright.core.errors import CrashwrightError, EnvironmentProblem, ExitCode, ReportError, UsageError
from crashwright.workflows.web import bounded
from crashwright.workflows.web.report_page import API, SERVER, fetched_report

TRACEBACK = 'Traceback (most recent call last):\n  File "/srv/shop.py", line 2, in work\n    go()\nKeyError: 1\n'
PLAIN = (("Content-Type", "text/plain; charset=utf-8"),)
TOKEN = "ghp_not-a-real-one"
ISSUE = "/repos/acme/shop/issues/5"


def fetched(server: Server, path: str, environment: dict[str, str] | None = None, seconds: float = 0.001) -> str:
    """What is at ``path`` of a server that is the user's GitHub too."""
    ticks = iter(range(1_000_000))
    own = {SERVER: server.url, API: server.url, **(environment or {})}
    return fetched_report(f"{server.url}{path}", own, lambda: next(ticks) * seconds)


def failure(path: str, answers: dict[str, Answer | list[Answer]], environment: dict[str, str] | None = None) -> CrashwrightError:
    with serving(answers) as server, pytest.raises(CrashwrightError) as caught:
        fetched(server, path, environment)
    assert TOKEN not in f"{caught.value.message} {caught.value.advice}"
    assert "\n" not in caught.value.message
    return caught.value


@pytest.mark.parametrize("path", ["/acme/shop/issues/5", "/acme/shop/issues/5/", "/acme/shop/pull/5", ISSUE])
def test_an_issue_is_read_by_the_api_and_a_token_goes_there(path: str) -> None:
    environment = {"GITHUB_TOKEN": TOKEN, "GH_TOKEN": "ghp_another"}
    with serving({ISSUE: Answer({"body": f"It crashes ({TOKEN}):\n```\n{TRACEBACK}```\n"})}) as server:
        text = fetched(server, path, environment)
    assert TRACEBACK in text
    assert "It crashes ([left out])" in text
    assert server.asked == [(ISSUE, f"Bearer {TOKEN}")]


def test_the_token_is_taken_out_of_the_environment() -> None:
    with serving({ISSUE: Answer({"body": TRACEBACK})}) as server:
        environment = {"GH_TOKEN": TOKEN, "HOME": "/home/ann", SERVER: server.url, API: server.url}
        fetched_report(f"{server.url}/acme/shop/issues/5", environment, lambda: 0.0)
    assert set(environment) == {"HOME", SERVER, API}


def test_comments_are_read_where_the_issue_says_nothing() -> None:
    comments = Answer([{"body": "Which version?"}, {"body": TRACEBACK}])
    with serving({ISSUE: Answer({"body": None}), f"{ISSUE}/comments?per_page=100": comments}) as server:
        text = fetched(server, "/acme/shop/issues/5")
    assert text.endswith(f"Which version?\n\n{TRACEBACK}")
    assert [given for _, given in server.asked] == [None, None]


def test_any_text_is_fetched_without_a_token_and_redirections_are_followed() -> None:
    moved = Answer(status=302, headers=(("Location", "/raw?of=crash"),))
    with serving({"/crash.txt": moved, "/raw?of=crash": Answer(TRACEBACK.encode(), headers=PLAIN)}) as server:
        assert fetched(server, "/crash.txt", {"GITHUB_TOKEN": TOKEN}) == TRACEBACK
    assert server.asked == [("/crash.txt", None), ("/raw?of=crash", None)]


def test_with_a_token_no_redirection_leads_to_another_server() -> None:
    with serving({ISSUE: Answer({"body": TRACEBACK})}) as other:
        away = Answer(status=301, headers=(("Location", f"{other.url}{ISSUE}"),))
        error = failure("/acme/shop/issues/5", {ISSUE: away}, {"GITHUB_TOKEN": TOKEN})
        assert isinstance(error, EnvironmentProblem)
        assert "to a forbidden address (301)" in error.message
    assert other.asked == []


def test_a_ring_of_redirections_ends() -> None:
    ring = Answer(status=302, headers=(("Location", "/crash.txt"),))
    with serving({"/crash.txt": ring}) as server, pytest.raises(EnvironmentProblem, match="redirects too often"):
        fetched(server, "/crash.txt")
    assert len(server.asked) <= 1 + 5
    elsewhere = Answer(status=302, headers=(("Location", "file:///etc/passwd"),))
    assert "to a forbidden address" in failure("/crash.txt", {"/crash.txt": elsewhere}).message


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        (Answer(b"\x89PNG", headers=(("Content-Type", "image/png"),)), ReportError, "answers with image/png, not with text."),
        (Answer(b"", headers=(("Content-Type", f"x{TOKEN}"),)), ReportError, "answers with something else, not with text."),
        (Answer(b"", 404), ReportError, "has no such page (404)."),
        (Answer(b"", 403), EnvironmentProblem, "does not show that, or has been asked too often (403)."),
        (Answer(b"", 429), EnvironmentProblem, "asked too often (429)."),
        (Answer(b"", 500), EnvironmentProblem, "cannot answer (500)."),
    ],
)
def test_what_is_no_text_or_no_answer_is_told(answer: Answer, kind: type[CrashwrightError], message: str) -> None:
    error = failure("/crash", {"/crash": answer})
    assert type(error) is kind
    assert error.message.endswith(message)
    assert error.advice


def test_a_token_that_is_refused_or_none_and_an_api_that_is_none() -> None:
    refused = failure("/acme/shop/issues/5", {ISSUE: Answer(b"", 401)}, {"GITHUB_TOKEN": TOKEN})
    assert "does not accept the token (401)" in refused.message
    assert "has no valid token" in failure(ISSUE, {}, {"GITHUB_TOKEN": f"{TOKEN}\n{TOKEN}"}).message
    assert "did not answer with JSON" in failure(ISSUE, {ISSUE: Answer(b"<html>", headers=PLAIN)}).message


def test_an_answer_that_is_too_large_or_too_slow_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    answers: dict[str, Answer | list[Answer]] = {"/crash.txt": Answer(b"x" * 300_000, headers=PLAIN)}
    with serving(answers) as server, pytest.raises(EnvironmentProblem, match="did not answer within 120 s"):
        fetched(server, "/crash.txt", seconds=100.0)
    monkeypatch.setattr(bounded, "MOST_BYTES", 200_000)
    assert "is larger than" in failure("/crash.txt", answers).message


@contextmanager
def nobody() -> Iterator[str]:
    """An address where nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{one.getsockname()[1]}/crash.txt"


def test_no_server_and_no_address() -> None:
    with nobody() as url, pytest.raises(EnvironmentProblem, match="cannot be reached: Connection refused"):
        fetched_report(url, {}, lambda: 0.0)
    for address in ("https://ann:secret@host/crash.txt", "http://", "https://host:70000/x"):
        with pytest.raises(UsageError) as caught:
            fetched_report(address, {}, lambda: 0.0)
        assert "secret" not in caught.value.message


def test_without_permission_nobody_is_asked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    text = TRACEBACK.replace("shop.py", "nowhere_at_all.py")
    with serving({"/crash.txt": Answer(text.encode(), headers=PLAIN)}) as server:
        for command in ("reproduce", "explain"):
            assert run([command, f"{server.url}/crash.txt"]) == ExitCode.USAGE
            assert "Add --allow fetch" in capsys.readouterr().err
        assert server.asked == []
        assert run(["explain", f"{server.url}/crash.txt", "--allow", "fetch"]) == ExitCode.ENVIRONMENT
        assert "nowhere_at_all" in capsys.readouterr().out
    assert server.asked == [("/crash.txt", None)]
