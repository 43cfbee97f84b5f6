"""What kinds a value may be of, and which conditions say nothing that others do not say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple

from crashwright.core.terms import ALTERNATIVES, Op, Sort, Term, parts
from crashwright.symbolic.wording.expressions import bare

_MOST_CASES: Final = 4096
"""Of which it is asked whether a condition holds in all."""


class ImpliedFact(NamedTuple):
    """That ``term`` holds, or that it does not."""

    term: Term
    holds: bool = True


class Kinds(NamedTuple):
    """What one value may be."""

    value: Term
    among: frozenset[Op]


def facts(term: Term, holds: bool = True) -> Iterator[ImpliedFact]:
    """Conjunctions taken apart, negations pushed in; what always holds is left out."""
    if term.op is Op.NOT:
        yield from facts(term.args[0], not holds)
    elif term.op in (Op.AND, Op.OR) and ((term.op is Op.AND) is holds or len(term.args) == 1):
        for one in term.args:
            yield from facts(one, holds)
    elif not (term.op is Op.LITERAL and term.payload is holds) and not _goes_without_saying(term, holds):
        yield ImpliedFact(term, holds)


def _goes_without_saying(term: Term, holds: bool) -> bool:
    """Whether it is so whatever its parts are, as far as a few of them can be gone through."""
    if term.op not in (Op.AND, Op.OR, Op.CHOICE):
        return False
    asked = dict.fromkeys(_asked(term))
    kinds = list(dict.fromkeys(one.args[0] for one in asked if one.op in ALTERNATIVES))
    others = [one for one in asked if one.op not in ALTERNATIVES]
    if len(ALTERNATIVES) ** len(kinds) * 2 ** len(others) > _MOST_CASES:
        return False
    for chosen in product(ALTERNATIVES, repeat=len(kinds)):
        for truths in product((True, False), repeat=len(others)):
            case = dict(zip(kinds, chosen, strict=True)), dict(zip(others, truths, strict=True))
            if _in_case(term, *case) is not holds:
                return False
    return True


def _asked(term: Term) -> Iterator[Term]:
    """The conditions that it is made of."""
    if term.op in (Op.NOT, Op.AND, Op.OR) or (term.op is Op.CHOICE and term.sort is Sort.TRUTH):
        for one in term.args:
            yield from _asked(one)
    elif term.op is not Op.LITERAL:
        yield term


def _in_case(term: Term, kinds: Mapping[Term, Op], truths: Mapping[Term, bool]) -> bool:
    """Whether it holds if values are of these kinds, and other conditions true or not."""
    if term.op in ALTERNATIVES:
        return kinds[term.args[0]] is term.op
    if term.op in (Op.NOT, Op.AND, Op.OR) or (term.op is Op.CHOICE and term.sort is Sort.TRUTH):
        told = [_in_case(one, kinds, truths) for one in term.args]
        if term.op is Op.NOT:
            return not told[0]
        if term.op is Op.CHOICE:
            return told[1] if told[0] else told[2]
        return all(told) if term.op is Op.AND else any(told)
    return bool(term.payload) if term.op is Op.LITERAL else truths[term]


def kinds_of(fact: ImpliedFact) -> Kinds | None:
    """Where it speaks of nothing but the kinds of one value."""
    values = {bare(one) for one in _tagged(fact.term)}
    if len(values) != 1:
        return None
    among = frozenset(kind for kind in ALTERNATIVES if _holds(fact.term, kind) is fact.holds)
    return Kinds(values.pop(), among)


def _tagged(term: Term) -> Iterator[Term]:
    """The values whose tags it asks; NONE and UNDEFINED, two of them, where it asks anything else."""
    if term.op in ALTERNATIVES:
        yield term.args[0]
    elif term.op in (Op.NOT, Op.AND, Op.OR) or (term.op is Op.CHOICE and term.sort is Sort.TRUTH):
        for one in term.args:
            yield from _tagged(one)
    elif not (term.op is Op.LITERAL and term.sort is Sort.TRUTH):
        yield Term(Op.NONE, Sort.VALUE)
        yield Term(Op.UNDEFINED, Sort.VALUE)


def _holds(term: Term, kind: Op) -> bool:
    if term.op in ALTERNATIVES:
        return term.op is kind
    told = [_holds(one, kind) for one in term.args]
    if term.op is Op.NOT:
        return not told[0]
    if term.op is Op.CHOICE:
        return told[1] if told[0] else told[2]
    if term.op is Op.LITERAL:
        return bool(term.payload)
    return all(told) if term.op is Op.AND else any(told)


def needed(several: Sequence[ImpliedFact]) -> list[int]:
    """The places of those that say more than the others."""
    kinds = [kinds_of(fact) for fact in several]
    used = {bare(value) for fact, one in zip(several, kinds, strict=True) for value in _used(fact, one)}
    kept: list[int] = []
    for number, kind in enumerate(kinds):
        if kind is not None:
            others = [one for place, one in enumerate(kinds) if place != number and one is not None and one.value == kind.value]
            narrower = any(one.among < kind.among for one in others)
            again = any(kinds[place] == kind for place in kept)
            given = kind.value.op is Op.INPUT and len(kind.among) == len(ALTERNATIVES) - 1 and Op.IS_UNDEFINED not in kind.among
            if kind.value in used or narrower or again or given:
                continue
        kept.append(number)
    return kept


def is_class(term: Term) -> bool:
    """Whether it compares the class of an object with one that is named."""
    return (
        term.op is Op.EQUAL
        and term.args[0].sort is Sort.CLASS
        and any(one.op is Op.SELECT for one in term.args)
        and any(one.op is Op.LITERAL for one in term.args)
    )


def owner_of(term: Term) -> Term:
    """Of such a comparison, the object."""
    return next(one.args[1] for one in term.args if one.op is Op.SELECT)


def _used(fact: ImpliedFact, kinds: Kinds | None) -> Iterator[Term]:
    """The values that the fact takes something out of: they are of the kind for that."""
    if kinds is None and is_class(fact.term) and not fact.holds:
        return
    if fact.term.op in (Op.AND, Op.OR) and kinds is None:
        ways = [set().union(*(_used(one, kinds_of(one)) for one in facts(way, fact.holds))) for way in fact.term.args]
        yield from set.intersection(*ways) if ways else ()
        return
    found = list(parts([fact.term] if kinds is None else [kinds.value]))
    if any(one.op in (Op.CHOICE, Op.AND, Op.OR) for one in found):
        return
    open_sides = _open_sides(fact)
    for one in found:
        if one.op.name.endswith("_IN") and one not in open_sides:
            yield one.args[0]


def _open_sides(fact: ImpliedFact) -> tuple[Term, ...]:
    """Of an equality, those that may be of any kind for all that it says: it holds for a None too, or fails to."""
    if fact.term.op is not Op.EQUAL:
        return ()
    constants = [bare(one).op is Op.LITERAL for one in fact.term.args]
    return () if fact.holds and any(constants) else fact.term.args
