"""The search for a suite as a session of the worker: imports the module instrumented, models its API, searches in the fork."""

from __future__ import annotations

import platform
from types import ModuleType

from crashwright.core.location import CodeKey
from crashwright.core.mechanisms import Mechanism
from crashwright.core.messages import Failed, FailureKind, Ready, StartSuite
from crashwright.core.report import Unknown
from crashwright.engine.assertions.mutants import LiveModule
from crashwright.engine.execution.lazy_certificates import LazyCertificates
from crashwright.engine.frameworks.click_runner import RunProgram, run_programs
from crashwright.engine.instrument.hook import Instrumentation
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.instrument.trace import Trace
from crashwright.engine.sessions.search_run import PROGRESS_SECONDS, SearchRun, Setup
from crashwright.engine.sessions.suite_problem import SuiteProblem
from crashwright.engine.sources.candidate_tests import sessions_of
from crashwright.engine.sources.suite_subject import SuiteSubject
from crashwright.engine.sources.values.example_seeds import ShownExamples, examples_of, shown_in
from crashwright.engine.sources.values.wanted_types import WantedTypes, wanted_of
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.module_api import callables_of, private_callables_of
from crashwright.engine.subject.introspection import MODULES, loaded_names
from crashwright.engine.subject.source import ModuleSource, Sources
from crashwright.engine.worker.protocol import Resume, Subject, Workbench

OBSERVED_RUNS = 600
"""Tests at the beginning whose results' classes are noted, for the many packages without annotations."""
EMIGRANTS = 30
"""Tests that leave for the next island at a time: the first ones for some goal since the last time, the newest first."""


class SuiteSession:
    """See ``worker.protocol.Session``. ``progress_seconds`` is the least time between two SuiteProgress (0: each generation)."""

    def __init__(self, progress_seconds: float = PROGRESS_SECONDS) -> None:
        self._progress_seconds = progress_seconds
        self._recorder = Recorder()
        self._sources = Sources()
        self._start: StartSuite
        self._instrumentation: Instrumentation
        self._source: ModuleSource
        self._api: ApiModel
        self._callables: tuple[Callee, ...]
        self._at_import: Trace
        self._engine_modules: frozenset[str]
        self._examples: ShownExamples
        self._wanted: WantedTypes | None = None
        self._live: LiveModule | None = None
        self._programs: tuple[RunProgram, ...] = ()

    def prepare(self, start: StartSuite) -> Subject:
        """Install the import hook for all functions of the module."""
        self._start = start
        self._recorder.note_orders(start.settings.search.uses(Mechanism.GUIDANCE))
        self._engine_modules = frozenset(MODULES)
        mutated = (start.target.module,) if "weak-mutation" in start.target.criteria else ()
        self._instrumentation = Instrumentation(self._recorder, {start.target.module: None}, mutated=mutated)
        self._instrumentation.install()
        return Subject(tuple(dict.fromkeys((start.target.package, start.target.module))), (start.target.package,))

    def imported(self, modules: dict[str, ModuleType]) -> Ready | Failed:  # noqa: ARG002 (the protocol names it)
        """Model the API of the module."""
        LazyCertificates().install()
        self._at_import = self._recorder.trace()
        target = self._start.target
        source = self._sources.of_module(target.module)
        if isinstance(source, Unknown):
            return Failed(FailureKind.TARGET, f"{source.reason}.", advice="Only modules with Python source can be tested.")
        self._source = source
        self._api = ApiModel(target.package, loaded_names(target.package), target.module)
        self._callables = callables_of(self._api, target.module, target.names)
        if self._start.settings.search.uses(Mechanism.OBJECTS):
            self._programs = run_programs(target.module, target.names)
        entry = self._callables or private_callables_of(self._api, target.module, target.names)
        if not entry:
            what = f"{', '.join(target.names)} in {target.module}" if target.names else target.module
            told = f"There is nothing to call: {what} defines no functions or classes that a test can reach."
            return Failed(FailureKind.EMPTY, told)
        definitions = self._start.settings.search.uses(Mechanism.OBJECTS)
        names = frozenset(callee.name for callee in entry)
        examples = examples_of(target.package, entry, definitions, [CodeKey(target.module, "", 0)])
        shown = examples._replace(sessions=sessions_of(target.candidates) + examples.sessions)
        self._examples = shown_in(shown, names, definitions)
        if self._start.settings.search.uses(Mechanism.WANTS):
            reading = wanted_of(self._api.package.partition(".")[0], [target.module])
            reading.read()
            self._wanted = WantedTypes(self._api, reading)
        self._live = LiveModule(target.module, source, target.names)
        return Ready(platform.python_version(), 0.0, f"{len(self._callables)} callables")

    def run(self, bench: Workbench, resume: Resume) -> None:
        """Search to the end of the budget, make the suite small, send it."""
        bench.blame(resume)
        subject = SuiteSubject(
            start=self._start,
            recorder=self._recorder,
            instrumentation=self._instrumentation,
            sources=self._sources,
            source=self._source,
            api=self._api,
            callables=self._callables,
            at_import=self._at_import,
            engine_modules=self._engine_modules,
            wanted=self._wanted,
            programs=self._programs,
            examples=self._examples,
        )
        setup = Setup(self._start, bench, resume, self._api, 0, EMIGRANTS)
        problem = SuiteProblem(subject, setup, self._live)
        SearchRun(setup, problem, problem.factory, self._recorder, OBSERVED_RUNS, setup.is_timed, self._progress_seconds).run()


def session() -> SuiteSession:
    """For the zygote."""
    return SuiteSession()
