"""The whole story with a replayed engine and real fresh interpreters, on a package of ten lines."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crashwright.core.errors import EnvironmentProblem, ExitCode, UsageError
from crashwright.core.messages import EndReason, Failed, FailureKind, Finished, Found, Message, Progress, Ready
from crashwright.core.settings import Budget, EngineSettings, SearchSettings
from crashwright.core.target import CrashTarget
from crashwright.crash.suggested import CandidateText
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.testcase.codec import encode
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal
from crashwright.engine.testcase.testcase import TestCase
from crashwright.environment.interpreter import Interpreter
from crashwright.supervision.fresh import run_fresh
from crashwright.supervision.scratch import Scratch
from crashwright.workflows.events import Event, Interrupted, RunJudged, SubjectResolved
from crashwright.workflows.hunting import foresight
from crashwright.workflows.reproduce.machinery import Machinery
from crashwright.workflows.reproduce.request import Request
from crashwright.workflows.reproduce.story import reproduce

SHOP = """\
def reserve(items, number):
    return take(items, number)


def take(items, number):
    return items[number]
"""
REPORT = """\
Traceback (most recent call last):
  File "/x/main.py", line 3, in <module>
    reserve(items, 3)
  File "/x/site-packages/tiny_shop.py", line 2, in reserve
    return take(items, number)
  File "/x/site-packages/tiny_shop.py", line 6, in take
    return items[number]
