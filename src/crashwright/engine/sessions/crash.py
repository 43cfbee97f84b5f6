"""The crash search as a session of the worker: prepares and imports the subject, searches in the fork, tells the host."""

from __future__ import annotations

import platform
from types import ModuleType

from crashwright.core.mechanisms import Mechanism
from crashwright.core.messages import Failed, FailureKind, Ready, Start
from crashwright.core.recursion import is_recursion
from crashwright.core.report import Unknown
from crashwright.core.target import CrashTarget
from crashwright.engine.execution.lazy_certificates import LazyCertificates
from crashwright.engine.execution.virtual_time import VirtualTime
from crashwright.engine.instrument.hook import Instrumentation
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.search.crash_goals import (
    chosen_functions,
    crash_sites,
    flag_analysis,
    flag_callees,
)
from crashwright.engine.sessions.checkpointing import SURVIVORS
from crashwright.engine.sessions.crash_problem import CrashProblem
from crashwright.engine.sessions.insights import measures_at_start
from crashwright.engine.sessions.search_run import SearchRun, Setup
from crashwright.engine.sessions.witnessing import WitnessingProblem
from crashwright.engine.sources.crash_subject import CrashSubject, crash_subject
from crashwright.engine.sources.values.wanted_types import unloaded_homes, wanted_of
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.entry import beside, entries, runs_as_script
from crashwright.engine.subject.flags.branches import FlagAnalysis
from crashwright.engine.subject.introspection import MODULES, loaded_names
from crashwright.engine.subject.source import Sources
from crashwright.engine.subject.unloaded import (
    lazy_names,
    mentioned_in,
    modules_among,
    modules_defining,
    modules_importing,
)
from crashwright.engine.subject.usage.usage import DEFINITIONS
from crashwright.engine.testcase.candidates.programs import programs
from crashwright.engine.testcase.echoing.source import parse_echo
from crashwright.engine.testcase.names.imported import modules_named
from crashwright.engine.wants.wanted import Wanted
from crashwright.engine.worker.protocol import Resume, Subject, Workbench

OBSERVED_RUNS = 300
"""Tests at the beginning whose results' classes are noted, for the many packages without annotations."""
EMIGRANTS = 3
"""Tests that leave for the next island at a time."""


