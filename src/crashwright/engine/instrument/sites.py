"""The Python probes at the site of a crash: how far an index or divisor is from failing (ITFFForIndexedAccess, SPEC 2; paper 001).

They run before the operation and hand their operand back; true is "fails". Nothing is recorded where telling would run code of the
subject.

# Deviation: the papers divide the distance from the middle of the container by its length, so a shorter container changes little;
# here it is the number of steps by which the index or the length must change.
"""

from __future__ import annotations

from collections import deque
from types import NoneType
from typing import Any

from crashwright.engine.instrument.comparisons import record
from crashwright.engine.instrument.distances import LARGEST_INT, OPAQUE
from crashwright.engine.instrument.interface import Result
from crashwright.engine.instrument.layout import State

MOST_KEYS = 64
"""Larger dicts are not looked into: each of their keys might be an object of the subject, which a look-up would ask."""


def index(state: State, slot: int, container: Any, _spent: None, index: Result, /) -> Result:
    """``container[index]``."""
    kind = type(container)
    try:
        if kind is list or kind is tuple or kind is str or kind is bytes or kind is bytearray or kind is deque:
            number: object = index
            if type(number) is int:
                size = len(container)
                # A negative index leaves the container at its other end, so it is not made positive.
                record(state, slot, not -size <= number < size, _above_zero(min(size - number, size + number + 1)))
        elif kind is dict:
            missing = _is_missing(container, index)
            if missing is not None:
                record(state, slot, missing, OPAQUE)
    except RecursionError:  # at the recursion limit of the subject: this access stays unrecorded
        return index
    return index


def divisor(state: State, slot: int, right: Result, /) -> Result:
    """``left / right``, ``//`` and ``%``."""
    kind = type(right)
    if kind is int or kind is float or kind is bool:
        try:
            record(state, slot, not right, _above_zero(abs(right)))  # type: ignore[arg-type]
        except RecursionError:  # as above
            return right
    return right


def _above_zero(distance: float) -> float:
    """The distance to the other outcome: 1 from failing to not failing."""
    return OPAQUE if distance <= 0 else distance if distance < LARGEST_INT else LARGEST_INT


def _is_missing(container: dict[object, object], key: object) -> bool | None:
    """None where a look-up might run code of the subject."""
    if len(container) > MOST_KEYS or not _is_plain(key):
        return None
    return key not in container if all(map(_is_plain, list(container))) else None


def _is_plain(key: object) -> bool:
    """Whether hash and equality of a key are those of built-in types."""
    return all(map(_is_atom, map(type, key))) if type(key) is tuple else _is_atom(type(key))


def _is_atom(kind: type) -> bool:
    return kind is str or kind is int or kind is bytes or kind is float or kind is bool or kind is NoneType
