"""The story of ``crashwright generate`` for one module: find it, make its suite, sum up. Many are the story of ``modules``."""

from __future__ import annotations

import difflib
import math
import os
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

from crashwright.core.errors import EnvironmentProblem, ExitCode, PreparationProblem, SettingsMissing, UsageError
from crashwright.core.preparation import Preparation
from crashwright.core.suite import ModuleTarget
from crashwright.crash.preparation import folders_of, preparation_for_suites, settings_for_module
from crashwright.crash.secrets.filter import SecretFilter
from crashwright.crash.suggested import SuggestedInReport, suggested_code
from crashwright.environment.interpreter import Interpreter, inspect_interpreter
from crashwright.environment.package_modules import SourceModule, SubjectModules, find_subject
from crashwright.environment.shadowing import shadowing_problem
from crashwright.finishing.running.fresh_runner import RunFresh
from crashwright.finishing.suite.file_names import suite_file_names
from crashwright.finishing.suite.writer import beside_what_is_written, check_suite_path, suite_there
from crashwright.finishing.write import check_writable, file_or_folder
from crashwright.workflows.deadline import Clock
from crashwright.workflows.generate.advice import BeginBranches
from crashwright.workflows.generate.events import SubjectFound, SuiteEvent, SuiteInterrupted
from crashwright.workflows.generate.hunt import Listen
from crashwright.workflows.generate.module_suite import ModuleWork, StartSuiteEngine
from crashwright.workflows.generate.request import WITH_FLAGS, SuiteRequest
from crashwright.workflows.generate.result import NOTHING, WRITTEN, ModuleSuite, SuiteResult
from crashwright.workflows.generate.side_by_side import Interruption, work_off
from crashwright.workflows.generate.time import SuiteTime


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
    cache: str = ""
    """The user's cache folder, for engines; "" where nothing is kept there."""


@dataclass(frozen=True, slots=True)
class FoundModule:
    """What is to be tested, and by whom."""

    interpreter: Interpreter
    subject: SubjectModules


def find(request: SuiteRequest, *subjects: str) -> list[FoundModule]:
    """The interpreter of a request, with each of ``subjects``. Raises UsageError or EnvironmentProblem."""
    interpreter = inspect_interpreter(request.python, request.path)
    found = [FoundModule(interpreter, find_subject(name, interpreter, Path(request.folder))) for name in subjects]
    problem = shadowing_problem((folder for one in found for folder in one.subject.extra_path), interpreter)
    if problem is not None:
        raise problem
    return found


def generate(request: SuiteRequest, machinery: SuiteMachinery, listen: Listen, found: FoundModule | None = None) -> SuiteResult:
    """Write a suite for one module. Ctrl-C makes a suite of what is there; a second one leaves at once. Raises CrashwrightError."""
    begin = machinery.began or machinery.clock()
    folder, name = output_place(request)
    found = found or find(request, request.subject)[0]
    interpreter, module = found.interpreter, _only(found.subject)
    _check(module, request)
    preparation = preparation_for_suites(interpreter, path=request.path, files=(module.file,))
    sift = SecretFilter("secrets" in request.allow).text
    suggested = suggested_code(one._replace(text=sift(one.text)) for one in request.candidates)
    notes = (*found.subject.notes, *([f"set up: {preparation.text}"] if preparation else []), *suggested.problems)
    listen(SubjectFound(module.name, (module.name,), interpreter.version_text, notes))
    lock = threading.Lock()

    def tell(event: SuiteEvent) -> None:
        with lock:
            listen(event)

    interruption = Interruption(lambda: tell(SuiteInterrupted()))
    needed = folders_of(preparation, interpreter, request.path, (module.file,))
    known = {os.path.abspath(folder) for folder in interpreter.sys_path}
    path = tuple(dict.fromkeys((*import_path(request, found.subject), *(folder for folder in needed if folder not in known))))
    with machinery.scratch() as scratch:
        crew = _Crew(
            request=request,
            machinery=machinery,
            interpreter=interpreter,
            module=module,
            path=path,
            folder=folder,
            name=name,
            scratch=scratch,
            listen=tell,
            interruption=interruption,
            begin=begin,
            preparation=preparation,
            suggested=suggested,
        )
        suite = _with_settings(crew, installed=not path)
    return SuiteResult(
        exit_code=ExitCode.INTERRUPTED if interruption.stopping() else verdict((suite,)),
        subject=module.name,
        python=interpreter.version_text,
        seed=request.search.seed,
        modules=(suite,),
        seconds=round(machinery.clock() - begin, 3),
        notes=notes,
        import_path=path,
        command=request.command,
        interpreter=request.asked_python,
        has_pytest=interpreter.has_pytest,
    )


