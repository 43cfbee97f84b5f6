"""Python's operators ``+ - * / // % ** & | ^ << >> @`` and ``- + ~`` on values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from crashwright.core.terms import Op, Term
from crashwright.symbolic.values import numbers, operands, texts
from crashwright.symbolic.values.literals import integer, integer_of, is_finite_float, octets, payloads, real, text
from crashwright.symbolic.values.logic import and_, equal, not_, or_
from crashwright.symbolic.values.operands import Operand, OperandGuard, OperandKinds, OperandOutcome
from crashwright.symbolic.values.tags import Tag, bytes_in, of, text_in, truth_in

HIGHEST_POWER: Final = 4
"""An unknown number is multiplied with itself so often at most; more is not modelled."""
MOST_REPEATS: Final = 64
_LONGEST_POWER: Final = 4096  # bits of a literal's power
_ARITHMETIC: Final[dict[str, Callable[[Term, Term], Term]]] = {"+": numbers.add, "-": numbers.subtract, "*": numbers.multiply}
_DIVISIONS: Final[dict[str, Callable[[Term, Term], Term]]] = {"//": numbers.quotient, "%": numbers.remainder}
_BITS: Final = {"&": Op.BIT_AND, "|": Op.BIT_OR, "^": Op.BIT_XOR, "<<": Op.SHIFT_LEFT, ">>": Op.SHIFT_RIGHT}


def binary(operator: str, left: Operand, right: Operand) -> list[OperandOutcome]:
    """What ``left operator right`` can make, by the types of both; nothing where it always raises TypeError."""
    outcomes: list[OperandOutcome] = []
    if operator in ("&", "|", "^"):
        outcomes.extend(_of_truths(operator, one) for one in operands.alike(left, right, Tag.TRUTH))
    outcomes.extend(
        _of_integers(operator, one) for one in operands.integers(left, right) if not _is_done(outcomes, one) and operator != "@"
    )
    outcomes.extend(_of_texts(operator, left, right))
    if operator not in _BITS and operator != "@":
        outcomes.extend(_of_reals(operator, one) for one in operands.reals(left, right))
    return outcomes + operands.with_objects(left, right, f"operator {operator}")


def unary(operator: str, operand: Operand) -> list[OperandOutcome]:
    """What ``- + ~`` can make; ``not`` asks for the truth (``semantics.names``)."""
    outcomes = []
    for tags in (frozenset({Tag.INTEGER}), frozenset({Tag.TRUTH})):
        one = operand._replace(tags=operand.possible & tags)
        if one.possible:
            number = operands.whole_number(one)
            results = {
                "-": numbers.subtract(integer(0), number),
                "+": number,
                "~": numbers.subtract(integer(-1), number),
            }
            outcomes.append(OperandOutcome((OperandGuard(operands.is_one_of(one, tags)),), of(results[operator])))
    one = operand._replace(tags=operand.possible & {Tag.REAL})
    if one.possible and operator != "~":
        number = operands.real_number(one)
        outcomes.append(
            OperandOutcome(
                (OperandGuard(operands.is_one_of(one, {Tag.REAL})),), of(number if operator == "+" else _negative(number))
            )
        )
    return outcomes + operands.with_objects(operand, operand, f"operator {operator}")


def _negative(number: Term) -> Term:
    if number.op is Op.LITERAL and isinstance(number.payload, float):
        return real(-number.payload)
    return numbers.subtract(real(0.0), number)


def _is_done(outcomes: list[OperandOutcome], one: OperandKinds) -> bool:
    """Whether only bools are left, which have their own outcome."""
    return bool(outcomes) and one.left.possible == one.right.possible == {Tag.TRUTH}


def _of_truths(operator: str, both: OperandKinds) -> OperandOutcome:
    one, other = truth_in(both.left.value), truth_in(both.right.value)
    result = {"&": and_(one, other), "|": or_(one, other), "^": not_(equal(one, other))}[operator]
    return OperandOutcome((OperandGuard(both.condition),), of(result))


def _of_integers(operator: str, both: OperandKinds) -> OperandOutcome:
    types = OperandGuard(both.condition)
    if operator in ("&", "|", "^") and Tag.TRUTH in both.left.possible & both.right.possible:
        either = or_(operands.is_one_of(both.left, {Tag.INTEGER}), operands.is_one_of(both.right, {Tag.INTEGER}))
        types = OperandGuard(and_(both.condition, either))  # of two bools it is a bool
    one, other = operands.whole_number(both.left), operands.whole_number(both.right)
    if operator in _ARITHMETIC:
        return OperandOutcome((types,), of(_ARITHMETIC[operator](one, other)))
    divisible = OperandGuard(not_(equal(other, integer(0))), "ZeroDivisionError")
    if operator in _DIVISIONS:
        return OperandOutcome((types, divisible), of(_DIVISIONS[operator](one, other)))
    if operator == "/":
        return OperandOutcome((types, divisible), of(numbers.divide(numbers.to_real(one), numbers.to_real(other))))
    if operator in ("<<", ">>"):
        guard = OperandGuard(numbers.less_equal(integer(0), other), "ValueError")
        return OperandOutcome((types, guard), of(numbers.bits(_BITS[operator], one, other)))
    if operator in _BITS:
        return OperandOutcome((types,), of(numbers.bits(_BITS[operator], one, other)))
    return _power(types, one, other)


def _power(types: OperandGuard, base: Term, exponent: Term) -> OperandOutcome:
    number, power = integer_of(base), integer_of(exponent)
    if power is None or power < 0:
        return OperandOutcome((types,), None, "a power by what is not known" if power is None else "a negative power")
    if number is not None and number.bit_length() * power <= _LONGEST_POWER:
        return OperandOutcome((types,), of(integer(number**power)))
    if power > HIGHEST_POWER:
        return OperandOutcome((types,), None, "a high power")
    result = integer(1)
    for _ in range(power):
        result = numbers.multiply(result, base)
    return OperandOutcome((types,), of(result))


def _of_reals(operator: str, both: OperandKinds) -> OperandOutcome:
    types = OperandGuard(both.condition)
    one, other = operands.real_number(both.left), operands.real_number(both.right)
    if operator in _ARITHMETIC:
        return OperandOutcome((types,), of(_ARITHMETIC[operator](one, other)))
    divisible = OperandGuard(not_(equal(other, real(0.0))), "ZeroDivisionError")
    if operator == "/":
        return OperandOutcome((types, divisible), of(numbers.divide(one, other)))
    if operator in _DIVISIONS:
        values = payloads(one, other)
        if values is not None and all(is_finite_float(value) for value in values) and values[1]:
            first, second = values
            assert isinstance(first, float)
            assert isinstance(second, float)
            return OperandOutcome((types, divisible), of(real(first // second if operator == "//" else first % second)))
        return OperandOutcome((types, divisible), None, f"operator {operator} of floats")
    return OperandOutcome((types,), None, f"operator {operator} of floats")


def _of_texts(operator: str, left: Operand, right: Operand) -> Iterator[OperandOutcome]:
    for tag, inside in ((Tag.TEXT, text_in), (Tag.BYTES, bytes_in)):
        if operator == "+":
            for both in operands.alike(left, right, tag):
                result = texts.concatenate(inside(both.left.value), inside(both.right.value))
                yield OperandOutcome((OperandGuard(both.condition),), of(result))
        if operator == "*":
            for whole, number in ((left, right), (right, left)):
                both = operands.kinds(whole, number, frozenset({tag}), operands.WHOLE)
                if both.exist:
                    yield _repeated(both, inside(whole.value))
        if operator == "%" and tag in left.possible:
            yield OperandOutcome((OperandGuard(operands.is_one_of(left, {tag})),), None, "formatting by %")


def _repeated(both: OperandKinds, whole: Term) -> OperandOutcome:
    times = integer_of(operands.whole_number(both.right))
    if times is None or times > MOST_REPEATS:
        return OperandOutcome((OperandGuard(both.condition),), None, "a text repeated very often, or as often as is not known")
    empty = text("") if both.left.possible == {Tag.TEXT} else octets(b"")
    return OperandOutcome((OperandGuard(both.condition),), of(texts.concatenate(empty, *[whole] * times)))
