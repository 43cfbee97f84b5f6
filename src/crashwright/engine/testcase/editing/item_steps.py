"""Steps within a container: what somebody would change in a list or dict that is nearly right, and what a message says is there.

# Deviation: the papers' operators change values at random.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Any, cast

from crashwright.engine.testcase.statements import Display, Value

EACH = 6
"""Places within one value."""
_NO_RECORDS: tuple[Value, ...] = (1, None, "text")
_OF_TYPE: Mapping[str, Value] = {
    "NoneType": None,
    "str": "text",
    "int": 1,
    "float": 1.5,
    "bool": True,
    "list": Display("list", ()),
    "dict": Display("dict", ()),
}
"""One of each type of what JSON holds, by the name that messages have for it."""
_TYPE_NAME = re.compile(rf"(?<![\w.])(?:{'|'.join(_OF_TYPE)})(?![\w.])")
MOST_TYPES = 2
"""Types of one message: the first ones say what was there, others what was wanted."""


def item_steps(value: Value) -> Iterator[Value]:
    """An item of a container twice or not at all; of containers within it too."""
    if not isinstance(value, Display) or value.kind == "bytearray":
        return
    yield from _rows_of_columns(value)
    for place, item in enumerate(value.items[:EACH]):
        before, after = value.items[:place], value.items[place + 1 :]
        if value.kind in ("list", "tuple"):
            yield value._replace(items=(*before, item, item, *after))
        yield value._replace(items=(*before, *after))
        if isinstance(item, Display):
            yield from (value._replace(items=(*before, inner, *after)) for inner in item_steps(item))
        elif type(item) is tuple and isinstance(item[1], Display):
            yield from (value._replace(items=(*before, (item[0], inner), *after)) for inner in item_steps(item[1]))


def _rows_of_columns(value: Display) -> Iterator[Value]:
    """A row twice or not at all, of a table that is written by columns: lists of one length under their names."""
    columns = [pair for pair in value.items if type(pair) is tuple and isinstance(pair[1], Display) and pair[1].kind == "list"]
    lengths = {len(column.items) for _, column in columns}
    if value.kind != "dict" or len(columns) != len(value.items) or len(columns) < 2 or len(lengths) != 1:
        return
    for place in range(min(*lengths, EACH)):
        for before, after in ((place + 1, place), (place, place + 1)):  # with the row once more, without it
            rows = [(name, one._replace(items=(*one.items[:before], *one.items[after:]))) for name, one in columns]
            yield value._replace(items=tuple(rows))


def document_steps(document: Display) -> Iterator[Value]:
    """Likewise in what was read from a text; then cut off behind each item, with none in the place of one or an empty text; with
    something behind the records of a list that is none."""
    for step in chain.from_iterable(zip_longest(item_steps(document), _cut(document), _emptied(document), _mixed(document))):
        if step is not None:
            yield step


def values_of_types(message: str) -> tuple[Value, ...]:
    """One of each type that ``message`` names: an operation met one of them, and found no way with it."""
    return tuple(_OF_TYPE[name] for name in list(dict.fromkeys(_TYPE_NAME.findall(message)))[:MOST_TYPES])


def placed_steps(document: Display, values: Sequence[Value]) -> Iterator[Value]:
    """Each of ``values`` in the place of each item that is of another type, in a container within it too; the last ones first."""
    for value in values:
        yield from _placed(document, value)


def _placed(document: Display, value: Value) -> Iterator[Value]:
    for place, item in reversed(list(enumerate(document.items[:EACH]))):
        held = _held(item)
        if type(held) is not type(value) or (isinstance(held, Display) and held.kind != cast(Display, value).kind):
            yield _with(document, place, value)
    yield from _within(document, lambda inner: _placed(inner, value))


def _cut(value: Display) -> Iterator[Value]:
    """Shorter by more than one item, those within it too."""
    for length in reversed(range(max(0, len(value.items) - 1))):
        yield value._replace(items=value.items[:length])
    yield from _within(value, _cut)


def _emptied(value: Display) -> Iterator[Value]:
    for place, item in reversed(list(enumerate(value.items[:EACH]))):
        held = _held(item)
        if not isinstance(held, Display):
            yield from (_with(value, place, other) for other in _others(held))
    yield from _within(value, _emptied)


def _mixed(value: Display) -> Iterator[Value]:
    if value.kind == "list" and value.items and all(isinstance(item, Display) for item in value.items):
        yield from (value._replace(items=(*value.items, other)) for other in _NO_RECORDS)
    yield from _within(value, _mixed)


def _others(held: Value) -> tuple[Value, ...]:
    return ("", None) if type(held) is str and held else () if held is None else (None,)


def _within(value: Display, steps: Callable[[Display], Iterator[Value]]) -> Iterator[Value]:
    for place, item in enumerate(value.items[:EACH]):
        held = _held(item)
        if isinstance(held, Display):
            yield from (_with(value, place, inner) for inner in steps(held))


def _held(item: Any) -> Any:
    """The value of a pair of key and value; else the item."""
    return item[1] if type(item) is tuple else item


def _with(value: Display, place: int, held: Value) -> Display:
    item: Any = value.items[place]
    other = (item[0], held) if type(item) is tuple else held
    return value._replace(items=(*value.items[:place], other, *value.items[place + 1 :]))
