"""Arrays, folded: what is read from behind what was certainly not written there."""

from __future__ import annotations

from typing import Final

from crashwright.core.terms import ARRAYS, Op, Sort, Term
from crashwright.symbolic.values.literals import FALSE, TRUE, integer, integer_of
from crashwright.symbolic.values.logic import are_different, choice
from crashwright.symbolic.values.numbers import add, less, less_equal, subtract

_MOST_STORES: Final = 64
"""Stores that one select looks behind."""


def select(array: Term, index: Term) -> Term:
    """What the array has at the index."""
    for _ in range(_MOST_STORES):
        if array.op is Op.SAME:
            return array.args[0]
        if array.op is Op.STORE and array.args[1] == index:
            return array.args[2]
        behind = _behind(array, index)
        if behind is None:
            break
        array, index = behind
    return Term(Op.SELECT, ARRAYS[array.sort][1], (array, index))


def _behind(array: Term, index: Term) -> tuple[Term, Term] | None:
    """An array and an index where the same stands, where that is certain."""
    if array.op is Op.STORE and are_different(array.args[1], index):
        return array.args[0], index
    if array.op is Op.SHIFTED:
        return array.args[0], add(index, array.args[1])
    if array.op is Op.INSERTED:
        items, place, value = array.args
        if place == index:
            return Term(Op.SAME, Sort.ITEMS, (value,)), index
        before = less(index, place)
        return (items, index) if before == TRUE else (items, subtract(index, integer(1))) if before == FALSE else None
    if array.op is Op.DELETED:
        items, place = array.args
        before = less(index, place)
        return (items, index) if before == TRUE else (items, add(index, integer(1))) if before == FALSE else None
    if array.op is Op.JOINED:
        first, size, second = array.args
        before = less(index, size)
        return (first, index) if before == TRUE else (second, subtract(index, size)) if before == FALSE else None
    return None


def store(array: Term, index: Term, value: Term) -> Term:
    """The array with the value at the index."""
    if array.op is Op.STORE and array.args[1] == index:
        return store(array.args[0], index, value)
    if select(array, index) == value:
        return array
    return Term(Op.STORE, array.sort, (array, index, value))


def same(sort: Sort, value: Term) -> Term:
    """The array of this sort that has the value everywhere."""
    return Term(Op.SAME, sort, (value,))


def inserted(items: Term, index: Term, value: Term) -> Term:
    """With the value at the index, and what was there and behind it one further."""
    return Term(Op.INSERTED, Sort.ITEMS, (items, index, value))


def deleted(items: Term, index: Term) -> Term:
    """Without what is at the index: what is behind it comes one nearer."""
    return Term(Op.DELETED, Sort.ITEMS, (items, index))


def shifted(items: Term, by: Term) -> Term:
    """What was at ``index + by`` is at ``index``."""
    if integer_of(by) == 0:
        return items
    return shifted(items.args[0], add(items.args[1], by)) if items.op is Op.SHIFTED else Term(Op.SHIFTED, Sort.ITEMS, (items, by))


def joined(first: Term, size: Term, second: Term) -> Term:
    """The second behind the first ``size`` of the first."""
    return Term(Op.JOINED, Sort.ITEMS, (first, size, second))


def at(items: Term, size: Term, index: Term) -> Term:
    """What a sequence of ``size`` items has at an index as Python counts: negative ones from the end."""
    return select(items, choice(less(index, integer(0)), add(size, index), index))


def is_index(index: Term, size: Term) -> tuple[Term, Term]:
    """That Python takes the index: it is not behind the end, and not before the beginning."""
    return less(index, size), less_equal(subtract(integer(0), size), index)
