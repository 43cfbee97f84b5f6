"""The story of ``crashwright reproduce``: report, subject, target, search, print, judge, write."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from crashwright.core.errors import EnvironmentProblem, ExitCode, UsageError
from crashwright.core.report import CrashReport
from crashwright.core.settings import EngineSettings
from crashwright.core.target import CrashTarget
from crashwright.crash.fingerprint import fingerprint
from crashwright.crash.interpreter import Interpreter, inspect_interpreter
from crashwright.crash.readers.registry import read_reports
from crashwright.crash.resolve import ResolvedCrash, resolve
from crashwright.finishing.finisher import Finisher
from crashwright.finishing.verify import RunFresh, Verifier
from crashwright.finishing.write import check_writable, free_name, write
from crashwright.workflows.conclusion import conclude
from crashwright.workflows.deadline import Clock, Deadline
from crashwright.workflows.events import Event, Interrupted, ReportRead, RunJudged, SubjectResolved
from crashwright.workflows.hunt import Engine, Hunt
from crashwright.workflows.request import Request
from crashwright.workflows.result import Result

Listen = Callable[[Event], None]


class StartEngine(Protocol):
    """Starts an engine in the subject's interpreter."""

    def __call__(self, interpreter: Interpreter, settings: EngineSettings, target: CrashTarget) -> Engine: ...


@dataclass(frozen=True, slots=True)
class Machinery:
    """What the story runs on; tests put in their own."""

    start_engine: StartEngine
    run_fresh: RunFresh
    scratch: Callable[[], AbstractContextManager[Path]]
    clock: Clock


def reproduce(request: Request, machinery: Machinery, listen: Listen) -> Result:
    """Turn a report into a judged test. Ctrl-C keeps the best so far; a second one leaves at once. Raises CrashwrightError."""
    deadline = Deadline(machinery.clock, machinery.clock(), request.budget.seconds)
    report = _choose(request, listen)
    check_writable(Path(request.output) if request.output is not None else Path(request.folder) / "test.py")
    interpreter = inspect_interpreter(request.python, request.path)
    resolved = resolve(report, interpreter, request.package, request.frame)
    subject = f"{resolved.distribution} {resolved.version}".strip() if resolved.distribution else resolved.target.package
    listen(SubjectResolved(resolved.target, subject, interpreter.version_text, resolved.notes))
    with machinery.scratch() as scratch:
        hunt = _hunt(request, machinery, interpreter, resolved, deadline, scratch, listen)
        interrupted = _run(hunt, listen)
    result = conclude(request, resolved, subject, interpreter.version_text, hunt, deadline, interrupted)
    return _written(request, result, hunt)


def _choose(request: Request, listen: Listen) -> CrashReport:
    reports = read_reports(request.report)
    index = request.index if request.index is not None else len(reports)
    if index > len(reports):
        raise UsageError(f"--index {index}: the text holds {len(reports)} report(s).", f"Give a number from 1 to {len(reports)}.")
    listen(ReportRead(reports[index - 1], index, len(reports)))
    return reports[index - 1]


def _hunt(
    request: Request,
    machinery: Machinery,
    interpreter: Interpreter,
    resolved: ResolvedCrash,
    deadline: Deadline,
    scratch: Path,
    listen: Listen,
) -> Hunt:
    target = resolved.target
    path = tuple(dict.fromkeys((*request.path, *resolved.extra_path)))
    verifier = Verifier(
        target,
        interpreter.executable,
        interpreter.has_pytest,
        scratch,
        machinery.run_fresh,
        path,
        request.allow,
        lambda level, run: listen(RunJudged(level, run)),
    )
    finisher = Finisher(target, verifier, request.expect, request.command, fingerprint(target))
    settings = EngineSettings(search=request.search, budget=request.budget, path=path, allow=request.allow)
    return Hunt(settings, lambda engine: machinery.start_engine(interpreter, engine, target), finisher.finish, deadline, listen)


def _run(hunt: Hunt, listen: Listen) -> bool:
    """Whether the user interrupted the search. What was found until then is judged; another interrupt goes through."""
    try:
        hunt.run()
    except KeyboardInterrupt:
        listen(Interrupted())
        hunt.judge_best()
        return True
    return False


def _written(request: Request, result: Result, hunt: Hunt) -> Result:
    """The result with its file written, where there is one to write: a reproduction, or the best partial test where it is
    wanted."""
    if result.test is None or hunt.best is None:
        return result
    if result.exit_code is not ExitCode.REPRODUCED and not (request.keep_best or result.exit_code is ExitCode.INTERRUPTED):
        return result
    path = Path(request.output) if request.output is not None else free_name(Path(request.folder) / hunt.best.file_name)
    try:
        write(result.test.text, path)
    except EnvironmentProblem as problem:
        # Found and not lost: the text is in the result, and so is the reason.
        return replace(result, exit_code=ExitCode.ENVIRONMENT, notes=(*result.notes, problem.message))
    return replace(result, test=replace(result.test, file=str(path)))
