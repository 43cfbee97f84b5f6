"""Simpler versions of a text that is a document: elements, attributes, keys and items go as a whole; what stays keeps its name.

A document that is cut anywhere is shorter, but reads as noise: nobody sees which element is missing where half a name is left.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple, TypeVar

LONGEST = 20_000
_NAME = r"[A-Za-z_][\w:.-]*"
_ATTRIBUTE = re.compile(rf"\s+({_NAME})=(\"[^\"<]*\"|'[^'<]*')")
_MARK = re.compile(rf"<(?P<end>/?)(?P<name>{_NAME})(?P<attributes>(?:{_ATTRIBUTE.pattern})*)\s*(?P<empty>/?)>")
_PLAIN = ("a", "1")
_Item = TypeVar("_Item")


class _Element(NamedTuple):
    name: str
    attributes: tuple[tuple[str, str], ...]
    parts: tuple[_Element | str, ...]


def simpler_documents(text: str) -> Iterator[str] | None:
    """None where ``text`` is no well-formed markup and no JSON of keys or items."""
    if len(text) > LONGEST:
        return None
    root = _element_of(text.strip())
    if root is not None:
        return map(_written, _simpler(root))
    found = _json_of(text)
    return None if found is None else map(json.dumps, _smaller(found))


def _element_of(text: str) -> _Element | None:
    """Comments, declarations and what is left open are not understood."""
    open_: list[tuple[str, tuple[tuple[str, str], ...], list[_Element | str]]] = [("", (), [])]
    place = 0
    while place < len(text):
        mark = _MARK.match(text, place)
        if mark is None:
            if text[place] == "<" or len(open_) == 1:
                return None
            end = text.find("<", place)
            open_[-1][2].append(text[place : end if end > 0 else len(text)])
            place = end if end > 0 else len(text)
            continue
        place = mark.end()
        attributes = tuple((one[1], one[2]) for one in _ATTRIBUTE.finditer(mark["attributes"]))
        if mark["end"]:
            name, known, parts = open_.pop()
            if not open_ or name != mark["name"] or attributes:
                return None
            open_[-1][2].append(_Element(name, known, tuple(parts)))
        elif mark["empty"]:
            open_[-1][2].append(_Element(mark["name"], attributes, ()))
        else:
            open_.append((mark["name"], attributes, []))
    whole = open_[0][2]
    return whole[0] if len(open_) == 1 and len(whole) == 1 and isinstance(whole[0], _Element) else None


def _simpler(element: _Element) -> Iterator[_Element]:
    name, attributes, parts = element
    for place, part in enumerate(parts):
        yield element._replace(parts=(*parts[:place], *parts[place + 1 :]))
        if isinstance(part, _Element):
            yield part
    for place in range(len(attributes)):
        yield element._replace(attributes=_without(attributes, place))
    for place, (key, value) in enumerate(attributes):
        for simpler in _plainer(value[1:-1]):
            yield element._replace(attributes=(*attributes[:place], (key, f'"{simpler}"'), *attributes[place + 1 :]))
    for place, part in enumerate(parts):
        for one in _simpler(part) if isinstance(part, _Element) else _plainer(part):
            yield _Element(name, attributes, (*parts[:place], one, *parts[place + 1 :]))


def _plainer(text: str) -> Iterator[str]:
    if text:
        yield ""
    if text not in ("", *_PLAIN):
        yield from _PLAIN


def _without(items: tuple[_Item, ...], place: int) -> tuple[_Item, ...]:
    return (*items[:place], *items[place + 1 :])


def _written(element: _Element) -> str:
    name, attributes, parts = element
    opening = name + "".join(f" {key}={value}" for key, value in attributes)
    content = "".join(part if isinstance(part, str) else _written(part) for part in parts)
    return f"<{opening}>{content}</{name}>" if content else f"<{opening}/>"


def _json_of(text: str) -> object:
    """A list or mapping; None where ``text`` is something else."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found


def _smaller(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        for key in value:
            yield {other: held for other, held in value.items() if other != key}
        for key, held in value.items():
            for smaller in _smaller(held):
                yield {**value, key: smaller}
    elif isinstance(value, list):
        for place in range(len(value)):
            yield value[:place] + value[place + 1 :]
        for place, held in enumerate(value):
            for smaller in _smaller(held):
                yield [*value[:place], smaller, *value[place + 1 :]]
    elif isinstance(value, str):
        yield from _plainer(value)
    elif type(value) in (int, float) and value not in (0, 1):
        yield from (0, 1)
