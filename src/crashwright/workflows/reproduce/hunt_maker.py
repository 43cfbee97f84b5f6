"""Makes the searches of a run of ``reproduce``, from whichever frame they begin, with their engines and judges."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from crashwright.core.messages import Insight, Suggestions
from crashwright.core.report import CrashReport
from crashwright.core.settings import Budget, EngineSettings
from crashwright.core.target import CrashTarget
from crashwright.crash.fingerprint import fingerprint
from crashwright.crash.resolve import ResolvedCrash, resolve
from crashwright.crash.secrets.filter import SecretFilter
from crashwright.crash.suggested import SuggestedInReport
from crashwright.engine.subject.api.inner_frames import inner_frames
from crashwright.environment.interpreter import Interpreter
from crashwright.finishing.crash.finisher import Finisher
from crashwright.finishing.crash.verify import Verifier
from crashwright.finishing.running.fresh_runner import FreshRunner
from crashwright.workflows.deadline import Deadline
from crashwright.workflows.events import Event, RunJudged, Told
from crashwright.workflows.fixed_side import fixed_judge
from crashwright.workflows.hunting.choices import of_the_subject
from crashwright.workflows.hunting.foresight import Foresight
from crashwright.workflows.reproduce.continuation import Continuation
from crashwright.workflows.reproduce.harmless import Harmless
from crashwright.workflows.reproduce.hunt import Engine, Hunt
from crashwright.workflows.reproduce.inwards import REST, share_of
from crashwright.workflows.reproduce.machinery import Machinery
from crashwright.workflows.reproduce.proving.prover import Prover
from crashwright.workflows.reproduce.request import Request
from crashwright.workflows.reproduce.sifted_engine import SiftedEngine
from crashwright.workflows.reproduce.suggesting import Suggesting

Listen = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class HuntMaker:
    """The fields are what all searches of a run have in common."""

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

    def with_prover(self, resolved: ResolvedCrash) -> tuple[HuntMaker, Prover]:
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
