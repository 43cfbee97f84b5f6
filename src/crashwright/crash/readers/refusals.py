"""What a text looks like that no reader could read, and what would help: the words of the refusal."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from crashwright.core.errors import ReportError

NOTHING = "there is no Python traceback in it"
_WHOLE = "Paste the text as Python printed it, from 'Traceback (most recent call last):' to the line that names the exception."
_PYTHON_ONLY = "Crashes of Python code can be reproduced. If Python code called this, paste the Python traceback next to it."
_BEGINNING = 200_000
"Characters that are looked at."


class _Sight(NamedTuple):
    pattern: re.Pattern[str]
    what: str
    advice: str


def _sight(pattern: str, what: str, advice: str = _PYTHON_ONLY) -> _Sight:
    return _Sight(re.compile(pattern, re.MULTILINE), what, advice)


_PICTURE = "A picture of a traceback cannot be read; copy its text."
_PYTEST = "Run pytest with --tb=short (or --tb=long) and paste the section of the failure."
_AGAIN = "Give the output that it prints then, or the file that it was saved in."
_SIGHTS = (
    _sight(r"\A(?:\\x89|\x89|\ufffd)PNG|\A.{0,16}JFIF|\AGIF8[79]a|\A.{0,8}WEBP", "it is an image", _PICTURE),
    _sight(r"\A%PDF-", "it is a PDF document", _PICTURE),
    _sight(r"\APK(?:\x03|\\x03)|\A(?:\\x1f|\x1f)\\?x?8b|\A\x7fELF", "it is a binary file", "Give the text of the report."),
    _sight(
        r"^Fatal Python error: |^(?:Current thread|Thread) 0x[0-9a-f]+ .*\(most recent call first\):",
        "it is what faulthandler prints when the interpreter itself dies",
        "No exception was raised there, so no test can expect one. A crash of the interpreter cannot be reproduced.",
    ),
    _sight(
        r"^\s*at [\w.$<>/]+\([\w$]+\.(?:java|kt|scala|groovy):\d+\)|^Exception in thread \"[^\"]*\" [a-z]+\.",
        "it looks like a Java stack trace",
    ),
    _sight(
        r"^\s*at .{1,300}\.(?:[cm]?js|[cm]?tsx?|jsx):\d+:\d+\)?$|^\s*at .{1,100} \((?:node:|webpack)",
        "it looks like a JavaScript stack trace",
    ),
    _sight(r"^\s*at .{1,300} in .{1,300}:line \d+|^Unhandled exception\. System\.", "it looks like a .NET stack trace"),
    _sight(r"^goroutine \d+ \[\w+", "it looks like a Go stack trace"),
    _sight(r"^thread '[^']{0,100}' (?:\(\d+\) )?panicked at ", "it looks like a Rust panic"),
    _sight(r"^\s*(?:from )?\S{1,300}\.rb:\d+:in [`']", "it looks like a Ruby stack trace"),
    _sight(r"^PHP (?:Fatal error|Warning)|^#\d+ \S{1,300}\.php\(\d+\): ", "it looks like a PHP stack trace"),
    _sight(r"^#\d+ +0x[0-9a-f]+ in ", "it looks like a backtrace of native code (gdb)"),
    _sight(
        r"^(?:FAILED|ERROR) \S+(?:::| - )|^=+ .*\d+ (?:failed|errors?)\b.* in [\d.]+s",
        "it is pytest's summary, without the tracebacks",
        _PYTEST,
    ),
    _sight(r"\A\s*https?://\S+\s*\Z", "it is a link", "Paste the text that the link leads to."),
    _sight(r"\A\s*(?:<!DOCTYPE html|<html)", "it is a web page", "Copy the traceback from the page as text."),
    _sight(r"\A\s*<\?xml", "it is an XML document", "From JUnit XML, the files that pytest --junit-xml writes can be read."),
)
_LAST_LINE = re.compile(r"^(?:[\w]+\.)*[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit|Group|Iteration)(?:: .*)?$", re.MULTILINE)
_SOURCE = re.compile(r"^(?:def \w+\(.*\).*:|class \w+.*:|(?:from [\w.]+ )?import [\w., ]+)$", re.MULTILINE)
_ODD_BYTE = re.compile(r"\\x[0-9a-f]{2}|[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]")


def refusal(text: str, reasons: Sequence[str]) -> ReportError:
    """The error to raise for ``text``, in which the readers found nothing for ``reasons``."""
    told = [reason for reason in dict.fromkeys(reasons) if reason != NOTHING]
    if told:
        advice = _AGAIN if any("run pytest" in reason for reason in told) else _WHOLE
        return ReportError(f"This is not a readable crash report: {'; '.join(told)}.", advice)
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    what, advice = _looks_like(text[:_BEGINNING])
    seen = f"; {what}" if what else ""
    return ReportError(f"This is not a readable crash report: {NOTHING}{seen} (it begins with {first[:60]!r}).", advice)


def _looks_like(text: str) -> tuple[str, str]:
    for pattern, what, advice in _SIGHTS:
        if pattern.search(text):
            return what, advice
    if len(_ODD_BYTE.findall(text[:4000])) * 10 > min(len(text), 4000):
        return "it is a binary file", "Give the text of the report."
    if text.lstrip()[:1] in ("{", "[") and _is_json(text):
        return (
            "it is a JSON document without a traceback",
            "crashwright reads Sentry events, structlog records, and tracebacks in strings.",
        )
    if _LAST_LINE.search(text):
        return "it has only the line that names the exception", _WHOLE + " The lines above it say where it happened."
    if _SOURCE.search(text):
        return "it looks like Python source", "Run it, and paste what it prints when it crashes."
    return "", _WHOLE


def _is_json(text: str) -> bool:
    for part in (text, text.lstrip().partition("\n")[0]):
        try:
            json.loads(part)
        except (ValueError, RecursionError):
            continue
        return True
    return False
