"""The Python probes of conditions that need nothing but the state: they note outcome and branch distance in it.

They run at every condition of the subject, so they are written for speed: integers are measured in place. A result that is neither
True nor False (possible only outside a test) is handed back unrecorded. A RecursionError while measuring means that the subject
stands at its recursion limit: then the outcome alone counts. Each records like :func:`record`, most of them in line.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise

from crashwright.engine.instrument.distances import (
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
from crashwright.engine.instrument.layout import FALSE, SETTLED, State
from crashwright.engine.instrument.operations import COMPARISONS

OPERATIONS = tuple(COMPARISONS.values())


def record(state: State, slot: int, outcome: bool, distance: float) -> None:
    """Notes an outcome and the distance to the other one."""
    taken, other = (slot, slot + FALSE) if outcome else (slot + FALSE, slot)
    state[taken] = 0.0
    least = state[other]
    if distance < least:
        state[other] = distance
    elif not least:
        state[slot + SETTLED] = 1


def truth(state: State, slot: int, result: Result, operand: object, _spent: None, /) -> Result:
    """``result`` is ``bool(operand)``."""
    if result is True:
        state[slot] = 0.0
        other = slot + 1
        least = state[other]
        if not least:
            state[slot + 2] = 1
        elif operand is True:
            if least > OPAQUE:
                state[other] = OPAQUE
        else:
            try:
                distance = to_false(operand)
            except RecursionError:
                distance = OPAQUE
            if distance < least:
                state[other] = distance
    elif result is False:
        state[slot + 1] = 0.0
        least = state[slot]
        if least > OPAQUE:
            state[slot] = OPAQUE
        elif not least:
            state[slot + 2] = 1
    return result


def flag(state: State, slot: int, result: Result, /) -> Result:
    """A condition with nothing but an outcome."""
    if result is True:
        state[slot] = 0.0
        least = state[slot + 1]
        if least > OPAQUE:
            state[slot + 1] = OPAQUE
        elif not least:
            state[slot + 2] = 1
    elif result is False:
        state[slot + 1] = 0.0
        least = state[slot]
        if least > OPAQUE:
            state[slot] = OPAQUE
        elif not least:
            state[slot + 2] = 1
    return result


def value(state: State, slot: int, operand: Result, /) -> Result:
    """An operand of ``and`` / ``or`` outside a test: its truth is told only where no code of the subject decides it."""
    kind = type(operand)
    try:
        if is_builtin(kind):
            truth(state, slot, bool(operand), operand, None)
        elif not decides_truth(kind):
            record(state, slot, True, OPAQUE)
    except RecursionError:  # at the recursion limit of the subject: this evaluation stays unrecorded
        return operand
    return operand


def decides_truth(kind: type) -> bool:
    """Whether code of the class decides the truth of its instances."""
    # The dictionaries of the classes themselves, for a metaclass may answer getattr with code of its own.
    for base in type.__dict__["__mro__"].__get__(kind):
        names = type.__dict__["__dict__"].__get__(base)
        if "__bool__" in names or "__len__" in names:
            return True
    return False


def isinstance_(state: State, slot: int, result: Result, instance: object, classes: object, _spent: None, /) -> Result:
    """``isinstance(instance, classes)``."""
    if result is not False or state[slot] < OPAQUE:
        return flag(state, slot, result)
    try:
        distance = to_instance(instance, classes)
    except RecursionError:
        distance = OPAQUE
    record(state, slot, False, distance)
    return result


def text_is(state: State, slot: int, result: Result, text: object, method: object, _spent: None, /) -> Result:
    """``text.isdigit()`` and its kin."""
    if result is not False:
        return flag(state, slot, result)
    try:
        distance = to_text_test(text, method)
    except RecursionError:
        distance = OPAQUE
    record(state, slot, False, distance)
    return result


def except_(state: State, slot: int, classes: Result, /) -> Result:
    """The classes of an ``except`` clause, about to be matched with the current exception."""
    raised = sys.exc_info()[0]
    if raised is not None:
        matches = raised_matches(raised, classes)
        if matches is not None:
            record(state, slot, matches, OPAQUE)
    return classes


def except_star(state: State, slot: int, classes: Result, /) -> Result:
    """The classes of an ``except*`` clause; a marker tells when it is entered.

    # Deviation: what an earlier clause took counts as still there.
    """
    raised = sys.exc_info()[1]
    if raised is not None and not any(raised_matches(kind, classes) is not False for kind in _raised_classes(raised)):
        state[slot + FALSE] = 0.0
    return classes


def _raised_classes(raised: BaseException) -> Iterator[type[BaseException]]:
    """Those of the exceptions in a group, which may be one of others."""
    waiting = [raised]
    while waiting:
        one = waiting.pop()
        if type(one) is ExceptionGroup or type(one) is BaseExceptionGroup:
            waiting.extend(one.exceptions)
        else:
            yield type(one)


def exhausted(state: State, slot: int, made: Result, /) -> Result:
    """A comprehension that has come to its end, with what it made."""
    flag(state, slot, False)
    return made


def chain(state: State, slot: int, operators: tuple[int, ...], _unset: object, result: Result, /, *operands: object) -> Result:
    """``a < b < c``: to true, the first comparison that fails and 1 for each not reached; to false, the nearest of them."""
    if result is not True and result is not False:
        return result
    reached = [operand for operand in operands[:-1] if operand is not UNSET]
    try:
        if result:
            pairs = zip(operators, pairwise(reached), strict=True)
            distance = min([_to_other(OPERATORS[kind], True, *pair) for kind, pair in pairs])
        else:
            last = len(reached) - 2
            distance = _to_other(OPERATORS[operators[last]], False, reached[last], reached[last + 1]) + len(operators) - 1 - last
    except RecursionError:
        distance = OPAQUE
    record(state, slot, result is True, distance)
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