class CrashSession:
    """See ``worker.protocol.Session``."""

    def __init__(self) -> None:
        self._recorder = Recorder()
        self._start: Start
        self._instrumentation: Instrumentation
        self._left_alone: frozenset[str] = frozenset()
        self._sources = Sources()
        self._time = VirtualTime()
        self._certificates = LazyCertificates()
        self._api: ApiModel | None = None
        self._wanted: Wanted | None = None
        self._subject: CrashSubject

    def prepare(self, start: Start) -> Subject:
        """Install the import hook for the functions on the path."""
        self._start = start
        self._recorder.note_orders(start.settings.search.uses(Mechanism.GUIDANCE))
        self._recorder.measure_entries(measures_at_start(start))
        self._left_alone = frozenset(MODULES)
        self._instrumentation = Instrumentation(
            self._recorder, chosen_functions(start.target), None, crash_sites(start.target), resumptions=True
        )
        self._instrumentation.install()
        self._time.install()
        target = start.target
        modules = dict.fromkeys([target.package, *(frame.key.module for frame in target.package_frames)])
        if _module_level(target) and not runs_as_script(target.frames[0], self._sources):
            modules.pop(target.frames[0].key.module, None)
        return Subject(tuple(modules), (target.package.partition(".")[0],), self._mentioned)

    def begin_again(self, start: Start) -> None:
        """For another frame of the same crash: its functions have probes already, and what was read of the package stays."""
        self._start = start
        self._recorder.measure_entries(measures_at_start(start))

    def _mentioned(self) -> list[tuple[str, str]]:
        """What the report's own calls, and candidates, name and nothing has imported."""
        suggested = [one for code in self._start.candidates if not code.at for one in programs(code.source)]
        named = dict.fromkeys(name for one in suggested for name in modules_named(one.imports))
        return [*((name, "") for name in named), *self._echoed(), *((module, "") for module in (*self._homes(), *self._taking()))]

    def _taking(self) -> list[str]:
        """Modules that put together what decorators registered: the program of a command, say, that nothing else imports."""
        target = self._start.target
        first = target.frames[0].key
        node = self._sources.node_of(first) if self._start.settings.search.uses(Mechanism.OBJECTS) else None
        if not isinstance(node, DEFINITIONS) or not node.decorator_list:
            return []
        return modules_importing(target.package.partition(".")[0], [first.module])

    def _homes(self) -> list[str]:
        """Modules with classes that the functions on the path want."""
        if not self._start.settings.search.uses(Mechanism.WANTS):
            return []
        chain = [frame.key for frame in self._start.target.package_frames]
        self._wanted = wanted_of(self._start.target.package.partition(".")[0], [key.module for key in chain])
        return unloaded_homes(self._wanted, [(key.module, key.qualname) for key in chain])

    def _echoed(self) -> list[tuple[str, str]]:
        target = self._start.target
        if not self._start.settings.search.uses(Mechanism.WORDS) or _module_level(target):
            return []
        package = target.package.partition(".")[0]
        shown = [(site, line) for site in target.call_sites if (line := next(parse_echo(site.source), None)) is not None]
        mentioned = mentioned_in([line for _, line in shown])
        lazy = [(package, name) for name in lazy_names(package, mentioned)]
        beside = modules_among(target.between, mentioned_in([line for site, line in shown if not site.in_library]))
        return [*lazy, *((module, "") for module in (*modules_defining(package, mentioned), *beside))]

    def imported(self, modules: dict[str, ModuleType]) -> Ready | Failed:  # noqa: ARG002 (the protocol names it)
        """Model the API and find the way in."""
        self._certificates.install()
        target = self._start.target
        if self._api is None:
            self._api = ApiModel(target.package.partition(".")[0], loaded_names(target.package.partition(".")[0]))
        api = self._api
        flags: FlagAnalysis | None = None
        if self._start.settings.search.flags == "interprocedural":
            flags = flag_analysis(target, self._sources)
            Instrumentation(self._recorder, flag_callees(target, flags, self._left_alone, self._sources)).install()
        entry = entries(api, target, self._sources, self._start.settings.search.uses(Mechanism.WORDS))
        if isinstance(entry, Unknown) and (self._start.candidates or self._start.settings.preparation or target.invocations):
            entry = beside(api, target) or entry
        if isinstance(entry, Unknown):
            told = f"There is no way in for a test: {entry.reason}."
            return Failed(FailureKind.TARGET, told, advice="Choose another frame with --target-frame.")
        self._subject = crash_subject(self._start, self._recorder, api, entry, self._sources, flags, self._wanted)
        first = entry.callees[0].address.replace(":", ".") if entry.module is None else f"import {entry.module}"
        return Ready(platform.python_version(), 0.0, f"{first} ({entry.how})")

    def run(self, bench: Workbench, resume: Resume) -> None:
        """Search to the end of the budget or the crash."""
        bench.executor.use(self._time)
        bench.blame(resume)
        setup = Setup(self._start, bench, resume, self._subject.api, SURVIVORS, EMIGRANTS)
        problem = (WitnessingProblem if self._start.witnessing else CrashProblem)(self._subject, setup)
        if self._subject.entry.module is not None:
            problem.run_module(self._subject.entry.module)
        else:
            # The frames of a recursion take far longer than the other tests do.
            adaptive = setup.is_timed and not is_recursion(self._start.target.exception)
            SearchRun(setup, problem, problem.factory, self._recorder, OBSERVED_RUNS, adaptive).run()


def session() -> CrashSession:
    """For the zygote."""
    return CrashSession()


def _module_level(target: CrashTarget) -> bool:
    return target.frames[0].key.qualname == "<module>"
