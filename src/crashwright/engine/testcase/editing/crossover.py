"""Guided crossover (EvoCrash, Algorithm 3): one cut point, relative to the lengths of the parents, and repair of what the
tails miss."""

from __future__ import annotations

from random import Random

from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.statements import Literal, Statement, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import type_of
from crashwright.engine.testcase.variables import DEFINES_NOTHING, TREES, map_used, used

_REBIND = 0.5


def crossover(one: TestCase, other: TestCase, factory: Factory, rng: Random) -> tuple[TestCase, TestCase]:
    """Each the head of one parent and the tail of the other, cut at the same relative place. A tail that misses a definition
    brings it along from its parent, or uses a variable of that type that is there. An offspring that grew too long is a
    clone of its first parent."""
    k = rng.random()
    first, second = one.statements, other.statements
    cut_first, cut_second = int(len(first) * k), int(len(second) * k)
    if not cut_first and not cut_second:
        return other, one  # whole tails change places
    return (
        _join(one, cut_first, second, cut_second, factory, rng),
        _join(other, cut_second, first, cut_first, factory, rng),
    )


def _join(parent: TestCase, cut: int, donor: tuple[Statement, ...], start: int, factory: Factory, rng: Random) -> TestCase:
    head = parent.statements[:cut]
    if cut + len(donor) - start > factory.max_length and not factory.has_room(head + donor[start:]):
        return parent
    known = {statement[0] for statement in head if type(statement) not in DEFINES_NOTHING}
    if known.issuperset([statement[0] for statement in donor[:start] if type(statement) not in DEFINES_NOTHING]):
        return TestCase(head + donor[start:])  # relatives: whatever the tail may use is there
    return _repaired(parent, head, known, donor, start, factory, rng)


def _repaired(
    parent: TestCase,
    head: tuple[Statement, ...],
    known: set[Variable],
    donor: tuple[Statement, ...],
    start: int,
    factory: Factory,
    rng: Random,
) -> TestCase:
    joined: list[Statement] | None = None
    bound: dict[Variable, Variable] = {}
    for index in range(start, len(donor)):
        statement = donor[index]
        if type(statement) is Literal and type(statement[1]) not in TREES:  # most are: the short way
            known.add(statement[0])
            if bound:
                bound.pop(statement[0], None)
            if joined is not None:
                joined.append(statement)
            continue
        needed = used(statement)
        if needed and not (known.issuperset(needed) and (not bound or bound.keys().isdisjoint(needed))):
            if joined is None:
                joined = [*head, *donor[start:index]]
            for variable in needed:
                if variable not in known and variable not in bound:
                    _supply(
                        joined=joined,
                        variable=variable,
                        donor=donor,
                        before=index,
                        known=known,
                        bound=bound,
                        factory=factory,
                        rng=rng,
                    )
            statement = map_used(statement, lambda v: bound.get(v, v))
        if joined is not None:
            joined.append(statement)
        if type(statement) not in DEFINES_NOTHING:
            made = statement[0]
            known.add(made)
            if bound:
                bound.pop(made, None)
    offspring = head + donor[start:] if joined is None else tuple(joined)
    return TestCase(offspring) if factory.has_room(offspring) else parent


def _supply(
    joined: list[Statement],
    variable: Variable,
    donor: tuple[Statement, ...],
    before: int,
    known: set[Variable],
    bound: dict[Variable, Variable],
    factory: Factory,
    rng: Random,
) -> None:
    """Makes ``variable``, which the donor defines before ``before``, known to ``joined`` or bound to another."""
    index = _definition(donor, variable, before)
    definition = donor[index]
    if rng.random() < _REBIND and type_of(definition, factory.observed) is not None:
        other = factory.reuse(joined, factory.hint_of_statement(definition), rng)
        if other is not None:
            bound[variable] = other
            return
    for needed in used(definition):
        if needed not in known and needed not in bound:
            _supply(joined=joined, variable=needed, donor=donor, before=index, known=known, bound=bound, factory=factory, rng=rng)
    joined.append(map_used(definition, lambda v: bound.get(v, v)))
    known.add(variable)


def _definition(donor: tuple[Statement, ...], variable: Variable, before: int) -> int:
    for index in range(before - 1, -1, -1):
        statement = donor[index]
        if statement[0] == variable and type(statement) not in DEFINES_NOTHING:
            return index
    raise ValueError(f"variable {variable} is used before it is defined")
