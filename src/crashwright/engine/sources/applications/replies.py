"""What an application answers, in whatever form: the response of a framework's client, what a program prints and returns, an
exception. Its text and its values are what the next question is made of."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, cast

from crashwright.engine.frameworks.registry import complaints_in
from crashwright.engine.subject.introspection import class_name
from crashwright.engine.subject.usage.shapes import Plain

PRINTED = ""
"""The name of what a program printed."""
_LONGEST = 2000
"""Characters of an answer."""
_FIRST = 4
"""Of a list in an answer, of words that a program printed."""
_NUMBERED = re.compile(r"\b([a-z_]+)[ :]+#?(\d{1,9})\b")
_WITH_DIGITS = re.compile(r"(?<![\w-])(?=[\w-]*\d)[\w-]*[^\W\d][\w-]*(?![\w-])|\b\d{4,}\b")
_ARGS = BaseException.__dict__["args"].__get__
_STATUS = ("status_code", "status")
_REFUSED, _LACKING, _UNFIT, _SHOWN, _DENIED = 400, 404, 415, 200, frozenset({401, 403})
"""The first status of HTTP that says so, that of what is not there, that of what is sent in another form than is read, that of what
is shown, and those of what is not for the caller."""
_PAGE, _TAG = "<!doctype html", re.compile(r"<(?:script|style)\b.*?</|<[^>]*>", re.DOTALL | re.IGNORECASE)


class Reply(NamedTuple):
    """``text`` is what it said; ``values`` are what its document has, by their keys."""

    succeeded: bool
    text: str
    values: Mapping[str, tuple[Plain, ...]] = {}
    crashed: bool = False
    """It came through as an exception."""
    lacks: bool = False
    """What it is about is not there."""
    denied: bool = False
    """Not to this caller."""
    page: bool = False
    """It is a page, where other applications say where to go on."""
    wrong: tuple[str, ...] = ()
    """Keys of its document that have sentences: ``{"title": ["This field is required."]}``."""
    unfit: bool = False
    """It is not what is sent, but how."""


def reply_of(value: Any, printed: str = "") -> Reply:
    """What a response says, of whatever framework; else what a program returns and has ``printed``: a number but 0 says that it
    failed."""
    status = next((one for name in _STATUS if type(one := getattr(value, name, None)) is int), None)
    if status is None:
        failed = type(value) is int and value != 0
        return Reply(not failed, _last_line(printed) if failed else printed[:_LONGEST], {} if failed else _told_numbers(printed))
    complaints = complaints_in(value)
    if complaints:
        text = "; ".join(f"{name}: {said}" if name else said for name, said in complaints.items())
        return Reply(False, f"{status} {text}"[:_LONGEST], wrong=tuple(filter(None, complaints)))
    said = getattr(value, "text", None)
    if type(said) is not str:
        content = getattr(value, "content", b"")
        said = content.decode("utf-8", "replace") if type(content) is bytes else ""
    try:
        document = json.loads(said)
    except (ValueError, RecursionError):
        document = None  # a page, or nothing
    values: dict[str, tuple[Plain, ...]] = {}
    _gather(document, values)
    page = document is None and _PAGE in said[:_LONGEST].lower()
    text = " ".join(_TAG.sub(" ", said).split()) if page else said
    return Reply(
        status < _REFUSED,
        f"{status} {text[:_LONGEST]}",
        values,
        lacks=status == _LACKING,
        denied=status in _DENIED,
        page=page and status == _SHOWN,
        wrong=tuple(_complaints(document)),
        unfit=status == _UNFIT,
    )


def reply_raised(error: BaseException, printed: str = "") -> Reply:
    """What an exception says, without running code of its class; the end of a program with nothing, or with 0, is none."""
    args = cast(tuple[object, ...], _ARGS(error))
    if isinstance(error, SystemExit):
        if not args or args[0] is None or args[0] == 0:
            return Reply(True, printed[:_LONGEST], _told_numbers(printed))
        return Reply(False, args[0][:_LONGEST] if type(args[0]) is str else _last_line(printed))
    said = [one for one in args if type(one) is str]
    return Reply(False, f"{class_name(type(error))}: {' '.join(said)}"[:_LONGEST], crashed=True)


def _last_line(printed: str) -> str:
    """What is wrong stands there; before it stands how the program is used, which names all that there is."""
    return next((line for line in reversed(printed.splitlines()) if line.strip()), "")[:_LONGEST]


def _told_numbers(printed: str) -> dict[str, tuple[Plain, ...]]:
    """Of ``race 3`` or ``order #17`` the number, by the name in front of it; and, by no name, words with digits in them."""
    words = tuple(dict.fromkeys(_WITH_DIGITS.findall(printed[:_LONGEST])))[:_FIRST]
    found: dict[str, tuple[Plain, ...]] = {PRINTED: words} if words else {}
    for name, number in _NUMBERED.findall(printed):
        found[name] = (*found.get(name, ()), int(number))
    return found


def _complaints(document: object) -> Iterator[str]:
    for key, value in document.items() if type(document) is dict else ():
        if type(value) is list and value and all(type(one) is str for one in value):
            yield key


def _gather(document: object, values: dict[str, tuple[Plain, ...]]) -> None:
    if type(document) is dict:
        for key, value in document.items():
            if type(value) in (str, int, float):
                values[key] = (*values.get(key, ()), value)
            else:
                _gather(value, values)
    elif type(document) is list:
        for one in document[:_FIRST]:
            _gather(one, values)
