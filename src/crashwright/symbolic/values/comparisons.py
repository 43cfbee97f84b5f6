"""Python's comparisons on values: ``== != < <= > >= is, is not, in, not in``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from crashwright.core.terms import Op, Term
from crashwright.symbolic.values import operands
from crashwright.symbolic.values.literals import FALSE, TRUE
from crashwright.symbolic.values.logic import and_, equal, not_, or_
from crashwright.symbolic.values.numbers import less, less_equal
from crashwright.symbolic.values.operands import Operand, OperandGuard, OperandKinds, OperandOutcome
from crashwright.symbolic.values.tags import Tag, bytes_in, of, text_in
from crashwright.symbolic.values.texts import contains

_ORDERS: Final[dict[str, Callable[[Term, Term], Term]]] = {
    "<": less,
    "<=": less_equal,
    ">": lambda left, right: less(right, left),
    ">=": lambda left, right: less_equal(right, left),
}
_NEGATED: Final = {"!=": "==", "is not": "is", "not in": "in"}


def compared(operator: str, left: Operand, right: Operand) -> list[OperandOutcome]:
    """What ``left operator right`` can make, by the types of both; nothing where it always raises TypeError.

    Of two objects ``==`` and orders, and what is in an object, are not modelled here: their classes and the heap say.
    """
    if operator in _NEGATED:
        return [_negated(one) for one in compared(_NEGATED[operator], left, right)]
    if operator == "is":
        return [OperandOutcome((OperandGuard(TRUE),), of(equal(left.value, right.value)))]
    if operator == "==":
        return list(_equality(left, right))
    if operator == "in":
        return list(_inside(left, right))
    outcomes = [_ordered(operator, one, operands.whole_number) for one in operands.integers(left, right)]
    outcomes.extend(
        _ordered(operator, one, lambda operand: text_in(operand.value)) for one in operands.alike(left, right, Tag.TEXT)
    )
    outcomes.extend(_ordered(operator, one, operands.real_number) for one in operands.reals(left, right))
    outcomes.extend(
        OperandOutcome((OperandGuard(one.condition),), None, "the order of bytes") for one in operands.alike(left, right, Tag.BYTES)
    )
    return outcomes + operands.with_objects(left, right, f"operator {operator}")


def equals(left: Operand, right: Operand) -> Term:
    """Whether Python's ``==`` holds, where objects are equal to themselves alone."""
    if _is_nan(left.value) or _is_nan(right.value):
        return FALSE
    return or_(
        equal(left.value, right.value),
        *[
            and_(both.condition, equal(number(both.left), number(both.right)))
            for number, found in (
                (operands.whole_number, operands.integers(left, right)),
                (operands.real_number, operands.reals(left, right)),
            )
            for both in found
            if not _are_alike(both)
        ],
    )


def _are_alike(both: OperandKinds) -> bool:
    """Whether both are the same alternative, so that identity has said all."""
    return len(both.left.possible | both.right.possible) == 1


def _is_nan(value: Term) -> bool:
    return value.op is Op.OF_REAL and value.args[0].op is Op.LITERAL and value.args[0].payload != value.args[0].payload


def _negated(outcome: OperandOutcome) -> OperandOutcome:
    result = outcome.result
    if result is None:
        return outcome
    assert result.op is Op.OF_TRUTH
    return outcome._replace(result=of(not_(result.args[0])))


def _equality(left: Operand, right: Operand) -> Iterator[OperandOutcome]:
    objects = operands.alike(left, right, Tag.REFERENCE)
    for both in objects:
        if left.possible | right.possible != {Tag.REFERENCE}:
            yield OperandOutcome((OperandGuard(not_(both.condition)),), of(equals(left, right)))
        yield OperandOutcome((OperandGuard(both.condition),), None, "equality of objects")
    if not objects:
        yield OperandOutcome((OperandGuard(TRUE),), of(equals(left, right)))


def _ordered(operator: str, both: OperandKinds, inside: Callable[[Operand], Term]) -> OperandOutcome:
    return OperandOutcome((OperandGuard(both.condition),), of(_ORDERS[operator](inside(both.left), inside(both.right))))


def _inside(left: Operand, right: Operand) -> Iterator[OperandOutcome]:
    for tag, inside in ((Tag.TEXT, text_in), (Tag.BYTES, bytes_in)):
        for both in operands.alike(left, right, tag):
            yield OperandOutcome((OperandGuard(both.condition),), of(contains(inside(both.right.value), inside(both.left.value))))
    number = operands.kinds(left, right, operands.WHOLE, frozenset({Tag.BYTES}))
    if number.exist:
        yield OperandOutcome((OperandGuard(number.condition),), None, "a number in bytes")
    if Tag.REFERENCE in right.possible:
        yield OperandOutcome((OperandGuard(operands.is_one_of(right, {Tag.REFERENCE})),), None, "what an object contains")
