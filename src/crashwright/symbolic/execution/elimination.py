"""From what was asserted on a path to a precondition: the constants of the walk are eliminated, so that only inputs are left."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from crashwright.core.precondition import Guard
from crashwright.core.terms import Op, Sort, Term, parts
from crashwright.symbolic.execution.propagation import simplified
from crashwright.symbolic.semantics.path import Name, PathAssertion, Variable, array_sort
from crashwright.symbolic.values import literals
from crashwright.symbolic.values.logic import not_
from crashwright.symbolic.values.substitution import folded, leaves_of, substituted
from crashwright.symbolic.values.tags import Tag
from crashwright.symbolic.wording.expressions import FITTING

_OF_TYPES = frozenset(
    {Op.AND, Op.OR, Op.NOT, Op.EQUAL, Op.CHOICE, Op.SELECT, Op.INPUT, Op.LITERAL, Op.REFERENCE_IN, *(tag.value.test for tag in Tag)}
)


def guards_of(
    assertions: Sequence[PathAssertion], versions: Mapping[Name, Term], is_import: Callable[[str], bool]
) -> tuple[Guard, ...] | None:
    """What must hold at an entry where the names have these versions; None where that is a contradiction. What names that
    ``is_import`` stand for (``module:name``) is not asked for its type: the program that crashed has imported it.

    Each constant was said to be something in terms of earlier ones, and what is earlier was asserted later: so the last assertion
    is read first. What was said of objects that the path makes are facts about them, which take the place of what reads them.
    """
    _, terms = eliminated(assertions, versions)
    left = leaves_of([term for _, term in terms], frozenset({Op.SYMBOL}))
    free = {one: literals.unknown(one.sort, number, FITTING) for number, one in enumerate(left, -len(left))}
    terms = [(one, substituted(term, free)) for one, term in terms] if free else terms
    facts: dict[Term, Term] = {}
    for one, term in terms:
        fact = _fact(term) if one.is_fact else None
        if fact is not None:
            facts[fact[0]] = fact[1]
    guards: list[Guard] = []
    for one, term in terms:
        if not one.is_fact:
            last, origin = _replaced(term, facts) if facts else term, one.origin
            shown = last.args if last.op is Op.AND else (last,)
            guards += [Guard(part, origin.line, origin.function, origin.is_crash) for part in shown]
    return simplified([guard for guard in guards if not _is_type_of_import(guard.term, is_import)])


def _is_type_of_import(term: Term, is_import: Callable[[str], bool]) -> bool:
    values = [one for one in leaves_of([term]) if one.sort is Sort.VALUE]
    if not values or not all(one.op is Op.INPUT and is_import(str(one.payload)) for one in values):
        return False
    return all(one.op in _OF_TYPES for one in parts([term]))


def fits(unknown: Term) -> bool:
    """Whether an UNKNOWN stands for anything with which the guards hold, and not for what something makes."""
    return isinstance(unknown.payload, tuple) and unknown.payload[1] == FITTING


def eliminated(
    assertions: Sequence[PathAssertion], versions: Mapping[Name, Term], given: Callable[[Name], Term] | None = None
) -> tuple[dict[Term, Term], list[tuple[PathAssertion, Term]]]:
    """What each constant is in terms of the inputs; and what else was asserted, in these terms. ``given`` says what stands for the
    inputs."""
    given = given or _given
    known: dict[Term, Term] = {version: given(name) for name, version in versions.items()}
    for one in reversed(assertions):
        if one.defined is not None and one.value is not None and one.defined not in known:
            known[one.defined] = substituted(one.value, known)
    terms = [(one, substituted(one.term, known)) for one in assertions if one.defined is None or one.defined in versions.values()]
    return known, terms


def _given(name: Name) -> Term:
    if isinstance(name, Variable):
        return literals.given(Sort.INTEGER if name.place.name.endswith(", place") else Sort.VALUE, name.place.name)
    return literals.given(array_sort(name), name)


def _fact(term: Term) -> tuple[Term, Term] | None:
    """``select(array, object made) == value``, in either order."""
    if term.op is Op.EQUAL:
        for one, other in (term.args, term.args[::-1]):
            if one.op is Op.SELECT:
                return one, other
    if term.sort is Sort.TRUTH and term.op is Op.SELECT:
        return term, literals.TRUE
    if term.op is Op.NOT and term.args[0].op is Op.SELECT:
        return term.args[0], not_(literals.TRUE)
    if term.op is Op.IS_UNDEFINED and term.args[0].op is Op.SELECT:
        return term.args[0], literals.UNDEFINED
    return None


def _replaced(term: Term, facts: Mapping[Term, Term], rounds: int = 8) -> Term:
    """The term with facts in the place of what reads them, which may show more to read."""
    for _ in range(rounds):
        made: dict[Term, Term] = {}
        for part in parts([term]):
            args = [made[one] for one in part.args]
            changed = folded(part, args) if any(one is not other for one, other in zip(args, part.args, strict=True)) else part
            made[part] = facts.get(changed, changed)
        if made[term] == term:
            break
        term = made[term]
    return term
