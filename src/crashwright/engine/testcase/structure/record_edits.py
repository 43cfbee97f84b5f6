"""Edits of documents whose keys the subject reads, JSON and tables with a head: a value under a key becomes another one that is
known for it, rows and items are doubled, dropped and reordered. What is around it stays whole, so that the edit gets as far as the
document did.

Total functions: of a text that is no such document, None; the same random numbers give the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

Fields = Mapping[str, Sequence[str | int | float]]
"""What the value under a key may be."""
LONGEST = 4096
_KNOWN, _TOLD = 0.6, 0.8
_ODD: tuple[Any, ...] = (None, "", 0, -1, 1.5, "0", "text", [], {}, True, "2020-01-02", "0.00")
_MOST_VALUES = 200
_DELIMITERS = ",;\t|"
Place = tuple[str | int, ...]


def edited_record(rng: Random, text: str, fields: Fields, token: Callable[[], str]) -> str | None:
    """One edit; ``token`` gives a text that the subject knows. None where ``text`` is no document of the ``fields``."""
    if len(text) > LONGEST:
        return None
    if text.lstrip()[:1] in ("{", "["):
        return _edited_json(rng, text, fields, token)
    return _edited_table(rng, text, fields, token)


def _value(rng: Random, key: str, fields: Fields, token: Callable[[], str]) -> Any:
    roll = rng.random()
    known = fields.get(key, ())
    if known and roll < _KNOWN:
        return known[int(rng.random() * len(known))]
    return token() if roll < _TOLD else _ODD[int(rng.random() * len(_ODD))]


def _edited_json(rng: Random, text: str, fields: Fields, token: Callable[[], str]) -> str | None:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    places = _places(document, fields)[:_MOST_VALUES]
    if not places:
        return None
    place = places[int(rng.random() * len(places))]
    holder = document
    for step in place[:-1]:
        holder = holder[step]
    last = place[-1]
    roll = rng.random()
    if isinstance(last, int):
        _rearranged(rng, holder, last)
    elif roll < 0.1:
        del holder[last]
    elif roll < 0.2 and isinstance(holder[last], list):
        holder[last] = []
    elif roll < 0.3 and not isinstance(holder[last], list | dict):
        holder[last] = [holder[last]]
    else:
        holder[last] = _value(rng, last, fields, token)
    return json.dumps(document)


def _places(document: Any, fields: Fields) -> list[Place]:
    """Of values under known keys, and of the items of lists."""
    found: list[Place] = []
    waiting: list[tuple[Any, Place]] = [(document, ())]
    while waiting and len(found) < _MOST_VALUES:
        value, before = waiting.pop()
        if isinstance(value, dict):
            for key, one in value.items():
                if key in fields:
                    found.append((*before, key))
                waiting.append((one, (*before, key)))
        elif isinstance(value, list):
            found += [(*before, place) for place in range(len(value))]
            waiting += [(one, (*before, place)) for place, one in enumerate(value)]
    return found


def _rearranged(rng: Random, items: list[Any], place: int) -> None:
    """Items that were known stay whole: one more, one less, or one in another place."""
    roll = rng.random()
    if roll < 0.4:
        items.append(items[place])
    elif roll < 0.7:
        del items[place]
    else:
        items.insert(int(rng.random() * len(items)), items.pop(place))


def _edited_table(rng: Random, text: str, fields: Fields, token: Callable[[], str]) -> str | None:
    lines = text.splitlines()
    delimiter = next((mark for mark in _DELIMITERS if lines and mark in lines[0]), "")
    head = lines[0].split(delimiter) if delimiter else []
    if '"' in text or not any(name in fields for name in head):
        return None
    rows = [line.split(delimiter) for line in lines[1:] if line]
    if not rows or rng.random() < 0.2:
        _rearranged(rng, rows, int(rng.random() * len(rows))) if rows else rows.append([""] * len(head))
    else:
        row = list(rows[place := int(rng.random() * len(rows))])
        cell = int(rng.random() * len(row)) if row else 0
        value = _value(rng, head[cell] if cell < len(head) else "", fields, token)
        row[cell : cell + 1] = ["" if value is None else str(value).replace(delimiter, " ").replace("\n", " ")]
        rows[place] = row
    return "".join(f"{line}\n" for line in (lines[0], *(delimiter.join(row) for row in rows)))
