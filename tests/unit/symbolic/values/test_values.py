"""Terms are folded as they are made, and mean the same."""

from __future__ import annotations

import pytest

from crashwright.core.terms import Op, Sort
from crashwright.symbolic.values.arrays import at, deleted, inserted, joined, same, select, shifted, store
from crashwright.symbolic.values.literals import FALSE, NONE, TRUE, given, integer, octets, real, reference, symbol, text
from crashwright.symbolic.values.logic import and_, choice, equal, not_, or_
from crashwright.symbolic.values.numbers import add, less, less_equal, quotient, remainder, subtract
from crashwright.symbolic.values.substitution import leaves_of, substituted
from crashwright.symbolic.values.tags import constant, integer_in, is_integer, is_none, of, reference_in, text_in
from crashwright.symbolic.values.texts import concatenate, find, integer_of_text, length, matches, part, text_of_integer

X, N = given(Sort.VALUE, "x"), symbol(Sort.INTEGER, "n")
P, Q = symbol(Sort.TRUTH, "p"), symbol(Sort.TRUTH, "q")
FIELD = given(Sort.FIELD, ".a")
ITEMS = symbol(Sort.ITEMS, "items")


def test_an_accessor_of_a_constructor_is_what_was_put_in() -> None:
    assert integer_in(of(N)) is N
    assert integer_in(choice(P, of(N), of(integer(3)))) == choice(P, N, integer(3))
    assert is_integer(choice(P, of(N), NONE)) == P
    assert is_none(choice(P, of(N), NONE)) == not_(P)
    assert text_in(of(N)).op is Op.TEXT_IN  # unspecified, so it stays


def test_logic_is_flat_and_without_repetition() -> None:
    assert and_(P, TRUE, and_(Q, P)).args == (P, Q)
    assert and_(P, not_(P)) == FALSE
    assert or_(P, or_(not_(P), Q)) == TRUE
    assert and_() == TRUE
    assert not_(not_(P)) is P
    assert not_(less(N, integer(3))) == less_equal(integer(3), N)
    assert choice(P, TRUE, Q) == or_(P, Q)
    assert choice(not_(P), X, NONE) == choice(P, NONE, X)


def test_equality_of_values_is_decided_where_it_can_be() -> None:
    assert equal(of(integer(1)), of(TRUE)) == FALSE
    assert equal(of(N), of(integer(3))) == equal(N, integer(3))
    assert equal(choice(P, of(integer(1)), NONE), NONE) == not_(P)
    assert equal(add(N, integer(2)), add(N, integer(3))) == FALSE
    assert equal(add(N, integer(2)), integer(3)) == equal(N, integer(1))


def test_objects_of_the_path_differ_from_each_other_and_from_inputs() -> None:
    assert equal(reference(-1), reference(-2)) == FALSE
    assert equal(of(reference(-1)), X) == FALSE
    assert equal(reference(-1), reference_in(select(FIELD, reference_in(X)))) == FALSE
    assert equal(reference(-1), reference_in(symbol(Sort.VALUE, "x"))).op is Op.EQUAL
    assert equal(reference(1), reference_in(X)).op is Op.EQUAL


def test_integers_fold_as_in_python() -> None:
    assert quotient(integer(-7), integer(2)) == integer(-4)
    assert remainder(integer(-7), integer(-2)) == integer(-1)
    assert quotient(integer(7), integer(0)).op is Op.QUOTIENT
    assert add(add(N, integer(2)), integer(-2)) is N
    assert subtract(add(N, integer(5)), N).op is not Op.LITERAL or subtract(add(N, integer(5)), N) == integer(5)
    assert less(add(N, integer(2)), integer(10**30)) == less(N, integer(10**30 - 2))
    assert less_equal(length(text_in(X)), integer(0)) == equal(length(text_in(X)), integer(0))
    assert less(length(text_in(X)), integer(0)) == FALSE


def test_texts_fold_as_in_python() -> None:
    assert concatenate(concatenate(text_in(X), text("a")), text("b")) == concatenate(text_in(X), text("ab"))
    assert part(text("abc"), integer(1), integer(9)) == text("bc")
    assert part(text("abc"), integer(-1), integer(9)) == text("")
    assert find(octets(b"abc"), octets(b"c"), integer(0)) == integer(2)
    assert integer_of_text(text("-12")) == integer(-12)
    assert integer_of_text(text(" 12")).op is Op.INTEGER_OF_TEXT
    assert integer_of_text(text_of_integer(N)) is N
    assert matches(text("a1"), r"[a-c]\d") == TRUE


def test_reading_looks_behind_what_was_written_elsewhere() -> None:
    written = store(store(FIELD, reference(-1), X), reference(-2), NONE)
    assert select(written, reference(-1)) is X
    assert select(written, reference_in(X)) == select(FIELD, reference_in(X))
    assert store(FIELD, reference(-1), select(FIELD, reference(-1))) is FIELD
    assert select(inserted(ITEMS, integer(2), X), integer(3)) == select(ITEMS, integer(2))
    assert select(deleted(ITEMS, integer(2)), integer(2)) == select(ITEMS, integer(3))
    assert select(joined(ITEMS, N, same(Sort.ITEMS, X)), add(N, integer(1))).op is Op.SELECT
    assert select(shifted(shifted(ITEMS, integer(2)), N), integer(0)) == select(ITEMS, add(N, integer(2)))
    assert at(ITEMS, N, integer(-1)) == select(ITEMS, add(N, integer(-1)))


def test_what_is_put_into_leaves_is_folded_once_for_each_shared_part() -> None:
    term = of(N)
    for _ in range(60):  # 2 ** 60 paths, 60 terms
        term = choice(equal(term, NONE), term, of(add(integer_in(term), integer_in(term))))
    assert integer_in(substituted(term, {N: integer(1)})) == integer(2**60)
    assert leaves_of([term]) == (N,)


@pytest.mark.parametrize("value", [None, True, 3, 2.5, "a", b"a"])
def test_constants_are_values(value: object) -> None:
    made = constant(value)
    assert made is not None
    assert made.sort is Sort.VALUE
    assert made.op is Op.NONE or made.args[0].payload == value


def test_other_objects_are_no_constants() -> None:
    assert constant(()) is None
    assert real(-0.0) != real(0.0)
