"""The Python probes of conditions that need no state but the activation: they note outcome and branch distance in it.

They run at every condition of the subject, so they are written for speed: integers are measured in place, and a side that was
taken before is not measured again. A result that is neither True nor False (possible only outside a test) is handed back
unrecorded. A RecursionError while measuring means that the subject stands at its recursion limit: then the outcome alone counts.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from crashwright.engine.instrument.distances import (
    LARGEST,
    OPAQUE,
    beyond_equal,
    is_builtin,
    raised_matches,
    to_equal,
    to_equal_or_less,
    to_false,
    to_instance,
    to_text_test,
)
from crashwright.engine.instrument.interface import OPERATORS, UNSET, Result
from crashwright.engine.instrument.trace import Activation

OPERATIONS: tuple[Callable[[Any, Any], object], ...] = (
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
    operator.eq,
    operator.ne,
    operator.is_,
    operator.is_not,
    lambda item, items: item in items,
    lambda item, items: item not in items,
)


def record(activation: Activation, predicate: int, outcome: bool, distance: float) -> None:
    """Notes an outcome and the distance to the other one."""
    if outcome:
        activation.true_distance[predicate] = 0.0
        other = activation.false_distance
    else:
        activation.false_distance[predicate] = 0.0
        other = activation.true_distance
    if predicate not in other or distance < other[predicate]:
        other[predicate] = distance


def lt(activation: Activation, predicate: int, result: Result, lesser: object, greater: object, _spent: None, /) -> Result:
    """``lesser < greater``, or ``greater > lesser``."""
    if result is True:
        activation.true_distance[predicate] = 0.0
        other = activation.false_distance
        if predicate in other and not other[predicate]:
            return result
        if type(lesser) is int and type(greater) is int:
            distance: float = greater - lesser
            if distance > LARGEST:
                distance = LARGEST
        else:
            try:
                distance = to_equal_or_less(lesser, greater)
            except RecursionError:
                distance = OPAQUE
    elif result is False:
        activation.false_distance[predicate] = 0.0
        other = activation.true_distance
        if predicate in other and not other[predicate]:
            return result
        if type(lesser) is int and type(greater) is int:
            distance = lesser - greater + 1
            if distance > LARGEST:
                distance = LARGEST
        else:
            try:
                distance = beyond_equal(lesser, greater)
            except RecursionError:
                distance = OPAQUE
    else:
        return result
    if predicate not in other or distance < other[predicate]:
        other[predicate] = distance
    return result


def le(activation: Activation, predicate: int, result: Result, lesser: object, greater: object, _spent: None, /) -> Result:
    """``lesser <= greater``, or ``greater >= lesser``: its sides are those of ``greater < lesser``, the other way round."""
    if result is True:
        activation.true_distance[predicate] = 0.0
        other = activation.false_distance
        if predicate in other and not other[predicate]:
            return result
        if type(lesser) is int and type(greater) is int:
            distance: float = greater - lesser + 1
            if distance > LARGEST:
                distance = LARGEST
        else:
            try:
                distance = beyond_equal(lesser, greater)
            except RecursionError:
                distance = OPAQUE
    elif result is False:
        activation.false_distance[predicate] = 0.0
        other = activation.true_distance
        if predicate in other and not other[predicate]:
            return result
        if type(lesser) is int and type(greater) is int:
            distance = lesser - greater
            if distance > LARGEST:
                distance = LARGEST
        else:
            try:
                distance = to_equal_or_less(lesser, greater)
            except RecursionError:
                distance = OPAQUE
    else:
        return result
    if predicate not in other or distance < other[predicate]:
        other[predicate] = distance
    return result


def truth(activation: Activation, predicate: int, result: Result, operand: object, _spent: None, /) -> Result:
    """``result`` is ``bool(operand)``."""
    if result is True:
        activation.true_distance[predicate] = 0.0
        other = activation.false_distance
        if predicate in other and not other[predicate]:
            return result
        if operand is True:
            distance = OPAQUE
        else:
            try:
                distance = to_false(operand)
            except RecursionError:
                distance = OPAQUE
        if predicate not in other or distance < other[predicate]:
            other[predicate] = distance
    elif result is False:
        activation.false_distance[predicate] = 0.0
        other = activation.true_distance
        if predicate not in other:
            other[predicate] = OPAQUE
    return result


def flag(activation: Activation, predicate: int, result: Result, /) -> Result:
    """A condition with nothing but an outcome."""
    if result is True:
        activation.true_distance[predicate] = 0.0
        if predicate not in activation.false_distance:
            activation.false_distance[predicate] = OPAQUE
    elif result is False:
        activation.false_distance[predicate] = 0.0
        if predicate not in activation.true_distance:
            activation.true_distance[predicate] = OPAQUE
    return result


def value(activation: Activation, predicate: int, operand: Result, /) -> Result:
    """An operand of ``and`` / ``or`` outside a test: its truth is told only where no code of the subject decides it."""
    kind = type(operand)
    try:
        if is_builtin(kind):
            truth(activation, predicate, bool(operand), operand, None)
        elif not _decides_truth(kind):
            record(activation, predicate, True, OPAQUE)
    except RecursionError:  # at the recursion limit of the subject: this evaluation stays unrecorded
        return operand
    return operand


def _decides_truth(kind: type) -> bool:
    # The dictionaries of the classes themselves, for a metaclass may answer getattr with code of its own.
    for base in type.__dict__["__mro__"].__get__(kind):
        names = type.__dict__["__dict__"].__get__(base)
        if "__bool__" in names or "__len__" in names:
            return True
    return False


def isinstance_(
    activation: Activation, predicate: int, result: Result, instance: object, classes: object, _spent: None, /
) -> Result:
    """``isinstance(instance, classes)``."""
    if result is False and activation.true_distance.get(predicate) is None:
        try:
            record(activation, predicate, False, to_instance(instance, classes))
        except RecursionError:
            record(activation, predicate, False, OPAQUE)
        return result
    return flag(activation, predicate, result)


def text_is(activation: Activation, predicate: int, result: Result, text: object, method: object, _spent: None, /) -> Result:
    """``text.isdigit()`` and its kin."""
    if result is not False:
        return flag(activation, predicate, result)
    try:
        distance = to_text_test(text, method)
    except RecursionError:
        distance = OPAQUE
    record(activation, predicate, False, distance)
    return result


def except_(activation: Activation, predicate: int, classes: Result, /) -> Result:
    """The classes of an ``except`` clause, about to be matched with the current exception."""
    raised = sys.exc_info()[0]
    if raised is not None:
        matches = raised_matches(raised, classes)
        if matches is not None:
            record(activation, predicate, matches, OPAQUE)
    return classes


def chain(
    activation: Activation, predicate: int, operators: tuple[int, ...], _unset: object, result: Result, /, *operands: object
) -> Result:
    """``a < b < c``: to true, the first comparison that fails and 1 for each not reached; to false, the nearest of them."""
    if result is not True and result is not False:
        return result
    reached = [operand for operand in operands[:-1] if operand is not UNSET]
    try:
        if result:
            distance = min(_to_other(OPERATORS[kind], True, *pair) for kind, pair in zip(operators, pairwise(reached), strict=True))
        else:
            last = len(reached) - 2
            distance = _to_other(OPERATORS[operators[last]], False, reached[last], reached[last + 1]) + len(operators) - 1 - last
    except RecursionError:
        distance = OPAQUE
    record(activation, predicate, result is True, distance)
    return result


def _to_other(kind: str, outcome: bool, left: object, right: object) -> float:
    """The distance of one comparison in a chain to the outcome that it did not have."""
    if kind in ("gt", "ge"):
        left, right = right, left
    if kind in ("lt", "gt"):
        return to_equal_or_less(left, right) if outcome else beyond_equal(left, right)
    if kind in ("le", "ge"):
        return beyond_equal(left, right) if outcome else to_equal_or_less(left, right)
    return to_equal(left, right) if (kind == "eq" and not outcome) or (kind == "ne" and outcome) else OPAQUE
