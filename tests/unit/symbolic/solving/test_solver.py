"""What the solver says of conditions, and what it finds."""

from __future__ import annotations

import re
import time

import pytest

from crashwright.core.terms import Sort, Term
from crashwright.symbolic.solving.preferences import preferred, readable
from crashwright.symbolic.solving.solver import Solver, SolverVerdict
from crashwright.symbolic.solving.z3_terms import Language
from crashwright.symbolic.values.arrays import deleted, inserted, select, store
from crashwright.symbolic.values.literals import class_named, given, integer, reference, symbol, text
from crashwright.symbolic.values.logic import equal, not_, or_
from crashwright.symbolic.values.numbers import less
from crashwright.symbolic.values.tags import integer_in, is_integer, is_none, is_reference, is_text, of, reference_in, text_in
from crashwright.symbolic.values.texts import length, replace_first

SECONDS = 5.0
X, Y = given(Sort.VALUE, "x"), given(Sort.VALUE, "y")
N = symbol(Sort.INTEGER, "n")
SIZES, ELEMENTS, CLASSES = given(Sort.SIZES, "size"), given(Sort.ELEMENTS, "elements"), given(Sort.CLASSES, "classes")


@pytest.fixture(scope="module")
def language() -> Language:
    return Language()


@pytest.fixture
def solver(language: Language) -> Solver:
    return Solver(language, time.monotonic)


def test_a_core_names_what_contradicts_itself(solver: Solver) -> None:
    solver.add(less(integer(3), N), "more than three")
    solver.add(is_text(X), "a text")
    solver.push()
    solver.add(less(N, integer(2)), ("frame", 1))
    answer = solver.check(SECONDS)
    assert answer.verdict is SolverVerdict.CONTRADICTION
    assert answer.core == {"more than three", ("frame", 1)}
    solver.pop()
    assert solver.check(SECONDS).verdict is SolverVerdict.SATISFIABLE
    assert solver.check(SECONDS, [(is_integer(X), "for now")]).core == {"a text", "for now"}
    assert solver.check(SECONDS).possible
    assert (solver.effort.checks, solver.effort.contradictions) == (4, 2)


def test_a_model_says_what_fields_and_sizes_are(solver: Solver) -> None:
    field = given(Sort.FIELD, ".a")
    read = select(field, reference_in(X))
    solver.add(is_reference(X))
    solver.add(equal(select(CLASSES, reference_in(X)), class_named("shop:Shelf")))
    solver.add(equal(read, of(integer(7))))
    assert solver.check(SECONDS).possible
    found = solver.assignment()
    assert found.value_of(read) == of(integer(7))
    assert found.value_of(select(CLASSES, reference_in(X))) == class_named("shop:Shelf")
    size = found.value_of(select(SIZES, reference_in(X)))
    assert size is not None
    assert isinstance(size.payload, int)
    assert size.payload >= 0


@pytest.mark.parametrize("value", ["", "a", "\\u{41}", "\\", "\0ä€\U0001f600"])
def test_texts_come_back_as_they_were(solver: Solver, value: str) -> None:
    solver.add(equal(text_in(X), text(value)))
    solver.add(is_text(X))
    assert solver.check(SECONDS).possible
    assert solver.assignment().value_of(X) == of(text(value))


def contradicts(solver: Solver, condition: Term) -> bool:
    return solver.check(SECONDS, [(condition, "it")]).verdict is SolverVerdict.CONTRADICTION


def test_sizes_and_inputs_are_as_programs_have_them(solver: Solver) -> None:
    solver.add(is_reference(X))
    assert contradicts(solver, less(select(SIZES, symbol(Sort.REFERENCE, "r")), integer(0)))
    assert contradicts(solver, less(N, integer(0))) is False
    made = symbol(Sort.REFERENCE, "made")
    solver.add(equal(made, reference(-1)))
    assert contradicts(solver, equal(made, reference_in(X)))


def test_what_lists_hold_moves(solver: Solver) -> None:
    before, r = ELEMENTS, reference_in(X)
    after = symbol(Sort.ELEMENTS, "after")
    solver.add(equal(after, store(before, r, inserted(select(before, r), N, of(integer(7))))))
    solver.add(equal(select(select(before, r), N), of(integer(5))))
    solver.add(less(integer(0), N))
    moved = symbol(Sort.INTEGER, "moved")
    solver.add(equal(moved, N))
    assert contradicts(solver, not_(equal(select(select(after, r), moved), of(integer(7)))))
    gone = symbol(Sort.ITEMS, "gone")
    solver.add(equal(gone, deleted(select(after, r), integer(0))))
    assert contradicts(solver, not_(equal(select(gone, moved), of(integer(5)))))
    assert solver.check(SECONDS, [(equal(select(gone, integer(77)), of(integer(5))), "it")]).verdict is SolverVerdict.SATISFIABLE
    assert solver.assignment().value_of(select(gone, integer(77))) == of(integer(5))


def test_what_is_found_is_readable(solver: Solver) -> None:
    solver.add(or_(is_none(X), less(integer(2), integer_in(X)), is_text(X)))
    solver.add(or_(is_none(X), is_integer(X)))
    solver.add(is_text(Y))
    solver.add(less(integer(2), length(text_in(Y))))
    solver.add(less(integer(70), N))
    found = preferred(solver, readable([X, Y, N]), SECONDS, time.monotonic)
    assert found is not None
    (x, y, n) = (found.value_of(one) for one in (X, Y, N))
    assert x is not None
    assert y is not None
    assert n is not None
    assert x in (of(integer(3)), of(integer(4)))
    assert re.fullmatch("[a-z]{3,4}", str(y.args[0].payload))
    assert 70 < int(str(n.payload)) <= 100


def test_nothing_is_found_in_a_contradiction(solver: Solver) -> None:
    solver.add(is_text(X))
    solver.add(is_none(X))
    assert preferred(solver, readable([X]), SECONDS, time.monotonic) is None


def test_what_was_found_is_asked_for_at_once_and_stays(solver: Solver) -> None:
    solver.add(equal(N, integer(3)), "three")
    assert solver.check(SECONDS).possible
    found = solver.assignment()
    solver.push()
    assert found.value_of(N) == integer(3)
    assert solver.check(SECONDS, [(less(N, integer(9)), "small")]).possible
    assert solver.assignment().value_of(N) == integer(3)  # of a check with more conditions too
    assert solver.check(SECONDS).possible
    solver.add(less(N, integer(7)))
    with pytest.raises(AssertionError):
        solver.assignment()


def test_what_was_undecided_is_asked_without_texts_until_it_is_taken_back(solver: Solver) -> None:
    long = not_(equal(replace_first(text_in(X), text_in(Y), text("ab")), replace_first(text_in(Y), text_in(X), text("ba"))))
    solver.push()
    solver.add(long, "texts")
    solver.add(less(integer(3), N), "more than three")
    assert solver.check_roughly(0.0).verdict is SolverVerdict.UNDECIDED
    solver.push()
    assert solver.check_roughly(SECONDS).verdict is SolverVerdict.UNDECIDED
    solver.add(less(N, integer(2)), "less than two")
    assert solver.check_roughly(SECONDS).core == {"more than three", "less than two"}
    solver.pop(2)
    assert solver.check_roughly(SECONDS).verdict is SolverVerdict.SATISFIABLE
