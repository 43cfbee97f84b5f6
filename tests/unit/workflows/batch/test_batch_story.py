"""The story of a batch at a place that is told what to answer: order, budget, resumption, files, and what goes wrong."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from crashwright.core.errors import EnvironmentProblem, ExitCode, ReportError
from crashwright.core.settings import Budget
from crashwright.reporting.batch import BatchJsonReport, BatchPlainReport, batch_document
from crashwright.workflows.batch import story
from crashwright.workflows.batch.answer import Verdict
from crashwright.workflows.batch.environments import Environment
from crashwright.workflows.batch.request import BatchRequest, BatchResult
from crashwright.workflows.batch.story import batch
from crashwright.workflows.places.place import PlaceGone, Told
from crashwright.workflows.reproduce.request import Request


def traceback(package: str, line: int = 8, key: str = "a") -> str:
    return (
        "Traceback (most recent call last):\n"
        f'  File "/srv/{package}/cart.py", line {line}, in work\n'
        "    return items[key]\n"
        f"KeyError: {key!r}\n"
    )


REPRODUCED = {"verdict": "reproduced", "exit_code": 0, "evaluations": 5, "subject": "shop 1", "hints": [], "furthest": ""}
NOT_FOUND = {**REPRODUCED, "verdict": "not found", "exit_code": 1, "hints": ["it never came there"], "test": None}
IMPOSSIBLE = {"verdict": "environment", "exit_code": 3, "error": {"message": "shop is not installed.", "advice": "Install it."}}
KILLED = {"exit_code": -9, "lines": []}


def found(name: str = "test_cart.py") -> dict[str, Any]:
    test = {"text": f"# crashwright reproduce {name}\n", "file": "/scratch/test_crash.py", "name": name, "level": 4, "missing": ""}
    return {**REPRODUCED, "test": test}


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Stage:
    """A place where each request takes ``takes`` seconds of the clock; ``play`` says what comes of it."""

    play: Callable[[Request], dict[str, Any]]
    clock: Clock = field(default_factory=Clock)
    takes: float = 1.0
    requests: list[Request] = field(default_factory=list)
    closed: bool = False

    async def open(self, told: Told) -> None:
        await told("one at a time")

    def width(self) -> int:
        return 1

    async def close(self) -> None:
        self.closed = True

    async def run(self, request: Request, told: Told) -> dict[str, Any]:
        self.requests.append(request)
        await told("searching")
        await asyncio.sleep(0)
        self.clock.now += self.takes
        return self.play(request)


@dataclass
class Desk:
    """Where a user sits."""

    root: Path
    logs: Path

    def request(self, *names: str, **more: Any) -> BatchRequest:
        given = names or (str(self.logs),)
        each = more.pop("each", Request("", budget=Budget(60.0)))
        tests = str(self.root / "tests")
        return BatchRequest(given, io.BytesIO(), each, tests, str(self.root / "batch.sqlite"), **more)

    def run(self, stage: Stage, *names: str, **more: Any) -> BatchResult:
        self.told = io.StringIO()
        shown = BatchPlainReport(self.told, self.told)
        result = batch(self.request(*names, **more), stage, stage.clock, shown.event)
        shown.result(result)
        BatchJsonReport(io.StringIO(), io.StringIO()).result(result)
        return result

    def tests(self) -> list[str]:
        return sorted(file.name for file in (self.root / "tests").glob("*.py"))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "app.log").write_text("\n".join([traceback("shop"), traceback("bank"), traceback("shop", 9, "b")]))
    (logs / "one.txt").write_text(traceback("zoo") + "\nTry:\n\n    import zoo\n    zoo.work('a')\n")
    return Desk(tmp_path, logs)


def test_each_crash_is_reproduced_once_those_reported_most_first(desk: Desk) -> None:
    stage = Stage(lambda request: found())
    result = desk.run(stage, environments=(Environment("python3.13", package="bank", path=("src",)),))
    assert result.exit_code is ExitCode.SUCCESS
    assert (result.reports, len(result.entries)) == (4, 3)
    packages = [request.known.crash.frames[0].path.split("/")[2] for request in stage.requests]
    assert packages[0] == "shop"
    assert sorted(packages[1:]) == ["bank", "zoo"]
    by_package = dict(zip(packages, stage.requests, strict=True))
    assert by_package["shop"].command == f"crashwright reproduce {desk.logs}/app.log --report-number 3 --seed 1"
    assert by_package["zoo"].command == f"crashwright reproduce {desk.logs}/one.txt --seed 1"
    assert "zoo.work('a')" in by_package["zoo"].report
    assert (by_package["bank"].python, by_package["bank"].path) == ("python3.13", ("src",))
    assert desk.tests() == ["test_cart.py", "test_cart_2.py", "test_cart_3.py"]
    assert "reproduced     KeyError: 'b' (1 frame, innermost cart.py:9 in work)  2x" in desk.told.getvalue()


def test_what_was_answered_is_not_asked_again(desk: Desk) -> None:
    first = desk.run(Stage(lambda request: NOT_FOUND if "zoo" in request.report else found()))
    assert first.exit_code is ExitCode.PARTIAL
    again = Stage(lambda request: found())
    assert desk.run(again).exit_code is ExitCode.PARTIAL
    assert again.requests == []
    (desk.logs / "app.log").write_text((desk.logs / "app.log").read_text() + traceback("farm"))
    assert [one.times for one in desk.run(again).entries] == [2, 1, 1, 1]
    assert ["farm" in request.known.crash.frames[0].path for request in again.requests] == [True]
    retried = Stage(lambda request: found())
    assert desk.run(retried, retry=True).exit_code is ExitCode.SUCCESS
    assert ["zoo" in request.report for request in retried.requests] == [True]


def test_without_reports_the_database_goes_on(desk: Desk) -> None:
    stage = Stage(lambda request: found(), takes=30.0)
    first = desk.run(stage, seconds=31.0)
    assert [one.answer is None for one in first.entries] == [False, True, True]
    assert "2 crashes were not tried: the budget is used up" in desk.told.getvalue()
    (desk.logs / "app.log").unlink()
    rest = Stage(lambda request: found())
    result = batch(replace(desk.request(), names=()), rest, rest.clock, lambda event: None)
    assert result.exit_code is ExitCode.SUCCESS
    assert len(rest.requests) == 2


def test_a_budget_for_all_is_shared_and_what_is_left_goes_to_the_others(desk: Desk) -> None:
    stage = Stage(lambda request: NOT_FOUND, takes=20.0)
    desk.run(stage, each=Request("", budget=Budget(None)), seconds=120.0)
    assert [request.budget.seconds for request in stage.requests] == [80.0, 80.0, 80.0]
    desk.run(capped := Stage(lambda request: NOT_FOUND), seconds=600.0, retry=True)
    assert [request.budget.seconds for request in capped.requests] == [60.0] * 3


@pytest.mark.parametrize(("seconds", "takes"), [(120.0, 80.0), (60.0, 1.0), (35.0, 35.0), (600.0, 44.0)])
def test_those_reported_most_get_no_less_than_those_after_them(desk: Desk, seconds: float, takes: float) -> None:
    stage = Stage(lambda request: NOT_FOUND)

    def play(request: Request) -> dict[str, Any]:
        stage.clock.now += min(takes, request.budget.seconds or 0.0) - stage.takes
        return NOT_FOUND

    stage.play = play
    desk.run(stage, each=Request("", budget=Budget(None)), seconds=seconds)
    given = [request.budget.seconds or 0.0 for request in stage.requests]
    assert given == sorted(given, reverse=True)
    assert len(given) == 3
    assert given[-1] >= 5.0


def test_the_command_that_runs_the_tests_has_their_interpreters_and_folders(desk: Desk) -> None:
    code = desk.root / "code"
    needs = {"interpreter": "/opt/py/bin/python", "import_path": [str(code)]}
    desk.run(Stage(lambda request: {**found(), **needs}))
    tests = desk.root / "tests"
    assert f"try them   PYTHONPATH={code} /opt/py/bin/python -m pytest {tests}\n" in desk.told.getvalue()
    (desk.logs / "other.txt").write_text(traceback("farm"))
    desk.run(Stage(lambda request: found()))
    files = " ".join(str(tests / f"test_cart{suffix}.py") for suffix in ("", "_2", "_3"))
    assert f"PYTHONPATH={code} /opt/py/bin/python -m pytest {files}\n" in desk.told.getvalue()
    assert f" pytest {tests / 'test_cart_4.py'}\n" in desk.told.getvalue()


def test_a_budget_that_ends_before_the_first_test_says_nothing_of_the_crash(desk: Desk) -> None:
    late = {
        "verdict": "not found",
        "exit_code": 1,
        "error": {"message": "The budget ended before the first test: it reads.", "advice": ""},
    }
    result = desk.run(Stage(lambda request: late if "zoo" in request.report else {**NOT_FOUND, "hints": [], "evaluations": 0}))
    answers = [one.answer for one in result.entries if one.answer is not None]
    assert {one.verdict for one in answers} == {Verdict.NOT_FOUND}
    assert all("budget ended before the first test" in one.reason for one in answers)


def test_every_report_has_an_answer_with_a_reason(desk: Desk) -> None:
    (desk.logs / "empty.txt").write_text("")
    answers = {"shop": IMPOSSIBLE, "bank": KILLED, "zoo": NOT_FOUND}
    stage = Stage(lambda request: answers[request.known.crash.frames[0].path.split("/")[2]])
    result = desk.run(stage, str(desk.logs), str(desk.logs / "none.txt"))
    assert result.exit_code is ExitCode.NOT_FOUND
    by_verdict = {one.answer.verdict: one.answer.reason for one in result.entries if one.answer}
    assert by_verdict == {
        Verdict.NOT_POSSIBLE: "shop is not installed. Install it.",
        Verdict.INTERNAL: "its process was killed, 2 times",
        Verdict.NOT_FOUND: "it never came there",
    }
    assert len(stage.requests) == 4
    document = batch_document(result)
    assert [Path(one["name"]).name for one in document["unread"]] == ["empty.txt", "none.txt"]
    assert document["counts"]["not possible"] == 1
    assert "none.txt: cannot be read: No such file or directory" in desk.told.getvalue()
    assert "1 more file has no report" in desk.told.getvalue()


def test_a_test_that_cannot_be_written_is_kept_and_written_by_the_next_run(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(text: str, path: Path) -> None:
        raise EnvironmentProblem(f"{path} could not be written: No space left on device.")

    monkeypatch.setattr(story, "write", full)
    result = desk.run(Stage(lambda request: found()))
    assert result.exit_code is ExitCode.ENVIRONMENT
    assert "No space left on device. The result is stored" in result.notes[-1]
    assert desk.tests() == []
    monkeypatch.undo()
    again = Stage(lambda request: found())
    assert desk.run(again).exit_code is ExitCode.SUCCESS
    assert again.requests == []
    assert len(desk.tests()) == 3


def test_what_a_place_is_not_fit_for_stays_open_and_what_it_is_fit_for_is_answered(desk: Desk) -> None:
    def unfit(request: Request) -> dict[str, Any]:
        if request.known.crash.frames[0].path.split("/")[2] == "shop":
            raise EnvironmentProblem("No shop there.", "Build one.")
        return found()

    result = desk.run(Stage(unfit))
    assert (result.exit_code, result.notes) == (ExitCode.ENVIRONMENT, ("No shop there. Build one.",))
    assert sorted(one.answer is None for one in result.entries) == [False, False, True]
    assert desk.run(Stage(lambda request: found())).exit_code is ExitCode.SUCCESS


def test_a_place_that_is_gone_ends_the_batch_and_what_is_answered_stays(desk: Desk) -> None:
    def gone(request: Request) -> dict[str, Any]:
        if len(stage.requests) == 2:
            raise PlaceGone("It is gone.", "Wait.")
        return found()

    stage = Stage(gone)
    result = desk.run(stage)
    assert (result.exit_code, result.notes, len(stage.requests)) == (ExitCode.ENVIRONMENT, ("It is gone. Wait.",), 2)
    assert stage.closed
    assert sorted(one.answer is None for one in result.entries) == [False, True, True]
    assert "one at a time" in desk.told.getvalue()
    assert desk.run(Stage(lambda request: found())).exit_code is ExitCode.SUCCESS


def test_an_interrupt_keeps_what_is_answered(desk: Desk) -> None:
    def play(request: Request) -> dict[str, Any]:
        if len(stage.requests) == 2:
            raise KeyboardInterrupt
        return found()

    stage = Stage(play)
    result = desk.run(stage)
    assert result.exit_code is ExitCode.INTERRUPTED
    assert stage.closed
    assert [one.answer is None for one in result.entries] == [False, True, True]


def test_secrets_of_reports_do_not_come_into_the_database(desk: Desk) -> None:
    text = traceback("shop").replace("items[key]", "items[login('ann', password='correct-horse-7')]")
    (desk.logs / "app.log").write_text(text.replace("KeyError: 'a'", "KeyError: 'password=correct-horse-7'"))
    stage = Stage(lambda request: NOT_FOUND)
    desk.run(stage, str(desk.logs / "app.log"))
    held = b"".join(file.read_bytes() for file in desk.root.glob("batch.sqlite*"))
    assert b"IndexError" not in held
    assert b"KeyError" in held
    assert b"correct-horse-7" not in held
    assert "left out, since they look like secrets: password" in desk.told.getvalue()
    assert "correct-horse-7" not in repr(stage.requests)


def test_nothing_to_reproduce_is_an_error_with_the_reasons(desk: Desk) -> None:
    with pytest.raises(ReportError) as caught:
        desk.run(Stage(lambda request: found()), str(desk.root / "missing"))
    assert "missing: cannot be read" in caught.value.advice
