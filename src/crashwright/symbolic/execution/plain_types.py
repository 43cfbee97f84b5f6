"""Plain types: where a condition branches over the type of a value of which nothing says the type, a usual one is chosen.

A precondition is one way in which the crash happens, and need not be the weakest condition for it. A value without a type makes
each instruction on it a case for each type that it could have; with a type most of that folds away, and what is left can be
read, measured and built. Each choice stands among the guards itself, so that what is told implies what was found. A type is
only chosen where all guards can still hold with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from crashwright.core.precondition import Guard
from crashwright.core.terms import Op, Sort, Term, parts
from crashwright.symbolic.execution.elimination import fits
from crashwright.symbolic.execution.propagation import replaced, said, simplified
from crashwright.symbolic.execution.uses import NamedUses
from crashwright.symbolic.semantics.builtin_types import CONTAINERS, SCALARS
from crashwright.symbolic.values import arrays, literals, tags
from crashwright.symbolic.values.logic import CONSTRUCTORS, equal, not_, or_
from crashwright.symbolic.values.substitution import leaves_of
from crashwright.symbolic.values.tags import Tag
from crashwright.symbolic.values.truthiness import truth_asked

MOST_VALUES: Final = 24
MOST_CHECKS: Final = 16
"""Questions to the solver for one precondition."""
MOST_NAMED: Final = 3
"""Types between which nothing is chosen, where a condition does no more than to name them."""
USUAL: Final = ("str", "int", "list", "dict", "tuple", "float", "bool", "bytes", "set", "NoneType")
_ARITHMETIC: Final = frozenset({Op.SUBTRACT, Op.MULTIPLY, Op.DIVIDE, Op.QUOTIENT, Op.REMAINDER})
_BY_TEST: Final = {tag.value.test: tag for tag in Tag}
_CLASSES: Final = literals.given(Sort.CLASSES, "classes")

MayHold = Callable[[Sequence[Term]], bool]
"""Asks a solver; what it cannot decide may hold."""


class Type(NamedTuple):
    """A builtin type by its name, or a class of the program by its address."""

    name: str

    def said_of(self, value: Term) -> tuple[Term, ...]:
        """That the value is of exactly this type."""
        if self.name in SCALARS:
            return (tags.is_(SCALARS[self.name][0], value),)
        address = CONTAINERS[self.name][0] if self.name in CONTAINERS else self.name
        held = arrays.select(_CLASSES, tags.reference_in(value))
        return tags.is_reference(value), equal(held, literals.class_named(address))


def specialised(guards: Sequence[Guard], uses: NamedUses, may_hold: MayHold) -> tuple[Guard, ...] | None:
    """The guards with types chosen, or None where they contradict each other. ``uses`` say which types are likely."""
    return _Choices(_without_impossible(guards), uses, may_hold).made()


def _without_impossible(guards: Sequence[Guard]) -> list[Guard]:
    """Without the usual assumption that something is a builtin container, where it has attributes that none of these have."""
    owning = {
        part.args[0].args[1].args[0]
        for guard in guards
        if guard.term.op is Op.NOT and (part := guard.term.args[0]).op is Op.IS_UNDEFINED and _is_own(part.args[0])
    }
    return [one for one in guards if not (_is_builtin(one.term) and _typed(next(iter(_atoms(one.term)))) in owning)]


def _is_own(held: Term) -> bool:
    """Whether it is an attribute that builtin containers do not have."""
    if held.op is not Op.SELECT or held.args[0].op is not Op.INPUT or held.args[1].op is not Op.REFERENCE_IN:
        return False
    return not any(hasattr(kind, str(held.args[0].payload)[1:]) for _, kind in CONTAINERS.values())


def _is_builtin(term: Term) -> bool:
    """Whether it says nothing but that a value is of a builtin container's class, or of one of several."""
    atoms = _atoms(term)
    named = [one for atom in atoms for one in _named(atom)]
    return (
        term.op in (Op.OR, Op.EQUAL) and len({_typed(one) for one in atoms}) == 1 and all(one.name in CONTAINERS for one in named)
    )


def _alternatives(term: Term) -> tuple[Term, ...]:
    """Those of a disjunction, or of a conjunction that does not hold."""
    if term.op is Op.NOT and term.args[0].op is Op.AND:
        return tuple(map(not_, term.args[0].args))
    return term.args if term.op is Op.OR else (term,)


def _atoms(term: Term) -> tuple[Term, ...]:
    return term.args if term.op is Op.OR else (term,)


