"""What follows from a condition of which a part is not known."""

from __future__ import annotations

from crashwright.core.terms import Sort, Term
from crashwright.symbolic.execution.weakening import weakened, without_types
from crashwright.symbolic.values import literals, numbers, tags
from crashwright.symbolic.values.logic import and_, choice, not_, or_

VALUE = literals.given(Sort.VALUE, "x")
SMALL = numbers.less(tags.integer_in(VALUE), literals.integer(3))
UNKNOWN = literals.unknown(Sort.TRUTH, 1, "what a call returns")


def number(reason: int) -> Term:
    return literals.unknown(Sort.INTEGER, reason, "what a call returns")


def test_what_is_known_stays_and_what_is_not_goes() -> None:
    assert weakened(SMALL) == SMALL
    assert weakened(and_(SMALL, UNKNOWN)) == SMALL
    assert weakened(or_(SMALL, UNKNOWN)) == literals.TRUE
    assert weakened(not_(or_(SMALL, UNKNOWN))) == not_(SMALL)
    assert weakened(not_(and_(SMALL, UNKNOWN))) == literals.TRUE


def test_a_choice_is_taken_apart() -> None:
    chosen = choice(SMALL, literals.integer(1), number(1))
    is_four = numbers.less_equal(literals.integer(4), chosen)
    assert weakened(is_four) == not_(SMALL)
    assert weakened(numbers.less(number(1), number(2))) == literals.TRUE


def test_types_are_left_out_where_they_only_lead_to_what_failed() -> None:
    assert without_types(and_(tags.is_integer(VALUE), SMALL)) == SMALL
    assert without_types(or_(tags.is_integer(VALUE), tags.is_none(VALUE))) == literals.TRUE