IndexError: list index out of range
"""
Step = Message | Callable[[], None]


class ReplayedEngine:
    """Gives out messages; a callable among them is called."""

    def __init__(self, steps: list[Step]) -> None:
        self.steps = list(steps)

    @property
    def running(self) -> bool:
        return bool(self.steps)

    def next(self, seconds: float) -> Message | None:
        step = self.steps.pop(0)
        if callable(step):
            step()
            return None
        return step

    def stop(self) -> tuple[Message, ...]:
        self.steps.clear()
        return ()


def found(function: str, level: int) -> Found:
    items = Parameter("items", ParameterKind.POSITIONAL_OR_KEYWORD)
    callee = Callee("tiny_shop", function, CalleeKind.FUNCTION, (items, items._replace(name="number")))
    call = Call(2, callee, Arguments((0, 1)))
    return Found(encode(TestCase((Literal(0, Display("list", ())), Literal(1, 3), call))), level, 1, 0.0, 10, 0.1)


READY = Ready("3.11.7", 0.1, "tiny_shop.reserve")
WHOLE: list[Step] = [READY, found("take", 2), found("reserve", 4), Finished(EndReason.REPRODUCED, 50, 0.5)]
PART: list[Step] = [READY, found("take", 2), Finished(EndReason.BUDGET, 50, 0.5, ("line 2 was never reached",))]
NOTHING: list[Step] = [READY, Finished(EndReason.BUDGET, 50, 0.5)]


@pytest.fixture
def with_pytest(tmp_path: Path) -> Path:
    (tmp_path / "code").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "code" / "tiny_shop.py").write_text(SHOP)
    return tmp_path


@pytest.fixture
def folder(with_pytest: Path, stand_in: None) -> Path:
    return with_pytest


def machinery(steps: list[Step]) -> Machinery:
    def start(
        interpreter: Interpreter,
        settings: EngineSettings,
        target: CrashTarget,
        seeds: tuple[dict[str, Any], ...] = (),
        jobs: int = 1,
        knowledge: foresight.Knowledge = foresight.NOTHING,
    ) -> ReplayedEngine:
        assert target.crash_frame.key.name == "take"
        return ReplayedEngine(steps)

    return Machinery(start, run_fresh, Scratch, time.monotonic)


def request(folder: Path, **changed: object) -> Request:
    fields: dict[str, object] = {
        "report": REPORT,
        "report_name": "crash.txt",
        "python": sys.executable,
        "path": (str(folder / "code"),),
        "folder": str(folder / "out"),
    }
    return Request(**{**fields, **changed})  # type: ignore[arg-type]


def written(folder: Path) -> list[str]:
    return sorted(os.listdir(folder / "out"))


@pytest.mark.slow
def test_reproduced_test_is_judged_three_times_and_written(with_pytest: Path) -> None:
    events: list[Event] = []
    result = reproduce(request(with_pytest), machinery(WHOLE), events.append)
    assert result.exit_code is ExitCode.SUCCESS
    assert result.test is not None
    assert (result.test.level, result.test.levels, result.test.frames) == (4, (4, 4, 4), 2)
    assert (result.frames_total, result.frames_in_report) == (2, 2)
    assert [event.run for event in events if isinstance(event, RunJudged)] == [1, 2, 3]
    assert any(isinstance(event, SubjectResolved) for event in events)
    [name] = written(with_pytest)
    assert name.startswith("test_tiny_shop_reserve_")
    text = (with_pytest / "out" / name).read_text()
    assert text == result.test.text
    assert "    reserve([], 3)  # IndexError: list index out of range\n" in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "line"), [("raises", "with pytest.raises(IndexError, match="), ("xfail", "@pytest.mark.xfail(strict=True")]
)
def test_other_forms_are_judged_alike(with_pytest: Path, form: str, line: str) -> None:
    output = with_pytest / "out" / "test_x.py"
    result = reproduce(request(with_pytest, expect=form, output=str(output)), machinery(WHOLE), lambda _: None)
    assert result.exit_code is ExitCode.SUCCESS
    assert line in output.read_text()


def test_partial_is_told_and_not_written(folder: Path) -> None:
    result = reproduce(request(folder, frame=2, output=str(folder / "out" / "test_x.py")), machinery(PART), lambda _: None)
    assert result.exit_code is ExitCode.PARTIAL
    assert result.test is not None
    assert result.test.missing == "only 1 of 2 frames match"
    assert result.hints == ("line 2 was never reached",)
    assert any("--keep-best" in advice for advice in result.advice)
    assert written(folder) == []


def test_best_partial_is_written_marked_where_it_is_wanted(folder: Path) -> None:
    result = reproduce(request(folder, frame=2, keep_best=True), machinery(PART), lambda _: None)
    assert result.exit_code is ExitCode.PARTIAL
    [name] = written(folder)
    assert name.startswith("test_partial_")
    assert "PARTIAL, not the crash of the report: only 1 of 2 frames match." in (folder / "out" / name).read_text()


@pytest.mark.parametrize("given", [(), (CandidateText("idea.py", "pass"),)])
def test_code_that_comes_close_is_asked_for_unless_there_is_some(folder: Path, given: tuple[CandidateText, ...]) -> None:
    steps: list[Step] = [READY, Progress(0.5, 50, 1, 2, 0.7, "shop.py:3 take was entered"), Finished(EndReason.BUDGET, 50, 0.5)]
    result = reproduce(request(folder, candidates=given), machinery(steps), lambda _: None)
    asked = result.advice[0] == "code that comes close to the crash, such as a script or a test: --candidate FILE"
    assert asked is not bool(given)


@pytest.mark.parametrize(("unprepared", "first"), [(False, "gets past stock.py:9 put"), (True, "needs before each test")])
def test_the_first_advice_is_about_what_stopped_most_tests(folder: Path, unprepared: bool, first: str) -> None:
    last = Finished(EndReason.BUDGET, 50, 0.5, stopped_at="stock.py:9 put", unprepared=unprepared)
    steps: list[Step] = [READY, Progress(0.5, 50, 1, 2, 0.7, "shop.py:3 take was entered"), last]
    result = reproduce(request(folder), machinery(steps), lambda _: None)
    assert first in result.advice[0]


def test_nothing_found_writes_nothing(folder: Path) -> None:
    result = reproduce(request(folder, keep_best=True), machinery(NOTHING), lambda _: None)
    assert (result.exit_code, result.test) == (ExitCode.NOT_FOUND, None)
    assert not any("--candidate" in advice for advice in result.advice), "time is what was missing"
    assert any("--budget" in advice for advice in result.advice)
    assert written(folder) == []


def test_claim_of_the_engine_is_not_believed(folder: Path) -> None:
    result = reproduce(
        request(folder, frame=2), machinery([READY, found("take", 4), Finished(EndReason.BUDGET, 50, 0.5)]), lambda _: None
    )
    assert result.exit_code is ExitCode.PARTIAL
    assert result.rejected == ("only 1 of 2 frames match",)


def test_a_test_that_is_worth_nothing_is_not_offered_as_the_best_partial_one(folder: Path) -> None:
    result = reproduce(
        request(folder), machinery([READY, found("nothing", 4), Finished(EndReason.BUDGET, 50, 0.5)]), lambda _: None
    )
    assert result.exit_code is ExitCode.NOT_FOUND
    assert not any("--keep-best" in advice for advice in result.advice)


def interrupt() -> None:
    raise KeyboardInterrupt


@pytest.mark.slow
def test_interrupt_keeps_the_best(folder: Path) -> None:
    events: list[Event] = []
    result = reproduce(request(folder), machinery([READY, found("take", 2), interrupt]), events.append)
    assert result.exit_code is ExitCode.INTERRUPTED
    assert any(isinstance(event, Interrupted) for event in events)
    assert written(folder)[0].startswith("test_partial_")
    whole = reproduce(request(folder), machinery([READY, found("reserve", 4), interrupt]), events.append)
    assert whole.exit_code is ExitCode.SUCCESS


def test_second_interrupt_leaves_at_once(folder: Path) -> None:
    def listen(event: Event) -> None:
        if isinstance(event, Interrupted | RunJudged):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reproduce(request(folder), machinery([READY, found("take", 2), interrupt]), listen)
    assert written(folder) == []


def test_output_folder_is_checked_before_the_search(folder: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="no folder"):
        reproduce(request(folder, output=str(folder / "none" / "test_x.py")), machinery([interrupt]), lambda _: None)


def test_a_file_of_somebody_else_is_refused_before_the_search(folder: Path) -> None:
    mine = folder / "out" / "mine.py"
    for text in (
        "PRECIOUS = 1\n",
        '"""crashwright reproduce x"""\n\n\ndef test_a(): ...\n\n\ndef test_b(): ...\n',
        "not ( python\n",
    ):
        mine.write_text(text)
        with pytest.raises(UsageError, match="not a test that crashwright wrote"):
            reproduce(request(folder, output=str(mine)), machinery([interrupt]), lambda _: None)
        assert mine.read_text() == text
    result = reproduce(request(folder, output=str(mine), force=True), machinery(WHOLE), lambda _: None)
    assert (result.exit_code, result.test and result.test.replaced) == (ExitCode.SUCCESS, "a file not by crashwright")
    assert "reserve([], 3)" in mine.read_text()


@pytest.mark.slow
def test_a_file_that_somebody_makes_meanwhile_is_not_lost_either(folder: Path) -> None:
    mine = folder / "out" / "mine.py"
    steps = [*WHOLE[:-1], lambda: mine.write_text("PRECIOUS = 1\n") and None, WHOLE[-1]]
    result = reproduce(request(folder, output=str(mine)), machinery(steps), lambda _: None)
    assert (result.exit_code, mine.read_text()) == (ExitCode.ENVIRONMENT, "PRECIOUS = 1\n")
    assert result.test is not None
    assert "reserve([], 3)" in result.test.text


@pytest.mark.slow
def test_a_second_run_says_that_it_replaced_the_first_test(folder: Path) -> None:
    for output in (folder / "out" / "test_x.py", folder / "out", None):
        named = None if output is None else str(output)
        tests = [reproduce(request(folder, output=named), machinery(WHOLE), lambda _: None).test for _ in range(2)]
        first, second = (test for test in tests if test is not None)
        assert first.file == second.file
        assert first.replaced == "" or output is None, "without a name it is the file that the folder got"
        assert second.replaced.startswith("an earlier test by crashwright: IndexError in tiny_shop.py:6 (take)")


def test_what_is_neither_a_file_nor_a_folder_is_refused(folder: Path) -> None:
    with pytest.raises(UsageError, match="neither a file nor a folder"):
        reproduce(request(folder, output="/dev/null"), machinery([interrupt]), lambda _: None)


@pytest.mark.slow
def test_text_that_cannot_be_written_is_not_lost(folder: Path) -> None:
    def remove() -> None:
        (folder / "out").rmdir()

    result = reproduce(request(folder), machinery([*WHOLE[:-1], remove, WHOLE[-1]]), lambda _: None)
    assert result.exit_code is ExitCode.ENVIRONMENT
    assert result.test is not None
    assert "reserve([], 3)" in result.test.text
    assert "could not be written" in result.notes[-1]


def test_index_picks_a_report_and_the_last_is_the_default(folder: Path) -> None:
    two = REPORT + "\n" + REPORT.replace("IndexError: list", "KeyError: list")
    names: list[str] = []

    def listen(event: Event) -> None:
        if isinstance(event, SubjectResolved):
            names.append(event.target.exception)

    for index in ("1", "2", None):
        reproduce(request(folder, report=two, index=index), machinery(NOTHING), listen)
    assert names == ["IndexError", "KeyError", "KeyError"]
    with pytest.raises(UsageError, match="holds 2"):
        reproduce(request(folder, report=two, index="3"), machinery(NOTHING), listen)


class Engines:
    """One engine after the other, by the function of the frame that each is started for."""

    def __init__(self, **steps: list[Step]) -> None:
        self.steps = steps
        self.started: list[tuple[str, EngineSettings]] = []
        self.seeds: list[int] = []

    def machinery(self) -> Machinery:
        return Machinery(self.start, run_fresh, Scratch, time.monotonic)

    def start(
        self,
        interpreter: Interpreter,
        settings: EngineSettings,
        target: CrashTarget,
        seeds: tuple[dict[str, Any], ...] = (),
        jobs: int = 1,
        knowledge: foresight.Knowledge = foresight.NOTHING,
    ) -> ReplayedEngine:
        name = target.frames[0].key.name
        self.started.append((name, settings))
        self.seeds.append(len(seeds))
        return ReplayedEngine(self.steps[name])

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.started]


def used_up(evaluations: int, *found_before: Message) -> list[Step]:
    return [READY, *found_before, Finished(EndReason.BUDGET, evaluations, 0.5, ("why",))]


@pytest.mark.slow
def test_what_is_left_of_the_budget_goes_to_the_frame_further_in(folder: Path) -> None:
    engines = Engines(reserve=used_up(850), take=[READY, found("take", 4), Finished(EndReason.REPRODUCED, 20, 0.1)])
    result = reproduce(request(folder, budget=Budget(None, 1000)), engines.machinery(), lambda _: None)
    assert [(name, settings.budget) for name, settings in engines.started] == [
        ("reserve", Budget(None, 850)),
        ("take", Budget(None, 150)),
    ]
    assert (result.exit_code, result.evaluations) == (ExitCode.PARTIAL, 870)
    assert [(one.frame, one.name, one.reproduced) for one in result.inwards] == [(1, "take", True)]
    assert result.test is not None
    assert (result.test.level, result.test.levels, result.test.frame) == (2, (2, 2, 2), 1)
    assert result.test.missing == "reproduced from `take` (frame 1), not from `reserve` (frame 2)"
    assert result.hints == ("why",)
    [name] = written(folder)
    assert name.startswith("test_partial_tiny_shop_take_")
    header = " ".join((folder / "out" / name).read_text().split('"""')[1].split())
    assert "PARTIAL: the innermost of 2 frames and the message of the report; not reproduced from reserve" in header
    assert not any("--target-frame" in advice or "--keep-best" in advice for advice in result.advice)


