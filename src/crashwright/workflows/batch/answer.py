"""What came of one crash of a batch: its document, as ``reproduce`` writes it, in a few words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from crashwright.core.errors import ExitCode


class Verdict(StrEnum):
    """The answers there are."""

    REPRODUCED = "reproduced"
    PARTIAL = "partial"
    NOT_FOUND = "not found"
    NOT_POSSIBLE = "not possible"
    INTERNAL = "internal error"
    NOT_TRIED = "not tried"
    """There was no time: the next run goes on with it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """``reason`` says why it is not reproduced, or what is missing. ``text`` is the test, where one is to be written, and ``name``
    what its file is called."""

    verdict: Verdict
    reason: str = ""
    level: int = 0
    evaluations: int = 0
    seconds: float = 0.0
    subject: str = ""
    text: str = ""
    name: str = ""
    interpreter: str = ""
    """Runs the test, "" where that is crashwright's own, ..."""
    import_path: tuple[str, ...] = ()
    """... with these folders on ``sys.path``."""
    has_pytest: bool = True


_VERDICTS = {
    ExitCode.SUCCESS: Verdict.REPRODUCED,
    ExitCode.NOT_FOUND: Verdict.NOT_FOUND,
    ExitCode.USAGE: Verdict.NOT_POSSIBLE,
    ExitCode.ENVIRONMENT: Verdict.NOT_POSSIBLE,
    ExitCode.PARTIAL: Verdict.PARTIAL,
}


def answer_of(document: dict[str, Any], seconds: float) -> Answer:
    """The answer in the ``document`` of a process that took so many seconds."""
    verdict = _VERDICTS.get(document["exit_code"], Verdict.INTERNAL)
    if (error := document.get("error")) is not None:
        reason = " ".join(filter(None, (error.get("message"), error.get("advice"))))
        return Answer(verdict, reason, seconds=seconds)
    test = document.get("test") or {}
    written = bool(test.get("file"))
    return Answer(
        verdict,
        _reason(verdict, document, test),
        level=test.get("level", 0),
        evaluations=document["evaluations"],
        seconds=seconds,
        subject=document["subject"],
        text=test["text"] if written else "",
        name=test["name"] if written else "",
        interpreter=document.get("interpreter", ""),
        import_path=tuple(document.get("import_path", ())),
        has_pytest=test.get("runner", "pytest") == "pytest",
    )


def _reason(verdict: Verdict, document: dict[str, Any], test: dict[str, Any]) -> str:
    if verdict is Verdict.REPRODUCED:
        return ""
    told = [test.get("missing")] if verdict is Verdict.PARTIAL else []
    if verdict is Verdict.NOT_FOUND and not document["evaluations"] and not document["hints"]:
        return "the budget ended before the first test"
    found = next(filter(None, (*told, *document["hints"], document["furthest"])), "")
    return str(found or "no test came close to it")
