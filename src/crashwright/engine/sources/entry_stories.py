"""Stories that end in the call that comes to the crash: objects are made with plain values, other calls bring them into a state,
then the entry is called. ``add`` twice, then ``remove``, then ``total``: what the users of a program did before it crashed.

What is called in between is what changes that which the path reads: methods of the objects that the entry works on, and functions
that take what it takes (a session, a registry). It is read which do; each is tried, and those that returned are gone on with. So a
state comes about as the program itself brings it about, and not by attributes that nobody sets.

# Deviation: the tests of EvoCrash are random at first; calls that bring a state about are found by mutation.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from random import Random
from types import FunctionType
from typing import NamedTuple

from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject, usual_on_path
from crashwright.engine.sources.values.plain_calls import PlainCalls
from crashwright.engine.sources.values.usual_types import UsualTypes
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter
from crashwright.engine.subject.api.code_index import key_of
from crashwright.engine.subject.api.types import ClassHint, is_any
from crashwright.engine.subject.flow.data_dependence import fields_written
from crashwright.engine.subject.introspection import class_module, loaded_names
from crashwright.engine.subject.walking import walk
from crashwright.engine.testcase.shape import shape_of
from crashwright.engine.testcase.statements import Call, Literal, MethodCall, Statement, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import type_of

MOST_ENTRIES = 2
MOST_CALLS = 12
"""Calls that are tried between the objects and the entry."""
LONGEST = 3
"""Of them in one story."""
_BOUND = (CalleeKind.METHOD, CalleeKind.PROPERTY)


class _Between(NamedTuple):
    """A call in between: of a method of an object of ``cls``, or of a function. ``certain``: it sets what the path reads."""

    callee: Callee
    cls: type | None
    certain: bool
    same: bool = True


class _Effect(NamedTuple):
    """What a function ``sets`` as far as its source says so, and all ``names`` of attributes in it: what stands under these may
    change as well."""

    sets: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()


class EntryStories:
    """See ``sources.source.Source``. It must see what becomes of each test before it makes the next."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:
        """A story for each of the entries, the shortest first."""
        factory = so_far.factory
        usual = usual_on_path(subject, factory)
        for entry in factory.entry[:MOST_ENTRIES]:
            yield from _Teller(subject, so_far, usual, rng, entry).tests()


