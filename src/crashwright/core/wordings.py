"""What CPython says of one and the same mistake in several of its versions (``wording_table``): a crash that was reported by one
version and reproduced in another is the same though the words differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from crashwright.core.wording_family import Family, Version, Wording
from crashwright.core.wording_table import FAMILIES

_FIELD = re.compile(r"\{(\w+)\}")
_SHAPES = {"s": "s?", "name": r"\w+", "function": r"[\w.<>]+", "type": r"['\"]?[\w.<>\[\], ]+['\"]?"}
"""What may stand in a field, by its name; in others, anything. ``s``, and fields that begin with _, are not compared between two
wordings; ``function`` may be qualified in one of them."""
_MOST = 1000
"""Characters of a message that is looked at."""


class _Match(NamedTuple):
    """A message as one wording of a family."""

    family: Family
    wording: Wording
    fields: dict[str, str]


def same_in_other_words(exception: str, wanted: str, got: str) -> bool:
    """Whether two messages of an exception (without its module) are the same in the words of different versions: they hold in
    different ones, and name the same things."""
    return any(_agree(one, other) for one in _read(exception, wanted) for other in _matches(one.family, got[:_MOST]))


def wording_note(exception: str, message: str, version: Version) -> str:
    """The sentence on a message that ``version`` of Python does not word so; "" if it does, or nothing is known of it."""
    matches = _read(exception.rpartition(".")[2], message)
    if not matches:
        return ""
    family, _, fields = matches[0]
    if any(_holds(one.wording, version) for one in matches if one.family is family):
        return ""
    said = next((one.template for one in family.wordings if _holds(one, version)), None)
    python = ".".join(map(str, version))
    if said is None:
        return f"Python {python} has no such message: it raises another exception there, so this crash cannot be reproduced with it"
    words = "".join(_shown(part, fields) if number % 2 else part for number, part in enumerate(_FIELD.split(said)))
    return f"the message is in the words of another Python; {python} says: {words}"


def _holds(wording: Wording, version: Version) -> bool:
    return wording.since <= version < wording.until


def _shown(field: str, fields: dict[str, str]) -> str:
    return "" if field == "s" else fields.get(field, "...")


@lru_cache(maxsize=256)
def _read(exception: str, message: str) -> tuple[_Match, ...]:
    """All that a message may be."""
    return tuple(one for family in _BY_EXCEPTION.get(exception, ()) for one in _matches(family, message[:_MOST]))


def _matches(family: Family, message: str) -> Iterator[_Match]:
    for one in family.wordings:
        found = None if one.template is None else _pattern(one.template).fullmatch(message)
        if found is not None:
            yield _Match(family, one, found.groupdict())


def _agree(one: _Match, other: _Match) -> bool:
    alike = one.wording.template == other.wording.template
    if not alike and one.wording.since < other.wording.until and other.wording.since < one.wording.until:
        return False
    for name in one.fields.keys() & other.fields.keys():
        if name == "s" or (name.startswith("_") and not alike):
            continue
        left, right = (re.sub("['\"]", "", match.fields[name]) for match in (one, other))
        if left != right and not (name == "function" and (left.endswith(f".{right}") or right.endswith(f".{left}"))):
            return False
    return True


@lru_cache(maxsize=1024)
def _pattern(template: str) -> re.Pattern[str]:
    seen: set[str] = set()

    def field(name: str) -> str:
        if name in seen:
            return rf"(?P={name})"
        seen.add(name)
        return f"(?P<{name}>{_SHAPES.get(name, '.+?')})"

    parts = _FIELD.split(template)
    return re.compile("".join(field(part) if number % 2 else re.escape(part) for number, part in enumerate(parts)), re.DOTALL)


_BY_EXCEPTION: dict[str, list[Family]] = {}
for _one in FAMILIES:
    _BY_EXCEPTION.setdefault(_one.exception, []).append(_one)
