"""Edits of what separators divide: fields of a record, items of a list, keys and values, lines. The separator is one that the text
has."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

Donor = Callable[[], str]
"""Gives another text, from which parts are taken."""

_SEPARATORS = "\n,;:=|&/.\t "
_MOST_PARTS = 256
_TIMES = (1, 1, 1, 2, 3, 8, 30)
_OPENING, _CLOSING = "([{<\n", ")]}>\n"


def resequenced(rng: Random, text: str, donor: Donor) -> str:
    """With the parts between separators dropped, doubled, exchanged, emptied, cut off or taken from another text; unchanged where
    no separator is in the text."""
    present = [mark for mark in _SEPARATORS if mark in text]
    if not present:
        return text
    mark = present[int(rng.random() * len(present))]
    start, end = (0, len(text)) if mark == "\n" or rng.random() < 0.3 else _region(rng, text, mark)
    parts = text[start:end].split(mark)
    if len(parts) > _MOST_PARTS:
        parts[_MOST_PARTS - 1 :] = [mark.join(parts[_MOST_PARTS - 1 :])]
    roll = rng.random()
    if roll < 0.15 and mark != "\n":
        return _with_key_of_another(rng, text, mark)
    return text[:start] + mark.join(_edited(rng, parts, mark, donor)) + text[end:]


def _region(rng: Random, text: str, mark: str) -> tuple[int, int]:
    """The line, or the inside of brackets, in which one of the separators stands."""
    place = text.find(mark, int(rng.random() * len(text)))
    place = text.find(mark) if place < 0 else place
    start, end = place, place + 1
    while start > 0 and text[start - 1] not in _OPENING and place - start < 512:
        start -= 1
    while end < len(text) and text[end] not in _CLOSING and end - place < 512:
        end += 1
    return start, end


def _edited(rng: Random, parts: list[str], mark: str, donor: Donor) -> list[str]:
    random = rng.random
    size = len(parts)
    first = int(random() * size)
    last = first + 1 + int(random() * random() * (size - first))
    chosen = parts[first:last]
    roll = random()
    if roll < 0.2:
        return parts[:first] + parts[last:]
    if roll < 0.4:
        return parts[:last] + chosen * _TIMES[int(random() * len(_TIMES))] + parts[last:]
    if roll < 0.55:
        other = int(random() * size)
        parts[first], parts[other] = parts[other], parts[first]
        return parts
    if roll < 0.65:
        return [*parts[:first], "", *parts[last:]] if random() < 0.6 else [*parts[:first], "", *parts[first:]]
    if roll < 0.75:
        return parts[:last] if random() < 0.7 else parts[first:]
    if roll < 0.9:
        others = donor().split(mark)
        begin = int(random() * len(others))
        given = others[begin : begin + 1 + int(random() * random() * 4)]
        return parts[:first] + given + parts[first if random() < 0.5 else last :]
    rest = parts[:first] + parts[last:]
    place = int(random() * (len(rest) + 1))
    return rest[:place] + chosen + rest[place:]


def _with_key_of_another(rng: Random, text: str, mark: str) -> str:
    """Of two lines with a key each, one gets the key, the value, or all of the other."""
    lines = text.split("\n")
    keyed = [index for index, line in enumerate(lines[:_MOST_PARTS]) if mark in line]
    one, other = keyed[int(rng.random() * len(keyed))], keyed[int(rng.random() * len(keyed))]
    key, _, value = lines[one].partition(mark)
    other_key, _, other_value = lines[other].partition(mark)
    roll = rng.random()
    if roll < 0.4:
        lines[one] = other_key + mark + value
    elif roll < 0.7:
        lines[one] = key + mark + other_value
    else:
        lines.insert(one, other_key + mark + value)
    return "\n".join(lines)
