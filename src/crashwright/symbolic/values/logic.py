"""Truth, equality and choice, folded.

Equality is identity of what terms stand for, as the solver has it: ``1`` and ``True`` are two values, and a NaN is itself.
Python's ``==`` is ``comparisons.equals``.
"""

from __future__ import annotations

from typing import Final

from crashwright.core.terms import Op, Sort, Term
from crashwright.symbolic.values.literals import FALSE, TRUE, integer, integer_of, truth

CONSTRUCTORS: Final = frozenset(
    {
        Op.NONE,
        Op.UNDEFINED,
        Op.OF_TRUTH,
        Op.OF_INTEGER,
        Op.OF_REAL,
        Op.OF_TEXT,
        Op.OF_BYTES,
        Op.OF_REFERENCE,
        Op.OF_CLASS,
    }
)
"""What makes a value of which the alternative is known."""
_DEEPEST_PUSH: Final = 4
_NEGATED: Final = {Op.LESS: Op.LESS_EQUAL, Op.LESS_EQUAL: Op.LESS}


def not_(term: Term) -> Term:
    """The contrary."""
    if term.op is Op.LITERAL:
        return truth(not term.payload)
    if term.op is Op.NOT:
        return term.args[0]
    if term.op in _NEGATED and term.args[0].sort is Sort.INTEGER:  # of reals a NaN is neither less nor not less
        return Term(_NEGATED[term.op], Sort.TRUTH, (term.args[1], term.args[0]))
    return Term(Op.NOT, Sort.TRUTH, (term,))


def and_(*terms: Term) -> Term:
    """All of them."""
    return _joined(Op.AND, terms, FALSE)


def or_(*terms: Term) -> Term:
    """One of them."""
    return _joined(Op.OR, terms, TRUE)


def implies(condition: Term, conclusion: Term) -> Term:
    """The conclusion, where the condition holds."""
    return or_(not_(condition), conclusion)


def _joined(op: Op, terms: tuple[Term, ...], decisive: Term) -> Term:
    kept: dict[Term, None] = {}
    for term in terms:
        for one in term.args if term.op is op else (term,):
            if one.op is Op.LITERAL:
                if one == decisive:
                    return decisive
            elif not_(one) in kept:
                return decisive
            else:
                kept[one] = None
    if not kept:
        return not_(decisive)
    return next(iter(kept)) if len(kept) == 1 else Term(op, Sort.TRUTH, tuple(kept))


def choice(condition: Term, then: Term, otherwise: Term) -> Term:
    """``then`` where the condition holds, else ``otherwise``."""
    if condition.op is Op.NOT:
        condition, then, otherwise = condition.args[0], otherwise, then
    if condition == TRUE or then == otherwise:
        return then
    if condition == FALSE:
        return otherwise
    if then.sort is Sort.TRUTH:
        if then.op is Op.LITERAL:
            return or_(condition, otherwise) if then.payload else and_(not_(condition), otherwise)
        if otherwise.op is Op.LITERAL:
            return or_(not_(condition), then) if otherwise.payload else and_(condition, then)
    return Term(Op.CHOICE, then.sort, (condition, then, otherwise))


def equal(left: Term, right: Term) -> Term:
    """Whether two terms of a sort stand for the same."""
    known = _decided(left, right, _DEEPEST_PUSH)
    if known is not None:
        return known
    if left.op in CONSTRUCTORS and left.op is right.op:
        return equal(left.args[0], right.args[0])
    if left.op in CONSTRUCTORS or left.op is Op.LITERAL:
        left, right = right, left
    if left.sort is Sort.TRUTH and right.op is Op.LITERAL:
        return left if right.payload else not_(left)
    number = integer_of(right)
    if number is not None and left.op is Op.ADD and (shift := integer_of(left.args[1])) is not None:
        return equal(left.args[0], integer(number - shift))
    return Term(Op.EQUAL, Sort.TRUTH, (left, right))


def are_different(left: Term, right: Term) -> bool:
    """Whether it is certain that they are never the same."""
    return _decided(left, right, _DEEPEST_PUSH) == FALSE


def _decided(left: Term, right: Term, depth: int) -> Term | None:
    """TRUE, FALSE, a condition of a choice that decides it, or None where the terms have to be compared."""
    if left == right:
        return TRUE
    if left.op is Op.LITERAL and right.op is Op.LITERAL:
        return truth(left.payload == right.payload)
    if left.op in CONSTRUCTORS and right.op in CONSTRUCTORS:
        if left.op is not right.op:
            return FALSE
        return _decided(left.args[0], right.args[0], depth - 1) if depth else None
    if left.sort is Sort.INTEGER:
        (first, one), (second, other) = _base(left), _base(right)
        return FALSE if first == second and first is not None and one != other else None
    if _is_made(left, right) or _is_made(right, left):
        return FALSE
    if left.op is Op.CHOICE and _says_its_value(right):
        return _chosen(left, right, depth)
    if right.op is Op.CHOICE and _says_its_value(left):
        return _chosen(right, left, depth)
    return None


def _chosen(chosen: Term, value: Term, depth: int) -> Term | None:
    """A choice against what it can be compared with at once, where that decides in both cases."""
    if not depth:
        return None
    condition, then, otherwise = chosen.args
    first, second = _decided(then, value, depth - 1), _decided(otherwise, value, depth - 1)
    return None if first is None or second is None else choice(condition, first, second)


def _says_its_value(term: Term) -> bool:
    return term.op is Op.LITERAL or term.op in CONSTRUCTORS


def _base(term: Term) -> tuple[Term | None, int]:
    """Of ``x + 3``: x and 3."""
    if term.op is Op.ADD and (shift := integer_of(term.args[1])) is not None:
        return term.args[0], shift
    return (None, 0) if term.op is Op.LITERAL else (term, 0)


def _is_made(one: Term, other: Term) -> bool:
    """Whether the one is an object that is made on the path, and the other was there at the entry."""
    made = one.args[0] if one.op is Op.OF_REFERENCE else one
    return (
        made.op is Op.LITERAL
        and made.sort is Sort.REFERENCE
        and isinstance(made.payload, int)
        and made.payload < 0
        and was_there(other)
    )


def was_there(term: Term) -> bool:
    """Whether a value, or the object that it refers to, is certainly of the inputs: a parameter, or in the heap at the entry."""
    if term.op in (Op.REFERENCE_IN, Op.OF_REFERENCE):
        return was_there(term.args[0])
    while term.op is Op.SELECT:
        term = term.args[0]
    return term.op is Op.INPUT
