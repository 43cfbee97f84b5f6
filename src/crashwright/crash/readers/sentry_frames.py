"""One frame of a Sentry event: snake_case from the SDK, camelCase from the web API."""

from __future__ import annotations

import os
from collections.abc import Iterator

from crashwright.core.report import ReportedFrame
from crashwright.crash.readers.json_text import Json, Object, field, line_number, text_field
from crashwright.crash.readers.sentry_values import local_values

_SNIPPED = "{snip}"


def read_frame(frame: Object, meta: Json) -> ReportedFrame:
    """The frame; ``meta`` is what Sentry notes on parts that it cut."""
    line = line_number(field(frame, "lineno", "lineNo"))
    return ReportedFrame(
        _path(frame),
        line,
        _function(text_field(frame, "function")),
        _source(frame, line),
        None,
        None,
        local_values(field(frame, "vars"), field(meta, "vars")),
    )


def following_source(frame: Object) -> str:
    """The line of the frame and, where its brackets are open, the lines below it that belong to the statement."""
    text = _line_of(frame, line_number(field(frame, "lineno", "lineNo")))
    for below in _below(frame):
        if sum(map(text.count, "([{")) <= sum(map(text.count, ")]}")):
            break
        text += "\n" + below
    return text if text.lstrip().startswith("raise") else ""


def _function(name: str) -> str:
    """Some versions send qualified names; tracebacks show the last part."""
    return name.rpartition(".")[2] or "<unknown>"


def _path(frame: Object) -> str:
    """The whole path where there is one: only that tells an installed package from a file of the same name. The SDK puts the
    working directory before names like ``<string>``."""
    name, whole = text_field(frame, "filename"), text_field(frame, "abs_path", "absPath")
    for path in (name, os.path.basename(whole)):
        if path.startswith("<"):
            return path
    if whole and (whole.endswith((".py", ".pyc", ".pyw")) or not name):
        return whole
    module = text_field(frame, "module")
    return name or (module.replace(".", "/") + ".py" if module else "<unknown>")


def _source(frame: Object, line: int | None) -> str | None:
    text = _line_of(frame, line).strip()
    return None if not text or _SNIPPED in text else text


def _line_of(frame: Object, line: int | None) -> str:
    text = text_field(frame, "context_line", "contextLine")
    return text or next((shown for number, shown in _context(frame) if number == line), "")


def _below(frame: Object) -> Iterator[str]:
    after = field(frame, "post_context", "postContext")
    yield from (text for text in after if isinstance(text, str)) if isinstance(after, list) else ()
    line = line_number(field(frame, "lineno", "lineNo")) or 0
    yield from (text for number, text in _context(frame) if number > line)


def _context(frame: Object) -> Iterator[tuple[int, str]]:
    """``[[12, "  text"], ...]`` of the web API."""
    context = field(frame, "context")
    for pair in context if isinstance(context, list) else ():
        if isinstance(pair, list) and len(pair) == 2:
            number, text = line_number(pair[0]), pair[1]
            if number is not None and isinstance(text, str):
                yield number, text
