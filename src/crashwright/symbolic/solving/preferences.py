"""Of all that satisfies the conditions, what people like to read: small numbers, short words, no None where something else does.

Wishes are conditions in the order of their weight. As many as go together are granted: all are tried at once, and of each
contradiction the last wish in its core is given up. (z3's own optimisation takes whole seconds where this takes some checks.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from crashwright.core.terms import Op, Sort, Term
from crashwright.symbolic.solving.models import Assignment
from crashwright.symbolic.solving.solver import Solver, SolverVerdict
from crashwright.symbolic.values.literals import integer, real
from crashwright.symbolic.values.logic import and_, equal, implies, not_
from crashwright.symbolic.values.numbers import less_equal, to_real, truncate
from crashwright.symbolic.values.tags import (
    bytes_in,
    integer_in,
    is_bytes,
    is_integer,
    is_none,
    is_real,
    is_text,
    is_undefined,
    real_in,
    text_in,
)
from crashwright.symbolic.values.texts import length, matches

SMALL: Final = (-1, 4)
NEAR: Final = (-100, 100)
SHORT: Final = 4
WORD: Final = "[a-z]*"
PRINTABLE: Final = "[ -~]*"


def readable(terms: Sequence[Term]) -> tuple[Term, ...]:
    """Wishes for these terms: values, numbers, texts, bytes. The weaker ones come first, and are kept where the stronger go."""
    levels = [_wishes(term) for term in terms]
    return tuple(
        dict.fromkeys(
            wish for level in range(max(map(len, levels), default=0)) for one in levels for wish in one[level : level + 1]
        )
    )


def _wishes(term: Term) -> list[Term]:
    if term.op is Op.LITERAL:
        return []
    match term.sort:
        case Sort.INTEGER:
            return [_within(term, NEAR), _within(term, SMALL)]
        case Sort.REAL:
            near = and_(less_equal(real(NEAR[0]), term), less_equal(term, real(NEAR[1])))
            return [near, and_(near, equal(to_real(truncate(term)), term))]
        case Sort.TEXT:
            return [matches(term, PRINTABLE), less_equal(length(term), integer(SHORT)), matches(term, WORD)]
        case Sort.BYTES:
            return [less_equal(length(term), integer(SHORT))]
        case Sort.VALUE:
            return _of_value(term)
    return []


def _of_value(value: Term) -> list[Term]:
    cases = (
        (is_integer(value), _wishes(integer_in(value))),
        (is_real(value), _wishes(real_in(value))),
        (is_text(value), _wishes(text_in(value))),
        (is_bytes(value), _wishes(bytes_in(value))),
    )
    levels = [
        and_(*[implies(condition, wishes[level]) for condition, wishes in cases if level < len(wishes)])
        for level in range(max(len(wishes) for _, wishes in cases))
    ]
    return [not_(is_undefined(value)), not_(is_none(value)), *levels]


def _within(number: Term, bounds: tuple[int, int]) -> Term:
    return and_(less_equal(integer(bounds[0]), number), less_equal(number, integer(bounds[1])))


def preferred(solver: Solver, wishes: Sequence[Term], seconds: float, clock: Callable[[], float]) -> Assignment | None:
    """What satisfies the solver's conditions and as many wishes as were granted in the time; None where the conditions are not
    found to be satisfiable in the first place."""
    until = clock() + seconds
    if solver.check(seconds).verdict is not SolverVerdict.SATISFIABLE:
        return None
    found = solver.assignment()
    left = list(enumerate(wishes))
    granted = 0  # wishes at the beginning that are tried: fewer where all at once are undecided
    tried = len(left)
    while left and (rest := until - clock()) > 0:
        answer = solver.check(max(rest / 2, 0.01), [(wish, number) for number, wish in left[:tried]])
        if answer.verdict is SolverVerdict.SATISFIABLE:
            found = solver.assignment()
            if tried >= len(left):
                break
            granted, tried = tried, len(left)
        elif answer.verdict is SolverVerdict.CONTRADICTION:
            last = max((name for name in answer.core if isinstance(name, int)), default=None)
            if last is None:
                break
            left = [one for one in left if one[0] != last]
            tried = max(tried - 1, 1)
        elif tried - granted <= 1:
            del left[granted:tried]
            tried = len(left)
        else:
            tried = granted + (tried - granted) // 2
    return found
