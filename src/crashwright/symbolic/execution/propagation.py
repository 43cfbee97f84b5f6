"""Guards made simpler by each other: what one of them says by itself need not be asked in the others."""

from __future__ import annotations

from collections.abc import Sequence

from crashwright.core.terms import Op, Sort, Term, parts
from crashwright.symbolic.values import literals
from crashwright.symbolic.values.substitution import folded
from crashwright.symbolic.values.tags import Tag

_MOST_ROUNDS = 6


def simplified_together(terms: Sequence[Term]) -> list[Term]:
    """The same conditions, in their order: each with what the others decide left out. TRUE where nothing is left of one."""
    present = list(terms)
    for _ in range(_MOST_ROUNDS):
        changed = False
        for place, term in enumerate(present):
            known: dict[Term, Term] = {}
            for other, one in enumerate(present):
                if other != place:
                    known |= _said(one)
            simpler = _replaced(term, known)
            if simpler != term:
                present[place], changed = simpler, True
        if not changed:
            break
    return present


def _said(term: Term) -> dict[Term, Term]:
    """What a condition decides of atoms."""
    if term.op is Op.LITERAL:
        return {}
    if term.op is Op.NOT:
        return {term.args[0]: literals.FALSE}
    if term.op is Op.AND:
        return {atom: truth for one in term.args for atom, truth in _said(one).items()}
    found = {term: literals.TRUE}
    tag = next((one for one in Tag if one.value.test is term.op), None)
    if tag is not None:
        found |= {Term(other.value.test, Sort.TRUTH, term.args): literals.FALSE for other in Tag if other is not tag}
    if term.op is Op.EQUAL:
        one, other = term.args
        for subject, value in ((one, other), (other, one)):
            if value.op is Op.LITERAL and subject.op is not Op.LITERAL:
                found[subject] = value
    return found


def _replaced(term: Term, known: dict[Term, Term]) -> Term:
    made: dict[Term, Term] = {}
    for part in parts([term]):
        args = [made[one] for one in part.args]
        same = all(new is old for new, old in zip(args, part.args, strict=True))
        changed = part if same else folded(part, args)
        made[part] = known.get(part, known.get(changed, changed))
    return made[term]
