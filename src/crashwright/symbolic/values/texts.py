"""Texts and bytes, folded: literals as Python computes them."""

from __future__ import annotations

import re
from functools import reduce
from typing import Final

from crashwright.core.pattern_calls import PatternCall
from crashwright.core.terms import Op, Sort, Term
from crashwright.core.text_calls import TextCall
from crashwright.symbolic.values.literals import integer, integer_of, octets, payloads, text, truth

LONGEST_NUMBER: Final = 4000
"""Digits beyond which Python itself does not turn numbers into texts unless it is told to."""
NUMBER: Final = re.compile(r"-?[0-9]+", re.ASCII)
"""Texts that INTEGER_OF_TEXT has a meaning for."""


CALLED: Final = {str: Sort.TEXT, bool: Sort.TRUTH, int: Sort.INTEGER}
"""What calls make, by its type."""


def length(whole: Term) -> Term:
    """How many characters or bytes it has."""
    if isinstance(whole.payload, (str, bytes)) and whole.op is Op.LITERAL:
        return integer(len(whole.payload))
    return Term(Op.LENGTH, Sort.INTEGER, (whole,))


def concatenate(*pieces: Term) -> Term:
    """One behind the other; at least one of them."""
    return reduce(_concatenated, pieces)


def _concatenated(left: Term, right: Term) -> Term:
    if _is_empty(left):
        return right
    if _is_empty(right):
        return left
    if left.op is Op.LITERAL and right.op is Op.LITERAL:
        return _literal(left, right)
    if left.op is Op.CONCATENATE and left.args[1].op is Op.LITERAL and right.op is Op.LITERAL:
        return Term(Op.CONCATENATE, left.sort, (left.args[0], _literal(left.args[1], right)))
    return Term(Op.CONCATENATE, left.sort, (left, right))


def _literal(left: Term, right: Term) -> Term:
    if isinstance(left.payload, str) and isinstance(right.payload, str):
        return text(left.payload + right.payload)
    assert isinstance(left.payload, bytes)
    assert isinstance(right.payload, bytes)
    return octets(left.payload + right.payload)


def _is_empty(whole: Term) -> bool:
    return whole.op is Op.LITERAL and not whole.payload


def contains(whole: Term, part: Term) -> Term:
    """Whether the part is in it."""
    match payloads(whole, part):
        case (str() as one, str() as other):
            return truth(other in one)
        case (bytes() as one, bytes() as other):
            return truth(other in one)
    return truth(True) if _is_empty(part) or whole == part else Term(Op.CONTAINS, Sort.TRUTH, (whole, part))


def starts(whole: Term, beginning: Term) -> Term:
    """Whether it starts with the beginning."""
    match payloads(whole, beginning):
        case (str() as one, str() as other):
            return truth(one.startswith(other))
        case (bytes() as one, bytes() as other):
            return truth(one.startswith(other))
    return truth(True) if _is_empty(beginning) or whole == beginning else Term(Op.STARTS, Sort.TRUTH, (whole, beginning))


def ends(whole: Term, end: Term) -> Term:
    """Whether it ends with the end."""
    match payloads(whole, end):
        case (str() as one, str() as other):
            return truth(one.endswith(other))
        case (bytes() as one, bytes() as other):
            return truth(one.endswith(other))
    return truth(True) if _is_empty(end) or whole == end else Term(Op.ENDS, Sort.TRUTH, (whole, end))


def part(whole: Term, start: Term, size: Term) -> Term:
    """At most ``size`` characters from ``start`` on; nothing where ``start`` is negative or behind the end, or no size is."""
    first, count = integer_of(start), integer_of(size)
    if (first is not None and first < 0) or (count is not None and count <= 0) or _is_empty(whole):
        return _like(whole, b"")
    if first is not None and count is not None and whole.op is Op.LITERAL:
        if isinstance(whole.payload, str):
            return text(whole.payload[first : first + count])
        if isinstance(whole.payload, bytes):
            return octets(whole.payload[first : first + count])
    if first == 0 and size == length(whole):
        return whole
    return Term(Op.PART, whole.sort, (whole, start, size))


