"""Terms without what only the engine needs to tell apart: for a reader, a number is a number, and 3.0 is 3.

Where the kind of a value is not known, an operation on it is a choice by its kind; where all sides read the same, one is enough.
The results are for reading alone: they need not be well sorted.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

from crashwright.core.terms import Op, Sort, Term, parts
from crashwright.symbolic.wording.expressions import TRANSPARENT, bare, expression

_TRUE, _FALSE = (Term(Op.LITERAL, Sort.TRUTH, (), value) for value in (True, False))


def plain(term: Term) -> Term:
    """The term as it is read."""
    made: dict[Term, Term] = {}
    for part in parts([term]):
        args = tuple([made[one] for one in part.args])
        made[part] = _plain(part if args == part.args else Term(part.op, part.sort, args, part.payload))
    return made[term]


def _plain(term: Term) -> Term:
    if term.op is Op.TO_REAL:
        return term.args[0]
    if term.op is Op.LITERAL and term.sort is Sort.REAL and isinstance(term.payload, float) and term.payload.is_integer():
        return Term(Op.LITERAL, Sort.INTEGER, (), int(term.payload))
    if term.op is Op.SELECT and term.sort is Sort.TRUTH:
        return _looked_up(term)
    if term.op in (Op.LESS, Op.LESS_EQUAL):
        return _turned(term)
    if term.op in (Op.OR, Op.AND):
        return _joined(term)
    if term.op is not Op.CHOICE:
        return term
    return _decided(*term.args) if term.sort is Sort.TRUTH else _either(term)


def _turned(term: Term) -> Term:
    """``-x < 4`` as ``-4 < x``."""
    left, right = term.args
    for negative, number in ((left, right), (right, left)):
        if (
            negative.op is Op.SUBTRACT
            and negative.args[0].payload == 0
            and number.op is Op.LITERAL
            and isinstance(number.payload, int)
        ):
            other = Term(Op.LITERAL, number.sort, (), -number.payload)
            sides = (other, negative.args[1]) if negative is left else (negative.args[1], other)
            return Term(term.op, term.sort, sides)
    return term


def _looked_up(term: Term) -> Term:
    """Membership in what is made on the way: that of each thing put in, then of what was there before."""
    array, index = term.args
    if array.op is Op.SAME:
        return array.args[0]
    if array.op is not Op.STORE:
        return term
    base, place, value = array.args
    same = Term(Op.EQUAL, Sort.TRUTH, (index, place))
    return _decided(same, value, _looked_up(Term(Op.SELECT, Sort.TRUTH, (base, index))))


def _decided(condition: Term, then: Term, otherwise: Term) -> Term:
    if then == otherwise:
        return then
    if _same_limit(then, otherwise):  # said of all numbers, not of whole ones alone
        return then if any(one.sort is Sort.REAL for one in then.args) else otherwise
    if then == _TRUE:
        return condition if otherwise == _FALSE else Term(Op.OR, Sort.TRUTH, (condition, otherwise))
    if otherwise == _FALSE:
        return Term(Op.AND, Sort.TRUTH, (condition, then))
    refused = Term(Op.NOT, Sort.TRUTH, (condition,))
    if then == _FALSE:
        return refused if otherwise == _TRUE else Term(Op.AND, Sort.TRUTH, (refused, otherwise))
    if otherwise == _TRUE:
        return Term(Op.OR, Sort.TRUTH, (refused, then))
    return Term(Op.CHOICE, Sort.TRUTH, (condition, then, otherwise))


def _either(term: Term) -> Term:
    condition, then, otherwise = term.args
    one, other = bare(then), bare(otherwise)
    if one == other or (one.op is not Op.LITERAL and expression(one) == expression(other)):
        return then if then.op in TRANSPARENT else otherwise
    if condition.op is Op.TRUTH_IN and (one.payload, other.payload) == (1, 0):
        return condition.args[0]
    return term


def _same_limit(left: Term, right: Term) -> bool:
    """Whether both set the same bound to the same thing, one of them in whole numbers: ``count >= 4`` and ``count > 3``."""
    one, other = _limit(left), _limit(right)
    return one is not None and one == other


def _joined(term: Term) -> Term:
    """Without alternatives that another one includes, and without what another one says more narrowly: of ``len(x) < 1 or
    len(x) <= -1`` the first."""
    args = _absorbed(term)
    limits = [_limit(one) for one in args]
    kept = [one for place, one in enumerate(args) if not _is_superfluous(limits, place, term.op is Op.OR)]
    return kept[0] if len(kept) == 1 else Term(term.op, Sort.TRUTH, tuple(kept))


def _absorbed(term: Term) -> list[Term]:
    """Each once; of ``a or (not a and b)`` the second is ``b``, of ``a or (a and b)`` there is no second."""
    flat = [inner for one in term.args for inner in (one.args if one.op is term.op else (one,))]
    alone = dict.fromkeys(flat)
    other = Op.AND if term.op is Op.OR else Op.OR
    found: dict[Term, None] = {}
    for one in alone:
        if one.op is not other:
            found[one] = None
            continue
        if any(part in alone for part in one.args):
            continue
        left = [part for part in one.args if _refused(part) not in alone]
        if not left:
            return list(alone)  # one of them is so in any case, or none can be
        found[left[0] if len(left) == 1 else Term(other, Sort.TRUTH, tuple(left))] = None
    return list(found)


def _refused(term: Term) -> Term:
    return term.args[0] if term.op is Op.NOT else Term(Op.NOT, Sort.TRUTH, (term,))


def _is_superfluous(limits: Sequence[tuple[str, bool, int] | None], place: int, wide: bool) -> bool:
    limit = limits[place]
    if limit is None:
        return False
    subject, below, number = limit
    for other, one in enumerate(limits):
        if one is None or other == place or one[:2] != (subject, below):
            continue
        if (one[2] == number and other < place) or (one[2] != number and (one[2] < number) is (below is wide)):
            return True
    return False


def _limit(term: Term) -> tuple[str, bool, int] | None:
    """What is bounded, whether from below, and the first whole number within."""
    if term.op not in (Op.LESS, Op.LESS_EQUAL):
        return None
    left, right = map(bare, term.args)
    strict = term.op is Op.LESS
    if left.op is Op.LITERAL and isinstance(left.payload, int | float) and right.op is not Op.LITERAL:
        return expression(right), True, floor(left.payload) + 1 if strict else ceil(left.payload)
    if right.op is Op.LITERAL and isinstance(right.payload, int | float) and left.op is not Op.LITERAL:
        return expression(left), False, ceil(right.payload) - 1 if strict else floor(right.payload)
    return None
