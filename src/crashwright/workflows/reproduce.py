"""The story of ``crashwright reproduce``: report, subject, target, search, print, judge, write."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from crashwright.core.errors import EnvironmentProblem, ExitCode, PreparationProblem
from crashwright.core.preparation import Preparation
from crashwright.core.settings import EngineSettings
from crashwright.core.target import CrashTarget
from crashwright.crash.candidates import choose_crash
from crashwright.crash.fingerprint import cache_key, fingerprint
from crashwright.crash.interpreter import Interpreter, inspect_interpreter
from crashwright.crash.preparation import preparation_for
from crashwright.crash.readers.registry import read_reports
from crashwright.crash.readers.selection import choose_report
from crashwright.crash.resolve import ResolvedCrash, resolve
from crashwright.crash.secrets.filter import SecretFilter
from crashwright.crash.source_roots import project_root
from crashwright.finishing.finisher import Finisher
from crashwright.finishing.verify import RunFresh, Verifier
from crashwright.finishing.write import check_writable, free_name, write
from crashwright.workflows.cache import Cache, CachedTest
from crashwright.workflows.conclusion import conclude
from crashwright.workflows.continuation import Continuation
from crashwright.workflows.deadline import Clock, Deadline
from crashwright.workflows.events import Event, Interrupted, ReportRead, RunJudged, SubjectResolved
from crashwright.workflows.hunt import Engine, Hunt
from crashwright.workflows.request import Request
from crashwright.workflows.result import Result
from crashwright.workflows.sifted_engine import SiftedEngine

Listen = Callable[[Event], None]


class StartEngine(Protocol):
    """Starts engines in the subject's interpreter, ``jobs`` of them, which appear as one."""

    def __call__(
        self,
        interpreter: Interpreter,
        settings: EngineSettings,
        target: CrashTarget,
        seeds: tuple[dict[str, Any], ...] = (),
        jobs: int = 1,
    ) -> Engine: ...


@dataclass(frozen=True, slots=True)
class Machinery:
    """What the story runs on; tests put in their own."""

    start_engine: StartEngine
    run_fresh: RunFresh
    scratch: Callable[[], AbstractContextManager[Path]]
    clock: Clock
    began: float | None = None
    """When the command began, on the clock; None: when the story does."""


def reproduce(request: Request, machinery: Machinery, listen: Listen) -> Result:
    """Turn a report into a judged test. Ctrl-C keeps the best so far; a second one leaves at once. Raises CrashwrightError."""
    deadline = Deadline(machinery.clock, machinery.began or machinery.clock(), request.budget.seconds)
    secrets = SecretFilter("secrets" in request.allow)
    reports = read_reports(request.report)
    secrets.report(choose_report(reports, request.index, secrets.text))  # what is a secret in one exception is one in all others
    check_writable(Path(request.output) if request.output is not None else Path(request.folder) / "test.py")
    interpreter = replace(inspect_interpreter(request.python, request.path), project=request.folder)
    chosen = choose_crash(reports, request.index, interpreter, request.package)
    report = chosen.report
    listen(ReportRead(secrets.report(report), chosen.index, len(reports)))
    resolved = resolve(report, interpreter, request.package, request.frame, secrets)
    resolved = replace(resolved, notes=(*filter(None, [chosen.note]), *resolved.notes))
    resolved = _prepared(resolved, request, interpreter)
    cache, key = _cache(request), cache_key(resolved, secrets.report(report))
    known = cache.load_found(key)
    listen(SubjectResolved(resolved.target, resolved.subject, interpreter.version_text, resolved.notes))
    earlier = _continuation(request, key, machinery.clock)
    seeds = (*(() if known is None else (known.test,)), *earlier.seeds)
    try:
        with machinery.scratch() as scratch:
            hunt = _hunt(request, machinery, interpreter, resolved, deadline, scratch, listen, seeds, secrets)
            hunt.keep, hunt.evaluations_before = earlier.keep, earlier.evaluations
            try:
                interrupted = _run(hunt, listen)
            except PreparationProblem as problem:
                if request.setup or resolved.preparation.django:
                    raise
                # An application was found, but is not set up as easily: most functions can be called without.
                resolved = replace(resolved, preparation=Preparation(), notes=(*resolved.notes, problem.message))
                hunt = _hunt(request, machinery, interpreter, resolved, deadline, scratch, listen, seeds, secrets)
                hunt.keep, hunt.evaluations_before = earlier.keep, earlier.evaluations
                interrupted = _run(hunt, listen)
    finally:
        earlier.end()
    result = conclude(request, resolved, resolved.subject, interpreter.version_text, hunt, deadline, interrupted)
    result = replace(result, command=secrets.value(result.command), incidents=_with_left_out(result, secrets))
    _remember(cache, key, known, result, hunt)
    told = () if known is None else (f"tried first: the test found {'on ' + known.when if known.when else 'earlier'}",)
    remembered = tuple(dict.fromkeys((*told, *earlier.notes, *cache.notes)))
    return _written(request, replace(result, remembered=remembered), hunt)


