"""Documents with the keys that code reads (``subject.usage.shapes``): whole ones first, then each with one thing otherwise."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

from crashwright.engine.subject.usage.shapes import Plain, Shape
from crashwright.engine.testcase.samples.lined import Known, is_split, plain_line, usual
from crashwright.engine.testcase.statements import Display, Value

MOST_RECORDS = 3
MOST_DOCUMENTS = 60
"""Of each record."""
MOST_VALUES = 10
"""Of a parameter."""
_DEPTH = 6
_PLAIN = "text"
_OTHERWISE: tuple[Any, ...] = (None, "", "1", 0, -1, [], {}, "a,b", True, 1.5, "2020-01-02")
"""What may stand where something else is usual."""
_MISSING = object()
Place = tuple[str | int, ...]


def documents(style: str, records: Sequence[Shape], known: Known, said: Sequence[str], delimiter: str = ",") -> Iterator[str]:
    """Texts of the format ``style`` (see :data:`WRITERS`; none of others). ``said`` are words that the report says: each may stand
    in any place. ``delimiter`` stands between the cells of tables."""
    writer = partial(_csv, delimiter=delimiter) if style == "CSV" else WRITERS.get(style)
    if writer is None:
        return
    seen: dict[str, None] = {}
    for record in records[:MOST_RECORDS]:
        for document in islice(_varied(record, known, said), MOST_DOCUMENTS):
            for text in writer(document, record.is_row):
                if text not in seen:
                    seen[text] = None
                    yield text


def records_like(shape: Shape, known: Known, said: Sequence[str]) -> Iterator[Value]:
    """Values of that shape, as they are written down: the whole one first, of rows two and none too, then each with one thing
    otherwise."""
    whole, *others = islice(_varied(shape, known, said), MOST_VALUES)
    yield _written(whole)
    if isinstance(whole, list):
        yield _written([*whole, *whole])
        yield _written([])
        yield from (_written([*whole, *other]) for other in others if isinstance(other, list))
    yield from map(_written, others)


def bodies(records: Sequence[Shape], known: Known, most: int) -> Iterator[str]:
    """As many source texts of values of each of those shapes: the whole one first, then each with one thing otherwise."""
    for record in records[:MOST_RECORDS]:
        yield from map(repr, islice(_varied(record, known, ()), most))


def _written(value: Any) -> Value:
    if isinstance(value, dict):
        return Display("dict", tuple((key, _written(one)) for key, one in value.items()))
    return Display("list", tuple(map(_written, value))) if isinstance(value, list) else value


def fields_of(records: Sequence[Shape], known: Known, said: Sequence[str]) -> dict[str, tuple[Plain, ...]]:
    """What may stand under the keys of the records, and any word that is ``said``."""
    found: dict[str, dict[Plain, None]] = {}
    waiting = [(record, 0) for record in records[:MOST_RECORDS]]
    while waiting:
        shape, depth = waiting.pop()
        for key, one in shape.fields.items():
            found.setdefault(key, {}).update(dict.fromkeys((*usual(one, known), *said)))
        if depth < _DEPTH:
            waiting += [(one, depth + 1) for one in (*shape.fields.values(), *([shape.items] if shape.items else ()))]
    return {key: tuple(values) for key, values in found.items()}


def _varied(record: Shape, known: Known, said: Sequence[str]) -> Iterator[Any]:
    """The whole record; without what may be missing; each part otherwise."""
    whole = _value(record, known, 0)
    yield whole
    places = list(_places(record, (), 0))
    optional = [place for place, shape in places if shape.is_optional]
    bare = whole
    for place in optional:
        bare = _replaced(bare, place, _MISSING)
    if optional:
        yield bare
    others = [(place, value) for place, shape in places for value in usual(shape, known)[1:]]
    told: list[tuple[Place, Any]] = [
        (place, value) for value in said for place, shape in places if not shape.fields and shape.items is None
    ]
    missing = [(place, _MISSING) for place, _ in places]
    for place, value in told:
        yield _replaced(whole, place, value)
        yield _replaced(bare, place, value)
    for place, value in (*others, *missing):
        yield _replaced(whole, place, value)
    for value in _OTHERWISE:
        for place, _ in places:
            yield _replaced(whole, place, value)


def _value(shape: Shape, known: Known, depth: int) -> Any:
    if shape.fields and depth < _DEPTH:
        return {key: _value(one, known, depth + 1) for key, one in shape.fields.items()}
    if shape.items is not None and depth < _DEPTH:
        return [_value(shape.items, known, depth + 1)]
    if is_split(shape):
        return plain_line(shape, known)
    value = next(iter(usual(shape, known)), _PLAIN)
    return shape.names[0] if value == _PLAIN and shape.names else value  # as a text of that name is called elsewhere too


def _places(shape: Shape, before: Place, depth: int) -> Iterator[tuple[Place, Shape]]:
    """All parts, outer ones before what is in them."""
    if depth >= _DEPTH:
        return
    for key, one in shape.fields.items():
        yield (*before, key), one
        yield from _places(one, (*before, key), depth + 1)
    if not shape.fields and shape.items is not None:
        yield from _places(shape.items, (*before, 0), depth + 1)


def _replaced(document: Any, place: Place, value: Any) -> Any:
    """A copy with ``value`` in that place; as it was where there is no such place."""
    key, rest = place[0], place[1:]
    copied: Any = dict(document) if isinstance(document, dict) else list(document) if isinstance(document, list) else {}
    if key not in (copied if isinstance(document, dict) else range(len(copied))):
        return document
    if rest:
        copied[key] = _replaced(copied[key], rest, value)
    elif value is _MISSING:
        del copied[key]
    else:
        copied[key] = value
    return copied


def _json(document: Any, is_row: bool) -> Iterator[str]:
    import json  # here alone: few subjects have it

    text = json.dumps(document)
    yield from (json.dumps([document]), text) if is_row else (text,)


def _csv(document: Any, is_row: bool, delimiter: str = ",") -> Iterator[str]:  # noqa: ARG001 - a line is a row
    import csv

    if not isinstance(document, dict) or any(isinstance(value, dict | list) for value in document.values()):
        return
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(document)
    writer.writerow([_flat(value) for value in document.values()])
    yield text.getvalue()


def _flat(value: Any) -> str:
    return "" if value is None else str(value)


def _ini(document: Any, is_row: bool) -> Iterator[str]:  # noqa: ARG001
    if not isinstance(document, dict):
        return
    sections = {key: value for key, value in document.items() if isinstance(value, dict)} or {"section": document}
    yield "".join(
        f"[{name}]\n" + "".join(f"{key} = {_flat(value)}\n" for key, value in options.items()) for name, options in sections.items()
    )


def _toml(document: Any, is_row: bool) -> Iterator[str]:  # noqa: ARG001
    if not isinstance(document, dict):
        return
    plain = {key: value for key, value in document.items() if not isinstance(value, dict)}
    tables = {key: value for key, value in document.items() if isinstance(value, dict)}
    lines = [f"{_inline(key)} = {_inline(value)}\n" for key, value in plain.items() if value is not None]
    for name, table in tables.items():
        lines.append(f"[{_inline(name)}]\n")
        lines += [f"{_inline(key)} = {_inline(value)}\n" for key, value in table.items() if value is not None]
    yield "".join(lines)


def _inline(value: Any) -> str:
    """As TOML writes it within a line; it has no null."""
    import json

    if isinstance(value, dict):
        pairs = ", ".join(f"{_inline(key)} = {_inline(one)}" for key, one in value.items())
        return f"{{ {pairs} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    return json.dumps("" if value is None else value)


def _query(document: Any, is_row: bool) -> Iterator[str]:  # noqa: ARG001
    from urllib.parse import urlencode

    if isinstance(document, dict):
        query = urlencode({key: _flat(value) for key, value in document.items()})
        yield query
        yield f"http://example.org/?{query}"


WRITERS: dict[str, Callable[[Any, bool], Iterator[str]]] = {
    "JSON": _json,
    "YAML": _json,  # each JSON document is one of YAML
    "CSV": _csv,
    "INI": _ini,
    "TOML": _toml,
    "URL": _query,
}
"""By the name of the format (``formats.FORMATS``): a document as text; ``is_row`` where a loop goes through such."""
