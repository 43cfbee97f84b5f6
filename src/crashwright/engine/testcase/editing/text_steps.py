"""Steps in a text that holds records: a line twice or not at all, a field empty or with a word less, with a word of the message in
it or in its place, a number at its boundaries, or at those of its digits, a field spelt in capitals, all that the message lists in
the place of a line's fields. In order, each line, field and number once; nothing is known of the format but that lines have fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import zip_longest

MOST_WORDS = 3
"""Of a message that are put into fields."""
_FIELD = re.compile(r"[^,;|\t\n\r=:\"'\[\]{}]+")
_SEVERAL = re.compile(r"(?:[^\s,;|=\"'\[\]{}]+[ \t]+)+[^\s,;|=\"'\[\]{}]+")
"""A field with several words."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_DIGITS = re.compile(r"[0-9]+")
_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_MOST_PLACES = 40
_BOUNDARIES = ("0", "-1", "1000000")
_MOST_LINES = 2
"""Whose fields become what the message lists: the first one often names the fields of the others."""
_LONGEST_NUMBER = 1000
"""Longer ones are not reckoned with: the interpreter refuses."""


def text_steps(text: str, said: Sequence[str]) -> Iterator[str]:
    """Texts that are one step from ``text``, of all kinds in turn. ``said`` are words of the message."""
    seen = {text}
    for each in zip_longest(line_steps(text), _words(text, said), _fields(text), _fewer(text), _spelt(text), _listed(text, said)):
        for one in each:
            if one is not None and one not in seen:
                seen.add(one)
                yield one


def line_steps(text: str, most: int | None = None) -> Iterator[str]:
    """A line twice or not at all, of so many of the last ones (None: of all), the last ones first: what stands in front says what
    the others mean."""
    lines = text.splitlines(keepends=True)
    whole = [line if line.endswith(("\n", "\r")) else line + "\n" for line in lines]
    first = 0 if most is None else max(0, len(lines) - most)
    for place in reversed(range(first, len(lines))):
        yield "".join((*whole[: place + 1], *whole[place:]))
        yield "".join((*whole[:place], *whole[place + 1 :]))


def digit_steps(text: str) -> Iterator[str]:
    """Each number of a text at the ends of what its digits hold: what reads so many digits takes no fewer. All of them at the lower
    end, then at the upper one, then one less and one more."""
    numbers = [*_DIGITS.finditer(text)][::-1]
    for change in (_lowest, _highest, partial(_beside, by=-1), partial(_beside, by=1)):
        for number in numbers:
            changed = change(number[0])
            if changed != number[0]:
                yield text[: number.start()] + changed + text[number.end() :]


def said_steps(text: str, said: Sequence[str]) -> Iterator[str]:
    """A word of the message between any two tokens of a text, the last ones first: what is looked up is mostly read from it."""
    ends = [one.end() for one in _TOKEN.finditer(text)][::-1]
    for word in [one for one in said if one][:MOST_WORDS]:
        for end in ends[:_MOST_PLACES]:
            yield text[:end] + word + text[end:]


def _lowest(number: str) -> str:
    return "0" * len(number)


def _highest(number: str) -> str:
    return "9" * len(number)


def _beside(number: str, by: int) -> str:
    """As wide as ``number``; itself where there is none."""
    other = f"{int(number) + by:0{len(number)}}" if len(number) < _LONGEST_NUMBER else number
    return other if len(other) == len(number) and not other.startswith("-") else number


def _words(text: str, said: Sequence[str]) -> Iterator[str]:
    """A word of the message within a field, and in its place."""
    for word in [one for one in said if one and one not in text][:MOST_WORDS]:
        for start, end in _places(text):
            middle = (start + end) // 2
            yield text[:middle] + word + text[middle:]
            yield text[:start] + word + text[end:]


def _fields(text: str) -> Iterator[str]:
    for start, end in _places(text):
        field = text[start:end]
        yield text[:start] + text[end:]
        if _NUMBER.fullmatch(field):
            yield from (text[:start] + other + text[end:] for other in _BOUNDARIES)


def _fewer(text: str) -> Iterator[str]:
    """A field with a word less, the last ones first."""
    for field in reversed(list(_SEVERAL.finditer(text))):
        words = field[0].split()
        for place in reversed(range(len(words))):
            yield text[: field.start()] + " ".join((*words[:place], *words[place + 1 :])) + text[field.end() :]


def _spelt(text: str) -> Iterator[str]:
    """A field in capitals, or in small letters if it is: another spelling of the same for some code, and not for other code."""
    for start, end in _places(text):
        field = text[start:end]
        yield text[:start] + (field.lower() if field.isupper() else field.upper()) + text[end:]


def _listed(text: str, said: Sequence[str]) -> Iterator[str]:
    """What the message lists in the place of all fields of a line, from its first words on or from later ones: it often tells the
    whole line."""
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines[:_MOST_LINES]):
        fields = [*_FIELD.finditer(line)]
        mark = line[fields[0].end() : fields[1].start()] if len(fields) > 1 else ","
        for begin in range(min(MOST_WORDS, len(said) - 1) if fields else 0):
            listed = line[: fields[0].start()] + mark.join(said[begin:]) + line[fields[-1].end() :]
            yield "".join((*lines[:number], listed, *lines[number + 1 :]))


def _places(text: str) -> list[tuple[int, int]]:
    """Of the fields, without the blanks around them; the last ones first."""
    found = []
    for one in _FIELD.finditer(text):
        field = one[0].strip()
        if field:
            start = one.start() + one[0].index(field)
            found.append((start, start + len(field)))
    return found[::-1]