def test_a_frame_that_was_asked_for_gets_the_whole_budget(folder: Path) -> None:
    engines = Engines(reserve=used_up(1000))
    result = reproduce(request(folder, frame=2, budget=Budget(None, 1000)), engines.machinery(), lambda _: None)
    assert [(name, settings.budget) for name, settings in engines.started] == [("reserve", Budget(None, 1000))]
    assert (result.exit_code, result.inwards) == (ExitCode.NOT_FOUND, ())


@pytest.mark.slow
def test_a_test_of_fewer_frames_is_tried_first_further_in(folder: Path) -> None:
    inner = [READY, found("take", 4), Finished(EndReason.REPRODUCED, 1, 0.1)]
    engines = Engines(reserve=used_up(850, found("take", 2)), take=inner)
    result = reproduce(request(folder, budget=Budget(None, 1000)), engines.machinery(), lambda _: None)
    assert (engines.names, engines.seeds) == (["reserve", "take"], [0, 1])
    assert (result.exit_code, len(written(folder))) == (ExitCode.PARTIAL, 1)


@pytest.mark.slow
def test_as_it_was_published_each_frame_is_searched_from_alone(folder: Path) -> None:
    inner = [READY, found("take", 4), Finished(EndReason.REPRODUCED, 1, 0.1)]
    engines = Engines(reserve=used_up(850, found("take", 2)), take=inner)
    asked = request(folder, budget=Budget(None, 1000), search=SearchSettings(operators="evocrash"))
    result = reproduce(asked, engines.machinery(), lambda _: None)
    assert (engines.names, engines.seeds) == (["reserve", "take"], [0, 0])
    assert result.exit_code is ExitCode.PARTIAL


