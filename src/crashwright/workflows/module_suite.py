"""The story of one module: search, examine, print, verify, write."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from crashwright.core.errors import CrashwrightError
from crashwright.core.settings import Budget, EngineSettings
from crashwright.core.suite import ModuleTarget
from crashwright.crash.interpreter import Interpreter
from crashwright.finishing.suite.fresh_runner import SuiteRunner
from crashwright.finishing.verify import RunFresh
from crashwright.workflows.suite_crew import Interruption
from crashwright.workflows.suite_events import SuiteStep
from crashwright.workflows.suite_examination import Examination, Examiner
from crashwright.workflows.suite_file import FinishedSuite, SuiteFinisher
from crashwright.workflows.suite_hunt import Listen, Seeds, SuiteEngine, SuiteHunt
from crashwright.workflows.suite_request import SuiteRequest
from crashwright.workflows.suite_result import NEAREST, NOTHING, WRITTEN, ModuleSuite, SuiteTiming
from crashwright.workflows.suite_time import SuiteTime

_REMINIMISING = 0.25
"""What of the time after the search may go into making tests smaller where the search's own engine did not come to it."""


class StartSuiteEngine(Protocol):
    """Starts an engine in the subject's interpreter: one that searches, or (with a task) one that examines ``seeds`` under a hash
    seed."""

    def __call__(
        self,
        interpreter: Interpreter,
        settings: EngineSettings,
        target: ModuleTarget,
        seeds: Seeds = (),
        task: str = "",
        hash_seed: int | None = None,
    ) -> SuiteEngine: ...


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

    def make(self, time: SuiteTime, budget: Budget) -> ModuleSuite:
        """The suite of this module, written. Raises CrashwrightError where it cannot be searched."""
        hunt = self._hunt(time, budget)
        hunt.run()
        time = time.after_search(self.interruption.stopping())
        hunt.minimise(_REMINIMISING * time.left())
        searched = time.elapsed()
        examination = self._examine(hunt, time)
        examined = time.elapsed()
        finished = self._finish(examination, time)
        timing = SuiteTiming(
            round(hunt.ready.import_seconds if hunt.ready else 0.0, 3),
            round(hunt.search_seconds, 3),
            round(examined - searched, 3),
            round(time.elapsed() - examined, 3),
            round(time.elapsed(), 3),
        )
        return self._written(replace(self._summary(hunt, examination, finished), timing=timing), finished)

    def _hunt(self, time: SuiteTime, budget: Budget) -> SuiteHunt:
        return SuiteHunt(
            self.target.module,
            self._settings(budget),
            lambda engine, seeds: self.start_engine(self.interpreter, engine, self.target, seeds),
            time,
            self.listen,
            self.interruption.stopping,
            self.interruption.leaving,
        )

    def _settings(self, budget: Budget) -> EngineSettings:
        return EngineSettings(search=self.request.search, budget=budget, path=self.path, allow=self._allow)

    @property
    def _allow(self) -> tuple[str, ...]:
        return tuple(name for name in self.request.allow if name != "secrets")  # that is about reports

    def _examine(self, hunt: SuiteHunt, time: SuiteTime) -> Examination:
        tests = hunt.tests
        if tests:
            self.listen(SuiteStep(self.target.module, "examining", len(tests)))
        examiner = Examiner(
            self._settings(Budget(None, None)),
            lambda settings, seeds, task, hash_seed: self.start_engine(
                self.interpreter, settings, self.target, seeds, task, hash_seed
            ),
            time,
            self.interruption.leaving,
        )
        return examiner.examine(tests, time.examination(hunt.ready.import_seconds if hunt.ready else 0.0))

    def _finish(self, examination: Examination, time: SuiteTime) -> FinishedSuite:
        if examination.tests:
            self.listen(SuiteStep(self.target.module, "verifying", len(examination.tests)))
        return self._finisher.finish(examination.tests, time)

    @property
    def _finisher(self) -> SuiteFinisher:
        one = self.interpreter
        runner = SuiteRunner(one.executable, one.has_pytest, self.scratch, self.run_fresh, self.path, self._allow)
        return SuiteFinisher(self.target, self.request.command, self.file, self.request.update, runner)

    def _summary(self, hunt: SuiteHunt, examination: Examination, finished: FinishedSuite) -> ModuleSuite:
        branches = hunt.suite.open_branches if hunt.suite is not None else ()
        seconds = hunt.search_seconds
        return ModuleSuite(
            self.target.module,
            WRITTEN if finished.tests else NOTHING,
            tests=finished.tests,
            assertions=finished.assertions,
            coverage=hunt.coverage,
            open_branches=branches[:NEAREST],
            open_count=len(branches),
            mutants_killed=examination.killed,
            mutants_total=examination.mutants,
            dropped=(*examination.dropped, *finished.dropped),
            evaluations=hunt.evaluations,
            tests_per_second=round(hunt.evaluations / seconds, 1) if seconds > 0 else 0.0,
            problem="" if finished.tests else self._why_nothing(hunt),
            notes=hunt.ready.notes if hunt.ready else (),
            incidents=tuple(dict.fromkeys((*hunt.incidents, *examination.incidents))),
        )

    def _why_nothing(self, hunt: SuiteHunt) -> str:
        if hunt.hints:
            return hunt.hints[0]
        return "every test that was found was dropped" if hunt.tests else "no call of it did anything that could be tested"

    def _written(self, suite: ModuleSuite, finished: FinishedSuite) -> ModuleSuite:
        if not finished.tests:
            return suite
        try:
            self._finisher.write(finished)
        except CrashwrightError as problem:
            # Found and not lost: the text is in the result, and so is the reason.
            lost = finished.file.text
            return replace(suite, exit_code=problem.exit_code, problem=problem.message, advice=problem.advice, text=lost)
        return replace(suite, file=str(self.file))


def problem_of(module: str, error: CrashwrightError) -> ModuleSuite:
    """What is said of a module of a package that could not be searched."""
    return ModuleSuite(module, error.exit_code, problem=error.message, advice=error.advice)
