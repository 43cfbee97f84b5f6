"""The story of one module: search, examine, print, verify, write."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from crashwright.core.errors import CrashwrightError
from crashwright.core.mechanisms import Mechanism
from crashwright.core.messages import Confined, Mutants, Task
from crashwright.core.portions import EXISTING_PART, REMINIMISING_PART
from crashwright.core.settings import Budget, EngineSettings
from crashwright.core.suite import KnownCoverage, ModuleTarget, SuiteTest
from crashwright.environment.interpreter import Interpreter
from crashwright.finishing.running.fresh_runner import FreshRunner, RunFresh
from crashwright.finishing.suite.existing import covered_by_existing
from crashwright.supervision.island import IslandEngine, Seeds
from crashwright.workflows.generate.advice import BeginBranches, advice_of
from crashwright.workflows.generate.branches import module_branches
from crashwright.workflows.generate.events import StepAfterSearch, SuiteStep
from crashwright.workflows.generate.examination import ExaminedSuite, Examiner
from crashwright.workflows.generate.existing import known_from
from crashwright.workflows.generate.file import LONGEST_VERIFICATION, FinishedSuite, SuiteFinisher
from crashwright.workflows.generate.hunt import Listen, SuiteHunt
from crashwright.workflows.generate.request import SuiteRequest
from crashwright.workflows.generate.result import NEAREST, NOTHING, WRITTEN, ModuleSuite, SuiteTiming
from crashwright.workflows.generate.side_by_side import Interruption
from crashwright.workflows.generate.time import SuiteTime
from crashwright.workflows.hunting.choices import of_the_subject

_ENGINE_START = 0.2
"""Seconds that an engine takes before it imports anything."""
_NOTHING_LEFT = "the existing tests cover everything that was found"


class StartSuiteEngine(Protocol):
    """Starts an engine in the subject's interpreter: one that searches, and asks where questions are answered (``insights``), or
    (with a task) one that examines ``seeds`` under a hash seed, some of them ``spares``."""

    def __call__(
        self,
        interpreter: Interpreter,
        settings: EngineSettings,
        target: ModuleTarget,
        seeds: Seeds = (),
        task: Task = Task.SEARCH,
        hash_seed: int | None = None,
        spares: tuple[int, ...] = (),
        insights: bool = False,
    ) -> IslandEngine: ...


@dataclass(frozen=True, slots=True)
class ModuleWork:
    """What one module's suite is made with. ``file`` is where it goes; ``path`` goes on the subject's ``sys.path``."""

    request: SuiteRequest
    interpreter: Interpreter
    target: ModuleTarget
    path: tuple[str, ...]
    file: Path
    scratch: Path
    start_engine: StartSuiteEngine
    run_fresh: RunFresh
    listen: Listen
    interruption: Interruption
    islands: int = 1
    """Engines that search at the same time."""
    begin_branches: BeginBranches | None = None
    """Composes tests for branches that one engine leaves open."""
    cache: str = ""
    """The user's cache folder."""

    def make(self, time: SuiteTime, budget: Budget) -> ModuleSuite:
        """The suite of this module, written. Raises CrashwrightError where it cannot be searched."""
        known = self._existing(time)
        return replace(self, target=replace(self.target, known=known))._made(time, budget)

    def _made(self, time: SuiteTime, budget: Budget) -> ModuleSuite:
        hunt, time = self._searched(time, budget)
        searched = time.elapsed()
        examination = self._examine(hunt, hunt.tests, time)
        examined = time.elapsed()
        finished = self._finish(examination, time)
        verified = time.elapsed()
        suite = self._written(self._summary(hunt, examination, finished), finished)
        timing = SuiteTiming(
            imported=round(hunt.ready.import_seconds if hunt.ready else 0.0, 3),
            search=round(hunt.search_seconds, 3),
            minimising=round(hunt.minimising_seconds, 3),
            examination=round(examined - searched, 3),
            verification=round(verified - examined, 3),
            writing=round(time.elapsed() - verified, 3),
            total=round(time.elapsed(), 3),
        )
        return replace(suite, timing=timing)

    def _existing(self, time: SuiteTime) -> KnownCoverage:
        """What the user's own tests cover, where they are named. The file that is about to be replaced does not count."""
        if self.request.existing_tests is None:
            return KnownCoverage()
        folder = Path(self.request.folder) / self.request.existing_tests
        until = time.clock() + min(EXISTING_PART * time.afterwards, LONGEST_VERIFICATION)
        part = self.request.part
        stands = self.file if part is None else Path(part.file)
        replaced = stands if self.request.update else None
        return known_from(covered_by_existing(folder, self.target.module, self._runner, lambda: until - time.clock(), replaced))

    def _searched(self, time: SuiteTime, budget: Budget) -> tuple[SuiteHunt, SuiteTime]:
        """The search, and the time of what follows it."""
        search = self.request.search
        asks = self.islands == 1 and search.engine == "portfolio" and search.uses(Mechanism.PRECONDITIONS)
        begin = self.begin_branches if asks else None
        with advice_of(self.target.module, budget, begin, time.clock) as advice:
            hunt = SuiteHunt(
                module=self.target.module,
                settings=self._settings(budget),
                start=lambda engine, seeds: self.start_engine(
                    self.interpreter, engine, self.target, seeds, insights=begin is not None
                ),
                time=time,
                listen=self.listen,
                stopping=self.interruption.stopping,
                leaving=self.interruption.leaving,
                islands=self.islands,
                advice=advice,
            )
            hunt.run()
        if advice is not None and advice.problem:
            hunt.incidents.append(f"searched without tests composed for open branches: {advice.problem}")
        time = replace(time, engine_start=hunt.time.engine_start).after_search(self.interruption.stopping())
        hunt.minimise(REMINIMISING_PART * time.left())
        return hunt, time

    def _settings(self, budget: Budget) -> EngineSettings:
        preparation = self.target.preparation
        cache = self.cache if self.request.cache else ""
        return EngineSettings(
            search=self.request.search, budget=budget, path=self.path, cache=cache, allow=self._allow, preparation=preparation
        )

    @property
    def _allow(self) -> tuple[str, ...]:
        return of_the_subject(self.request.allow)

    def _examine(self, hunt: SuiteHunt, tests: tuple[SuiteTest, ...], time: SuiteTime) -> ExaminedSuite:
        imported = hunt.ready.import_seconds if hunt.ready else 0.0
        if tests:
            self.listen(SuiteStep(self.target.module, StepAfterSearch.EXAMINING, len(tests)))
        examiner = Examiner(
            self._settings(Budget(None, None)),
            lambda settings, seeds, task, hash_seed, spares: self.start_engine(
                self.interpreter, settings, self.target, seeds, task, hash_seed, spares
            ),
            time,
            self.interruption.leaving,
            max(_ENGINE_START + imported, time.engine_start),
            self.request.keep_redundant,
        )
        return examiner.examine(tests, time.examination(imported))

    def _finish(self, examination: ExaminedSuite, time: SuiteTime) -> FinishedSuite:
        if examination.tests:
            self.listen(SuiteStep(self.target.module, StepAfterSearch.VERIFYING, len(examination.tests)))
        return self._finisher.finish(examination.tests, time)

    @property
    def _runner(self) -> FreshRunner:
        one = self.interpreter
        return FreshRunner(one.executable, one.has_pytest, self.scratch, self.run_fresh, self.path, self._allow)

    @property
    def _finisher(self) -> SuiteFinisher:
        return SuiteFinisher(
            self.target,
            self.request.command,
            self.file,
            self.request.update,
            self._runner,
            self.request.most_tests,
            self.request.force,
        )

    def _summary(self, hunt: SuiteHunt, examination: ExaminedSuite, finished: FinishedSuite) -> ModuleSuite:
        mutants = examination.mutants
        branches = hunt.suite.open_branches if hunt.suite is not None else ()
        seconds = hunt.search_seconds
        nothing_left = hunt.suite is not None and not hunt.tests and self.request.existing_tests is not None
        return ModuleSuite(
            self.target.module,
            WRITTEN if finished.tests or nothing_left else NOTHING,
            tests=finished.tests,
            assertions=finished.assertions,
            coverage=hunt.coverage,
            open_branches=branches[:NEAREST],
            open_count=len(branches),
            never_returned=hunt.suite.never_returned if hunt.suite is not None else (),
            possible_defects=hunt.suite.defects if hunt.suite is not None else (),
            branches=module_branches(hunt.suite, examination.tests, finished.file) if hunt.suite is not None else (),
            mutants=mutants.lines if mutants else (),
            mutants_killed=_noticed(mutants, finished) if mutants else 0,
            mutants_total=mutants.total if mutants else None,
            mutants_untried=mutants.total - mutants.tried if mutants else 0,
            mutants_excluded=mutants.excluded if mutants else 0,
            dropped=(*examination.dropped, *finished.dropped),
            elsewhere=finished.elsewhere,
            evaluations=hunt.evaluations,
            tests_per_second=round(hunt.evaluations / seconds, 1) if seconds > 0 else 0.0,
            problem="" if finished.tests else _NOTHING_LEFT if nothing_left else _why_nothing(hunt),
            confined=hunt.ready.confined if hunt.ready else Confined(),
            probes=hunt.ready.probes if hunt.ready else "",
            incidents=tuple(dict.fromkeys((*hunt.incidents, *examination.incidents))),
        )

    def _written(self, suite: ModuleSuite, finished: FinishedSuite) -> ModuleSuite:
        if not finished.tests:
            return suite
        try:
            self._finisher.write(finished)
        except CrashwrightError as problem:
            # Found and not lost: the text is in the result, and so is the reason.
            lost = finished.file.text
            return replace(suite, exit_code=problem.exit_code, problem=problem.message, advice=problem.advice, text=lost)
        return replace(suite, file=str(self.file), printed=finished.file.text)


def _noticed(mutants: Mutants, finished: FinishedSuite) -> int:
    """How many mutants a test tells that is in the file."""
    written = {place for test in finished.file.tests for place in test.indices}
    return sum(not written.isdisjoint(tests) for tests in mutants.killers)


def _why_nothing(hunt: SuiteHunt) -> str:
    if hunt.ready is None:
        return "its import used up the budget; a larger --budget leaves time for the search"
    return "every test that was found was dropped" if hunt.tests else "no call did anything that a test could check"