class _Teller:
    """Of one entry."""

    def __init__(self, subject: CrashSubject, so_far: CrashSoFar, usual: UsualTypes, rng: Random, entry: Callee) -> None:
        self._subject = subject
        self._so_far = so_far
        self._factory = so_far.factory
        self._usual = usual
        self._rng = rng
        self._entry = entry
        self._seen: set[int] = set()
        self._before = 0
        """Statements in front of the entry's call in the last test."""

    def tests(self) -> Iterator[TestCase]:
        """The entry alone, after one other call, after two, after three: those first that are certain to set what is read."""
        bare = None
        for whole in (False, True):
            test = self._written((), whole)
            bare = bare or test
            if test is not None:
                yield test
        between = [] if bare is None else self._between(bare.statements)[:MOST_CALLS]
        stories: list[tuple[_Between, ...]] = [()]
        for length in range(1, LONGEST + 1):
            longer = []
            for story in stories:
                for step in (one for call in between for one in _ways(call, length)):
                    test = self._written((*story, step))
                    if test is None:
                        continue
                    yield test
                    if self._has_returned() and (step.certain or length == 1):
                        longer.append((*story, step))
            stories = longer

    def _has_returned(self) -> bool:
        """Whether the last test came to the entry."""
        return bool(self._so_far.latest) and self._so_far.latest[-1].ran > self._before

    def _written(self, story: Sequence[_Between], whole: bool = False) -> TestCase | None:
        """None where a call cannot be written, or the test was written before."""
        calls = PlainCalls(self._factory, self._usual, self._rng)
        receiver = None
        if self._entry.kind in _BOUND and self._entry.owner is not None:
            makers = self._factory.constructors_of(ClassHint(self._entry.owner))
            receiver = calls.call(makers[0], None, whole) if makers else None
            if receiver is None:
                return None
        elif story and story[0].cls is not None:
            # The object is there before the entry is called with it.
            makers = self._factory.constructors_of(ClassHint(story[0].cls))
            if not makers or calls.call(makers[0], None) is None:
                return None
        for step in story:
            bound = None if step.cls is None else self._held(calls.statements, step.cls)
            if step.cls is not None and bound is None:
                return None
            if calls.call(step.callee, bound, same=step.same) is None:
                return None
        made = calls.call(self._entry, receiver, whole)
        if made is None:
            return None
        test = TestCase(tuple(calls.statements))
        shape = shape_of(test)
        if shape in self._seen or not test.is_valid() or not self._factory.has_room(test.statements):
            return None
        self._seen.add(shape)
        self._before = _place(calls.statements, self._entry)
        return test

    def _held(self, statements: Sequence[Statement], cls: type) -> Variable | None:
        return next((one[0] for one in statements if self._class_of(one) is cls), None)

    def _class_of(self, statement: Statement) -> type | None:
        return None if isinstance(statement, Literal) else type_of(statement, self._factory.observed)

    # What is called in between

    def _between(self, bare: Sequence[Statement]) -> list[_Between]:
        """On the objects that the bare test has, and with what its entry takes."""
        read = self._read()
        made = [self._class_of(one) for one in bare[: _place(bare, self._entry)]]
        classes = dict.fromkeys(one for one in made if one is not None and self._factory.is_own(one))
        found = [one for cls in classes for one in self._methods(cls, read)]
        found += self._functions(read)
        return sorted(found, key=lambda one: not one.certain)

    def _read(self) -> frozenset[str]:
        """The attributes and names that the functions of the path, and those that they call, read."""
        nodes = [*self._subject.path[0], *(node for _, node in self._subject.called)]
        read = {part.attr for node in nodes for part in walk(node) if isinstance(part, ast.Attribute)}
        return frozenset(read | {part.id for node in nodes for part in walk(node) if isinstance(part, ast.Name)})

    def _methods(self, cls: type, read: frozenset[str]) -> Iterator[_Between]:
        own = [one for one in self._factory.methods_of(cls) if one.kind is CalleeKind.METHOD and one is not self._entry]
        effects = {one.name: self._effect_of(one) for one in own}
        for one in own:
            if one.private or one.name.startswith("__"):
                continue
            sets, names = effects[one.name]
            called = [effects[name] for name in names if name in effects and name != one.name]
            sets = sets.union(*(each.sets for each in called))
            names = names.union(*(each.names for each in called))
            if sets or names & read:
                yield _Between(one, cls, bool(sets & read))

    def _functions(self, read: frozenset[str]) -> Iterator[_Between]:
        """Functions of the program that take an object that the entry takes, too, or that set a global that is read."""
        shared = [one for one in self._entry.parameters if _is_object(one)]
        near = [frame.key.module for frame in self._subject.start.target.own_frames]
        for module in dict.fromkeys((*near, *loaded_names(self._subject.api.package))) if shared else dict.fromkeys(near):
            for one in self._subject.api.functions_in(module):
                if one.private or one is self._entry or type(one.live) is not FunctionType:
                    continue
                sets = self._effect_of(one).sets
                if any(_is_alike(mine, theirs) for mine in one.parameters for theirs in shared) or sets & read:
                    yield _Between(one, None, bool(sets & read))

    def _effect_of(self, callee: Callee) -> _Effect:
        live = callee.live
        node = self._subject.sources.node_of(key_of(live)) if type(live) is FunctionType else None
        if node is None:
            return _Effect()
        return _Effect(fields_written(node), frozenset(part.attr for part in walk(node) if isinstance(part, ast.Attribute)))


def _is_object(parameter: Parameter) -> bool:
    hint = parameter.hint
    return not is_any(hint) and isinstance(hint, ClassHint) and class_module(hint.cls) != "builtins"


def _is_alike(one: Parameter, other: Parameter) -> bool:
    return isinstance(one.hint, ClassHint) and isinstance(other.hint, ClassHint) and one.hint.cls is other.hint.cls


def _ways(call: _Between, length: int) -> Iterator[_Between]:
    yield call
    if length > 1 and call.callee.parameters:
        yield call._replace(same=False)


def _place(statements: Sequence[Statement], entry: Callee) -> int:
    """Of the last call of the entry."""
    places = [place for place, one in enumerate(statements) if isinstance(one, Call | MethodCall) and one.callee is entry]
    return places[-1] if places else len(statements)