class _Choices:
    def __init__(self, guards: Sequence[Guard], uses: NamedUses, may_hold: MayHold) -> None:
        self._found = list(guards)
        self._guards = list(guards)
        self._chosen: dict[Term, tuple[Term, ...]] = {}
        self._uses = uses
        self._may_hold = may_hold
        self._checks = 0

    def made(self) -> tuple[Guard, ...] | None:
        if not self._possible(self._guards):
            return None
        done: set[Term] = set()
        for _ in range(MOST_VALUES):
            value = next((one for one in _open_values(self._guards) if one not in done), None)
            if value is None:
                break
            done.add(value)
            self._choose(value)
        told = simplified(_without_free(self._guards))
        return None if told is None else self._decided(self._needed(told))

    def _decided(self, told: tuple[Guard, ...]) -> tuple[Guard, ...]:
        """Of several reasons for the crash those that the other conditions leave."""
        made = list(told)
        for place, guard in enumerate(told):
            reasons = _alternatives(guard.term) if guard.is_crash else ()
            if not 1 < len(reasons) <= MOST_NAMED or self._checks + len(reasons) > MOST_CHECKS:
                continue
            others = [*made[:place], *made[place + 1 :]]
            left = [one for one in reasons if self._possible([*others, guard._replace(term=one)])]
            if left:
                made[place] = guard._replace(term=or_(*left))
        return tuple(made)

    def _needed(self, told: tuple[Guard, ...]) -> tuple[Guard, ...]:
        """Without types that only excluded another way to the same: what was found follows from the rest."""
        for value, terms in self._chosen.items():
            rest = tuple([one for one in told if one.term not in terms])
            if len(rest) < len(told) and not any(value in parts([one.term]) for one in rest):
                known = {atom: truth for one in rest for atom, truth in said(one.term).items()}
                if all(one == literals.TRUE for one in replaced([one.term for one in self._found], known)):
                    told = rest
        return told

    def _choose(self, value: Term) -> None:
        origin = next(guard for guard in self._guards if any(one == value for one in parts([guard.term])))
        for kind in _candidates(self._guards, value, self._uses):
            if self._checks >= MOST_CHECKS:
                return
            chosen = [origin._replace(term=term) for term in kind.said_of(value)]
            folded = _with(self._guards, value, kind)
            if folded is not None and self._possible([*chosen, *folded]):
                self._guards = [*chosen, *folded]
                self._chosen[value] = kind.said_of(value)
                return

    def _possible(self, guards: Sequence[Guard]) -> bool:
        self._checks += 1
        return self._may_hold([one.term for one in guards])


def _without_free(guards: list[Guard]) -> list[Guard]:
    """Without those that hold for a truth that nothing else speaks of, and that may be either."""
    terms = [one.term for one in guards]
    for free in [one for one in leaves_of(terms, frozenset({Op.UNKNOWN})) if one.sort is Sort.TRUTH and fits(one)]:
        speaking = {place for place, term in enumerate(terms) if free in parts([term])}
        for truth in (literals.FALSE, literals.TRUE):
            made = replaced([terms[place] for place in speaking], {free: truth})
            if all(one == literals.TRUE for one in made):
                guards = [one for place, one in enumerate(guards) if place not in speaking]
                terms = [one.term for one in guards]
                break
    return guards


def _with(guards: Sequence[Guard], value: Term, kind: Type) -> list[Guard] | None:
    """The guards where the value has the type; None where one of them cannot hold then."""
    known = {atom: truth for one in kind.said_of(value) for atom, truth in said(one).items()}
    terms = [one.term for one in guards]
    if kind.name in CONTAINERS:  # builtin containers have no attributes of their own
        held = tags.reference_in(value)
        known |= {
            one: literals.UNDEFINED
            for one in parts(terms)
            if one.op is Op.SELECT and one.sort is Sort.VALUE and one.args[1] == held and one.args[0].sort is Sort.FIELD
        }
    tag = SCALARS[kind.name][0] if kind.name in SCALARS else Tag.REFERENCE
    others = {other.value.taken for other in Tag if other is not tag}  # what is taken out of a value says what it is meant to be
    for one in parts(terms):
        if one.op is Op.EQUAL and value in one.args and _never(one.args[one.args[0] == value], tag):
            known[one] = literals.FALSE
    made = replaced(terms, known)
    if literals.FALSE in made or any(one.op in others and one.args[0] == value for one in parts(made)):
        return None
    return [guard._replace(term=term) for guard, term in zip(guards, made, strict=True) if term != literals.TRUE]


def _never(other: Term, tag: Tag) -> bool:
    """Whether a value of that alternative is never this one."""
    return other.op in CONSTRUCTORS and tag not in tags.tags_of(other)


