"""What follows from a condition whatever the unknown is: what must be so in any case, of what is only known in part."""

from __future__ import annotations

from collections.abc import Sequence

from crashwright.core.precondition import Guard
from crashwright.core.terms import LEAVES, Op, Sort, Term, parts
from crashwright.symbolic.execution.propagation import replaced, simplified
from crashwright.symbolic.values import literals
from crashwright.symbolic.values.logic import and_, not_, or_
from crashwright.symbolic.values.tags import Tag
from crashwright.symbolic.values.truthiness import truth_asked
from crashwright.symbolic.wording.expressions import is_short

_DEEPEST = 5
"""Case distinctions within a condition that are drawn out of it."""
_LARGEST = 400
"""Parts of a condition that is looked into."""
_LONGEST = 120
"""Operators of one that is told, where it only leads to the crash."""
_TESTS = frozenset(tag.value.test for tag in Tag)


def certain(guards: Sequence[Guard]) -> tuple[Guard, ...] | None:
    """What of them follows in any case, without case distinctions by types, which nobody reads. That nothing is known of why it
    failed is kept. None where they come to a contradiction."""
    made: list[Guard] = []
    for guard in guards:
        weaker = weakened(guard.term)
        if guard.is_crash:
            made.append(guard if weaker == literals.TRUE else guard._replace(term=weaker))
        elif _is_plain(weaker):
            made.append(guard._replace(term=weaker))
    return simplified(made)


def _is_plain(term: Term) -> bool:
    """Whether it speaks of types alone, or not at all."""
    inner = list(parts([term]))
    return is_short(term, _LONGEST) and (truth_asked(term) is not None or _is_of_types(term) or not any(map(_asks_type, inner)))


def without_types(term: Term) -> Term:
    """The condition but for what it says of nothing but types."""
    if term.op in (Op.AND, Op.OR):
        if _is_of_types(term):
            return literals.TRUE
        return (and_ if term.op is Op.AND else or_)(*[without_types(one) for one in term.args])
    return literals.TRUE if _is_of_types(term) else term


def _is_of_types(term: Term) -> bool:
    if term.op in (Op.AND, Op.OR, Op.NOT):
        return all(map(_is_of_types, term.args))
    return _asks_type(term)


def _asks_type(term: Term) -> bool:
    return term.op in _TESTS or (term.op is Op.EQUAL and term.args[0].sort is Sort.CLASS)


def weakened(term: Term) -> Term:
    """Weaker than the term, and without anything unknown; TRUE where nothing is left of it."""
    return _bound(term, True, _DEEPEST)


def _bound(term: Term, above: bool, deepest: int) -> Term:
    """What follows from the term, or from which it follows."""
    if _is_known(term):
        return term
    if term.op is Op.NOT:
        return not_(_bound(term.args[0], not above, deepest))
    if term.op in (Op.AND, Op.OR):
        joined = and_ if term.op is Op.AND else or_
        return joined(*[_bound(one, above, deepest) for one in term.args])
    if deepest == 0 or sum(1 for _ in parts([term])) > _LARGEST:
        return literals.truth(above)
    case = next((one for one in parts([term]) if one.op is Op.CHOICE), None)
    if case is None:
        return literals.truth(above)
    condition, then, otherwise = case.args
    ways = [
        _bound(replaced([term], {case: made})[0], above, deepest - 1) if case is not term else _bound(made, above, deepest - 1)
        for made in (then, otherwise)
    ]
    if not _is_known(condition):
        return or_(*ways) if above else and_(*ways)
    return and_(or_(not_(condition), ways[0]), or_(condition, ways[1]))


def _is_known(term: Term) -> bool:
    """Whether nothing unknown is in it, nor an object that is made on the way."""
    return not any(
        one.op in LEAVES and (one.op in (Op.UNKNOWN, Op.SYMBOL) or (one.op is Op.LITERAL and one.sort is Sort.REFERENCE))
        for one in parts([term])
    )