def test_what_is_found_nowhere_is_told_for_both_frames(folder: Path) -> None:
    engines = Engines(reserve=used_up(850), take=used_up(150))
    result = reproduce(request(folder, budget=Budget(None, 1000)), engines.machinery(), lambda _: None)
    assert (result.exit_code, result.test, written(folder)) == (ExitCode.NOT_FOUND, None, [])
    assert [(one.name, one.reproduced, one.evaluations) for one in result.inwards] == [("take", False, 150)]


@pytest.mark.slow
def test_where_no_test_can_enter_it_goes_inwards_at_once(folder: Path) -> None:
    closed: list[Step] = [Failed(FailureKind.TARGET, "There is no way in for a test: it is nested.")]
    engines = Engines(reserve=closed, take=[READY, found("take", 4), Finished(EndReason.REPRODUCED, 20, 0.1)])
    result = reproduce(request(folder), engines.machinery(), lambda _: None)
    assert (result.exit_code, len(written(folder))) == (ExitCode.PARTIAL, 1)
    assert result.hints == ("There is no way in for a test: it is nested.",)
    with pytest.raises(EnvironmentProblem, match="it is nested"):
        reproduce(request(folder), Engines(reserve=closed, take=closed).machinery(), lambda _: None)


def test_an_inner_search_that_cannot_be_made_costs_the_result_nothing(folder: Path) -> None:
    engines = Engines(reserve=used_up(850), take=[Failed(FailureKind.IMPORT, "It cannot be imported twice.")])
    result = reproduce(request(folder, budget=Budget(None, 1000)), engines.machinery(), lambda _: None)
    assert result.exit_code is ExitCode.NOT_FOUND
    assert [one.problem for one in result.inwards] == ["It cannot be imported twice."]


