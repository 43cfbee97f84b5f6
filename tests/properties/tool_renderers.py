"""Prints a report as pytest, JUnit XML, Sentry and structlog do: the other half of ``read(render(report)) == report``."""

import json
from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape

from crashwright.core.report import CrashReport, ReportedException, ReportedFrame

SENTENCES = {
    "cause": "The above exception was the direct cause of the following exception:",
    "context": "During handling of the above exception, another exception occurred:",
}
SEPARATOR = "_ " * 40


def error_lines(exception: ReportedException) -> list[str]:
    """What Python prints below the frames."""
    first, *further = exception.message.split("\n")
    return [f"{exception.type}: {first}" if first else exception.type, *further, *exception.notes]


def rule(title: str, mark: str) -> str:
    return f" {title} ".center(80, mark)


def pytest_output(reports: Iterable[CrashReport], style: str) -> str:
    """A run with a failure for each report. ``style``: long, short, or auto (the first and the last frame are long)."""
    lines = [rule("test session starts", "="), "collected 3 items", "", rule("FAILURES", "=")]
    for number, report in enumerate(reports):
        lines += [rule(f"test_{number}", "_")]
        for exception in report.exceptions:
            lines += _pytest_exception(exception, style)
            lines += ["", SENTENCES[exception.link]] if exception.link else []
        lines += [rule("Captured stdout call", "-"), "> text", "E   text", "a.py:3: in text"] if number == 0 else []
    return "\n".join([*lines, rule("short test summary info", "="), "FAILED test_a.py::test_0 - x", rule("1 failed", "=")])


def _pytest_exception(exception: ReportedException, style: str) -> Iterator[str]:
    last = len(exception.frames) - 1
    for index, frame in enumerate(exception.frames):
        error = error_lines(exception) if index == last else []
        long = style == "long" or (style == "auto" and index in (0, last))
        if index and (long or (style == "auto" and index == 1)):
            yield SEPARATOR
        yield from _long(frame, error, exception) if long else _short(frame, error)


def _short(frame: ReportedFrame, error: list[str]) -> Iterator[str]:
    yield f"{frame.path}:{frame.line}: in {frame.function}"
    yield f"    {frame.source if frame.source is not None else '???'}"
    if frame.columns:
        yield "    " + " " * frame.columns[0] + "^" * (frame.columns[1] - frame.columns[0])
    yield from (f"E   {line}" for line in error)
    yield from (f"        {name:<10} = {value}" for name, value in frame.local_values.items())


def _long(frame: ReportedFrame, error: list[str], exception: ReportedException) -> Iterator[str]:
    arguments = list(frame.local_values.items())[:1]
    yield ""
    if arguments:
        yield ", ".join(f"{name} = {value}" for name, value in arguments)
        yield ""
    indent = "    "
    if not frame.function.startswith("<"):
        yield "    @decorated("
        yield "    )"
        yield f"    def {frame.function}({', '.join(name for name, _ in arguments)}):"
        yield '        """Words.'
        yield "    "
        yield '    More."""'
        indent = "        "
    yield f">{indent[1:]}{frame.source}"
    if frame.columns:
        yield indent + " " * frame.columns[0] + "^" * (frame.columns[1] - frame.columns[0])
    yield from (f"E{indent[1:]}{line}" for line in error)
    yield ""
    if frame.local_values:
        yield from (f"{name:<10} = {value}" for name, value in frame.local_values.items())
        yield ""
    yield f"{frame.path}:{frame.line}: {exception.short_type if error else ''}"


def junit_xml(reports: Iterable[CrashReport], style: str) -> str:
    cases = []
    for number, report in enumerate(reports):
        text = "\n".join(
            line
            for exception in report.exceptions
            for line in [*_pytest_exception(exception, style), *(["", SENTENCES[exception.link]] if exception.link else [])]
        ).strip()
        message = escape(error_lines(report.crash)[0], {'"': "&quot;"})
        cases.append(
            f'<testcase classname="a" name="test_{number}" time="0.1"><failure message="{message}">{escape(text)}</failure>'
        )
        cases.append("<system-out>out</system-out></testcase>")
    return f'<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="pytest">{"".join(cases)}</testsuite></testsuites>'


