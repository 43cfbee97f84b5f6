"""What numbers and digests in data say of other parts of it: how long these are, where they begin, what their checksum is."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import NamedTuple

from crashwright.engine.instrument.comparison_log.numbers import Number, written
from crashwright.engine.instrument.comparison_log.wanted import Span
from crashwright.engine.instrument.operations import ARITHMETIC

Sum = int | bytes | str
Summing = Callable[..., Sum]
"""From data, and whatever else it was given, to its checksum."""


class Counted(NamedTuple):
    """``number``, which is ``value``, grows with what stands in ``span``: it is its length, or how far it is to its end."""

    number: Number
    value: int
    span: Span


class ComputedSum(NamedTuple):
    """What ``function`` makes of these parts one after the other; then each of ``after`` was done with it: an operator and its
    right side, or ``pack`` and a format."""

    function: Summing
    parts: tuple[Span, ...]
    given: tuple[object, ...] = ()
    after: tuple[tuple[str, int | str], ...] = ()

    def of(self, text: str) -> Sum:
        """Computed anew. Raises what the functions raise."""
        made = self.function("".join([text[start:end] for start, end in self.parts]).encode("latin-1"), *self.given)
        for symbol, other in self.after:
            made = struct.pack(str(other), made) if symbol == "pack" else ARITHMETIC[symbol](made, other)
        return made


class SumCheck(NamedTuple):
    """What stands in ``span`` is compared with a checksum: ``number``, or a text if that is None."""

    span: Span
    number: Number | None
    computed: ComputedSum


Relation = Counted | SumCheck


def kept_right(before: str, after: str, relations: Sequence[Relation]) -> str:
    """``after``, which was ``before``, with lengths and distances that grow with what was put in, then the right checksums."""
    start = 0
    most = min(len(before), len(after))
    while start < most and before[start] == after[start]:
        start += 1
    end = len(before)
    grown = len(after) - end
    while end > start and end + grown > start and before[end - 1] == after[end + grown - 1]:
        end -= 1
    for one in relations:
        if isinstance(one, Counted) and grown and one.span.start <= start and end <= one.span.end:
            after = _with_number(after, one.number, one.value + grown, start, end, grown)
    for check in relations:
        if isinstance(check, SumCheck):
            after = _with_sum(after, check, start, end, grown)
    return after


def _moved(span: Span, start: int, end: int, grown: int) -> Span | None:
    """Where it stands after an edit of what was between ``start`` and ``end``; None if that is in the midst of it."""
    if span.end <= start:
        return span
    return Span(span.start + grown, span.end + grown) if span.start >= end else None


def _grown(span: Span, start: int, grown: int) -> Span:
    """Likewise, with what was put into it."""
    first = span.start if span.start <= start else max(start, span.start + grown)
    last = span.end if span.end < start else max(first, span.end + grown)
    return Span(first, last)


def _number_moved(number: Number, start: int, end: int, grown: int) -> Number | None:
    span = _moved(number.span, start, end, grown)
    if span is None:
        return None
    by = span.start - number.span.start
    bits = tuple([one._replace(number=one.number._replace(span=_by(one.number.span, by))) for one in number.bits])
    return number._replace(span=span, bits=bits)


def _by(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)


def _with_number(text: str, number: Number, value: int, start: int, end: int, grown: int) -> str:
    there = _number_moved(number, start, end, grown)
    made = None if there is None else written(there, value, text)
    if there is None or made is None or len(made) != there.span.end - there.span.start:
        return text
    return f"{text[: there.span.start]}{made}{text[there.span.end :]}"


def _with_sum(text: str, check: SumCheck, start: int, end: int, grown: int) -> str:
    span = _moved(check.span, start, end, grown)
    if span is None:
        return text
    parts = tuple([_grown(one, start, grown) for one in check.computed.parts])
    try:
        made = check.computed._replace(parts=parts).of(text)
    except (ValueError, TypeError, OverflowError, struct.error):
        return text
    if check.number is not None:
        return _with_number(text, check.number, made, start, end, grown) if type(made) is int else text
    wanted = made.decode("latin-1") if type(made) is bytes else str(made)
    return f"{text[: span.start]}{wanted}{text[span.end :]}" if len(wanted) == span.end - span.start else text
