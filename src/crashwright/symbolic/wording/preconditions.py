"""A precondition in Python's words: what must hold when its frame is entered, each with the lines that it comes from.

Said is what a reader cannot see from the rest: comparisons of one thing are drawn together, and that a value is a number, a text or
an object is left out where something is said of it that only such a value can be. Nothing is left out that would make what remains
true of more inputs in Python's own terms: `count` > 3 raises for a None.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from crashwright.core.precondition import Guard, Precondition
from crashwright.core.terms import Op, Sort, Term, parts
from crashwright.symbolic.wording.expressions import bare
from crashwright.symbolic.wording.ranges import Range, comparison, narrowed
from crashwright.symbolic.wording.sentences import sentence


class Origin(NamedTuple):
    """A line that a condition comes from, with the qualified name of its function."""

    function: str
    line: int


class Condition(NamedTuple):
    """One sentence. ``is_crash``: it is the condition of the crash itself, or has part in it."""

    text: str
    origins: tuple[Origin, ...]
    is_crash: bool


class _Atom(NamedTuple):
    """What a guard asserts, or one of several things: that ``term`` holds, or that it does not."""

    term: Term
    holds: bool
    guard: Guard


def worded(precondition: Precondition) -> tuple[Condition, ...]:
    """What it asks for, in the order of its guards; comparisons of one thing stand where the first of them does."""
    atoms = [atom for guard in precondition.guards for atom in _atoms(guard.term, True, guard)]
    said = _needed(atoms)
    ranges: dict[Term, Range] = {}
    told: dict[str, list[Guard]] = {}
    together: dict[Term, list[Guard]] = {}
    order: list[str | Term] = []
    for atom in said:
        compared = comparison(atom.term)
        if compared is None:
            text = sentence(atom.term, atom.holds)
            if text not in told:
                order.append(text)
            told.setdefault(text, []).append(atom.guard)
            continue
        subject = compared[0]
        if subject not in ranges:
            ranges[subject] = Range(subject)
            order.append(subject)
        narrowed(ranges[subject], atom.term, atom.holds)
        together.setdefault(subject, []).append(atom.guard)
    made = [
        _condition(text, guards)
        for one in order
        for text, guards in (
            [(one, told[one])] if isinstance(one, str) else [(text, together[one]) for text in ranges[one].sentences()]
        )
    ]
    return tuple(dict.fromkeys(made))


def _condition(text: str, guards: Sequence[Guard]) -> Condition:
    origins = dict.fromkeys(Origin(guard.function.qualname, guard.line) for guard in guards)
    return Condition(text, tuple(origins), any(guard.is_crash for guard in guards))


def _atoms(term: Term, holds: bool, guard: Guard) -> Iterator[_Atom]:
    """Conjunctions taken apart, negations pushed in."""
    if term.op is Op.NOT:
        yield from _atoms(term.args[0], not holds, guard)
    elif term.op in (Op.AND, Op.OR) and ((term.op is Op.AND) is holds or len(term.args) == 1):
        for one in term.args:
            yield from _atoms(one, holds, guard)
    elif not (term.op is Op.LITERAL and term.payload is holds):
        yield _Atom(term, holds, guard)


def _needed(atoms: Sequence[_Atom]) -> list[_Atom]:
    """Without what the others imply."""
    used = {bare(value) for atom in atoms for value in _used(atom)}
    kinds = {bare(atom.term.args[0]) for atom in atoms if atom.holds and _is_tag(atom.term)}
    classes = {bare(_owner(atom.term)) for atom in atoms if atom.holds and _is_class(atom.term)}
    kept = []
    for atom in atoms:
        if _is_tag(atom.term):
            value = bare(atom.term.args[0])
            implied = used | classes
            if not atom.holds:
                implied = implied | kinds
            if value in implied:
                continue
            if not atom.holds and atom.term.op is Op.IS_UNDEFINED and value.op is Op.INPUT:
                continue  # a parameter that has a value
        elif _is_class(atom.term) and atom.holds and _is_receiver(_owner(atom.term), atom):
            continue
        kept.append(atom)
    return kept


def _is_tag(term: Term) -> bool:
    return term.op.name.startswith("IS_")


def _is_class(term: Term) -> bool:
    return (
        term.op is Op.EQUAL
        and term.args[0].sort is Sort.CLASS
        and any(one.op is Op.SELECT for one in term.args)
        and any(one.op is Op.LITERAL for one in term.args)
    )


def _owner(term: Term) -> Term:
    return next(one.args[1] for one in term.args if one.op is Op.SELECT)


def _is_receiver(owner: Term, atom: _Atom) -> bool:
    """Whether the frame's name says already of which class it is: that of ``self`` in a method of that class."""
    name = next(str(one.payload) for one in atom.term.args if one.op is Op.LITERAL).rpartition(":")[2]
    inner = bare(owner)
    return inner.op is Op.INPUT and inner.payload == "self" and atom.guard.function.qualname.startswith(f"{name}.")


def _used(atom: _Atom) -> Iterator[Term]:
    """The values that the atom takes something out of: they are of the kind for that."""
    looked_into = atom.term.args if _is_tag(atom.term) else (atom.term,)
    found = list(parts(looked_into))
    if any(one.op in (Op.CHOICE, Op.AND, Op.OR) for one in found) or _is_class(atom.term):
        return
    open_sides = _open_sides(atom)
    for one in found:
        if one.op.name.endswith("_IN") and one not in open_sides:
            yield one.args[0]


def _open_sides(atom: _Atom) -> tuple[Term, ...]:
    """Of an equality, those that may be of any kind for all that it says: it holds for a None too, or fails to."""
    if atom.term.op is not Op.EQUAL:
        return ()
    if not atom.holds:
        return atom.term.args
    constants = [bare(one).op is Op.LITERAL for one in atom.term.args]
    return () if any(constants) else atom.term.args
