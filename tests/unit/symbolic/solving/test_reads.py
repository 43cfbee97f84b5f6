"""Arrays come to the solver as what is read of them."""

from __future__ import annotations

from crashwright.core.terms import Op, Sort, Term, parts
from crashwright.symbolic.solving.reads import ArrayReads, NormalForm
from crashwright.symbolic.values.arrays import deleted, inserted, select, store
from crashwright.symbolic.values.literals import NONE, integer, reference, symbol
from crashwright.symbolic.values.logic import and_, equal
from crashwright.symbolic.values.tags import is_integer, of

BEFORE, AFTER = symbol(Sort.FIELD, "before"), symbol(Sort.FIELD, "after")
A, B = symbol(Sort.REFERENCE, "a"), symbol(Sort.REFERENCE, "b")
WRITTEN = equal(AFTER, store(BEFORE, A, of(integer(1))))
READ = equal(select(AFTER, B), NONE)


def told(reads: ArrayReads, *conditions: Term) -> list[tuple[Term, int]]:
    return [one for number, condition in enumerate(conditions) for one in reads.told(condition, number)]


def test_a_definition_is_told_as_what_it_says_of_reads_in_any_order() -> None:
    first, second = told(ArrayReads(NormalForm()), READ, WRITTEN), told(ArrayReads(NormalForm()), WRITTEN, READ)
    assert first[0] == (READ, 0)
    assert second[0] == (READ, 1)
    assert [one for one, _ in first[1:]] == [one for one, _ in second[1:]]
    assert [owner for _, owner in first + second] == [0, 1, 1, 0]
    assert not [part for one, _ in first for part in parts([one]) if part.op is Op.STORE]


def test_what_was_read_in_a_scope_is_forgotten_with_it() -> None:
    reads = ArrayReads(NormalForm())
    reads.push()
    assert len(told(reads, READ)) == 1
    reads.pop()
    assert told(reads, WRITTEN) == []
    assert len(told(reads, READ)) == 2


def test_nothing_is_said_of_arrays_that_nobody_reads() -> None:
    assert told(ArrayReads(NormalForm()), WRITTEN, equal(select(BEFORE, B), NONE)) == [(equal(select(BEFORE, B), NONE), 1)]


def test_parts_of_arrays_of_arrays_are_defined_too() -> None:
    heap = symbol(Sort.ELEMENTS, "heap")
    made = equal(select(heap, reference(-1)), store(select(heap, A), integer(0), NONE))
    read = is_integer(select(select(heap, B), integer(0)))
    (_, _), (condition, owner) = told(ArrayReads(NormalForm()), and_(made, read))
    assert owner == 0
    assert condition.op is Op.OR  # where b is that list


def test_a_list_that_is_defined_by_itself_comes_to_an_end() -> None:
    items = symbol(Sort.ITEMS, "items")
    moved = equal(items, deleted(inserted(deleted(items, integer(0)), integer(-1), NONE), integer(0)))
    assert len(told(ArrayReads(NormalForm()), equal(select(items, integer(0)), NONE), moved)) > 100
