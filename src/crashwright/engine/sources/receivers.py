"""Objects that one class makes and another is given: if the frames run methods of a class that no entry has or makes, or the
message names a class, one of its instances was passed on the way in. It is put in each place where it may have been, once, before
the search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from crashwright.core.target import CrashTarget
from crashwright.engine.sources.values.crash_classes import classes_of, makes_one, named_classes
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.subject.api.types import ClassHint, Hint, TypeHint, is_any
from crashwright.engine.subject.introspection import derives
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.binding import with_argument
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.statements import Statement
from crashwright.engine.testcase.testcase import TestCase

MOST_ENTRIES = 2
_STARRED = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)
_OF_INSTANCES = (CalleeKind.METHOD, CalleeKind.PROPERTY)


class _Way(NamedTuple):
    """``callee``, called on the way into ``entry``, is given for ``parameter`` what ``hint`` says, or a list of it."""

    entry: Callee
    callee: Callee
    parameter: Parameter
    hint: Hint
    in_list: bool


def handed_over(target: CrashTarget, entry: Iterable[Callee]) -> tuple[type, ...]:
    """The classes of the frames that no entry makes or is a method of, and those that the message names."""
    entered = [callee.owner for callee in entry if callee.owner is not None]
    passed = [cls for cls in classes_of(target) if not any(derives(owner, cls) or derives(cls, owner) for owner in entered)]
    named = [cls for cls in named_classes(target) if not any(derives(owner, cls) for owner in entered)]
    return tuple(dict.fromkeys((*passed, *named)))


def called_over(target: CrashTarget) -> tuple[type, ...]:
    """The classes a call of which failed by the message: the class itself may have been passed."""
    return tuple(cls for cls in named_classes(target) if makes_one(target.message, cls))


def handed_seeds(classes: Sequence[type], factory: Factory, rng: Random, themselves: Sequence[type] = ()) -> Iterator[TestCase]:
    """Tests that enter, with an instance of one of ``classes`` for one argument, or in a list; or with one of the classes
    ``themselves``."""
    handed: list[tuple[Hint, type]] = [(TypeHint(cls), type(cls)) for cls in themselves]
    handed += [(ClassHint(cls), cls) for cls in classes]
    ways = [
        _Way(entry, callee, parameter, hint, in_list)
        for hint, kind in handed
        for entry in factory.entry[:MOST_ENTRIES]
        for callee in _given(entry, factory)
        for in_list in (False, True)
        for parameter in callee.parameters
        if parameter.kind not in _STARRED and (is_any(parameter.hint) or (not in_list and factory.accepts(parameter.hint, kind)))
    ]
    made = (_test(factory, rng, way) for way in ways)
    return (test for test in made if test.is_valid() and factory.has_room(test.statements))


def _given(entry: Callee, factory: Factory) -> Iterator[Callee]:
    """What is called on the way into ``entry``: what makes its object, and itself."""
    if entry.kind in _OF_INSTANCES and entry.owner is not None:
        yield from (one for one in factory.constructors_of(ClassHint(entry.owner)) if one.live is entry.owner)
    yield entry


def _test(factory: Factory, rng: Random, way: _Way) -> TestCase:
    entry, callee, parameter, hint, in_list = way
    statements: list[Statement] = []
    held = factory.argument(statements, hint, rng, 1, legal=True)
    if in_list:
        held = factory.literal(statements, st.Display("list", (st.Ref(held),)))
    made = factory.call(statements, callee, rng, 1)
    for place in range(len(statements) - 1, -1, -1):
        one = statements[place]
        if isinstance(one, st.Call | st.CallValue | st.MethodCall) and one.callee == callee:
            statements[place] = one._replace(arguments=with_argument(one.arguments, callee, parameter, held) or one.arguments)
            break
    if callee is not entry:
        factory.call(statements, entry, rng, receiver=made)
    return TestCase(tuple(statements))