def sentry_event(report: CrashReport, camel: bool = False) -> dict[str, object]:
    """The event of the SDK, or with ``camel`` that of the web API."""
    listed: list[tuple[ReportedException, dict[str, object]]] = []
    _number(report, listed, 0, "")
    values = [_sentry_exception(exception, mechanism, camel) for exception, mechanism in reversed(listed)]
    if camel:
        return {"eventID": "1", "platform": "python", "entries": [{"type": "exception", "data": {"values": values}}]}
    return {"event_id": "1", "platform": "python", "exception": {"values": values}}


def _number(report: CrashReport, listed: list[tuple[ReportedException, dict[str, object]]], parent: int, source: str) -> None:
    """Numbers an exception, then its cause, then the members of its group."""
    *earlier, last = report.exceptions
    number = len(listed)
    mechanism: dict[str, object] = {"type": "generic", "exception_id": number, "is_exception_group": bool(last.group)}
    listed.append((last, mechanism | ({"parent_id": parent, "source": source} if number else {})))
    if earlier:
        _number(CrashReport(tuple(earlier)), listed, number, "__cause__" if earlier[-1].link == "cause" else "__context__")
    for index, member in enumerate(last.group):
        _number(member, listed, number, f"exceptions[{index}]")


def _sentry_exception(exception: ReportedException, mechanism: dict[str, object], camel: bool) -> dict[str, object]:
    module, _, kind = exception.type.rpartition(".")
    value = "\n".join((exception.message, *exception.notes))
    if exception.place:
        value += f" ({exception.place.path}, line {exception.place.line})"
    frames = [_sentry_frame(frame, camel) for frame in exception.frames]
    return {"type": kind, "module": module or None, "value": value, "mechanism": mechanism, "stacktrace": {"frames": frames}}


def _sentry_frame(frame: ReportedFrame, camel: bool) -> dict[str, object]:
    told: dict[str, object] = {"function": frame.function, "vars": frame.local_values, "module": "a"}
    source = None if frame.source is None else f"    {frame.source}"
    if camel:
        context = [] if source is None else [[(frame.line or 0) - 1, "if x:"], [frame.line, source], [(frame.line or 0) + 1, ""]]
        return told | {"absPath": frame.path, "filename": "a.py", "lineNo": frame.line, "context": context}
    return told | {"abs_path": frame.path, "filename": "a.py", "lineno": frame.line, "context_line": source}


def structlog_lines(reports: Iterable[CrashReport]) -> str:
    entries: list[dict[str, object]] = [{"event": "begin", "level": "info"}]
    for report in reports:
        entries += [{"event": "failed", "exception": _stacks(report)}, {"event": "going on", "exception": None}]
    return "\n".join(map(json.dumps, entries)) + "\n"


def _stacks(report: CrashReport) -> list[dict[str, object]]:
    return [
        {
            "exc_type": exception.type,
            "exc_value": exception.message,
            "exc_notes": list(exception.notes),
            "syntax_error": _syntax_error(exception),
            "is_cause": exception.link == "cause",
            "frames": [
                {"filename": frame.path, "lineno": frame.line, "name": frame.function, "locals": frame.local_values}
                for frame in exception.frames
            ],
            "is_group": bool(exception.group),
            "exceptions": [_stacks(member) for member in exception.group],
        }
        for exception in reversed(report.exceptions)
    ]


def _syntax_error(exception: ReportedException) -> dict[str, object] | None:
    place = exception.place
    if place is None:
        return None
    offset = place.columns[0] + 3 if place.columns else 0
    return {"offset": offset, "filename": place.path, "line": f"  {place.source}\n", "lineno": place.line, "msg": exception.message}
