"""The story of ``crashwright reproduce``: report, subject, target, search, print, judge, write."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from crashwright.core.errors import EnvironmentProblem, ExitCode, NoWayIn, PreparationProblem, SettingsMissing
from crashwright.core.mechanisms import Mechanism
from crashwright.core.messages import Insight, Suggestions
from crashwright.core.preparation import Preparation
from crashwright.core.report import CrashReport
from crashwright.core.settings import Budget, EngineSettings
from crashwright.core.target import CrashTarget
from crashwright.crash.candidates import choose_crash
from crashwright.crash.fingerprint import cache_key, fingerprint
from crashwright.crash.invocations import told_invocations
from crashwright.crash.preparation import folders_of, minimal_settings, preparation_for
from crashwright.crash.readers.registry import read_reports
from crashwright.crash.readers.selection import choose_report
from crashwright.crash.resolve import ResolvedCrash, resolve
from crashwright.crash.secrets.filter import SecretFilter
from crashwright.crash.suggested import SuggestedInReport, suggested_code
from crashwright.engine.subject.api.inner_frames import in_turn, inner_frames
from crashwright.environment.interpreter import Interpreter, inspect_interpreter
from crashwright.finishing.crash.finisher import FinishedTest, Finisher
from crashwright.finishing.crash.verify import Verifier
from crashwright.finishing.naming import function_name
from crashwright.finishing.running.fresh_runner import FreshRunner, RunFresh
from crashwright.supervision.asked_program import AskedProgram
from crashwright.workflows.deadline import Clock, Deadline
from crashwright.workflows.events import Event, GoingInwards, Interrupted, ReportRead, RunJudged, SubjectResolved, Told
from crashwright.workflows.fixed_side import fixed_judge
from crashwright.workflows.hunting.choices import of_the_subject
from crashwright.workflows.hunting.foresight import NOTHING, BeginWalk, Foresight, Knowledge, foresight_of
from crashwright.workflows.reading import telling
from crashwright.workflows.reproduce.asked import candidates_given, suggesting_of
from crashwright.workflows.reproduce.cache import Cache, CachedTest
from crashwright.workflows.reproduce.conclusion import best_of, conclude
from crashwright.workflows.reproduce.continuation import Continuation
from crashwright.workflows.reproduce.course import Course
from crashwright.workflows.reproduce.excerpts import excerpts
from crashwright.workflows.reproduce.harmless import Harmless
from crashwright.workflows.reproduce.hunt import Engine, Hunt
from crashwright.workflows.reproduce.inwards import REST, InnerSearch, found_inside, next_frame, share_of
from crashwright.workflows.reproduce.output import Output
from crashwright.workflows.reproduce.proving.conclusion import Conclusion
from crashwright.workflows.reproduce.proving.own_tests import ProjectTests
from crashwright.workflows.reproduce.proving.proved import level_of
from crashwright.workflows.reproduce.proving.prover import Prover
from crashwright.workflows.reproduce.request import Request
from crashwright.workflows.reproduce.result import Result
from crashwright.workflows.reproduce.sifted_engine import SiftedEngine
from crashwright.workflows.reproduce.suggesting import StartProgram, Suggesting, recorded

Listen = Callable[[Event], None]
_MOST_SEEDS = 4
"""How many of the tests found for the chosen frame are tried first for one further in."""


class StartEngine(Protocol):
    """Starts engines in the subject's interpreter, ``jobs`` of them, which appear as one."""

    def __call__(
        self,
        interpreter: Interpreter,
        settings: EngineSettings,
        target: CrashTarget,
        seeds: tuple[dict[str, Any], ...] = (),
        jobs: int = 1,
        knowledge: Knowledge = NOTHING,
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
    begin_walk: BeginWalk | None = None
    """Begins the symbolic search for preconditions and tests; None: there is none."""
    ask: StartProgram = AskedProgram
    """Starts a program of the user's."""
    release: Callable[[], None] = lambda: None
    """Called when no engine will be started any more."""
    cache: str = ""
    """The user's cache folder, for engines; "" where nothing is kept there."""


@dataclass(frozen=True, slots=True)
class _Site:
    """What all searches of a run have in common."""

    request: Request
    machinery: Machinery
    interpreter: Interpreter
    deadline: Deadline
    scratch: Path
    listen: Listen
    secrets: SecretFilter
    foresight: Foresight
    suggested: SuggestedInReport
    suggesting: Suggesting
    report: CrashReport
    prover: Prover | None = None

    def outer(self, resolved: ResolvedCrash, seeds: tuple[dict[str, Any], ...], earlier: Continuation) -> Hunt:
        """The search from the chosen frame, which goes on from an ``earlier`` one."""
        request = self.request
        bounded = request.budget.seconds is not None or request.budget.evaluations is not None
        rest = REST if bounded and request.frame is None and inner_frames(resolved.target) else 0.0
        hunt = self.hunt(resolved, seeds, share_of(request.budget, rest), rest)
        harmless = Harmless(self.secrets)
        hunt.keep, hunt.evaluations_before = lambda best: earlier.keep(harmless.best(best)), earlier.evaluations
        return hunt

    def runner(self, resolved: ResolvedCrash) -> FreshRunner:
        """What runs files in fresh interpreters."""
        request, python = self.request, self.interpreter
        path = tuple(dict.fromkeys(os.path.abspath(folder) for folder in (*request.path, *resolved.extra_path)))
        allow, fresh = of_the_subject(request.allow), self.machinery.run_fresh
        return FreshRunner(python.executable, python.has_pytest, self.scratch, fresh, path, allow, self.secrets.text)

    def with_prover(self, resolved: ResolvedCrash) -> tuple[_Site, Prover]:
        """With what runs candidates as they are."""
        request, listen = self.request, self.listen

        def inner(frame: int) -> CrashTarget:
            return resolve(self.report, self.interpreter, request.package, frame, self.secrets).target

        prover = Prover(
            request,
            resolved,
            self.runner(resolved),
            self.deadline,
            tell=lambda text: listen(Told(self.secrets.text(text))),
            on_run=lambda level, run: listen(RunJudged(level, run)),
            inner=inner,
        )
        return replace(self, prover=prover), prover

    def hunt(
        self, resolved: ResolvedCrash, seeds: tuple[dict[str, Any], ...], budget: Budget, rest: float, short_of: str = ""
    ) -> Hunt:
        """A search that leaves ``rest`` of the time to others; ``budget`` says how many evaluations it has."""
        request, target, secrets, listen = self.request, resolved.target, self.secrets, self.listen
        # Engines and fresh runs have folders of their own to stand in.
        runner, python = self.runner(resolved), self.interpreter
        verifier = Verifier(target, runner, lambda level, run: listen(RunJudged(level, run)))
        finisher = Finisher(
            target,
            verifier,
            request.expect,
            secrets.value(request.command),
            fingerprint(target),
            preparation=resolved.preparation,
            short_of=short_of,
            judge=fixed_judge(request.fixed, target, python, runner) if request.fixed else None,
        )
        path, allow = runner.path, runner.allow
        settings = EngineSettings(
            search=request.search,
            budget=budget,
            path=path,
            cache=self.machinery.cache if request.cache else "",
            allow=allow,
            preparation=resolved.preparation,
        )

        def start(engine: EngineSettings) -> Engine:
            # Where the judge has refused what the first engine found, the same tests would only lead there again.
            first = seeds if engine.search.seed == request.search.seed else ()
            knowledge, answered = self.foresight.at_start(), self.suggesting.for_engine()
            if engine.search.seed == request.search.seed:
                candidates = (*self.suggested.code, *answered)
                knowledge = replace(knowledge, candidates=candidates, suggests=self.suggesting.may_ask)
            started = self.machinery.start_engine(self.interpreter, engine, target, first, request.jobs, knowledge)
            return SiftedEngine(started, secrets)

        def news() -> Insight | Suggestions | None:
            found = self.foresight.news() or self.suggesting.news()
            if isinstance(found, Suggestions) and self.prover is not None:
                self.prover.try_all(found.candidates)
                if self.prover.is_enough:
                    # The engine is not told any more: what repeats this run is to know it all the same.
                    self.suggesting.hear(self.prover.tried)
            return found

        def enough() -> bool:
            return self.prover is not None and self.prover.is_enough

        hear, finish = self.suggesting.hear, Harmless(secrets).finish(finisher.finish)
        hunt = Hunt(settings, start, finish, self.deadline, listen, news=news, hear=hear, enough=enough, rest=rest)
        hunt.stands_still = self.foresight.ask
        return hunt


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
            site = _Site(
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
            site, prover = site.with_prover(resolved)
            prover.try_all((*suggested_code(request.candidates).code, *(one.code for one in request.suggestions)))
            if not prover.is_enough and request.search.uses(Mechanism.OWN_TESTS):
                given = ProjectTests(prover, secrets.report(report)).tried()
                site = replace(site, suggested=suggested._replace(code=(*suggested.code, *given)))
            if prover.is_enough:
                return _proved(site, prover, output)
            hunt = site.outer(resolved, seeds, earlier)
            closed: NoWayIn | None = None
            try:
                interrupted = _run(hunt, listen)
            except PreparationProblem as problem:
                if request.setup or resolved.preparation.django:
                    raise
                # An application was found, but is not set up as easily: most functions can be called without.
                resolved = replace(resolved, preparation=Preparation(), notes=(*resolved.notes, problem.message))
                hunt = site.outer(resolved, seeds, earlier)
                interrupted = _run(hunt, listen)
            except SettingsMissing as problem:
                if resolved.own or resolved.preparation.django:
                    raise
                preparation = minimal_settings(resolved.target, resolved.preparation)
                resolved = replace(resolved, preparation=preparation, notes=(*resolved.notes, f"set up: {preparation.text}"))
                hunt = site.outer(resolved, seeds, earlier)
                interrupted = _with_settings(hunt, listen, problem)
            except NoWayIn as problem:
                if not hunt.rest:
                    raise
                hunt.hints, interrupted, closed = (problem.message,), False, problem
            inwards: tuple[InnerSearch, ...] = ()
            if hunt.rest and not interrupted and not hunt.reproduced:
                inwards, interrupted = _go_on(site, report, resolved, hunt)
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
        found = _proved(site, prover, output)
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


def _run(hunt: Hunt, listen: Listen) -> bool:
    """Whether the user interrupted the search. What was found until then is judged; another interrupt goes through."""
    try:
        hunt.run()
    except KeyboardInterrupt:
        listen(Interrupted())
        hunt.leave_nothing()
        hunt.judge_best()
        return True
    return False


def _with_settings(hunt: Hunt, listen: Listen, without: SettingsMissing) -> bool:
    """As :func:`_run`. Where minimal settings do not do, what was missing ``without`` any is told."""
    try:
        return _run(hunt, listen)
    except PreparationProblem:
        raise without from None


def _go_on(site: _Site, report: CrashReport, resolved: ResolvedCrash, hunt: Hunt) -> tuple[tuple[InnerSearch, ...], bool]:
    """What is left of the budget goes inwards, and whether the user interrupted that. Where only the message differs nothing
    further in can come nearer: then it goes to the chosen frame, with another seed."""
    budget, best = site.request.budget, hunt.best
    hunt.leave_nothing()
    if best is not None and best.level == 3:
        hunt.settings = replace(
            hunt.settings, budget=budget, search=replace(hunt.settings.search, seed=site.request.search.seed + 1)
        )
        return (), _run(hunt, site.listen)
    outer = function_name(resolved.target.package_frames[0])
    agreeing = best.verification.agreement.frames if best is not None and best.level == 2 else 0
    frames = in_turn(inner_frames(resolved.target, agreeing))
    seeds = tuple(one.test for one in hunt.candidates[-_MOST_SEEDS:])
    searches: list[InnerSearch] = []
    inner = _FurtherIn(site, report, resolved, seeds, outer)
    while frames:
        spent = hunt.evaluations + sum(one.hunt.evaluations for one in searches)
        used = max(hunt.used, spent / budget.evaluations if budget.evaluations else 0.0)
        number, rest = next_frame(frames, used)
        frames = tuple(one for one in frames if one < number)
        name, one = inner.hunt(number, share_of(budget, rest, spent), rest)
        one.usual_start, one.whole_only = hunt.start_seconds, True
        if not one.has_time:
            break
        site.listen(GoingInwards(number, name, outer))
        problem, interrupted = "", False
        try:
            interrupted = _run(one, site.listen)
        except EnvironmentProblem as error:
            # The search from the chosen frame has its result, whatever stands in the way of one from here.
            problem = error.message
        searches.append(InnerSearch(number, name, one, problem))
        if interrupted or one.reproduced:
            return tuple(searches), interrupted
    for number, found in found_inside(hunt.candidates, inner_frames(resolved.target)):
        name, one = inner.hunt(number, budget, 0.0)
        one.candidates.append(replace(found, level=4))
        one.judge_best()
        if one.reproduced:
            searches.append(InnerSearch(number, name, one))
            break
    return tuple(searches), False


@dataclass(frozen=True, slots=True)
class _FurtherIn:
    """Makes searches from frames further in than ``outer``."""

    site: _Site
    report: CrashReport
    resolved: ResolvedCrash
    seeds: tuple[dict[str, Any], ...]
    outer: str

    def hunt(self, number: int, budget: Budget, rest: float) -> tuple[str, Hunt]:
        """The name of that frame, counted from the crash, and the search."""
        site, resolved = self.site, self.resolved
        inner = resolve(self.report, site.interpreter, site.request.package, number, site.secrets)
        target = replace(inner.target, invocations=resolved.target.invocations)
        inner = replace(inner, target=target, preparation=resolved.preparation, extra_path=resolved.extra_path)
        return function_name(inner.target.package_frames[0]), site.hunt(inner, self.seeds, budget, rest, self.outer)


def _proved(site: _Site, prover: Prover, output: Output) -> Result:
    """The result of a candidate that was proved."""
    return Conclusion(prover, output, site.secrets, site.report, site.interpreter, site.listen).result()


def _written(output: Output, result: Result) -> Result:
    """The result with its test in a file."""
    return result if result.test is None else output.written(result, result.test)