def _with_settings(crew: _Crew, installed: bool) -> ModuleSuite:
    """The suite. An installed package that reads settings when it is imported has minimal ones made for it; if they do not
    do, what was missing without any is told."""
    try:
        return crew.work()
    except SettingsMissing as problem:
        if not installed or crew.preparation:
            raise
        scratch = crew.scratch / "set_up"
        scratch.mkdir()
        preparation = settings_for_module(crew.module.name, crew.module.file, crew.preparation)
        again = replace(crew, preparation=preparation, scratch=scratch)
        try:
            suite = again.work()
        except PreparationProblem:
            raise problem from None
        return replace(suite, incidents=(f"set up: {preparation.text}", *suite.incidents))


def _only(subject: SubjectModules) -> SourceModule:
    """The module; of a package its ``__init__``."""
    return next(one for one in subject.modules if one.name == subject.name)


def import_path(request: SuiteRequest, subject: SubjectModules) -> tuple[str, ...]:
    """The folders that must be on ``sys.path``, besides what is installed."""
    return tuple(dict.fromkeys(map(os.path.abspath, (*request.path, *subject.extra_path))))


def output_place(request: SuiteRequest) -> tuple[Path, str]:
    """The folder that the tests go to, and the file in it if the user named one, else "". Raises UsageError or
    EnvironmentProblem."""
    folder, name = Path(request.folder), ""
    if request.output is not None:
        chosen, name = file_or_folder(folder / request.output)
    else:
        chosen = folder / "tests" if (folder / "tests").is_dir() else folder
    if not chosen.is_dir():
        raise EnvironmentProblem(f"There is no folder {chosen}.", "Make it, or name another one with --output.")
    check_writable(chosen / "test.py")
    return chosen, name


def _check(module: SourceModule, request: SuiteRequest) -> None:
    """What can be said before any engine is started."""
    for name in request.targets:
        if module.names is not None and name not in module.names:
            close = difflib.get_close_matches(name, module.names, n=1) or difflib.get_close_matches(
                name.rpartition(".")[2], module.names, n=1
            )
            advice = f"Did you mean {close[0]}?" if close else "Name it as in Class.method, without the module."
            raise UsageError(f"{module.name} has no function or class {name} in its source.", advice)
    check_existing_tests(request)


def check_existing_tests(request: SuiteRequest) -> None:
    """Raises EnvironmentProblem where they are named and not there."""
    if request.existing_tests is not None and not (Path(request.folder) / request.existing_tests).is_dir():
        raise EnvironmentProblem(
            f"There is no folder {request.existing_tests}.", "--existing-tests takes the folder of your tests."
        )


def verdict(suites: Sequence[ModuleSuite]) -> ExitCode:
    """Of all modules: one suite is enough."""
    if any(suite.file for suite in suites):
        return WRITTEN
    return next((suite.exit_code for suite in suites if suite.exit_code is not NOTHING), NOTHING)


@dataclass(frozen=True, slots=True)
class _Crew:
    """Makes the suite of the module."""

    request: SuiteRequest
    machinery: SuiteMachinery
    interpreter: Interpreter
    module: SourceModule
    path: tuple[str, ...]
    folder: Path
    name: str
    scratch: Path
    listen: Listen
    interruption: Interruption
    begin: float
    preparation: Preparation
    suggested: SuggestedInReport

    def work(self) -> ModuleSuite:
        if not self.module.has_callables:
            return ModuleSuite(
                self.module.name, NOTHING, problem=f"{self.module.name} has no functions or classes: there is nothing to test"
            )
        file = self._file()
        check_suite_path(file, self.request.update, self.request.force)
        replaced = "" if self.request.update else suite_there(file)
        [suite] = work_off([file], self._make, 1, self.interruption)
        return replace(suite, replaced=replaced) if suite.file else suite

    def _file(self) -> Path:
        """Where the tests go. Of several modules it is a file like the one in which they are to stand, and alone in its folder."""
        part = self.request.part
        if part is None and self.name:
            return self.folder / self.name
        if part is None:
            [name] = suite_file_names([self.module.name]).values()
            return beside_what_is_written(self.folder / name)
        file = self.folder / Path(part.file).name
        if part.present is not None:
            file.write_text(part.present, encoding="utf-8")
        return file

    def _time(self) -> SuiteTime:
        seconds, part = self.request.budget.seconds, self.request.part
        latest = self.begin + part.seconds if part is not None and part.seconds is not None else math.inf
        return SuiteTime(self.machinery.clock, self.begin, seconds, latest=latest)

    def _make(self, file: Path) -> ModuleSuite:
        request = self.request
        target = ModuleTarget(
            self.module.name,
            request.targets,
            request.criteria,
            request.selection,
            request.flags == WITH_FLAGS,
            preparation=self.preparation,
            accidents=request.accidents,
            candidates=self.suggested.code,
        )
        scratch = self.scratch / self.module.name
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
            islands=request.jobs,
            begin_branches=self.machinery.begin_branches,
            cache=self.machinery.cache,
        )
        return replace(work.make(self._time(), request.budget), source=self.module.text)
