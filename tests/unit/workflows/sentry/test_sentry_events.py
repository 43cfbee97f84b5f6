"""A Sentry server of the documented shapes, on this machine: what is fetched, and what is told of every way in which it fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from fake_sentry import PROJECT, TOKEN, Answer, Server, event, issue, link, serving

from crashwright.cli.main import run
from crashwright.core.errors import CrashwrightError, EnvironmentProblem, ExitCode, ReportError, UsageError
from crashwright.workflows.sentry import web_api
from crashwright.workflows.sentry.events import Fetched, WantedEvents, fetch
from crashwright.workflows.sentry.web_api import WebApi
from crashwright.workflows.web import bounded


def fetched(server: Server, folder: Path, wanted: WantedEvents, sleep: Callable[[float], None] = lambda _: None) -> Fetched:
    ticks = iter(range(1_000_000))
    return fetch(WebApi(server.url, TOKEN, lambda: next(ticks) * 0.001, sleep), wanted, folder)


def failure(server: Server, folder: Path, wanted: WantedEvents | None = None) -> CrashwrightError:
    with pytest.raises(CrashwrightError) as caught:
        fetched(server, folder, wanted or WantedEvents("acme/shop"))
    assert TOKEN not in f"{caught.value.message} {caught.value.advice}"
    assert "\n" not in caught.value.message
    return caught.value


def test_the_newest_event_of_each_issue_page_by_page(tmp_path: Path) -> None:
    pages: dict[str, Answer | list[Answer]] = {
        f"{PROJECT}/issues/?query=is%3Aunresolved": Answer([issue(1), issue(2)], headers=link("0:2:0", "true")),
        f"{PROJECT}/issues/?query=is%3Aunresolved&cursor=0%3A2%3A0": Answer([issue(3)], headers=link("0:4:0", "false")),
        "/api/0/issues/1/events/latest/": Answer(event(1, message=f"sent with {TOKEN}")),
        "/api/0/issues/3/events/latest/": Answer(event(3)),
    }
    with serving(pages) as server:
        found = fetched(server, tmp_path, WantedEvents("acme/shop", query="is:unresolved"))
    assert list(found.names.values()) == [f"acme/shop/issues/{number}/events/{number:032x}" for number in (1, 3)]
    assert found.gone == 1
    first = Path(next(iter(found.names)))
    assert json.loads(first.read_bytes())["message"] == "sent with [left out]"
    assert first.stat().st_mtime == 1795282242.0
    assert {given for _, given in server.asked} == {f"Bearer {TOKEN}"}


def test_events_of_one_issue_no_more_than_asked_for(tmp_path: Path) -> None:
    pages: dict[str, Answer | list[Answer]] = {
        "/api/0/issues/5/events/": Answer([event(8), event(7), event(6)], headers=link("0:3:0", "true")),
        f"{PROJECT}/events/{8:032x}/": Answer(event(8)),
        f"{PROJECT}/events/{7:032x}/": Answer(event(7)),
    }
    with serving(pages) as server:
        found = fetched(server, tmp_path, WantedEvents("acme/shop", issue="5", most=2))
    assert list(found.names.values()) == [f"acme/shop/issues/5/events/{number:032x}" for number in (8, 7)]
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("answer", "kind", "told"),
    [
        (Answer(status=401, body={"detail": f"Invalid token {TOKEN}"}), EnvironmentProblem, "does not accept the token (401)"),
        (Answer(status=403), EnvironmentProblem, "(403)"),
        (Answer(status=404), UsageError, "no such project or issue"),
        (Answer(status=429, headers=(("Retry-After", "3600"),)), EnvironmentProblem, "asked too often (429)"),
        (Answer(status=500), EnvironmentProblem, "cannot answer (500)"),
        (Answer(b"<html>welcome</html>"), EnvironmentProblem, "it is not JSON"),
        (Answer(b"[" * 100_000), EnvironmentProblem, "it is not JSON"),
        (Answer({"detail": "hello"}), EnvironmentProblem, "a list was expected"),
        (Answer([{"id": "../../etc"}]), EnvironmentProblem, "an issue or event has no id"),
        (Answer([]), ReportError, "acme/shop has no events"),
    ],
)
def test_what_is_told_of_a_server_that_does_not_help(
    answer: Answer, kind: type[CrashwrightError], told: str, tmp_path: Path
) -> None:
    with serving({f"{PROJECT}/issues/": answer}) as server:
        error = failure(server, tmp_path)
    assert isinstance(error, kind)
    assert told in error.message
    assert error.advice


def test_a_short_wait_is_kept_and_told_waits_without_end_are_not(tmp_path: Path) -> None:
    busy = Answer(status=429, headers=(("Retry-After", "2"),))
    pages: dict[str, Answer | list[Answer]] = {
        f"{PROJECT}/issues/": [busy, Answer([issue(1)])],
        "/api/0/issues/1/events/latest/": Answer(event(1)),
    }
    slept: list[float] = []
    with serving(pages) as server:
        assert len(fetched(server, tmp_path, WantedEvents("acme/shop"), slept.append).names) == 1
    assert slept == [2.0]
    with serving({f"{PROJECT}/issues/": busy}) as server:
        assert "again and again" in failure(server, tmp_path).message
    assert len(server.asked) == web_api.ATTEMPTS


def test_the_token_does_not_follow_to_another_server(tmp_path: Path) -> None:
    with serving({}) as other:
        elsewhere = Answer(status=302, headers=(("Location", f"{other.url}{PROJECT}/issues/"),))
        with serving({f"{PROJECT}/issues/": elsewhere}) as server:
            assert "another server" in failure(server, tmp_path).message
    assert other.asked == []


def test_an_answer_is_bounded_in_size_and_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving({f"{PROJECT}/issues/": Answer(b" " * 2000)}) as server:
        monkeypatch.setattr(bounded, "LONGEST", 0.0)
        assert "did not answer within" in failure(server, tmp_path).message
        monkeypatch.setattr(bounded, "MOST_BYTES", 1000)
        assert "an answer is larger" in failure(server, tmp_path).message


def test_nobody_is_there(tmp_path: Path) -> None:
    with serving({}) as server:
        pass
    error = failure(server, tmp_path)
    assert (error.exit_code, "cannot be reached: Connection refused" in error.message) == (ExitCode.ENVIRONMENT, True)


@pytest.mark.parametrize(
    ("address", "token"),
    [
        ("https://sentry.io", ""),
        ("https://sentry.io", "two words and\na line"),
        ("ftp://sentry.io", TOKEN),
        ("sentry.io", TOKEN),
        (f"https://me:{TOKEN}@sentry.io", TOKEN),
        ("https://sentry.io:port", TOKEN),
    ],
)
def test_addresses_and_tokens_that_can_be_none(address: str, token: str) -> None:
    with pytest.raises(UsageError) as caught:
        WebApi(address, token, lambda: 0.0, lambda _: None)
    told = f"{caught.value.message} {caught.value.advice}"
    assert not token or (token not in told and "a line" not in told)


@pytest.mark.parametrize(
    "wrong",
    [{"project": "acme"}, {"project": "../acme"}, {"issue": "SHOP-1"}, {"issue": "1", "query": "x"}, {"most": 0}],
)
def test_wishes_that_make_no_sense(wrong: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        WantedEvents(**{"project": "acme/shop", **wrong})


def test_without_a_token_the_command_says_how_to_get_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(web_api.TOKEN, raising=False)
    assert run(["sentry", "acme/shop"]) == ExitCode.USAGE
    assert "SENTRY_AUTH_TOKEN is not set" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
