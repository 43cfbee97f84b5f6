"""Guards made simpler by each other: what one of them says by itself need not be asked in the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crashwright.core.precondition import Guard
from crashwright.core.terms import Op, Sort, Term, parts
from crashwright.symbolic.values import literals
from crashwright.symbolic.values.substitution import folded
from crashwright.symbolic.values.tags import Tag

_MOST_ROUNDS = 6
_TESTS = {tag.value.test: tag for tag in Tag}


def simplified(guards: Sequence[Guard]) -> tuple[Guard, ...] | None:
    """Each condition once: that of the crash rather than one that leads there. None where they come to a contradiction."""
    found: dict[Term, Guard] = {}
    first = sorted(guards, key=lambda one: not one.is_crash)
    for guard, term in zip(first, simplified_together([one.term for one in first]), strict=True):
        for part in term.args if term.op is Op.AND else (term,):
            if part == literals.FALSE:
                return None
            if part != literals.TRUE:
                found.setdefault(part, guard._replace(term=part))
    return tuple(found.values())


def simplified_together(terms: Sequence[Term]) -> list[Term]:
    """The same conditions, in their order: each with what the others decide left out. TRUE where nothing is left of one."""
    present = list(terms)
    decided = [said(one) for one in present]
    sayings: dict[Term, list[Term]] = {}
    for one in decided:
        for atom, truth in one.items():
            sayings.setdefault(atom, []).append(truth)
    for _ in range(_MOST_ROUNDS):
        changed = False
        for place, term in enumerate(present):
            own = decided[place]
            known = {
                part: others[-1] for part in parts([term]) if (others := _without(sayings.get(part, ()), own.get(part))) and others
            }
            if not known:
                continue
            (simpler,) = replaced([term], known)
            if simpler == term:
                continue
            present[place], changed = simpler, True
            for atom, truth in own.items():
                sayings[atom].remove(truth)
            decided[place] = said(simpler)
            for atom, truth in decided[place].items():
                sayings.setdefault(atom, []).append(truth)
        if not changed:
            break
    return present


def _without(sayings: Sequence[Term], own: Term | None) -> Sequence[Term]:
    """What others say of an atom."""
    if own is None:
        return sayings
    place = sayings.index(own)
    return [*sayings[:place], *sayings[place + 1 :]]


def said(term: Term) -> dict[Term, Term]:
    """What a condition decides of atoms."""
    if term.op is Op.LITERAL:
        return {}
    if term.op is Op.NOT:
        return {term.args[0]: literals.FALSE}
    if term.op is Op.AND:
        return {atom: truth for one in term.args for atom, truth in said(one).items()}
    found = {term: literals.TRUE}
    if term.op in _TESTS:
        found |= {Term(other, Sort.TRUTH, term.args): literals.FALSE for other in _TESTS if other is not term.op}
    if term.op is Op.EQUAL:
        one, other = term.args
        for subject, value in ((one, other), (other, one)):
            if value.op is Op.LITERAL and subject.op is not Op.LITERAL:
                found[subject] = value
    return found


def replaced(terms: Sequence[Term], known: Mapping[Term, Term]) -> list[Term]:
    """The terms with what is known in the place of atoms, folded."""
    made: dict[Term, Term] = {}
    for part in parts(terms):
        args = [made[one] for one in part.args]
        same = all(new is old for new, old in zip(args, part.args, strict=True))
        changed = part if same else folded(part, args)
        made[part] = known.get(part, known.get(changed, changed))
    return [made[one] for one in terms]
