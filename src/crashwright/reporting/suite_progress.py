"""What the generation of suites is doing now, in words, and the reports for a pipe: plain lines, or JSON."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable
from typing import Any, TextIO

from crashwright.core.codec import to_json
from crashwright.core.errors import ExitCode
from crashwright.core.messages import Phase, SuiteProgress
from crashwright.reporting.json_result import SCHEMA_VERSION, confinement_notes
from crashwright.reporting.plain import LABEL, row_line
from crashwright.reporting.progress import NOTABLE_SECONDS, WARMING_UP
from crashwright.reporting.story import StoryRow
from crashwright.reporting.suite import package_rows, subject_rows, suite_rows
from crashwright.reporting.workers import worker_status
from crashwright.workflows.batch.events import BatchTold, Begun, Working
from crashwright.workflows.generate.events import (
    ModuleEnded,
    StepAfterSearch,
    SubjectFound,
    SuiteEngineStarted,
    SuiteIncident,
    SuiteInterrupted,
    SuitePreparing,
    SuiteSearching,
    SuiteStep,
)
from crashwright.workflows.generate.result import NOTHING, WRITTEN, SuiteResult
from crashwright.workflows.modules.story import ModulesEvent

SUITE_VERDICTS = {
    WRITTEN: "written",
    NOTHING: "nothing generated",
    ExitCode.USAGE: "usage",
    ExitCode.ENVIRONMENT: "environment",
    ExitCode.INTERNAL: "internal error",
    ExitCode.INTERRUPTED: "interrupted",
}
_STEPS = {
    StepAfterSearch.EXAMINING: "checking what is the same in every run of",
    StepAfterSearch.VERIFYING: "running in fresh interpreters",
}


def suite_status(event: ModulesEvent) -> str:
    """One line for ``event``; empty where there is nothing to say."""
    match event:
        case SubjectFound(modules=modules):
            return f"importing {modules[0]}" if len(modules) == 1 else f"{len(modules)} modules"
        case SuitePreparing(module, seconds, runs):
            what = f"{module}: {WARMING_UP}" if runs else f"importing {module} and reading its sources"
            return f"{what}: {seconds:.0f} s"
        case SuiteEngineStarted(module, ready):
            return f"searching {module} (imported in {ready.import_seconds:.1f} s)"
        case SuiteSearching(module, progress, speed, left):
            return suite_searching(module, progress, speed, left)
        case SuiteStep(module, step, tests):
            return f"{module}: {_STEPS[step]} {tests} test{'s' if tests != 1 else ''}"
        case SuiteIncident(incident=incident):
            return incident.text
        case ModuleEnded(suite, number, total):
            return f"{number} of {total}: {package_rows(suite)[0].text}"
        case SuiteInterrupted():
            return "interrupted: writing the tests found so far (press Ctrl-C again to stop at once)"
        case Begun() | Working():
            return worker_status(event)
        case BatchTold(text):
            return text


def suite_searching(module: str, progress: SuiteProgress, speed: float, left: float | None) -> str:
    """Phase, coverage, speed, time left."""
    parts = [module.rpartition(".")[2] if progress.phase is Phase.SEARCH else "making tests smaller"]
    parts += [f"{one.criterion} {one.covered}/{one.total}" for one in progress.coverage if one.total]
    parts += [f"{progress.tests} tests", f"{speed:,.0f}/s"]
    if progress.warm_up >= NOTABLE_SECONDS:
        parts.append(f"warmed up for {progress.warm_up:.1f} s")
    if left is not None and progress.phase is Phase.SEARCH:
        parts.append(f"{left:.0f} s left")
    return "  ".join(parts)


def suite_document(result: SuiteResult) -> dict[str, Any]:
    """The result as JSON values."""
    fields = {field.name: to_json(getattr(result, field.name)) for field in dataclasses.fields(result)}
    fields["exit_code"] = int(result.exit_code)
    for one, module in zip(fields["modules"], result.modules, strict=True):
        one["notes"] = list(confinement_notes(module.confined))
        one["exit_code"] = int(one["exit_code"])
    return {"schema": SCHEMA_VERSION, "verdict": SUITE_VERDICTS[result.exit_code], **fields}


class _Timed:
    """Progress no more than once in ``interval`` seconds of ``clock``."""

    def __init__(self, out: TextIO, log: TextIO, clock: Callable[[], float], interval: float = 1.0) -> None:
        self._out = out
        self._log = log
        self._clock = clock
        self._interval = interval
        self._next = clock()

    def _due(self, event: ModulesEvent) -> bool:
        if not isinstance(event, SuiteSearching | Working):
            return True
        if self._clock() < self._next:
            return False
        self._next = self._clock() + self._interval
        return True

    def close(self) -> None:
        """Nothing is held."""


class SuitePlainReport(_Timed):
    """Writes the story to ``out``, the ``whole`` of it or shortened, and progress to ``log``."""

    def __init__(self, out: TextIO, log: TextIO, clock: Callable[[], float], interval: float = 1.0, whole: bool = False) -> None:
        super().__init__(out, log, clock, interval)
        self._whole = whole

    def event(self, event: ModulesEvent) -> None:
        """Show what happens."""
        if isinstance(event, SubjectFound):
            self._rows(subject_rows(event))
        if self._due(event) and (text := suite_status(event)):
            print(f"{'...':<{LABEL}}{text}", file=self._log, flush=True)

    def result(self, result: SuiteResult) -> None:
        """Show what came of it."""
        self._rows(suite_rows(result, self._whole))

    def _rows(self, rows: Iterable[StoryRow]) -> None:
        for row in rows:
            print(row_line(row), file=self._out, flush=True)


class SuiteJsonReport(_Timed):
    """Writes the document to ``out``; progress to ``log``."""

    def event(self, event: ModulesEvent) -> None:
        """One line for what happens."""
        if not self._due(event):
            return
        line: dict[str, Any] = {"event": type(event).__name__, "text": suite_status(event)}
        if isinstance(event, SuiteSearching):
            line["module"] = event.module
            line["progress"] = to_json(event.progress)
        print(json.dumps(line), file=self._log, flush=True)

    def result(self, result: SuiteResult) -> None:
        """The document."""
        print(json.dumps(suite_document(result), indent=2), file=self._out, flush=True)
