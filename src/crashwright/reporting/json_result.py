"""The result as one JSON document on standard output; progress as JSON lines on standard error."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from crashwright.core.codec import to_json
from crashwright.core.errors import ExitCode
from crashwright.core.messages import Confined
from crashwright.reporting.progress import status
from crashwright.workflows.events import Event, ReadingReport, Searching
from crashwright.workflows.reproduce.result import Result

if TYPE_CHECKING:  # each command shows one kind of result, and need not load the others
    from crashwright.workflows.inquiries.explanation import Explanation
    from crashwright.workflows.inquiries.verification import VerifyResult

SCHEMA_VERSION = 1
"""Raised when a field changes its meaning or goes away; new fields do not raise it."""
SEARCHABLE = "searchable"
"""The verdict of ``explain`` on a report that a search could begin with."""
VERDICTS = {
    ExitCode.SUCCESS: "reproduced",
    ExitCode.NOT_FOUND: "not found",
    ExitCode.USAGE: "usage",
    ExitCode.ENVIRONMENT: "environment",
    ExitCode.PARTIAL: "partial",
    ExitCode.INTERNAL: "internal error",
    ExitCode.INTERRUPTED: "interrupted",
}


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a command could not do its work, and what to do about it. A defect of crashwright has the ``file`` with the report of
    it, or, if that could not be written, its ``text``."""

    message: str
    advice: str
    file: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class ErrorDocument:
    """What is printed if a command could not do its work."""

    error: Failure


class JsonReport:
    """Writes the document to ``out``; progress to ``log``, no more than once in ``interval`` seconds of ``clock``."""

    def __init__(self, out: TextIO, log: TextIO, clock: Callable[[], float], interval: float = 1.0) -> None:
        self._out = out
        self._log = log
        self._clock = clock
        self._interval = interval
        self._next = clock()

    def event(self, event: Event) -> None:
        """One line for what happens."""
        line: dict[str, Any] = {"event": type(event).__name__, "text": status(event)}
        if isinstance(event, ReadingReport):
            return
        if isinstance(event, Searching):
            if self._clock() < self._next:
                return
            self._next = self._clock() + self._interval
            line["progress"] = to_json(event.progress)
        if line["text"]:
            print(json.dumps(line), file=self._log, flush=True)

    def result(self, result: Result) -> None:
        """The document."""
        print(json.dumps(document(result), indent=2), file=self._out, flush=True)

    def close(self) -> None:
        """Nothing is held."""


def error_document(code: ExitCode, message: str, advice: str, file: str = "", text: str = "") -> dict[str, Any]:
    """The document of a command that could not do its work."""
    document = to_json(ErrorDocument(Failure(message, advice, file, text)))
    return {"schema": SCHEMA_VERSION, "verdict": VERDICTS[code], "exit_code": int(code), **document}


def explanation_document(explanation: Explanation) -> dict[str, Any]:
    """The explanation as JSON values."""
    fields = {field.name: to_json(getattr(explanation, field.name)) for field in dataclasses.fields(explanation)}
    fields["exit_code"] = int(explanation.exit_code)
    verdict = SEARCHABLE if explanation.problem is None else VERDICTS[explanation.exit_code]
    return {"schema": SCHEMA_VERSION, "verdict": verdict, **fields}


def verification_document(result: VerifyResult) -> dict[str, Any]:
    """The answer of ``verify`` as JSON values."""
    fields = {field.name: to_json(getattr(result, field.name)) for field in dataclasses.fields(result) if field.name != "answer"}
    fields["exit_code"] = int(result.exit_code)
    return {"schema": SCHEMA_VERSION, "verdict": str(result.verdict), **fields}


def confinement_notes(confined: Confined) -> tuple[str, ...]:
    """What held the engine, in sentences."""
    return (*([f"confinement: {confined.text}"] if confined.text else []), *confined.notes, *confined.refusals)


def document(result: Result) -> dict[str, Any]:
    """The result as JSON values."""
    fields = {field.name: to_json(getattr(result, field.name)) for field in dataclasses.fields(result)}
    fields["exit_code"] = int(result.exit_code)
    fields["notes"] += confinement_notes(result.confined)
    return {"schema": SCHEMA_VERSION, "verdict": VERDICTS[result.exit_code], **fields}
