"""The story of ``crashwright verify``: report, subject, the test in fresh interpreters, and what became of the crash."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from crashwright.core.errors import EnvironmentProblem, UsageError
from crashwright.core.level import FramePlace
from crashwright.core.location import CodeKey
from crashwright.core.message_rule import messages_agree
from crashwright.core.report import CrashReport
from crashwright.core.target import CrashTarget, TargetFrame, belongs
from crashwright.crash.candidates import choose_crash
from crashwright.crash.examine import ExaminedReport, examine
from crashwright.crash.readers.registry import read_reports
from crashwright.crash.readers.selection import choose_report
from crashwright.crash.secrets.filter import SecretFilter
from crashwright.environment.interpreter import Interpreter, inspect_interpreter
from crashwright.finishing.crash.after_fix import AfterFix, FixedJudge
from crashwright.finishing.crash.existing_test import ExistingRun, ExistingTest, OneTest
from crashwright.finishing.naming import function_name, module_file
from crashwright.finishing.running.fresh_runner import FreshRunner, RunFresh
from crashwright.workflows.fixed_side import Fixed, fixed_judge
from crashwright.workflows.hunting.choices import check_choices, of_the_subject
from crashwright.workflows.inquiries.verification import (
    EXIT_CODES,
    FIX_EXIT_CODES,
    FixedResult,
    TestVerdict,
    VerifyAnswer,
    VerifyResult,
)

RUNS = 3


@dataclass(frozen=True, slots=True)
class VerifyRequest:
    """``test`` is a file, or ``FILE::TEST``, run from ``folder``; ``seconds`` bounds each of the ``runs`` of it. The rest is as for
    :class:`workflows.reproduce.request.Request`."""

    test: str
    report: str
    index: str | None = None
    python: str = ""
    path: tuple[str, ...] = ()
    package: str | None = None
    frame: int | None = None
    allow: tuple[str, ...] = ()
    folder: str = "."
    seconds: float = 60.0
    runs: int = RUNS
    fixed: Fixed = field(default_factory=Fixed)

    def __post_init__(self) -> None:
        check_choices(self.frame, self.allow)


def verify(request: VerifyRequest, run_fresh: RunFresh, scratch: Path, on_run: Callable[[int, int], None]) -> VerifyResult:
    """Run the test in fresh interpreters and compare what it raises with the crash of the report. ``on_run(level, run)`` is called
    after each run. Raises CrashwrightError where there is no such file, report, interpreter or package."""
    _check_file(request)
    secrets = SecretFilter("secrets" in request.allow)
    reports = read_reports(request.report)
    secrets.report(choose_report(reports, request.index, secrets.text))  # what is a secret in one exception is one in all others
    interpreter = replace(inspect_interpreter(request.python, request.path), project=request.folder)
    chosen = choose_crash(reports, request.index, interpreter, request.package)
    report = chosen.report
    found = examine(report, interpreter, request.package, request.frame, secrets)
    found = replace(found, notes=(*filter(None, [chosen.note]), *found.notes))
    target, compared = _target(found, secrets.report(report))
    path = tuple(map(os.path.abspath, dict.fromkeys((*request.path, *found.extra_path))))
    allow = of_the_subject(request.allow)
    runner = FreshRunner(interpreter.executable, interpreter.has_pytest, scratch, run_fresh, path, allow, secrets.text)
    judge = fixed_judge(request.fixed, target, interpreter, runner) if request.fixed else None
    test = ExistingTest(
        os.path.abspath(request.test.partition("::")[0]) + "".join(request.test.partition("::")[1:]),
        Path(request.folder).resolve(),
        runner,
    )
    runs: list[ExistingRun] = []
    for number in range(1, request.runs + 1):
        runs.append(test.run(target, request.seconds))
        best = runs[0].best
        level = _level(runs[-1], best.name) if best is not None else 0
        on_run(level, number)
        if best is None or level == 0 or level < best.agreement.level:
            break
    result = _answered(_described(found, target, interpreter, compared), runs, target, compared)
    return result if judge is None or not result.level else _on_fixed_side(result, judge, test, request)


def _on_fixed_side(result: VerifyResult, judge: FixedJudge, test: ExistingTest, request: VerifyRequest) -> VerifyResult:
    """With what the test that comes nearest does there, as often as here, until a run differs."""
    runs: list[AfterFix] = []
    while len(runs) < request.runs and len({run.outcome for run in runs}) < 2:
        runs.append(judge.judge_file(test.test, test.folder, result.test, request.seconds))
    fixed = FixedResult.of(judge.side, runs)
    result = replace(result, fixed=fixed)
    return result if result.answer is not VerifyAnswer.REPRODUCES else replace(result, exit_code=FIX_EXIT_CODES[fixed.verdict])


def _check_file(request: VerifyRequest) -> None:
    file = Path(request.test.partition("::")[0])
    if not file.is_file():
        raise UsageError(f"There is no file {file}.", "Give a pytest file, or FILE::TEST for one test of it.")


def _target(found: ExaminedReport, report: CrashReport) -> tuple[CrashTarget, bool]:
    """What to compare with, and whether its lines can be compared: where the installed source has no such lines any more, as after
    a fix, the functions must do."""
    if found.target is not None:
        return found.target, True
    own = [one for one in found.frames if one.path and found.package and belongs(one.module, found.package)]
    if not isinstance(found.problem, EnvironmentProblem) or not own:
        raise found.problem or UsageError("There is nothing to compare with in this report.")
    frames = tuple(
        replace(one.frame, in_package=True)
        if one.frame is not None
        else TargetFrame(CodeKey(one.module, one.reported.function, 0), one.path, one.reported.line or 0, "", None, True)
        for one in own
    )
    crash = report.crash
    return CrashTarget(found.package, crash.type, "\n".join((crash.message, *crash.notes)), frames), False


def _described(found: ExaminedReport, target: CrashTarget, interpreter: Interpreter, compared: bool) -> VerifyResult:
    """The result before any run."""
    installed = found.distribution
    crash = target.crash_frame
    notes = found.notes if compared or found.problem is None else (*found.notes, found.problem.message)
    return VerifyResult(
        answer=VerifyAnswer.NOT_RUN,
        exit_code=EXIT_CODES[VerifyAnswer.NOT_RUN],
        exception=target.exception,
        message=target.message,
        place=f"{module_file(crash)}:{crash.line} ({function_name(crash)})",
        subject=f"{installed.name} {installed.version}".strip() if installed else target.package,
        python=interpreter.version_text,
        runner="pytest" if interpreter.has_pytest else "stand-in",
        frames_total=len(target.package_frames),
        compared=compared,
        notes=notes,
    )


def _answered(known: VerifyResult, runs: list[ExistingRun], target: CrashTarget, compared: bool) -> VerifyResult:
    first = runs[0]
    known = replace(known, tests=tuple(map(_verdict, first.tests)), output=first.output)
    best = first.best
    if best is None or (best.agreement.raised is None and first.problems):
        advice = "" if known.runner == "pytest" else " (pytest is not installed there)"
        return _told(known, VerifyAnswer.NOT_RUN, "; ".join(first.problems) + advice)
    levels = tuple(_level(run, best.name) for run in runs)
    known = replace(
        known, test=best.name, levels=levels, level=min(levels), chain=best.agreement.chain, near_miss=best.agreement.near_miss
    )
    if best.agreement.level:
        if len(set(levels)) > 1:
            return _told(known, VerifyAnswer.UNSTABLE, f"the fresh runs disagree: levels {', '.join(map(str, levels))}")
        answer = VerifyAnswer.REPRODUCES if best.agreement.level == 4 else VerifyAnswer.PARTIAL
        return _told(known, answer, best.agreement.missing)
    return _no_crash_frame(known, best, first, target, compared)


def _no_crash_frame(known: VerifyResult, best: OneTest, run: ExistingRun, target: CrashTarget, compared: bool) -> VerifyResult:
    """Nothing was raised at the crash line: fixed, another crash, or a line that cannot be compared."""
    raised = best.agreement.raised
    if not compared and raised is not None and _same_function(best, target):
        return _told(known, VerifyAnswer.PARTIAL, f"{raised.printed} in the same function; the installed source has other lines")
    crashing = next((one for one in (best, *run.tests) if one.crashes and one.agreement.raised is not None), None)
    if crashing is not None and crashing.agreement.raised is not None:
        raised = crashing.agreement.raised
        where = next((place for place in reversed(raised.frames)), None)
        at = f" at {os.path.basename(where.file)}:{where.line} in {where.function}" if where is not None else ""
        return _told(replace(known, test=crashing.name), VerifyAnswer.OTHERWISE, f"{raised.printed}{at}")
    if all(one.outcome == "skipped" for one in run.tests):
        return _told(known, VerifyAnswer.NOT_RUN, "every test is skipped")
    counts = {name: sum(one.outcome == name for one in run.tests) for name in ("passed", "failed", "error", "skipped")}
    ended = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    return _told(known, VerifyAnswer.FIXED, f"{ended}; nothing like the crash was raised")


def _same_function(best: OneTest, target: CrashTarget) -> bool:
    raised = best.agreement.raised
    if raised is None or not best.agreement.type_agrees or not messages_agree(target.exception, target.message, raised.message):
        return False
    crash = target.crash_frame
    return any(_is(place, crash) for place in raised.frames)


def _is(place: FramePlace, frame: TargetFrame) -> bool:
    return place.function == frame.key.name and os.path.realpath(place.file) == os.path.realpath(frame.path)


def _told(known: VerifyResult, answer: VerifyAnswer, detail: str) -> VerifyResult:
    return replace(known, answer=answer, exit_code=EXIT_CODES[answer], detail=detail)


def _level(run: ExistingRun, name: str) -> int:
    return next((one.agreement.level for one in run.tests if one.name == name), 0)


def _verdict(one: OneTest) -> TestVerdict:
    raised = one.agreement.raised
    printed = raised.printed if raised is not None else ""
    return TestVerdict(one.name, one.outcome, one.agreement.level, one.agreement.frames, printed, one.agreement.missing)