def _prepared(resolved: ResolvedCrash, request: Request, interpreter: Interpreter) -> ResolvedCrash:
    """With what has to be set up before the tests, and the folders that this is imported from."""
    preparation = preparation_for(resolved.target, interpreter, resolved.own, request.setup)
    if not preparation:
        return resolved
    roots = (str(project_root(Path(request.folder))),) if preparation.django or preparation.function else ()
    known = {os.path.abspath(folder) for folder in (*resolved.extra_path, *interpreter.sys_path)}
    extra = (*resolved.extra_path, *(root for root in roots if root not in known))
    return replace(resolved, preparation=preparation, extra_path=extra, notes=(*resolved.notes, f"set up: {preparation.text}"))


def _with_left_out(result: Result, secrets: SecretFilter) -> tuple[str, ...]:
    """What was met at run time alone is named at the end."""
    known = not secrets.note or secrets.note in result.notes
    return result.incidents if known else (*result.incidents, secrets.note)


def _cache(request: Request) -> Cache:
    """A seed and a number of evaluations repeat a run exactly: what earlier runs found has no part in it."""
    return Cache.open(Path(request.folder), reads=request.cache and request.budget.evaluations is None, writes=request.cache)


def _continuation(request: Request, key: str, clock: Clock) -> Continuation:
    """A run that was killed is gone on with, also where evaluations are counted: they count on."""
    cache = Cache.open(Path(request.folder), reads=request.cache, writes=request.cache)
    return Continuation(cache, key, request.search.seed, request.budget.evaluations, clock)


def _remember(cache: Cache, key: str, known: CachedTest | None, result: Result, hunt: Hunt) -> None:
    """Keep the test of a reproduction, unless it is the one that was kept already."""
    if result.exit_code is not ExitCode.REPRODUCED or hunt.best is None:
        return
    found = hunt.best.found
    if known is None or known.test != found.test:
        today = datetime.now(UTC).date().isoformat()
        cache.save_found(
            key,
            CachedTest(
                found.test, hunt.best.level, found.origin, hunt.evaluations, result.command, result.subject, result.python, today
            ),
        )


def _hunt(
    request: Request,
    machinery: Machinery,
    interpreter: Interpreter,
    resolved: ResolvedCrash,
    deadline: Deadline,
    scratch: Path,
    listen: Listen,
    seeds: tuple[dict[str, Any], ...],
    secrets: SecretFilter,
) -> Hunt:
    target = resolved.target
    # Engines and fresh runs have folders of their own to stand in.
    path = tuple(dict.fromkeys(os.path.abspath(folder) for folder in (*request.path, *resolved.extra_path)))
    allow = tuple(name for name in request.allow if name != "secrets")  # that is about the report, not about the subject
    verifier = Verifier(
        target,
        interpreter.executable,
        interpreter.has_pytest,
        scratch,
        machinery.run_fresh,
        path,
        allow,
        lambda level, run: listen(RunJudged(level, run)),
        secrets.text,
    )
    finisher = Finisher(
        target,
        verifier,
        request.expect,
        secrets.value(request.command),
        fingerprint(target),
        preparation=resolved.preparation,
    )
    settings = EngineSettings(
        search=request.search, budget=request.budget, path=path, allow=allow, preparation=resolved.preparation
    )

    def start(engine: EngineSettings) -> Engine:
        # Where the judge has refused what the first engine found, the same tests would only lead there again.
        first = seeds if engine.search.seed == request.search.seed else ()
        return SiftedEngine(machinery.start_engine(interpreter, engine, target, first, request.jobs), secrets)

    return Hunt(settings, start, finisher.finish, deadline, listen)


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
