"""Numbers that were read in a text or in data, and how another one is written in the place of one.

A number may have been made of others: of bits of them (``&``, ``|``, shifts), or by adding and multiplying. What has to be in the
text for it to be another one follows from that.
"""

from __future__ import annotations

import math
import struct
import sys
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from crashwright.engine.instrument.comparison_log.wanted import Span

LONGEST = 1000
"""The length that a text is given at most, since one of this length is wanted."""
DECIMAL, CODE, LENGTH, BITS, BYTE = "decimal", "code", "length", "bits", ">B"
DIGITS: Mapping[object, str] = {2: "b", 8: "o", 16: "x"}
"""Digits of another base are written as ``format`` does by these."""
WIDEST = 16
"""Bytes of the largest number that is read in data, and between bits of which a number is made."""
_LITTLE = ("<", "=", "@") if sys.byteorder == "little" else ("<",)


class Number(NamedTuple):
    """``form``: ``DECIMAL`` digits or those of ``DIGITS``, the ``CODE`` of a character, the ``LENGTH`` of what stands there, the
    format of ``struct``, the order of bytes alone ("<", ">"), or ``BITS`` of other numbers. What is read by that is multiplied and
    added to."""

    span: Span
    form: str
    bits: tuple[BitField, ...] = ()
    times: int = 1
    plus: int = 0


class BitField(NamedTuple):
    """``width`` bits of a number in data, from the bit ``low`` on, are those from ``at`` on of another one."""

    number: Number
    low: int
    width: int
    at: int


def is_field(number: Number) -> bool:
    """Whether it is a number in binary data, as it was read."""
    return number.form not in (DECIMAL, CODE, LENGTH, BITS, *DIGITS.values()) and number.times == 1 and not number.plus


def largest(number: Number) -> int:
    """The greatest value of a field. 0: it is no integer."""
    return (1 << 8 * (number.span.end - number.span.start)) - 1 if number.form[-1] not in "efd" else 0


def is_little(number: Number) -> bool:
    """Of a field."""
    return number.form[0] in _LITTLE


def _bits_of(number: Number) -> tuple[BitField, ...]:
    if number.form == BITS and number.times == 1 and not number.plus:
        return number.bits
    size = number.span.end - number.span.start
    return (BitField(number, 0, 8 * size, 0),) if is_field(number) and largest(number) and size <= WIDEST else ()


def _of_bits(fields: list[BitField]) -> Number | None:
    if not fields:
        return None
    spans = [one.number.span for one in fields]
    span = Span(min(one.start for one in spans), max(one.end for one in spans))
    return Number(span, BITS, tuple(fields)) if span.end - span.start <= WIDEST else None


def masked(number: Number, mask: int) -> Number | None:
    """``number & mask``."""
    kept: list[BitField] = []
    for one in _bits_of(number):
        low = 0
        while low < one.width:
            end = low
            while end < one.width and mask >> one.at + end & 1:
                end += 1
            if end > low:
                kept.append(BitField(one.number, one.low + low, end - low, one.at + low))
            low = end + 1
    return _of_bits(kept)


def shifted(number: Number, by: int) -> Number | None:
    """``number << by``; ``>>`` if that is negative."""
    kept: list[BitField] = []
    for one in _bits_of(number):
        lost = min(one.width, max(0, -by - one.at))
        if lost < one.width:
            kept.append(BitField(one.number, one.low + lost, one.width - lost, one.at + lost + by))
    return _of_bits(kept)


def combined(one: Number, other: Number) -> Number | None:
    """``one | other``, where they have no bit in common; else None."""
    first, second = _bits_of(one), _bits_of(other)
    if not first or not second or any(a.at < b.at + b.width and b.at < a.at + a.width for a in first for b in second):
        return None
    return _of_bits([*first, *second])


def scaled(number: Number, times: int, plus: int) -> Number | None:
    """``number * times + plus``."""
    return number._replace(times=number.times * times, plus=number.plus * times + plus) if times else None


