"""Edits of data whose fields a run has read: each is set to boundaries and to what such numbers are compared with; what lengths
count is left out, doubled, made longer; lengths and checksums are made wrong by one.

It knows no format: where the fields are, how they are written, and what they say of others was seen in the run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from crashwright.engine.instrument.comparison_log.numbers import Number, is_little, largest, written
from crashwright.engine.instrument.comparison_log.relations import Counted, Relation, SumCheck
from crashwright.engine.instrument.comparison_log.wanted import Span

Edit = tuple[Span, str]
MOST_FIELDS, FEW_FIELDS = 96, 32
"""Of one text, those that were read first; and those that get each number that anything was compared with."""


class FieldTexts:
    """Of one search: what was put at a place least often comes first, so that texts which are nearly alike do not repeat it."""

    def __init__(self) -> None:
        self._times: Counter[tuple[int, str]] = Counter()

    def texts(self, text: str, edits: Sequence[Edit]) -> Iterator[str]:
        """``text`` after each of these."""
        times = {edit: self._times[edit[0].start, edit[1]] for edit in edits}
        for (start, end), value in sorted(times, key=times.__getitem__):
            self._times[start, value] += 1
            yield f"{text[:start]}{value}{text[end:]}"


def field_edits(text: str, fields: Sequence[Number], values: Sequence[int], relations: Sequence[Relation]) -> Iterator[Edit]:
    """What is put in place of what: the likeliest first."""
    fields = fields[:MOST_FIELDS]
    yield from _off_by_one(text, relations)
    for number in fields:
        yield from _set(text, number, (0, 1, largest(number), 2))
    yield from _resized(text, relations)
    for number in fields:
        top, there = largest(number), _value_of(number, text)
        around = (there + 1, there - 1, top >> 1, (top >> 1) + 1, top - 1)
        yield from _set(text, number, (*around, len(text) - number.span.end, len(text)))
        yield from _set(text, number, [there ^ 1 << bit for bit in range(min(top.bit_length(), 32))])
    for value in values:
        for number in fields[:FEW_FIELDS]:
            yield from _set(text, number, (value,))


def _set(text: str, number: Number, values: Sequence[int]) -> Iterator[Edit]:
    for value in values:
        made = _written(number, value, text)
        if made is not None and made != text[number.span.start : number.span.end]:
            yield number.span, made


def _written(number: Number, value: int, text: str) -> str | None:
    """Numbers with a sign have the bits of those without one."""
    made = written(number, value, text)
    top = largest(number)
    if made is None and top >> 1 < value <= top:
        made = written(number, value - top - 1, text)
    return made


def _value_of(number: Number, text: str) -> int:
    there = text[number.span.start : number.span.end].encode("latin-1", "replace")
    return int.from_bytes(there, "little" if is_little(number) else "big")


def _off_by_one(text: str, relations: Sequence[Relation]) -> Iterator[Edit]:
    for one in relations:
        if isinstance(one, Counted):
            for value in (one.value + 1, one.value - 1):
                made = written(one.number, value, text)
                if made is not None:
                    yield one.number.span, made
        else:
            yield from _wrong(text, one)


def _wrong(text: str, check: SumCheck) -> Iterator[Edit]:
    there = text[check.span.start : check.span.end]
    if there:
        yield check.span, there[:-1] + chr(ord(there[-1]) ^ 1)


def _resized(text: str, relations: Sequence[Relation]) -> Iterator[Edit]:
    """What is counted: gone, twice, longer by one, shorter by one."""
    for one in relations:
        if isinstance(one, Counted):
            start, end = one.span
            counted = text[start:end]
            yield one.span, ""
            yield Span(end, end), counted
            yield Span(end, end), "\0"
            yield Span(end - 1, end), ""
