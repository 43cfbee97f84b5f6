"""The story of ``crashwright generate``: find the modules, make the suite of each, sum up."""

from __future__ import annotations

import difflib
import os
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

from crashwright.core.errors import CrashwrightError, EnvironmentProblem, ExitCode, UsageError
from crashwright.core.preparation import Preparation
from crashwright.core.settings import Budget
from crashwright.core.suite import ModuleTarget
from crashwright.crash.preparation import django_preparation
from crashwright.crash.secrets.filter import SecretFilter
from crashwright.crash.suggested import Suggested, suggested_code
from crashwright.environment.interpreter import Interpreter, inspect_interpreter
from crashwright.environment.package_modules import SourceModule, Subject, find_subject
from crashwright.finishing.running.fresh_runner import RunFresh
from crashwright.finishing.suite.file_names import suite_file_names
from crashwright.finishing.suite.writer import beside_what_is_written, check_suite_path
from crashwright.finishing.write import check_writable
from crashwright.workflows.deadline import Clock
from crashwright.workflows.generate.advice import BeginBranches
from crashwright.workflows.generate.events import ModuleEnded, SubjectFound, SuiteEvent, SuiteInterrupted
from crashwright.workflows.generate.hunt import Listen
from crashwright.workflows.generate.module_suite import ModuleWork, StartSuiteEngine, problem_of
from crashwright.workflows.generate.request import SuiteRequest
from crashwright.workflows.generate.result import NOTHING, WRITTEN, ModuleSuite, SuiteResult
from crashwright.workflows.generate.shares import Shares
from crashwright.workflows.generate.side_by_side import Interruption, work_off
from crashwright.workflows.generate.time import LEAST_TURN, SuiteTime


@dataclass(frozen=True, slots=True)
class SuiteMachinery:
    """What the story runs on; tests put in their own."""

    start_engine: StartSuiteEngine
    run_fresh: RunFresh
    scratch: Callable[[], AbstractContextManager[Path]]
    clock: Clock
    began: float | None = None
    """When the command began, on the clock; None: when the story does."""
    begin_branches: BeginBranches | None = None
    """Composes tests for branches that a search leaves open; None: nothing does."""


def generate(request: SuiteRequest, machinery: SuiteMachinery, listen: Listen) -> SuiteResult:
    """Write a suite for each module. Ctrl-C makes suites of what is there; a second one leaves at once. Raises CrashwrightError."""
    begin = machinery.began or machinery.clock()
    folder = _output_folder(request)
    interpreter = inspect_interpreter(request.python, request.path)
    subject = find_subject(request.subject, interpreter, Path(request.folder))
    _check(subject, request)
    preparation = django_preparation(interpreter)
    sift = SecretFilter("secrets" in request.allow).text
    suggested = suggested_code(one._replace(text=sift(one.text)) for one in request.candidates)
    notes = (*subject.notes, *([f"set up: {preparation.text}"] if preparation else []), *suggested.problems)
    listen(SubjectFound(subject.name, tuple(module.name for module in subject.modules), interpreter.version_text, notes))
    lock = threading.Lock()

    def tell(event: SuiteEvent) -> None:
        with lock:
            listen(event)

    interruption = Interruption(lambda: tell(SuiteInterrupted()))
    path = tuple(dict.fromkeys(map(os.path.abspath, (*request.path, *subject.extra_path))))
    with machinery.scratch() as scratch:
        crew = _Crew(
            request=request,
            machinery=machinery,
            interpreter=interpreter,
            subject=subject,
            path=path,
            folder=folder,
            scratch=scratch,
            listen=tell,
            interruption=interruption,
            begin=begin,
            preparation=preparation,
            suggested=suggested,
        )
        suites = crew.work()
    return SuiteResult(
        exit_code=ExitCode.INTERRUPTED if interruption.stopping() else _verdict(suites),
        subject=subject.name,
        python=interpreter.version_text,
        seed=request.search.seed,
        modules=tuple(suites),
        seconds=round(machinery.clock() - begin, 3),
        notes=notes,
        import_path=path,
        command=request.command,
        interpreter=request.asked_python,
        has_pytest=interpreter.has_pytest,
    )


def _output_folder(request: SuiteRequest) -> Path:
    folder = Path(request.folder)
    if request.output is not None:
        chosen = folder / request.output
    else:
        chosen = folder / "tests" if (folder / "tests").is_dir() else folder
    if chosen.is_file():
        raise UsageError(f"--output {request.output}: is a file.", "Name a folder for the test files.")
    if not chosen.is_dir():
        raise EnvironmentProblem(f"There is no folder {chosen}.", "Make it, or name another one with --output.")
    check_writable(chosen / "test.py")
    return chosen


