"""The examination of a suite as a session of the worker (SPEC 9): which assertions hold in every run of a test, and which of them
tell mutants of the module from the original.

The module is imported as it is, without probes. A host lets several processes with other hash seeds work one after the other:
``observe`` finds assertions (or checks those of an earlier process), ``select`` checks them once more and keeps few. Each sends
Examined for a test as soon as something is known of it, and again when more is known: the last one counts.
"""

from __future__ import annotations

import platform
from types import ModuleType

from crashwright.core.messages import Failed, Ready, StartSuite, Task
from crashwright.core.report import Unknown
from crashwright.engine.assertions.examination import Examination
from crashwright.engine.assertions.mutants import LiveModule
from crashwright.engine.execution.other_days import OtherDays
from crashwright.engine.frameworks.click_runner import run_programs
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.introspection import loaded_names
from crashwright.engine.subject.source import ModuleSource, Sources
from crashwright.engine.worker.protocol import Resume, Subject, Workbench


class ExaminationSession:
    """See ``worker.protocol.Session``."""

    def __init__(self) -> None:
        self._start: StartSuite
        self._api: ApiModel
        self._live: LiveModule | None = None
        self._days: OtherDays | None = None

    def prepare(self, start: StartSuite) -> Subject:
        """Nothing is instrumented, but that clocks can be moved."""
        self._start = start
        days = OtherDays()
        self._days = days if days.install() else None
        return Subject(tuple(dict.fromkeys((start.target.package, start.target.module))), (start.target.package,))

    def imported(self, modules: dict[str, ModuleType]) -> Ready | Failed:  # noqa: ARG002 (the protocol names it)
        """Model the API, by which tests are decoded, and find the live functions, which the collector tells only now."""
        target = self._start.target
        top = target.package
        self._api = ApiModel(top, loaded_names(top), target.module)
        run_programs(target.module)  # tests may name their runner
        source: ModuleSource | Unknown = Sources().of_module(target.module)
        if self._start.task is Task.SELECT and isinstance(source, ModuleSource):
            self._live = LiveModule(target.module, source, target.names)
        return Ready(platform.python_version(), 0.0, f"{len(self._start.seeds)} tests")

    def run(self, bench: Workbench, resume: Resume) -> None:
        """Examine to the end of the budget."""
        meter = BudgetMeter(self._start.settings.budget, bench.clocks.wall, 0, resume.seconds)
        select = self._start.task is Task.SELECT
        Examination(self._start, bench, resume, self._api, self._live, meter, select, days=self._days).run()


def session() -> ExaminationSession:
    """For the zygote."""
    return ExaminationSession()