@pytest.mark.slow
def test_what_was_found_from_further_in_is_judged_where_no_search_from_there_comes_to_a_result(folder: Path) -> None:
    engines = Engines(reserve=used_up(850, found("take", 2)), take=[Failed(FailureKind.IMPORT, "There is no time for it.")])
    result = reproduce(request(folder, budget=Budget(None, 1000)), engines.machinery(), lambda _: None)
    assert (engines.names, result.exit_code) == (["reserve", "take"], ExitCode.PARTIAL)
    assert [(one.frame, one.problem, one.reproduced) for one in result.inwards] == [
        (1, "There is no time for it.", False),
        (1, "", True),
    ]
    assert result.test is not None
    assert result.test.missing == "reproduced from `take` (frame 1), not from `reserve` (frame 2)"
    assert len(written(folder)) == 1


def test_all_frames_with_another_message_are_nearer_than_any_frame_further_in(folder: Path) -> None:
    elsewhere = REPORT.replace("list index", "tuple index")
    engines = Engines(reserve=used_up(850, found("reserve", 3)))
    asked = request(folder, report=elsewhere, budget=Budget(None, 1000))
    result = reproduce(asked, engines.machinery(), lambda _: None)
    assert [(name, one.search.seed, one.budget.evaluations) for name, one in engines.started] == [
        ("reserve", 1, 850),
        ("reserve", 2, 150),
    ]
    assert result.test is not None
    assert (result.exit_code, result.test.level, result.inwards) == (ExitCode.PARTIAL, 3, ())