def _check(subject: Subject, request: SuiteRequest) -> None:
    """What can be said before any engine is started."""
    if request.targets:
        if subject.is_package:
            raise UsageError("--target chooses within one module.", f"Name it: crashwright generate {subject.name}.MODULE")
        names = subject.modules[0].names
        for name in request.targets:
            if names is not None and name not in names:
                close = difflib.get_close_matches(name, names, n=1) or difflib.get_close_matches(
                    name.rpartition(".")[2], names, n=1
                )
                advice = f"Did you mean {close[0]}?" if close else "Name it as in Class.method, without the module."
                raise UsageError(f"{subject.name} has no function or class {name} in its source.", advice)
    if request.existing_tests is not None and not (Path(request.folder) / request.existing_tests).is_dir():
        raise EnvironmentProblem(
            f"There is no folder {request.existing_tests}.", "--existing-tests takes the folder of your tests."
        )


def _verdict(suites: list[ModuleSuite]) -> ExitCode:
    if any(suite.file for suite in suites):
        return WRITTEN
    return next((suite.exit_code for suite in suites if suite.exit_code is not NOTHING), NOTHING)


@dataclass(slots=True)
class _Crew:
    """Makes the suites of all modules, the large ones first."""

    request: SuiteRequest
    machinery: SuiteMachinery
    interpreter: Interpreter
    subject: Subject
    path: tuple[str, ...]
    folder: Path
    scratch: Path
    listen: Listen
    interruption: Interruption
    begin: float
    preparation: Preparation
    suggested: Suggested
    _ended: int = 0

    def work(self) -> list[ModuleSuite]:
        modules = [module for module in self.subject.modules if module.has_callables]
        if not modules:
            return [_nothing_to_call(module) for module in self.subject.modules]
        whole = SuiteTime(self.machinery.clock, self.begin, self.request.budget.seconds)
        shares = Shares(self.request.budget, modules, self.request.jobs, whole.turns(self.request.jobs))
        names = suite_file_names([one.name for one in modules])
        files = {module: beside_what_is_written(self.folder / name) for module, name in names.items()}
        for file in files.values():
            check_suite_path(file, self.request.update)
        ordered = sorted(modules, key=lambda module: (-module.weight, module.name))

        def make(module: SourceModule) -> ModuleSuite:
            budget = shares.take(module.name)
            time = self._time(whole, budget)
            if time is None or self.interruption.stopping():
                return _not_begun(module, None if self.interruption.stopping() else len(modules))
            suite = self._make(module, budget, time, files[module.name])
            shares.give_back(budget, suite.timing.search)
            if self.subject.is_package:
                self._ended += 1
                self.listen(ModuleEnded(suite, self._ended, len(modules)))
            return suite

        suites = work_off(ordered, make, self.request.jobs, self.interruption)
        return sorted(suites, key=lambda suite: suite.module)

    def _time(self, whole: SuiteTime, budget: Budget) -> SuiteTime | None:
        """Of the module whose turn it is; None where the others have used it up."""
        if not self.subject.is_package:
            return whole
        if budget.seconds is None:
            return SuiteTime(self.machinery.clock, self.machinery.clock(), None)
        return whole.turn(budget.seconds)

    def _make(self, module: SourceModule, budget: Budget, time: SuiteTime, file: Path) -> ModuleSuite:
        request = self.request
        target = ModuleTarget(
            module.name,
            request.targets,
            request.criteria,
            request.selection,
            preparation=self.preparation,
            accidents=request.accidents,
            candidates=self.suggested.code,
        )
        scratch = self.scratch / module.name
        scratch.mkdir()
        work = ModuleWork(
            request=request,
            interpreter=self.interpreter,
            target=target,
            path=self.path,
            file=file,
            scratch=scratch,
            start_engine=self.machinery.start_engine,
            run_fresh=self.machinery.run_fresh,
            listen=self.listen,
            interruption=self.interruption,
            islands=1 if self.subject.is_package else request.jobs,
            begin_branches=self.machinery.begin_branches,
        )
        try:
            return replace(work.make(time, Budget(time.search, budget.evaluations)), source=module.text)
        except CrashwrightError as error:
            if not self.subject.is_package:
                raise
            return problem_of(module.name, error)


def _nothing_to_call(module: SourceModule) -> ModuleSuite:
    return ModuleSuite(module.name, NOTHING, problem=f"{module.name} has no functions or classes: there is nothing to test")


def _not_begun(module: SourceModule, modules: int | None) -> ModuleSuite:
    """``modules`` are those of the package, None where the user wanted an end."""
    if modules is None:
        return ModuleSuite(module.name, NOTHING, problem="its turn did not come")
    more = f"--budget {2 * LEAST_TURN * modules:g} leaves time for all {modules} modules; or name one of them."
    return ModuleSuite(module.name, NOTHING, problem="no time was left for it: larger modules used it up", advice=more)
