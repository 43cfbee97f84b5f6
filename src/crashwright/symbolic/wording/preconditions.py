"""A precondition in Python's words: what must hold when its frame is entered, each with the lines that it comes from.

Said is what a reader cannot see from the rest: comparisons of one thing are drawn together, and that a value is a number, a text or
an object is left out where something is said of it that only such a value can be. Nothing is left out that would make what remains
true of more inputs in Python's own terms: `count` > 3 raises for a None.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from crashwright.core.precondition import Guard, Precondition
from crashwright.core.terms import LEAVES, Op, Sort, Term
from crashwright.symbolic.values.literals import unknown
from crashwright.symbolic.values.substitution import leaves_of
from crashwright.symbolic.wording.expressions import MADE, NAMELESS, bare, is_short
from crashwright.symbolic.wording.implied import ImpliedFact, facts, is_class, kinds_of, needed, owner_of
from crashwright.symbolic.wording.plainer import plain
from crashwright.symbolic.wording.ranges import Range, comparison, narrowed
from crashwright.symbolic.wording.sentences import sentence

LONGEST_SENTENCE, MOST_VAGUE = 200, 1
"""Characters of a sentence that can be read; and how much in it may be unknown."""
_LACKING = re.compile(r" has no attribute (`\w+`)")
"""What its class has counts for the crash alone; elsewhere it is not set on the object itself."""
_VAGUE = ("whatever ", "something that is not known")


class LineOrigin(NamedTuple):
    """A line that a condition comes from, with the qualified name of its function."""

    function: str
    line: int


class Condition(NamedTuple):
    """One sentence. ``is_crash``: it is the condition of the crash itself, or has part in it. ``inputs``: what it speaks of, of
    what the frame was given; without any it speaks only of globals, and of what is not modelled."""

    text: str
    origins: tuple[LineOrigin, ...]
    is_crash: bool
    inputs: frozenset[str] = frozenset()
    is_known: bool = True
    """Whether nothing that is not modelled has part in it, nor an object that is made on the way."""
    is_open: bool = False
    """Whether it is nothing but a question that is not answered: whether a call raises."""
    guards: tuple[Guard, ...] = ()
    """Where it comes from: what they say together is at least what it says."""


def worded(precondition: Precondition) -> tuple[Condition, ...]:
    """What it asks for, in the order of its guards; comparisons of one thing stand where the first of them does."""
    told_by = [(fact, guard) for guard in precondition.guards for fact in facts(_told(guard.term))]
    kept = [told_by[number] for number in needed([fact for fact, _ in told_by])]
    is_new = precondition.function.name == "__init__"
    is_method = "." in precondition.function.qualname
    said = [
        (fact, guard)
        for fact, guard in kept
        if not _is_receiver(fact, guard) and not (is_new and _is_unset(fact)) and not (is_method and _is_of_self(fact))
    ]
    ranges: dict[Term, Range] = {}
    told: dict[str, list[Guard]] = {}
    meant: dict[str | Term, list[ImpliedFact]] = {}
    together: dict[Term, list[Guard]] = {}
    order: list[str | Term] = []
    for fact, guard in said:
        compared = comparison(fact.term)
        if compared is None:
            text = sentence(fact.term, fact.holds)
            if text not in told:
                order.append(text)
            told.setdefault(text, []).append(guard)
            meant.setdefault(text, []).append(fact)
            continue
        subject = compared[0]
        if subject not in ranges:
            ranges[subject] = Range(subject)
            order.append(subject)
        narrowed(ranges[subject], fact.term, fact.holds)
        together.setdefault(subject, []).append(guard)
        meant.setdefault(subject, []).append(fact)
    made = [
        _condition(text, guards, meant[one])
        for one in order
        for text, guards in (
            [(one, told[one])] if isinstance(one, str) else [(text, together[one]) for text in ranges[one].sentences()]
        )
    ]
    return tuple(dict.fromkeys(made))


def _told(term: Term) -> Term:
    return plain(term) if is_short(term) else unknown(Sort.TRUTH, 0, "a condition that is too long to be told")


def _condition(text: str, guards: Sequence[Guard], said: Sequence[ImpliedFact]) -> Condition:
    origins = dict.fromkeys(LineOrigin(guard.function.qualname, guard.line) for guard in guards)
    leaves = leaves_of([guard.term for guard in guards], LEAVES)
    names = [str(one.payload) for one in leaves if one.op is Op.INPUT and one.sort is Sort.VALUE]
    inputs = frozenset(one for one in names if ":" not in one)
    is_known = all(one.op is not Op.UNKNOWN and one.sort is not Sort.REFERENCE for one in leaves)
    is_crash = any(guard.is_crash for guard in guards)
    too_long = leaves_of([fact.term for fact in said], frozenset({Op.UNKNOWN}))
    return Condition(
        text if is_crash else _LACKING.sub(r" has no \1 of its own", text),
        tuple(origins),
        is_crash,
        inputs,
        is_known and not too_long,
        all(guard.term.op is Op.UNKNOWN for guard in guards),
        tuple(dict.fromkeys(guards)),
    )


def _is_receiver(fact: ImpliedFact, guard: Guard) -> bool:
    """Whether the function's name says it already: that ``self`` in a method is of the method's class."""
    if not (fact.holds and is_class(fact.term)):
        return False
    name = next(str(one.payload) for one in fact.term.args if one.op is Op.LITERAL).rpartition(":")[2]
    inner = bare(owner_of(fact.term))
    return inner.op is Op.INPUT and inner.payload == "self" and guard.function.qualname.startswith(f"{name}.")


def _is_of_self(fact: ImpliedFact) -> bool:
    """Whether it says that the ``self`` of a method is an object."""
    kinds = kinds_of(fact)
    return kinds is not None and kinds.value.op is Op.INPUT and kinds.value.payload == "self" and Op.IS_REFERENCE in kinds.among


def _is_unset(fact: ImpliedFact) -> bool:
    """Whether it says that ``self`` lacks an attribute: in a constructor that goes without saying."""
    if fact.term.op is not Op.IS_UNDEFINED or not fact.holds:
        return False
    field = bare(fact.term.args[0])
    if field.op is not Op.SELECT or field.args[0].op is not Op.INPUT:
        return False
    owner = bare(field.args[1])
    return owner.op is Op.INPUT and owner.payload == "self"


def in_order(conditions: Sequence[Condition], function: str) -> list[Condition]:
    """As one reads: what fails, then what leads there in the order of the lines, those of ``function`` first."""
    return sorted(conditions, key=lambda one: (not one.is_crash, one.origins[0].function != function, one.origins[0].line))


def is_readable(condition: Condition) -> bool:
    """Whether it says something to a reader: not that what is not known returns what is not known, nor of an object that the source
    has no name for."""
    text = condition.text
    return (
        len(text) <= LONGEST_SENTENCE
        and sum(map(text.count, _VAGUE)) <= MOST_VAGUE
        and not any(one in text for one in (NAMELESS, MADE))
    )


def telling(conditions: Sequence[Condition], most: int) -> tuple[int, ...]:
    """The places of those that tell most: what fails, then what speaks of the same inputs, then what is wholly known."""
    failing = frozenset[str]().union(*[one.inputs for one in conditions if one.is_crash])
    said = [(place, one) for place, one in enumerate(conditions) if is_readable(one)]
    places = [place for place, one in said if one.inputs or (one.is_crash and not one.is_open)]
    ranked = sorted(
        places, key=lambda place: (not (one := conditions[place]).is_crash, not one.inputs & failing, not one.is_known, place)
    )
    return tuple(sorted(ranked[:most]))
