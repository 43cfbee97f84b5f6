"""Random terms: folding keeps what they mean, the solver means the same, and what it finds satisfies what it was asked."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, settings
from hypothesis import given as drawn
from hypothesis import strategies as st
from term_meaning import POISON, SYMBOLS, Unspecified, assignments, meaning, terms

from crashwright.core.terms import Op, Sort, Term, from_rows, is_well_sorted, parts, to_rows
from crashwright.symbolic.solving.models import Assignment
from crashwright.symbolic.solving.solver import Solver, SolverVerdict
from crashwright.symbolic.solving.z3_terms import Language
from crashwright.symbolic.values.arrays import select
from crashwright.symbolic.values.literals import integer, real, reference, text, truth
from crashwright.symbolic.values.logic import and_, equal, not_
from crashwright.symbolic.values.substitution import folded, substituted
from crashwright.symbolic.values.tags import of

SCALARS = (Sort.VALUE, Sort.TRUTH, Sort.INTEGER, Sort.REAL, Sort.TEXT)
SECONDS = 1.0
MADE = {Sort.TRUTH: truth, Sort.INTEGER: integer, Sort.REAL: real, Sort.TEXT: text}
some_terms = st.sampled_from(SCALARS).flatmap(terms)


@pytest.fixture(scope="module")
def language() -> Language:
    return Language()


@drawn(some_terms, assignments())
@settings(max_examples=200, deadline=None)
def test_folding_keeps_the_meaning(term: Term, leaves: dict[Term, Any]) -> None:
    (short,) = simplified([term])
    assert all(is_well_sorted(one) for one in parts([short]))
    assert simplified([short]) == (short,)
    try:
        expected = meaning(term, leaves)
    except Unspecified:
        return
    assert meaning(short, leaves) == expected


def literal(sort: Sort, one: Any) -> Term:
    """The literal of what a scalar means."""
    if sort is not Sort.VALUE:
        return MADE[sort](one)
    if one[1] is None:
        return Term(Op[one[0].upper()], Sort.VALUE)
    return of(MADE[Sort(one[0])](one[1]))


@drawn(some_terms, assignments())
@settings(max_examples=200, deadline=None)
def test_with_all_symbols_known_a_term_folds_to_what_it_means(term: Term, leaves: dict[Term, Any]) -> None:
    known = {symbol: literal(symbol.sort, leaves[symbol]) for symbol in leaves if symbol.sort in SCALARS}
    assume(all(one in known or one.op is not Op.SYMBOL for one in parts([term])))
    try:
        expected = meaning(term, leaves)
    except Unspecified:
        return
    (short,) = simplified([substituted(term, known)])
    # What no float is exactly stays as it is, and so does what is said of it.
    inexact = short.sort is Sort.REAL or any(one.op is Op.TO_REAL for one in parts([short]))
    assert short == literal(term.sort, expected) or inexact


@drawn(some_terms)
@settings(max_examples=100, deadline=None)
def test_terms_cross_between_the_wings(term: Term) -> None:
    assert from_rows(*to_rows([term])) == (term,)


def simplified(terms: Sequence[Term]) -> tuple[Term, ...]:
    """Terms that came unfolded, made by the constructors."""
    made: dict[Term, Term] = {}
    for term in parts(terms):
        made[term] = folded(term, [made[one] for one in term.args])
    return tuple([made[term] for term in terms])


def is_exact(term: Term) -> bool:
    """Floats are rounded and real numbers are not: where they are computed with, the solver means something else."""
    rounded = (Op.ADD, Op.SUBTRACT, Op.MULTIPLY, Op.TO_REAL)
    return not any(one.sort is Sort.REAL and one.op in rounded for one in parts([term]))


@pytest.mark.slow
@drawn(some_terms)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_solver_means_the_same_before_and_after_folding(language: Language, term: Term) -> None:
    assume(is_exact(term))
    (short,) = simplified([term])
    assume(short != term)
    solver = Solver(language, time.monotonic)
    solver.add(not_(Term(Op.EQUAL, Sort.TRUTH, (term, short))))
    if solver.check(SECONDS).verdict is SolverVerdict.SATISFIABLE:  # then they differ in what is unspecified alone
        found = Found(solver.assignment())
        try:
            expected = meaning(term, found)
        except Unspecified:
            return
        assert meaning(short, found) != expected or language.unmodelled


class Found(dict):
    """What a model says of symbols; of arrays by what they have at each index that is asked for."""

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment

    def __missing__(self, symbol: Term) -> Any:
        if symbol.sort is Sort.ITEMS:
            return lambda index: said(self.assignment.value_of(select(symbol, integer(index))))
        if symbol.sort is Sort.FIELD:
            return lambda index: said(self.assignment.value_of(select(symbol, reference(index))))
        return said(self.assignment.value_of(symbol))


def said(one: Term | None) -> Any:
    if one is None:
        return POISON
    if one.op is Op.LITERAL:
        return one.payload
    return meaning(one, {})


@pytest.mark.slow
@drawn(terms(Sort.TRUTH, 4))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_found_satisfies_what_was_asked(language: Language, condition: Term) -> None:
    assume(is_exact(condition))
    solver = Solver(language, time.monotonic)
    solver.add(condition)
    if solver.check(SECONDS).verdict is not SolverVerdict.SATISFIABLE:
        return
    assume(not any(one in language.unmodelled for one in parts([condition])))
    try:
        assert meaning(condition, Found(solver.assignment())) is True
    except Unspecified:
        return


@drawn(terms(Sort.TRUTH, 3), assignments())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_that_can_be_is_called_a_contradiction(language: Language, condition: Term, leaves: dict[Term, Any]) -> None:
    try:
        assume(meaning(condition, leaves) is True)
    except Unspecified:
        return
    solver = Solver(language, time.monotonic)
    solver.add(condition, "it")
    assert solver.check(SECONDS).verdict is not SolverVerdict.CONTRADICTION
    known = [equal(one, literal(one.sort, leaves[one])) for sort in SCALARS for one in SYMBOLS[sort]]
    solver.add(and_(*known), "what its symbols are")
    assert solver.check(SECONDS).verdict is not SolverVerdict.CONTRADICTION