def written(number: Number, value: float, text: str) -> str | None:
    """What to put at the place of ``number`` in ``text``, for it to be ``value``."""
    if number.times != 1 or number.plus:
        value, rest = divmod(value - number.plus, number.times)
        if rest:
            return None
    if number.form == DECIMAL:
        return str(value) if math.isfinite(value) else None
    whole = int(value) if math.isfinite(value) else -1
    if number.form in DIGITS.values():
        return _with_digits(number, whole, text)
    if number.form == CODE:
        return chr(whole) if 0 <= whole < 0x110000 and not 0xD800 <= whole < 0xE000 else None
    if number.form == LENGTH:
        there = text[number.span.start : number.span.end]
        filler = there or "a"
        return (there + filler * (whole // len(filler) + 1))[:whole] if 0 <= whole <= LONGEST else None
    if number.form == BITS:
        return _with_bits(number, whole, text)
    try:
        if number.form in ("<", ">"):
            return whole.to_bytes(number.span.end - number.span.start, "little" if is_little(number) else "big").decode("latin-1")
        return struct.pack(number.form, value if number.form[-1] in "fd" else whole).decode("latin-1")
    except (struct.error, OverflowError):
        return None


def _with_digits(number: Number, value: int, text: str) -> str:
    """As many as are there, in capitals if there are some."""
    there = text[number.span.start : number.span.end]
    made = format(value, number.form).rjust(len(there), "0")
    return made.upper() if there.upper() == there else made


def _with_bits(number: Number, value: int, text: str) -> str | None:
    start, end = number.span
    try:
        data = bytearray(text[start:end].encode("latin-1"))
    except UnicodeEncodeError:
        return None
    if value < 0 or len(data) != end - start:
        return None
    for one in number.bits:
        mask = (1 << one.width) - 1
        first, last = one.number.span.start - start, one.number.span.end - start
        order: Literal["little", "big"] = "little" if is_little(one.number) else "big"
        there = int.from_bytes(data[first:last], order) & ~(mask << one.low) | (value >> one.at & mask) << one.low
        data[first:last] = there.to_bytes(last - first, order)
        value &= ~(mask << one.at)
    return None if value else data.decode("latin-1")


def of_bytes(span: Span, order: object, signed: bool) -> Number | None:
    """What ``int.from_bytes`` reads."""
    size = span.end - span.start
    mark = "<" if order == "little" else ">"
    letter = {1: "b", 2: "h", 4: "i", 8: "q"}.get(size)
    if letter is None:
        return Number(span, mark) if 0 < size <= WIDEST and not signed else None
    return Number(span, mark + (letter if signed else letter.upper()))


def fields_of(form: str, start: int) -> list[Number | None]:
    """The place of each value that ``struct`` reads by this format from ``start``; None for a flag."""
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
            found.append(Number(Span(at, at + times), f"{times}{letter}"))
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
                found.append(Number(Span(at, at + size), plain + letter) if letter in "bBhHiIlLqQefdc" else None)
                at += size
    return found


def derived(symbol: str, left: Number | None, right: Number | None, first: int, second: int) -> Number | None:
    """What ``first symbol second`` is, of which one or both come from the text."""
    if left is not None and right is not None:
        both = combined(left, right) if symbol in ("|", "+") else None
        if both is not None:
            return both
    if left is not None and abs(second) <= _MOST_OPERAND:
        return _RIGHT_KNOWN[symbol](left, second) if symbol in _RIGHT_KNOWN else None
    if right is not None and abs(first) <= _MOST_OPERAND:
        return _LEFT_KNOWN[symbol](right, first) if symbol in _LEFT_KNOWN else None
    return None


def _divided(number: Number, by: int) -> Number | None:
    return shifted(number, 1 - by.bit_length()) if by > 0 and by & (by - 1) == 0 else None


def _rest(number: Number, by: int) -> Number | None:
    return masked(number, by - 1) if by > 0 and by & (by - 1) == 0 else None


_MOST_OPERAND = 1 << 8 * WIDEST
_RIGHT_KNOWN: Mapping[str, Callable[[Number, int], Number | None]] = {
    "&": masked,
    "|": lambda number, other: number if other == 0 else None,
    "<<": lambda number, by: shifted(number, by) if 0 <= by < 8 * WIDEST else None,
    ">>": lambda number, by: shifted(number, -by) if 0 <= by < 8 * WIDEST else None,
    "+": lambda number, other: scaled(number, 1, other),
    "-": lambda number, other: scaled(number, 1, -other),
    "*": lambda number, by: scaled(number, by, 0),
    "//": _divided,
    "%": _rest,
}
_LEFT_KNOWN: Mapping[str, Callable[[Number, int], Number | None]] = {
    "&": masked,
    "|": _RIGHT_KNOWN["|"],
    "+": _RIGHT_KNOWN["+"],
    "*": _RIGHT_KNOWN["*"],
    "-": lambda number, other: scaled(number, -1, other),
}