def _open_values(guards: Sequence[Guard]) -> list[Term]:
    """Values whose type is asked for in a case distinction, or excluded more than once; those within others first."""
    branching: dict[Term, set[Term]] = {}
    excluded: dict[Term, int] = {}
    settled: set[Term | None] = set()
    for guard in guards:
        settled.add(_decided(guard.term))
        whole = guard.term.args[0] if guard.term.op is Op.NOT else guard.term
        plain = _plainly_asked(guard.term)
        for part in parts([guard.term]):
            value = _typed(part)
            if value is None or (part.op is Op.IS_REFERENCE and part is guard.term):
                continue
            if part is whole:
                excluded[value] = excluded.get(value, 0) + 1
            elif value != plain:
                branching.setdefault(value, set()).add(part)
    several = [value for value, asked in branching.items() if len(asked) > 1 or value in excluded]
    several += [value for value, times in excluded.items() if times > 1 and value not in several]
    return sorted([one for one in several if one not in settled], key=_depth)


def _plainly_asked(term: Term) -> Term | None:
    """The value of which a condition asks nothing but whether it is true, or of one of few types."""
    truth = truth_asked(term)
    if truth is not None:
        return truth[0]
    if term.op is Op.OR and len(term.args) <= MOST_NAMED:
        values = {_typed(one) for one in term.args}
        return values.pop() if len(values) == 1 else None
    return None


def _typed(part: Term) -> Term | None:
    """The value whose type an atom asks for."""
    if part.op in _BY_TEST:
        return part.args[0] if part.op is not Op.IS_UNDEFINED else None
    if part.op is Op.EQUAL and part.args[0].sort is Sort.CLASS:
        for one in part.args:
            if one.op is Op.SELECT and one.args[1].op is Op.REFERENCE_IN:
                return one.args[1].args[0]
    return None


def _decided(term: Term) -> Term | None:
    """The value whose type a guard says."""
    if term.op in _BY_TEST and term.op not in (Op.IS_REFERENCE, Op.IS_UNDEFINED):
        return term.args[0]
    return _typed(term) if term.op is Op.EQUAL and any(one.op is Op.LITERAL for one in term.args) else None


def _depth(value: Term) -> int:
    return sum(1 for _ in parts([value]))


def _candidates(guards: Sequence[Guard], value: Term, uses: NamedUses) -> Iterator[Type]:
    """Types that it may have: what is declared, what it is compared with or used as, what is usual, what else is mentioned."""
    said_types = {one: kind for guard in guards if (one := _decided(guard.term)) is not None for kind in _named(guard.term)}
    found = [
        *(one for guard in guards for one in _declared(guard.term, value)),
        *(one for guard in guards for one in _compared(guard.term, value, said_types)),
        *([Type("int")] if _is_calculated_with(guards, value) else []),
        *map(Type, uses.types(value)),
        *map(Type, USUAL),
        *(one for guard in guards for one in _mentioned(guard.term, value)),
    ]
    yield from dict.fromkeys(found)


def _is_calculated_with(guards: Sequence[Guard], value: Term) -> bool:
    return any(
        one.op in _ARITHMETIC and any(arg.op in (Op.INTEGER_IN, Op.REAL_IN) and arg.args[0] == value for arg in one.args)
        for one in parts([guard.term for guard in guards])
    )


def _declared(term: Term, value: Term) -> Iterator[Type]:
    """Classes of the program in a guard that speaks of nothing but its type; builtin types have to fit it anyway."""
    atoms = [one for one in parts([term]) if one.sort is Sort.TRUTH and one.op not in (Op.AND, Op.OR)]
    if term.op in (Op.AND, Op.OR) and all(_typed(one) == value for one in atoms):
        yield from [one for one in _mentioned(term, value) if one.name not in CONTAINERS]


def _compared(term: Term, value: Term, said_types: Mapping[Term, Type]) -> Iterator[Type]:
    """The types of what it is compared with."""
    names = {tag: name for name, (tag, _) in SCALARS.items()}
    for one in parts([term]):
        if one.op is Op.EQUAL and value in one.args:
            other = one.args[one.args[0] == value]
            if other in said_types:
                yield said_types[other]
            if other.op in CONSTRUCTORS and (tag := next(iter(tags.tags_of(other)))) in names and tag is not Tag.NONE:
                yield Type(names[tag])


def _mentioned(term: Term, value: Term) -> Iterator[Type]:
    for one in parts([term]):
        if one.op is Op.EQUAL and _typed(one) == value:
            yield from _named(one)


def _named(atom: Term) -> Iterator[Type]:
    """The type that an atom asks for."""
    names = {address: name for name, (address, _) in CONTAINERS.items()}
    if atom.op is Op.EQUAL:
        yield from [Type(names.get(str(one.payload), str(one.payload))) for one in atom.args if one.op is Op.LITERAL]
    else:
        yield from [Type(name) for name, (tag, _) in SCALARS.items() if tag.value.test is atom.op]
