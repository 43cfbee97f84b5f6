"""Infection distances (paper 004; SPEC 6.4): how far the operands of an expression are from values for which its mutant differs.

Nothing here runs code of the subject: operators are applied again only to values of exact built-in types (and small containers of
them); of anything else the outcome of a mutant is unknown, which counts as not infected.

# Deviation: an original that raises leaves its mutants untouched, for the probe sees results only.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from types import NoneType
from typing import Any, Final, NamedTuple

from crashwright.engine.instrument.distances import OPAQUE, gap, is_builtin, to_equal
from crashwright.engine.instrument.operations import ARITHMETIC, COMPARISONS, Operation
from crashwright.engine.instrument.text_distances import difference

OPERATIONS: Mapping[str, Operation] = {
    **COMPARISONS,
    "True": lambda _left, _right: True,
    "False": lambda _left, _right: False,
    **ARITHMETIC,
}
"""Those in C know them by their place."""
_ITEMS = 16
_MOST_BITS = 4096
_MOST_SHIFT = 4096
_LONGEST = 1_000_000
_CONTAINERS = (list, tuple, set, frozenset, dict)


class MutantRaises:
    """The outcome of a mutant that raises."""


class MutantUnknown:
    """The outcome of a mutant that only the subject could tell."""


RAISES: Final = MutantRaises()
UNKNOWN: Final = MutantUnknown()
_RAISED = (TypeError, ValueError, ArithmeticError)


class Relation(NamedTuple):
    """A relational mutant. ``by_sign`` tells for operands with left below, equal to and above right how far the mutant is from
    differing: ``INFECTED``, else what is to be added to the difference of the operands; None where signs do not decide."""

    number: int
    replacement: str
    operation: Operation
    by_sign: tuple[int, int, int] | None


INFECTED = -1


def relation(number: int, original: str, replacement: str) -> Relation:
    """The mutant of a comparison."""
    operation = OPERATIONS[replacement]
    decided = ("<", "<=", ">", ">=", "==", "!=", "True", "False")
    if original not in decided or replacement not in decided:
        return Relation(number, replacement, operation, None)
    differing = [OPERATIONS[original](sign, 0) != operation(sign, 0) for sign in (-1, 0, 1)]
    below, equal, above = (
        INFECTED if differs else 1 if sign == 0 or not differing[1] else 0
        for sign, differs in zip((-1, 0, 1), differing, strict=True)
    )
    return Relation(number, replacement, operation, (below, equal, above))


def signed_difference(left: Any, right: Any) -> tuple[int, float] | None:
    """The sign of ``left - right`` (0, 1 or 2 for below, equal and above) and the size, for numbers and texts; else None."""
    first, second = type(left), type(right)
    if (first is int or first is float or first is bool) and (second is int or second is float or second is bool):
        if left == right:
            return 1, 0.0
        above = left > right
        if not above and not left < right:
            return None  # no number
        return (2 if above else 0), gap(left, right)
    if first is second and (first is str or first is bytes):
        if left == right:
            return 1, 0.0
        return (2 if left > right else 0), difference(left, right)
    return None


def unordered_distance(mutant: Relation, result: bool, left: object, right: object) -> float:
    """The infection distance of a relational mutant where the operands have no difference."""
    if mutant.replacement in ("True", "False"):
        return OPAQUE if result is (mutant.replacement == "True") else 0.0
    if mutant.replacement in ("is", "is not"):
        return 0.0 if mutant.operation(left, right) is not result else OPAQUE
    outcome = applied(mutant.operation, left, right)
    if outcome is UNKNOWN:
        return OPAQUE
    if outcome is not result:
        return 0.0
    return to_equal(left, right) if mutant.replacement in ("==", "!=") and result is (mutant.replacement == "!=") else OPAQUE


def is_plain(value: Any) -> bool:
    """Whether operators on the value cannot run code of the subject."""
    kind = type(value)
    if _is_atom(kind):
        return True
    if type(kind) is not type or kind not in _CONTAINERS or len(value) > _ITEMS:
        return False
    if kind is dict and not all(map(_is_atom, map(type, value.values()))):
        return False
    return all(map(_is_atom, map(type, value)))


def _is_atom(kind: type) -> bool:
    return kind is int or kind is str or kind is float or kind is bool or kind is NoneType or kind is bytes


def applied(operation: Operation, left: object, right: object) -> object:
    """The outcome of an operator on plain values: its value, ``RAISES`` or ``UNKNOWN``."""
    if not is_plain(left) or not is_plain(right):
        return UNKNOWN
    try:
        return operation(left, right)
    except _RAISED:
        return RAISES


def calculates_differently(operation: Operation, left: object, right: object, result: object) -> bool:
    """Whether an arithmetic or bitwise mutant gives another value or type, or raises, where the original gave ``result``."""
    decided = without_calculating(operation, left, right)
    if decided is not None:
        return decided
    outcome = applied(operation, left, right)
    return outcome is not UNKNOWN and (outcome is RAISES or differ(outcome, result))


def without_calculating(operation: Operation, left: Any, right: Any) -> bool | None:
    """Whether the mutant surely differs where its kind of operands alone tells, or its value would be a giant; else None."""
    first, second = type(left), type(right)
    if first is int and second is int:
        return _too_large(operation, left, right)
    if _has_items(first) or _has_items(second):
        # No two arithmetic operators are defined for the same pair of containers; those of sets depend on the items.
        if operation is operator.and_ or operation is operator.or_ or operation is operator.xor:
            return None
        return is_builtin(first) and is_builtin(second)
    if first is str or first is bytes:
        if operation is operator.mod:  # a format could be wide
            return is_builtin(second) and ("%" if first is str else b"%") not in left
        if first is second and operation is not operator.add:
            return True
    return True if operation is operator.mul and _too_long(left, right) else None


def recalculated(operation: Operation, left: Any, right: Any) -> object:
    """What an augmented assignment is about to calculate, ``RAISES`` or ``UNKNOWN``; for atoms."""
    first, second = type(left), type(right)
    if not _is_atom(first) or not _is_atom(second) or (first is not second and _is_text(first) | _is_text(second)):
        return UNKNOWN
    if first is int and second is int and _too_large(operation, left, right) is not None:
        return UNKNOWN
    if _is_text(first) and len(left) + len(right) > _MOST_BITS:
        return UNKNOWN
    return applied(operation, left, right)


def _has_items(kind: type) -> bool:
    return kind is list or kind is tuple or kind is dict or kind is set or kind is frozenset


def _is_text(kind: type) -> bool:
    return kind is str or kind is bytes


def _too_large(operation: Operation, left: int, right: int) -> bool | None:
    """Decides where the outcome would be a giant; None where it may be calculated."""
    if left.bit_length() > _MOST_BITS or right.bit_length() > _MOST_BITS:
        return False
    if operation is operator.pow and abs(right) * left.bit_length() > _MOST_BITS:
        return abs(left) > 1
    if operation is operator.lshift and right > _MOST_SHIFT:
        return left != 0
    return None


def _too_long(left: object, right: object) -> bool:
    text, count = (right, left) if type(left) is int else (left, right)
    return (type(text) is str or type(text) is bytes) and type(count) is int and len(text) * count > _LONGEST


def differ(one: Any, other: Any) -> bool:
    """Whether two values surely differ: in type, or, for plain ones, in value."""
    if one is other:
        return False
    kind = type(one)
    if kind is not type(other):
        return True
    if _is_atom(kind):
        return one != other and not (one != one and other != other)
    if _has_items(kind) and len(one) != len(other):
        return True
    return is_plain(one) and is_plain(other) and one != other