def _like(whole: Term, value: bytes) -> Term:
    return octets(value) if whole.sort is Sort.BYTES else text(value.decode("latin-1"))


def find(whole: Term, wanted: Term, start: Term) -> Term:
    """Where the wanted part first is, from ``start`` on; -1 where it is not, or where ``start`` is negative or behind the end."""
    first = integer_of(start)
    if first is not None and first < 0:
        return integer(-1)
    if first is not None:
        match payloads(whole, wanted):
            case (str() as one, str() as other):
                return integer(one.find(other, first))
            case (bytes() as one, bytes() as other):
                return integer(one.find(other, first))
    return Term(Op.FIND, Sort.INTEGER, (whole, wanted, start))


def replace_first(whole: Term, old: Term, new: Term) -> Term:
    """With the first ``old`` replaced; an empty one is found at the start."""
    match payloads(whole, old, new):
        case (str() as one, str() as other, str() as instead):
            return text(one.replace(other, instead, 1))
        case (bytes() as one, bytes() as other, bytes() as instead):
            return octets(one.replace(other, instead, 1))
    return whole if old == new else Term(Op.REPLACE_FIRST, whole.sort, (whole, old, new))


def byte_at(whole: Term, index: Term) -> Term:
    """The number of a byte; unspecified beyond the ends."""
    position = integer_of(index)
    if whole.op is Op.LITERAL and isinstance(whole.payload, bytes) and position is not None and 0 <= position < len(whole.payload):
        return integer(whole.payload[position])
    return Term(Op.BYTE_AT, Sort.INTEGER, (whole, index))


def text_of_integer(number: Term) -> Term:
    """What ``str`` makes of an integer."""
    value = integer_of(number)
    if value is not None and abs(value) < 10**LONGEST_NUMBER:
        return text(str(value))
    return Term(Op.TEXT_OF_INTEGER, Sort.TEXT, (number,))


def integer_of_text(digits: Term) -> Term:
    """What ``int`` makes of an optional minus and digits; unspecified of other texts."""
    if digits.op is Op.LITERAL and isinstance(digits.payload, str) and len(digits.payload) <= LONGEST_NUMBER:
        if NUMBER.fullmatch(digits.payload):
            return integer(int(digits.payload))
    elif digits.op is Op.TEXT_OF_INTEGER:
        return digits.args[0]
    return Term(Op.INTEGER_OF_TEXT, Sort.INTEGER, (digits,))


def matches(whole: Term, pattern: str) -> Term:
    """Whether a text matches a regular expression from its beginning to its end. Raises re.error of one that is none."""
    compiled = re.compile(pattern)
    if whole.op is Op.LITERAL and isinstance(whole.payload, str):
        return truth(compiled.fullmatch(whole.payload) is not None)
    return Term(Op.MATCHES, Sort.TRUTH, (whole,), pattern)


def called(whole: Term, call: TextCall | PatternCall) -> Term:
    """What a call with literal arguments makes of a text; unspecified where it makes nothing."""
    if whole.op is Op.LITERAL and isinstance(whole.payload, str):
        made = call.of(whole.payload)
        if isinstance(made, bool):
            return truth(made)
        if made is not None:
            return integer(made) if isinstance(made, int) else text(made)
    return Term(Op.CALLED, CALLED[call.kind], (whole,), call.written)


def upper(whole: Term) -> Term:
    """In capitals."""
    return text(str(whole.payload).upper()) if whole.op is Op.LITERAL else Term(Op.UPPER, Sort.TEXT, (whole,))


def lower(whole: Term) -> Term:
    """In small letters."""
    return text(str(whole.payload).lower()) if whole.op is Op.LITERAL else Term(Op.LOWER, Sort.TEXT, (whole,))


def stripped(whole: Term) -> Term:
    """Without blanks at its ends."""
    if whole.op is Op.STRIPPED:
        return whole
    return text(str(whole.payload).strip()) if whole.op is Op.LITERAL else Term(Op.STRIPPED, Sort.TEXT, (whole,))
