"""The story of ``crashwright reproduce``: report, subject, target, search, print, judge, write."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from crashwright.core.errors import ExitCode, NoWayIn, PreparationProblem, SettingsMissing
from crashwright.core.mechanisms import Mechanism
from crashwright.core.preparation import Preparation
from crashwright.core.report import CrashReport
from crashwright.core.target import CrashTarget
from crashwright.crash.candidates import choose_crash
from crashwright.crash.documented_commands import project_folders, with_documented
from crashwright.crash.fingerprint import cache_key
from crashwright.crash.invocations import told_invocations
from crashwright.crash.preparation import folders_of, has_settings, minimal_settings_for, preparation_for
from crashwright.crash.readers.registry import read_reports
from crashwright.crash.readers.selection import choose_report
from crashwright.crash.resolve import ResolvedCrash, resolve
from crashwright.crash.secrets.filter import SecretFilter
from crashwright.crash.suggested import suggested_code
from crashwright.environment.interpreter import Interpreter, inspect_interpreter
from crashwright.finishing.crash.finisher import FinishedTest
from crashwright.workflows.deadline import Clock, Deadline
from crashwright.workflows.events import ReportRead, SubjectResolved
from crashwright.workflows.hunting.foresight import Foresight, foresight_of
from crashwright.workflows.reading import telling
from crashwright.workflows.reproduce.asked import candidates_given, suggesting_of
from crashwright.workflows.reproduce.cache import Cache, CachedTest
from crashwright.workflows.reproduce.conclusion import best_of, conclude
from crashwright.workflows.reproduce.continuation import Continuation
from crashwright.workflows.reproduce.course import Course
from crashwright.workflows.reproduce.excerpts import excerpts
from crashwright.workflows.reproduce.harmless import Harmless
from crashwright.workflows.reproduce.hunt import Hunt
from crashwright.workflows.reproduce.hunt_maker import HuntMaker, Listen
from crashwright.workflows.reproduce.inner_searches import search_inwards
from crashwright.workflows.reproduce.inwards import InnerSearch
from crashwright.workflows.reproduce.machinery import Machinery
from crashwright.workflows.reproduce.output import Output
from crashwright.workflows.reproduce.proving.conclusion import Conclusion
from crashwright.workflows.reproduce.proving.own_tests import ProjectTests
from crashwright.workflows.reproduce.proving.proved import level_of
from crashwright.workflows.reproduce.proving.prover import Prover
from crashwright.workflows.reproduce.request import Request
from crashwright.workflows.reproduce.result import Result
from crashwright.workflows.reproduce.suggesting import recorded


def reproduce(request: Request, machinery: Machinery, listen: Listen) -> Result:
    """Turn a report into a judged test. Ctrl-C keeps the best so far; a second one leaves at once. Raises CrashwrightError."""
    deadline = Deadline(machinery.clock, machinery.began or machinery.clock(), request.budget.seconds)
    course = Course(listen, machinery.clock)
    listen = course.hear
    secrets = SecretFilter("secrets" in request.allow)
    reports = _reports(request, listen)
    secrets.report(choose_report(reports, request.index, secrets.text))  # what is a secret in one exception is one in all others
    output = Output.of(request)
    interpreter = replace(inspect_interpreter(request.python, request.path), project=request.folder)
    chosen = choose_crash(reports, request.index, interpreter, request.package)
    report = chosen.report
    listen(ReportRead(secrets.report(report), chosen.index, len(reports)))
    resolved = resolve(report, interpreter, request.package, request.frame, secrets)
    resolved = replace(resolved, notes=(*filter(None, [chosen.note]), *resolved.notes))
    resolved = _prepared(resolved, request, interpreter)
    invocations = told_invocations(request.report, secrets.text)
    if request.search.uses(Mechanism.OBJECTS):
        top = resolved.target.package.partition(".")[0]
        invocations = with_documented(invocations, project_folders(request.path, request.folder), top, secrets.text)
    resolved = replace(resolved, target=replace(resolved.target, invocations=invocations))
    cache, key = _cache(request), cache_key(resolved, secrets.report(report))
    known = cache.load_found(key)
    listen(SubjectResolved(resolved.target, resolved.subject, interpreter.version_text, resolved.notes))
    earlier = _continuation(request, key, machinery.clock)
    suggested = candidates_given(request, secrets)
    version = interpreter.version_text
    suggesting = suggesting_of(request, machinery.ask, machinery.clock, resolved, version, secrets, listen)
    resolved = replace(resolved, notes=(*resolved.notes, *suggested.problems))
    seeds = (*(() if known is None else (known.test,)), *earlier.seeds)
    try:
        with machinery.scratch() as scratch, _foresight(resolved.target, request, machinery, interpreter) as foresight:
            maker = HuntMaker(
                request,
                machinery,
                interpreter,
                deadline,
                scratch,
                listen,
                secrets=secrets,
                foresight=foresight,
                suggested=suggested,
                suggesting=suggesting,
                report=report,
            )
            maker, prover = maker.with_prover(resolved)
            prover.try_all((*suggested_code(request.candidates).code, *(one.code for one in request.suggestions)))
            if not prover.is_enough and request.search.uses(Mechanism.OWN_TESTS):
                given = ProjectTests(prover, secrets.report(report)).tried()
                maker = replace(maker, suggested=suggested._replace(code=(*suggested.code, *given)))
            if prover.is_enough:
                return _proved(maker, prover, output)
            hunt = maker.outer(resolved, seeds, earlier)
            closed: NoWayIn | None = None
            try:
                interrupted = hunt.run_until_interrupted()
            except PreparationProblem as problem:
                if request.setup or has_settings(resolved.preparation):
                    raise
                # An application was found, but is not set up as easily: most functions can be called without.
                resolved = replace(resolved, preparation=Preparation(), notes=(*resolved.notes, problem.message))
                hunt = maker.outer(resolved, seeds, earlier)
                interrupted = hunt.run_until_interrupted()
            except SettingsMissing as problem:
                if resolved.own:
                    raise
                preparation = minimal_settings_for(resolved.target, resolved.preparation)
                resolved = replace(resolved, preparation=preparation, notes=(*resolved.notes, f"set up: {preparation.text}"))
                hunt = maker.outer(resolved, seeds, earlier)
                interrupted = _with_settings(hunt, problem)
            except NoWayIn as problem:
                if not hunt.rest:
                    raise
                hunt.hints, interrupted, closed = (problem.message,), False, problem
            inwards: tuple[InnerSearch, ...] = ()
            if hunt.rest and not interrupted and not hunt.reproduced:
                inwards, interrupted = search_inwards(maker, resolved, hunt)
                if not any(one.hunt.reproduced for one in inwards):
                    hunt.judge_best()  # what is left, now that no search waits for it
            if closed is not None and all(one.problem for one in inwards):
                raise closed
    finally:
        machinery.release()
        earlier.end()
        suggesting.end()
    result = conclude(
        request=request,
        resolved=resolved,
        subject=resolved.subject,
        python=interpreter.version_text,
        hunt=hunt,
        deadline=deadline,
        interrupted=interrupted,
        inwards=inwards,
    )
    result = replace(
        result,
        course=course.points,
        excerpts=excerpts(resolved.target.frames, secrets.code),
        report=secrets.report(report),
        command=secrets.value(result.command),
        incidents=_incidents(result, foresight, secrets, best_of(hunt, inwards)),
    )
    _remember(cache, key, known, result, hunt, Harmless(secrets))
    told = () if known is None else (f"tried first: the test found {'on ' + known.when if known.when else 'earlier'}",)
    if suggesting.answered:
        told = (*told, cache.record(f"{key}-{request.search.seed}", recorded(suggesting.answered.values(), secrets.code)))
    remembered = tuple(dict.fromkeys((*filter(None, told), *earlier.notes, *cache.notes)))
    result = replace(result, remembered=remembered)
    best = best_of(hunt, inwards)
    if prover.best is not None and (best is None or best.level < level_of(prover.best, resolved)):
        found = _proved(maker, prover, output)
        return replace(result, test=found.test, exit_code=found.exit_code, candidates=found.candidates)
    wanted = best is not None and (best.is_confirmed or request.keep_best or result.exit_code is ExitCode.INTERRUPTED)
    return _written(output, result) if wanted else result


def _reports(request: Request, listen: Listen) -> tuple[CrashReport, ...]:
    if request.known is not None:
        return (request.known,)
    with telling(len(request.report), listen):
        return read_reports(request.report)


def _foresight(
    target: CrashTarget, request: Request, machinery: Machinery, interpreter: Interpreter
) -> AbstractContextManager[Foresight]:
    search = request.search
    alone = search.engine == "symbolic"
    wanted = alone or (search.engine == "portfolio" and search.uses(Mechanism.PRECONDITIONS))
    begin = machinery.begin_walk if wanted else None
    return foresight_of(target, interpreter.version, request.budget, begin, machinery.clock, alone, search.strategy)


def _prepared(resolved: ResolvedCrash, request: Request, interpreter: Interpreter) -> ResolvedCrash:
    """With what has to be set up before the tests, and the folders that this is imported from."""
    preparation = preparation_for(resolved.target, interpreter, resolved.own, request.setup, path=request.path)
    if not preparation:
        return resolved
    roots = folders_of(preparation, interpreter, request.path, [frame.path for frame in resolved.target.own_frames])
    known = {os.path.abspath(folder) for folder in (*resolved.extra_path, *interpreter.sys_path)}
    extra = (*resolved.extra_path, *(root for root in roots if root not in known))
    return replace(resolved, preparation=preparation, extra_path=extra, notes=(*resolved.notes, f"set up: {preparation.text}"))


def _incidents(result: Result, foresight: Foresight, secrets: SecretFilter, best: FinishedTest | None) -> tuple[str, ...]:
    """With what became of the search for preconditions, and, at the end, the secrets that were met at run time alone, or stay
    in the test."""
    kept = "" if best is None or result.test is None else Harmless(secrets).kept(best.found.test)
    without = f"searched without preconditions of the crash: {foresight.problem}" if foresight.problem else ""
    unnamed = secrets.note if secrets.note not in result.notes else ""
    return (*result.incidents, *filter(None, (secrets.text(without), unnamed, kept)))


def _cache(request: Request) -> Cache:
    """A seed and a number of evaluations repeat a run exactly: what earlier runs found has no part in it."""
    return Cache.open(Path(request.folder), reads=request.cache and request.budget.evaluations is None, writes=request.cache)


def _continuation(request: Request, key: str, clock: Clock) -> Continuation:
    """A run that was killed is gone on with, also where evaluations are counted: they count on."""
    cache = Cache.open(Path(request.folder), reads=request.cache, writes=request.cache)
    return Continuation(cache, key, request.search.seed, request.budget.evaluations, clock)


def _remember(cache: Cache, key: str, known: CachedTest | None, result: Result, hunt: Hunt, harmless: Harmless) -> None:
    """Keep the test of a reproduction, unless it is the one that was kept already."""
    if result.exit_code is not ExitCode.SUCCESS or hunt.best is None:
        return
    found = hunt.best.found
    test = harmless.test(found.test)
    if known is None or known.test != test:
        today = datetime.now(UTC).date().isoformat()
        cache.save_found(
            key,
            CachedTest(
                test=test,
                level=hunt.best.level,
                origin=found.origin,
                evaluations=hunt.evaluations,
                command=result.command,
                subject=result.subject,
                python=result.python,
                when=today,
            ),
        )


def _with_settings(hunt: Hunt, without: SettingsMissing) -> bool:
    """As :meth:`Hunt.run_until_interrupted`. Where minimal settings do not do, what was missing ``without`` any is told."""
    try:
        return hunt.run_until_interrupted()
    except PreparationProblem:
        raise without from None


def _proved(maker: HuntMaker, prover: Prover, output: Output) -> Result:
    """The result of a candidate that was proved."""
    return Conclusion(prover, output, maker.secrets, maker.report, maker.interpreter, maker.listen).result()


def _written(output: Output, result: Result) -> Result:
    """The result with its test in a file."""
    return result if result.test is None else output.written(result, result.test)
