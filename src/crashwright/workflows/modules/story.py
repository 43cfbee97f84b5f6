"""The story of ``crashwright generate`` for many modules: find them, divide the time, make the suite of each at some place.

Everything that is to outlive this process is in the ledger. Each module is one request to the story of ``generate``, in a process
of its own, and its suite comes back as text. A module that was interrupted is written as far as it came, and searched again by the
next run.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from crashwright.core.codec import from_json
from crashwright.core.errors import CrashwrightError, EnvironmentProblem, ExitCode, UsageError
from crashwright.core.settings import Budget
from crashwright.environment.package_modules import SourceModule
from crashwright.finishing.suite.writer import beside_what_is_written, check_suite_path
from crashwright.finishing.write import write
from crashwright.workflows.batch.events import BatchTold, Begun, Working
from crashwright.workflows.batch.work import ATTEMPTS, Waiting, WorkedOff
from crashwright.workflows.generate.events import ModuleEnded, SubjectFound, SuiteEvent
from crashwright.workflows.generate.request import Part, SuiteRequest
from crashwright.workflows.generate.result import NOTHING, WRITTEN, ModuleSuite, SuiteResult
from crashwright.workflows.generate.story import (
    FoundModule,
    SuiteMachinery,
    check_existing_tests,
    find,
    generate,
    import_path,
    output_place,
    verdict,
)
from crashwright.workflows.generate.time import LEAST_TURN, SuiteTime
from crashwright.workflows.modules.files import mirrored
from crashwright.workflows.modules.ledger import ModuleLedger
from crashwright.workflows.modules.request import ModulesRequest
from crashwright.workflows.modules.shares import Shares
from crashwright.workflows.places.database import removed
from crashwright.workflows.places.place import Place
from crashwright.workflows.reproduce.cache import Cache

ModulesEvent = SuiteEvent | Begun | Working | BatchTold
Listen = Callable[[ModulesEvent], None]
PlaceOf = Callable[[int], Place]
"""The place with so many workers."""
_KEPT = "suites"
"""The folder for databases that are kept until each module has an answer."""


def generate_all(request: ModulesRequest, machinery: SuiteMachinery, place: PlaceOf, listen: Listen) -> SuiteResult:
    """Write a suite for each module. Ctrl-C keeps what there is. Raises CrashwrightError."""
    begin = machinery.began or machinery.clock()
    found = find(request.suites, *request.subjects)
    if not request.is_for_many and not found[0].subject.is_package:
        return generate(replace(request.suites, subject=request.subjects[0]), machinery, listen, found[0])
    many = _many(request, found)
    whole = SuiteTime(machinery.clock, begin, request.suites.budget.seconds)
    listen(SubjectFound(many.name, tuple(one.name for one in many.modules), found[0].interpreter.version_text, many.notes))
    cache = Cache.open(Path(request.suites.folder))
    database = request.database or _default_database(cache, request, many)
    with closing(ModuleLedger.open(database)) as ledger:
        run = _Run(request, many, ledger, whole, listen)
        run.prepare()
        interrupted = False
        try:
            asyncio.run(run.all(place(request.suites.jobs)))
        except KeyboardInterrupt:
            interrupted = True
        suites, over = run.suites(), run.is_over()
        if over and request.database is None:
            removed(database)
            cache.tidy(_KEPT)
    return SuiteResult(
        exit_code=ExitCode.INTERRUPTED if interrupted else ExitCode.ENVIRONMENT if run.problems else verdict(suites),
        subject=many.name,
        python=found[0].interpreter.version_text,
        seed=request.suites.search.seed,
        modules=tuple(suites),
        seconds=round(machinery.clock() - begin, 3),
        notes=(*many.notes, *run.problems, *([] if over else [f"run the same command again to continue ({database})"])),
        import_path=many.path,
        command=request.command,
        interpreter=request.suites.asked_python,
        has_pytest=found[0].interpreter.has_pytest,
    )


@dataclass(frozen=True, slots=True)
class _Many:
    """The modules, in the order of their names, with the files for their suites."""

    name: str
    modules: tuple[SourceModule, ...]
    files: dict[str, Path]
    path: tuple[str, ...]
    notes: tuple[str, ...]
    version: str


def _many(request: ModulesRequest, found: Sequence[FoundModule]) -> _Many:
    suites = request.suites
    folder, file_name = output_place(suites)
    if suites.targets:
        raise UsageError("--target chooses within one module.", f"Name it: crashwright generate {found[0].subject.name}.MODULE")
    check_existing_tests(suites)
    modules = {module.name: module for one in found for module in one.subject.modules}
    path = tuple(dict.fromkeys(folder for one in found for folder in import_path(suites, one.subject)))
    callable_ones = [module for module in modules.values() if module.has_callables]
    if file_name and len(callable_ones) > 1:
        raise UsageError(f"--output {suites.output}: is a file, and there are several modules.", "Name a folder for their tests.")
    subjects = [one.subject for one in found]
    files = {
        name: folder / file_name if file_name else beside_what_is_written(folder / file)
        for name, file in mirrored(callable_ones, subjects).items()
    }
    return _Many(
        ", ".join(one.subject.name for one in found),
        tuple(sorted(modules.values(), key=lambda module: module.name)),
        files,
        path,
        tuple(dict.fromkeys(note for one in found for note in one.subject.notes)),
        found[0].interpreter.version_text,
    )


def _default_database(cache: Cache, request: ModulesRequest, many: _Many) -> str:
    """It stands where the states of other unfinished searches do. Raises EnvironmentProblem."""
    try:
        folder = cache.made(_KEPT)
    except OSError as error:
        raise EnvironmentProblem(
            f"{cache.folder} cannot be written to: {error.strerror}.", "Name a file elsewhere with --database."
        ) from None
    return str(folder / f"{_digest(*request.subjects, *map(str, many.files.values()))}.sqlite")


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode(errors="replace")).hexdigest()[:16]


@dataclass(slots=True)
class _Run:
    """The work on the modules that have no suite yet."""

    request: ModulesRequest
    many: _Many
    ledger: ModuleLedger
    whole: SuiteTime
    listen: Listen
    _known: dict[str, ModuleSuite] = field(default_factory=dict)
    """What came of modules so far."""
    _unfinished: set[str] = field(default_factory=set)
    """Those of them that the next run searches again."""
    _taken: dict[str, Budget] = field(default_factory=dict)
    _before: dict[str, str | None] = field(default_factory=dict)
    _shares: Shares | None = None
    problems: dict[str, None] = field(default_factory=dict)
    """Why the place is not fit."""

    def prepare(self) -> None:
        """Enter the modules, and write what an earlier run that was killed has found. Raises UsageError where a file is in the
        way."""
        names = [module.name for module in self.many.modules]
        self.ledger.enter({module.name: self._question(module) for module in self.many.modules})
        for one in self.ledger.unwritten():
            self._write(one.module, one.suite, Path(one.file), one.before)
        known = {name: suite for name, suite in self.ledger.suites().items() if name in names}
        over = len(known) == len(names)
        for name, suite in list(known.items()):
            if (self.request.suites.update and over) or (self.request.retry and not suite.file):
                self.ledger.forget(name)
                del known[name]
        self._known.update(known)
        for name, file in self.many.files.items():
            if name not in known and file.parent.is_dir():
                check_suite_path(file, self.request.suites.update, self.request.suites.force)
        if known:
            self.listen(BatchTold(f"{len(known)} of {len(names)} modules were done by an earlier run"))

    def _question(self, module: SourceModule) -> str:
        """What an answer is good for: the same source, options and file, in however much time."""
        asked = replace(self.request.suites, budget=Budget(None, self.request.suites.budget.evaluations), jobs=1)
        return _digest(module.text, asked.command_for(module.name), str(self.many.files.get(module.name)), self.many.version)

    def is_over(self) -> bool:
        """Each module has its answer."""
        return len(self._known.keys() - self._unfinished) == len(self.many.modules) and not self.ledger.unwritten()

    async def all(self, place: Place) -> None:
        """Make what is missing, the large ones first."""
        for module in self.many.modules:
            if module.name not in self._known and not module.has_callables:
                self._end(
                    module.name, ModuleSuite(module.name, NOTHING, problem="there is nothing to test: no function and no class")
                )
        modules = [module for module in self.many.modules if module.has_callables]
        jobs, waiting = self.request.suites.jobs, [module for module in modules if module.name not in self._known]
        self._shares = Shares(self.request.suites.budget, modules, jobs, self.whole.turns(jobs), self._known)
        waiting.sort(key=lambda module: (-module.weight, module.name))
        if waiting:
            await WorkedOff(self, place, self.listen, self.problems).all(waiting)

    def suites(self) -> list[ModuleSuite]:
        """What came of each, in the order of their names."""
        return [self._known.get(module.name) or self._not_begun(module) for module in self.many.modules]

    def _not_begun(self, module: SourceModule) -> ModuleSuite:
        if self.whole.search is None or self.whole.turn(1.0) is not None:
            return ModuleSuite(module.name, NOTHING, problem="there was no time left to begin it")
        budget = 2 * LEAST_TURN * len(self.many.files)
        more = f"--budget {budget:g} leaves time for all {len(self.many.files)} modules; or name one of them."
        return ModuleSuite(module.name, NOTHING, problem="no time was left for it: larger modules used up the budget", advice=more)

    # The work on one

    def title(self, item: SourceModule) -> str:
        """Its name."""
        return item.name

    def share(self, item: SourceModule, _waiting: Waiting) -> Budget | None:
        """By its size, of what is left."""
        assert self._shares is not None, "asked before the work began"
        if item.name not in self._taken:
            taken = self._shares.take(item.name)
            if self.request.seconds is not None:
                most = self.request.seconds if taken.seconds is None else min(taken.seconds, self.request.seconds)
                taken = replace(taken, seconds=most)
            self._taken[item.name] = taken
        taken = self._taken[item.name]
        if self.whole.search is None or taken.seconds is None:
            return taken
        turn = self.whole.turn(taken.seconds)
        return None if turn is None else replace(taken, seconds=turn.search)

    def request_for(self, item: SourceModule, budget: Budget) -> SuiteRequest:
        """``generate`` for this module alone."""
        file = self.many.files[item.name]
        before = self._before[item.name] = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else None
        left = None if self.whole.search is None else self.whole.left()
        return replace(
            self.request.suites,
            subject=item.name,
            path=self.many.path,
            budget=budget,
            jobs=1,
            part=Part(self.request.command, str(file), before, left),
        )

    def answered(self, item: SourceModule, document: dict[str, Any] | None, worker: int, _waiting: Waiting) -> None:
        """Into the ledger, then into its file."""
        assert self._shares is not None, "asked before the work began"
        suite = suite_of(item.name, document)
        self._shares.give_back(self._taken[item.name], suite.timing.search)
        if document is not None and document.get("exit_code") == ExitCode.INTERRUPTED:
            self._unfinished.add(item.name)
        self._end(item.name, suite, worker)

    def _end(self, module: str, suite: ModuleSuite, worker: int = 0) -> None:
        file = self.many.files[module] if suite.printed else None
        before = self._before.get(module)
        if file is not None:
            suite = replace(suite, file=str(file))
        if module not in self._unfinished:
            self.ledger.answer(module, suite, str(file or ""), before)
        self._known[module] = suite if file is None else self._write(module, suite, file, before)
        self.listen(ModuleEnded(self._known[module], len(self._known), len(self.many.modules), worker))

    def _write(self, module: str, suite: ModuleSuite, file: Path, before: str | None) -> ModuleSuite:
        """The suite, or with why it could not be written."""
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            now = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else None
            if now not in (before, suite.printed):
                raise UsageError(f"{file} was changed while its tests were generated.", "Run the command again with --update.")
            write(suite.printed, file)
        except (CrashwrightError, OSError) as problem:
            # It is in the ledger: the next run writes it.
            code, advice = (
                (problem.exit_code, problem.advice) if isinstance(problem, CrashwrightError) else (ExitCode.ENVIRONMENT, "")
            )
            return replace(suite, file="", exit_code=code, problem=str(problem), advice=advice, text=suite.printed)
        self.ledger.wrote(module)
        return suite


def suite_of(module: str, document: dict[str, Any] | None) -> ModuleSuite:
    """What came of a module, by the document of its process; None: that was killed."""
    if document is None:
        return ModuleSuite(module, ExitCode.INTERNAL, problem=f"its process was killed, {ATTEMPTS} times")
    if modules := document.get("modules"):
        suite = from_json(ModuleSuite, modules[0])
        if printed := suite.printed or suite.text:
            # Where it could not be written there, it may be here.
            return replace(suite, exit_code=WRITTEN, printed=printed, problem="", advice="", text="")
        return suite
    error = document.get("error") or {}
    code, message = ExitCode(document["exit_code"]), str(error.get("message", ""))
    told = f"internal error ({message}), a defect of crashwright" if code is ExitCode.INTERNAL else message
    return ModuleSuite(module, code, problem=told, advice=str(error.get("advice", "")))
