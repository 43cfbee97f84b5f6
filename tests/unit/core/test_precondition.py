"""Preconditions, and how they cross between the wings."""

from __future__ import annotations

import json

import pytest

from crashwright.core.codec import Undecodable, from_json, to_json
from crashwright.core.location import CodeKey
from crashwright.core.precondition import Guard, Precondition, WrittenPreconditions, read, written
from crashwright.core.terms import Op, Sort, Term

TAKE, CHECK = CodeKey("shop", "Shelf.take", 4), CodeKey("shop", "check", 20)
COUNT = Term(Op.INPUT, Sort.VALUE, (), "count")
SELF = Term(Op.INPUT, Sort.VALUE, (), "self")
NUMBER = Term(Op.INTEGER_IN, Sort.INTEGER, (COUNT,))
THREE = Term(Op.LITERAL, Sort.INTEGER, (), 3)
MORE = Term(Op.LESS, Sort.TRUTH, (THREE, NUMBER))
OTHER = Term(Op.UNKNOWN, Sort.TRUTH, (), (1, "match(text)"))
UNSET = Term(
    Op.IS_NONE,
    Sort.TRUTH,
    (
        Term(
            Op.SELECT,
            Sort.VALUE,
            (Term(Op.INPUT, Sort.FIELD, (), ".slots"), Term(Op.REFERENCE_IN, Sort.REFERENCE, (SELF,))),
        ),
    ),
)
SHORT = Precondition(1, TAKE, (Guard(MORE, 7, TAKE), Guard(UNSET, 9, TAKE, is_crash=True)))
LONG = Precondition(2, CHECK, (Guard(MORE, 7, TAKE), Guard(OTHER, 22, CHECK)), ("match(text)",))


def crossed(form: WrittenPreconditions) -> WrittenPreconditions:
    return from_json(WrittenPreconditions, json.loads(json.dumps(to_json(form))))


def test_what_is_written_is_read_again() -> None:
    assert read(crossed(written([SHORT, LONG]))) == (SHORT, LONG)
    assert read(crossed(written([]))) == ()


def test_preconditions_share_their_rows() -> None:
    assert len(written([SHORT, SHORT, LONG]).rows) == len(written([SHORT]).rows) + 1


def test_inputs_are_named_once_and_the_heap_is_none() -> None:
    assert SHORT.inputs == ("count", "self")
    assert LONG.inputs == ("count",)


@pytest.mark.parametrize(
    ("term", "level"),
    [
        pytest.param(NUMBER, 1, id="no truth"),
        pytest.param(Term(Op.NOT, Sort.TRUTH, (Term(Op.SYMBOL, Sort.TRUTH, (), "b3"),)), 1, id="a symbol is left"),
        pytest.param(MORE, 0, id="no level"),
    ],
)
def test_what_is_none_is_refused(term: Term, level: int) -> None:
    with pytest.raises(Undecodable):
        read(written([Precondition(level, TAKE, (Guard(term, 1, TAKE),))]))


def test_a_guard_that_is_missing_is_refused() -> None:
    form = written([SHORT])
    with pytest.raises(Undecodable):
        read(WrittenPreconditions(form.rows[:-1], form.preconditions))
