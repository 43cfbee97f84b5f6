"""Simpler versions of a text that is a document: elements, attributes, keys, items, rows and columns go as a whole; what stays
keeps its name.

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
_DELIMITERS = ",;\t|"
_LEAST_ROWS = 2
_COLUMN = r"[A-Za-z_][\w .-]*"
_MOMENT = re.compile(r"\d{4}-\d\d")
_Item = TypeVar("_Item")


class _Element(NamedTuple):
    name: str
    attributes: tuple[tuple[str, str], ...]
    parts: tuple[_Element | str, ...]


def simpler_documents(text: str) -> Iterator[str] | None:
    """None where ``text`` is no well-formed markup, no JSON of keys or items, and no table with a head."""
    if len(text) > LONGEST:
        return None
    root = _element_of(text.strip())
    if root is not None:
        return map(_written, _simpler(root))
    found = _json_of(text)
    if found is not None:
        return map(json.dumps, _smaller(found))
    return _smaller_tables(text)


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


def _smaller_tables(text: str) -> Iterator[str] | None:
    """Without a row or a column, then with plainer cells. None where ``text`` is no table: two lines or more, of as many cells
    each, beneath names."""
    lines = text.splitlines()
    mark = next((one for one in _DELIMITERS if lines and one in lines[0]), "")
    rows = [line.split(mark) for line in lines] if mark else []
    if len(rows) < _LEAST_ROWS or any(len(row) != len(rows[0]) for row in rows) or '"' in text:
        return None
    if not all(re.fullmatch(_COLUMN, name.strip()) for name in rows[0]):
        return None
    end = "\n" if text.endswith("\n") else ""
    return (mark.join(rows[0]) + "".join("\n" + mark.join(row) for row in rows[1:]) + end for rows in _fewer(rows))


def _fewer(rows: list[list[str]]) -> Iterator[list[list[str]]]:
    for place in range(1, len(rows)):
        yield rows[:place] + rows[place + 1 :]
    for place in range(len(rows[0]) if len(rows[0]) > 1 else 0):
        yield [row[:place] + row[place + 1 :] for row in rows]
    for at, row in enumerate(rows[1:], 1):
        for place, cell in enumerate(row):
            for plainer in _plainer_cells(rows[0][place].strip(), cell):
                yield [*rows[:at], [*row[:place], plainer, *row[place + 1 :]], *rows[at + 1 :]]


def _plainer_cells(column: str, cell: str) -> Iterator[str]:
    """What somebody would type there: the name of the column, or one, where it is neither empty nor a word that means something."""
    if cell == column or not cell or _MOMENT.match(cell):
        return
    yield column
    if cell not in ("0", "1"):
        yield "1"


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
