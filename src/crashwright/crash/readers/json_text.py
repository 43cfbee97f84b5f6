"""JSON out of a text: one document, one a line with other output around, or one within a longer text. Whatever it holds, reading
takes time linear in its length and raises nothing; values are asked for their type before they are used."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Object: TypeAlias = "dict[str, Json]"

_OPENING = re.compile(r"\[(?=\s*[\[{\]\"\w-])|\{(?=\s*[\"}])")
_WRAPPING_KEYS = ("log", "message", "textPayload", "MESSAGE")
"Where log services put a line that is JSON itself."
_PATIENCE = 4
"Characters that may be read in vain, as a multiple of the text's length."
_COPIED = 64
"Characters that are copied, or searched for line ends by an error, in the time that one is decoded."
_DEEP = 200_000
"What a document nested too deeply counts for in that."


class Documents(NamedTuple):
    """``values`` in order. ``broken``: why the first thing that begins like a document is none, else empty."""

    values: tuple[Json, ...]
    broken: str = ""


def documents(text: str) -> Documents:
    """Every JSON object and list in ``text``, outermost ones where they are whole."""
    found: list[Json] = []
    broken = ""
    wasted = position = 0
    end = len(text.rstrip())
    while wasted <= _PATIENCE * len(text) + _DEEP:
        opening = _OPENING.search(text, position)
        if opening is None:
            break
        attempt = _decoded(text, opening.start())
        if isinstance(attempt, _Failure):
            broken = broken or _complaint(text, opening.start(), attempt, end)
            wasted, position = wasted + attempt.cost, max(attempt.resume, opening.end())
        else:
            position = attempt[1]
            found += _unwrapped(attempt[0])
    return Documents(tuple(found), broken)


class _Failure(NamedTuple):
    """Why no document begins here, up to where it could be read, how many characters were read to find out, and where to go on
    if not behind the bracket."""

    reason: str
    reached: int
    cost: int
    resume: int = 0


def _decoded(text: str, start: int) -> tuple[Json, int] | _Failure:
    """The document that begins at ``start``, and its end. Most stand on one line: that is tried first, since an error within a long
    text counts the lines of all that is before it."""
    end = text.find("\n", start)
    line = text[start : end if end >= 0 else len(text)]
    decoder = json.JSONDecoder()
    cost = len(line) // _COPIED
    try:
        try:
            value, length = decoder.raw_decode(line)
        except json.JSONDecodeError as error:
            if end < 0 or error.pos < len(line.rstrip()):
                return _Failure(error.msg, start + error.pos, cost + error.pos + 1)
            value, length = decoder.raw_decode(text, start)
            return value, length
        return value, start + length
    except RecursionError:
        return _Failure("nested too deeply", start, cost + _DEEP, start + len(line))
    except json.JSONDecodeError as error:
        return _Failure(error.msg, error.pos, cost + error.pos - start + error.pos // _COPIED)
    except ValueError:
        return _Failure("a number with thousands of digits", start, len(text) - start)


def _complaint(text: str, start: int, failure: _Failure, end: int) -> str:
    """What to tell the user; nothing where the bracket is that of ``[info]`` and the like. ``end``: of ``text`` without spaces."""
    if failure.reached >= end or failure.reason.startswith("Unterminated string"):
        return "the JSON breaks off before its end"
    if failure.reached == start:
        return f"the JSON cannot be read: {failure.reason}"
    shown = text[failure.reached : failure.reached + 20]
    return f"the JSON has an error before {shown!r}" if failure.reached > start + 1 else ""


def _unwrapped(value: Json) -> Iterator[Json]:
    """``value``, and the JSON that a log service put into a string of it."""
    yield value
    if not isinstance(value, dict):
        return
    for key in _WRAPPING_KEYS:
        inner = value.get(key)
        if isinstance(inner, str) and inner.lstrip()[:1] in ("{", "["):
            try:
                yield json.loads(inner)
            except (ValueError, RecursionError):
                continue  # just a message that begins like JSON: the line itself has been handed out


def field(value: Json, *names: str) -> Json:
    """The value of the first of ``names`` that is there and not null, else None."""
    if isinstance(value, dict):
        for name in names:
            if value.get(name) is not None:
                return value[name]
    return None


def text_field(value: Json, *names: str) -> str:
    """The same where it must be a string, else the empty one."""
    found = field(value, *names)
    return found if isinstance(found, str) else ""


def objects(value: Json) -> list[Object]:
    """The objects in a list; none where it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def line_number(value: Json) -> int | None:
    """A line number that Python can have had."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**31 else None


def walk(value: Json, depth: int) -> Iterator[Object]:
    """The objects within ``value`` down to ``depth``, outer ones and earlier ones first."""
    if isinstance(value, dict):
        yield value
    if depth:
        for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            if isinstance(inner, (dict, list)):
                yield from walk(inner, depth - 1)
