"""Operands whose types may be known only in part, and what an operation makes of them.

An operation of Python is a different one for each pair of types: ``+`` adds or concatenates. So its result is a list of
:class:`OperandOutcome`, one for each combination that is possible, the likeliest first; they exclude each other. Where types are
known, it is one, without a word of others: an addition of integers brings no texts to the solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from crashwright.core.terms import Term
from crashwright.symbolic.values.literals import integer
from crashwright.symbolic.values.logic import and_, choice, or_
from crashwright.symbolic.values.numbers import to_real
from crashwright.symbolic.values.tags import DEFINED, Tag, Tags, integer_in, is_, is_integer, is_real, real_in, tags_of, truth_in

WHOLE: Final[Tags] = frozenset({Tag.INTEGER, Tag.TRUTH})
NUMBERS: Final[Tags] = WHOLE | {Tag.REAL}


class Operand(NamedTuple):
    """A value, and the alternatives that it can be."""

    value: Term
    tags: Tags = DEFINED

    @property
    def possible(self) -> Tags:
        """What it can be by what is told and by its form."""
        return self.tags & tags_of(self.value)


class OperandGuard(NamedTuple):
    """What holds where an operation raises nothing, and what it raises otherwise."""

    condition: Term
    raises: str = "TypeError"


class OperandOutcome(NamedTuple):
    """``guards``: the first says which types the operands have. ``result``: a VALUE; None where it is not modelled, and
    ``reason`` why."""

    guards: tuple[OperandGuard, ...]
    result: Term | None
    reason: str = ""

    @property
    def condition(self) -> Term:
        """All guards."""
        return and_(*[one.condition for one in self.guards])


def merged(outcomes: Sequence[OperandOutcome]) -> OperandOutcome:
    """Several outcomes as one. What is not modelled is left out, with its reason; nothing is modelled where all of them are not."""
    modelled = [one for one in outcomes if one.result is not None]
    reason = "; ".join(dict.fromkeys(one.reason for one in outcomes if one.result is None))
    if not modelled:
        return OperandOutcome(outcomes[0].guards if outcomes else (), None, reason)
    types = OperandGuard(or_(*[one.guards[0].condition for one in modelled if one.guards]))
    others = [
        OperandGuard(or_(*[rest.guards[0].condition for rest in modelled if rest is not one], guard.condition), guard.raises)
        for one in modelled
        for guard in one.guards[1:]
    ]
    result = modelled[-1].result
    assert result is not None
    for one in reversed(modelled[:-1]):
        assert one.result is not None
        result = choice(one.guards[0].condition, one.result, result)
    return OperandOutcome((types, *others), result, reason)


def is_one_of(operand: Operand, tags: Iterable[Tag]) -> Term:
    """Whether it is one of these alternatives, of those that are possible."""
    wanted = frozenset(tags) & operand.possible
    return or_(*[is_(tag, operand.value) for tag in Tag if tag in wanted])


def whole_number(operand: Operand) -> Term:
    """The INTEGER of an integer or a bool."""
    return _whole(operand.value, operand.possible)


def _whole(value: Term, possible: Tags) -> Term:
    if Tag.TRUTH not in possible:
        return integer_in(value)
    coerced = choice(truth_in(value), integer(1), integer(0))
    return choice(is_integer(value), integer_in(value), coerced) if Tag.INTEGER in possible else coerced


def real_number(operand: Operand) -> Term:
    """The REAL of any number."""
    possible = operand.possible
    if not possible & WHOLE:
        return real_in(operand.value)
    whole = to_real(_whole(operand.value, possible))
    return choice(is_real(operand.value), real_in(operand.value), whole) if Tag.REAL in possible else whole


class OperandKinds(NamedTuple):
    """One combination of types of two operands, as far as it is possible, and the condition that says so."""

    condition: Term
    left: Operand
    right: Operand

    @property
    def exist(self) -> bool:
        """Whether both operands can be so."""
        return bool(self.left.possible) and bool(self.right.possible)


def kinds(left: Operand, right: Operand, left_tags: Tags, right_tags: Tags) -> OperandKinds:
    """The operands where the left is one of these alternatives, and the right one of those."""
    one, other = left._replace(tags=left.possible & left_tags), right._replace(tags=right.possible & right_tags)
    return OperandKinds(and_(is_one_of(one, left_tags), is_one_of(other, right_tags)), one, other)


def integers(left: Operand, right: Operand) -> list[OperandKinds]:
    """Both integers; or at least one a bool, and none a float."""
    plain = frozenset({Tag.INTEGER})
    both = kinds(left, right, plain, plain)
    mixed = kinds(left, right, WHOLE, WHOLE)
    some = or_(is_one_of(mixed.left, {Tag.TRUTH}), is_one_of(mixed.right, {Tag.TRUTH}))
    mixed = mixed._replace(condition=and_(mixed.condition, some))
    has_bool = Tag.TRUTH in mixed.left.possible | mixed.right.possible
    return [one for one, wanted in ((both, True), (mixed, has_bool)) if wanted and one.exist]


def reals(left: Operand, right: Operand) -> list[OperandKinds]:
    """Numbers, at least one of them a float."""
    both = kinds(left, right, NUMBERS, NUMBERS)
    some = or_(is_one_of(both.left, {Tag.REAL}), is_one_of(both.right, {Tag.REAL}))
    both = both._replace(condition=and_(both.condition, some))
    return [both] if both.exist and Tag.REAL in both.left.possible | both.right.possible else []


def alike(left: Operand, right: Operand, tag: Tag) -> list[OperandKinds]:
    """Both that alternative."""
    both = kinds(left, right, frozenset({tag}), frozenset({tag}))
    return [both] if both.exist else []


def with_objects(left: Operand, right: Operand, what: str) -> list[OperandOutcome]:
    """Not modelled: one of them is an object, whose class says what happens."""
    reference = frozenset({Tag.REFERENCE})
    condition = or_(is_one_of(left, reference), is_one_of(right, reference))
    possible = Tag.REFERENCE in left.possible | right.possible
    return [OperandOutcome((OperandGuard(condition),), None, f"{what} of objects")] if possible else []
