"""The story of one module: search, examine, print, verify, write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from crashwright.core.errors import CrashwrightError, EnvironmentProblem
from crashwright.core.settings import Budget, EngineSettings
from crashwright.core.suite import ModuleTarget
from crashwright.crash.interpreter import Interpreter
from crashwright.finishing.verify import RunFresh
from crashwright.finishing.write import write
from crashwright.workflows.suite_crew import Interruption
from crashwright.workflows.suite_events import SuiteStep
from crashwright.workflows.suite_examination import Examination, Examiner
from crashwright.workflows.suite_file import SuiteFile, finish_suite
from crashwright.workflows.suite_hunt import Listen, Seeds, SuiteEngine, SuiteHunt
from crashwright.workflows.suite_request import SuiteRequest
from crashwright.workflows.suite_result import NEAREST, NOTHING, WRITTEN, ModuleSuite, SuiteTiming
from crashwright.workflows.suite_time import SuiteTime


class StartSuiteEngine(Protocol):
    """Starts an engine in the subject's interpreter: one that searches, or (with a hash seed) one that examines ``seeds``."""

    def __call__(
        self,
        interpreter: Interpreter,
        settings: EngineSettings,
        target: ModuleTarget,
        seeds: Seeds = (),
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
        searched = time.elapsed()
        examination = self._examine(hunt, time)
        examined = time.elapsed()
        finished = self._finish(hunt, examination, time)
        timing = SuiteTiming(
            round(hunt.ready.import_seconds if hunt.ready else 0.0, 3),
            round(hunt.search_seconds, 3),
            round(examined - searched, 3),
            round(time.elapsed() - examined, 3),
            round(time.elapsed(), 3),
        )
        return self._written(replace(self._summary(hunt, examination, finished), timing=timing), finished)

    def _hunt(self, time: SuiteTime, budget: Budget) -> SuiteHunt:
        settings = self._settings(budget)
        return SuiteHunt(
            self.target.module,
            settings,
            lambda engine, seeds: self.start_engine(self.interpreter, engine, self.target, seeds),
            time,
            self.listen,
            self.interruption.stopping,
        )

    def _settings(self, budget: Budget) -> EngineSettings:
        allow = tuple(name for name in self.request.allow if name != "secrets")
        return EngineSettings(search=self.request.search, budget=budget, path=self.path, allow=allow)

    def _examine(self, hunt: SuiteHunt, time: SuiteTime) -> Examination:
        tests = hunt.tests
        if tests:
            self.listen(SuiteStep(self.target.module, "examining", len(tests)))
        examiner = Examiner(
            self._settings(Budget(None, None)),
            lambda settings, seeds, hash_seed: self.start_engine(self.interpreter, settings, self.target, seeds, hash_seed),
            time,
            self.interruption.leaving,
        )
        return examiner.examine(tests, time.examination(hunt.ready.import_seconds if hunt.ready else 0.0))

    def _finish(self, hunt: SuiteHunt, examination: Examination, time: SuiteTime) -> SuiteFile:
        if examination.tests:
            self.listen(SuiteStep(self.target.module, "verifying", len(examination.tests)))
        return finish_suite(self, examination.tests, time)

    def _summary(self, hunt: SuiteHunt, examination: Examination, finished: SuiteFile) -> ModuleSuite:
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

    def _written(self, suite: ModuleSuite, finished: SuiteFile) -> ModuleSuite:
        if not finished.tests:
            return suite
        try:
            write(finished.text, self.file)
        except EnvironmentProblem as problem:
            # Found and not lost: the text is in the result, and so is the reason.
            return replace(suite, exit_code=problem.exit_code, problem=problem.message, advice=problem.advice, text=finished.text)
        return replace(suite, file=str(self.file))


def problem_of(module: str, error: CrashwrightError) -> ModuleSuite:
    """What is said of a module of a package that could not be searched."""
    return ModuleSuite(module, error.exit_code, problem=error.message, advice=error.advice)


MakeTime = Callable[[Budget], SuiteTime]
