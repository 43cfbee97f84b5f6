"""Reads Sentry events: as the SDK sends them, as the web API returns them (camelCase), and wrapped in alerts and webhooks."""

from __future__ import annotations

from collections.abc import Iterator

from crashwright.core.report import CrashReport, ReportedEnvironment, Unknown
from crashwright.crash.readers.json_text import Json, Object, documents, field, objects, text_field, walk
from crashwright.crash.readers.sentry_chain import read_chain

_LEVELS = 6
"How deep alerts and webhooks wrap an event."


class SentryReader:
    """The TraceReader for Sentry's JSON."""

    name = "sentry"

    def read(self, text: str) -> tuple[CrashReport, ...] | Unknown:
        """A report for each event with an exception, in the order of the text."""
        if "exception" not in text.lower():
            return Unknown("")
        values, broken = documents(text)
        events = [event for value in values for event in _events(value)]
        found = [_report(event) for event in events]
        reports = tuple(one for one in found if not isinstance(one, Unknown))
        if reports:
            return reports
        reasons = [one.reason for one in found if isinstance(one, Unknown)]
        if reasons:
            return Unknown(reasons[0])
        return Unknown(broken if broken and ('"frames"' in text or '"stacktrace"' in text) else "")


def _events(value: Json) -> Iterator[Object]:
    return (candidate for candidate in walk(value, _LEVELS) if _values(candidate)[0])


def _values(event: Object) -> tuple[list[Object], Json]:
    """The exceptions of an event with the notes on what was cut from them; none where it is no event."""
    meta = field(event, "_meta")
    exception = field(event, "exception", "sentry.interfaces.Exception")
    found = objects(exception) or objects(field(exception, "values"))
    if found:
        noted = field(meta, "exception")
        return _exceptions(found), field(noted, "values") or noted
    for index, entry in enumerate(objects(field(event, "entries"))):
        if field(entry, "type") == "exception":
            noted = field(field(field(field(meta, "entries"), str(index)), "data"), "values")
            return _exceptions(objects(field(field(entry, "data"), "values"))), noted
    return [], None


def _exceptions(values: list[Object]) -> list[Object]:
    """structlog's lists look alike from far."""
    return values if any("stacktrace" in one or "type" in one for one in values) and "exc_type" not in values[0] else []


def _report(event: Object) -> CrashReport | Unknown:
    values, meta = _values(event)
    platform = text_field(event, "platform")
    if platform not in ("", "python", "other", "native") and not _has_python_frames(values):
        return Unknown(f"this Sentry event comes from the platform {platform[:40]!r}, not from Python")
    chain = read_chain(values, meta)
    return chain if isinstance(chain, Unknown) else CrashReport(chain, _environment(event))


def _has_python_frames(values: list[Object]) -> bool:
    frames = (frame for one in values for frame in objects(field(field(one, "stacktrace"), "frames")))
    return any(text_field(frame, "filename", "abs_path", "absPath").endswith(".py") for frame in frames)


def _environment(event: Object) -> ReportedEnvironment | None:
    runtime = field(field(event, "contexts"), "runtime")
    python = text_field(runtime, "version") if text_field(runtime, "name") in ("CPython", "PyPy", "python", "Python") else ""
    modules = field(event, "modules", "packages")
    packages = {name: version for name, version in modules.items() if isinstance(version, str)} if isinstance(modules, dict) else {}
    release = field(event, "release")
    tag = release if isinstance(release, str) else text_field(release, "version") or _tag(event, "release")
    if not (python or packages or tag):
        return None
    return ReportedEnvironment(python or None, packages, tag or None)


def _tag(event: Object, name: str) -> str:
    """Tags are an object, a list of pairs, or a list of objects with key and value."""
    tags = field(event, "tags")
    for tag in tags if isinstance(tags, list) else ():
        pair = tag if isinstance(tag, list) else [field(tag, "key"), field(tag, "value")]
        if len(pair) == 2 and pair[0] == name and isinstance(pair[1], str):
            return pair[1]
    return text_field(tags, name)
