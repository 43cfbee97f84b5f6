"""Numbers that were read in a text, and how another one is written in the place of one."""

from __future__ import annotations

import math
import struct
from typing import NamedTuple

from crashwright.engine.instrument.comparison_log.wanted import Span

LONGEST = 1000
"""The length that a text is given at most, since one of this length is wanted."""
DECIMAL, CODE, LENGTH = "decimal", "code", "length"


class Number(NamedTuple):
    """``form``: ``DECIMAL`` digits, the ``CODE`` of a character, the ``LENGTH`` of what stands there, or the format
    of ``struct``."""

    span: Span
    form: str


def written(number: Number, value: float, text: str) -> str | None:
    """What to put at the place of ``number`` in ``text``, for it to be ``value``."""
    if number.form == DECIMAL:
        return str(value) if math.isfinite(value) else None
    whole = int(value) if math.isfinite(value) else -1
    if number.form == CODE:
        return chr(whole) if 0 <= whole < 0x110000 and not 0xD800 <= whole < 0xE000 else None
    if number.form == LENGTH:
        there = text[number.span.start : number.span.end]
        filler = there or "a"
        return (there + filler * (whole // len(filler) + 1))[:whole] if 0 <= whole <= LONGEST else None
    try:
        return struct.pack(number.form, value if number.form[-1] in "fd" else whole).decode("latin-1")
    except (struct.error, OverflowError):
        return None


def of_bytes(span: Span, order: object, signed: bool) -> Number | None:
    """What ``int.from_bytes`` reads, where ``struct`` can write it."""
    size = span.end - span.start
    letter = {1: "b", 2: "h", 4: "i", 8: "q"}.get(size)
    if letter is None:
        return None
    return Number(span, ("<" if order == "little" else ">") + (letter if signed else letter.upper()))


def fields_of(form: str, start: int) -> list[Number | None]:
    """The place of each value that ``struct`` reads by this format from ``start``; None for what is no number."""
    order = form[0] if form[:1] and form[0] in "@=<>!" else "@"
    found: list[Number | None] = []
    at, count = start, ""
    for letter in form[order == form[:1] :]:
        if letter.isspace():
            continue
        if letter.isdigit():
            count += letter
            continue
        times, count = int(count or 1), ""
        if letter == "x":
            at += times
        elif letter in "sp":
            found.append(None)
            at += times
        else:
            plain = order if order != "@" else "="
            try:
                size = struct.calcsize(plain + letter)
            except struct.error:
                return found
            if order == "@":
                at = start + -(-(at - start) // size) * size
            for _ in range(times):
                found.append(Number(Span(at, at + size), plain + letter) if letter in "bBhHiIlLqQefd" else None)
                at += size
    return found
