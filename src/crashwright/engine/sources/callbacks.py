"""Functions of the reporter's own that stand in the middle of the report (``testcase.echoing.callers_functions``): each is handed
to whatever may take it on the way, set as an attribute, or made a method of a subclass of what calls it."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from crashwright.core.target import Callback, CrashTarget
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.source import When
from crashwright.engine.sources.values.used_types import UsedAnywhere
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.subject.api.types import is_any
from crashwright.engine.subject.introspection import attribute_of, is_class, is_sound, live_at
from crashwright.engine.subject.layers import function_of
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.binding import passed_before, with_argument
from crashwright.engine.testcase.echoing.callers_functions import FunctionMaker, shown_function
from crashwright.engine.testcase.editing.interleaving import needed_arguments
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.shape import shape_of
from crashwright.engine.testcase.statements import NO_ARGUMENTS, Statement, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import type_of
from crashwright.engine.wants.parameter_names import CALLABLE_NAMES

BEGUN_WITH, BEST, RANDOM = 3, 2, 4
"""Tests of each kind that get it: of those that there are, of the population, made at random."""
ROUNDS = 6
"""How often each way is gone, with other names and values."""
_MOST_WORDS, _FEW = 2, 2
_NOT_ASKED, _MAYBE, _CALLED = 0, 1, 2


class _Place(NamedTuple):
    """Where it goes: in front of the statement ``at``, to ``parameter`` of what that calls (None: it is set as the attribute
    ``name`` of the variable ``owner``, or ``method`` of that is called with it); ``in_list``: in a list."""

    at: int
    parameter: Parameter | None = None
    in_list: bool = False
    owner: Variable = -1
    name: str = ""
    method: Callee | None = None


class Callbacks:
    """See ``sources.source.Source``."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:
        """The tests at hand, with one of the functions."""
        target = subject.start.target
        if not target.callbacks or so_far.factory.definer is None:
            return
        seen: set[int] = set()
        handing = [_Handing(callback, subject, so_far) for callback in target.callbacks]
        for _ in range(ROUNDS):
            for base in list(dict.fromkeys(self._bases(so_far, rng))):
                for one in handing:
                    for test in one.tests(base, rng):
                        shape = shape_of(test)
                        if shape not in seen and test.is_valid() and so_far.factory.has_room(test.statements):
                            seen.add(shape)
                            yield test

    def _bases(self, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:
        if so_far.moment is When.AHEAD:
            yield from so_far.begun_with(BEGUN_WITH)
            yield from so_far.given.get("stories", [])[:BEGUN_WITH]
        elif so_far.search.scorer.best is not None:
            yield so_far.search.scorer.best.test
            yield from so_far.survivors()[:BEST]
        for _ in range(RANDOM):
            yield so_far.factory.random_test(rng, RANDOM)


class _Handing:
    """Of one function."""

    def __init__(self, callback: Callback, subject: CrashSubject, so_far: CrashSoFar) -> None:
        target = subject.start.target
        self._factory: Factory = so_far.factory
        self._used: UsedAnywhere = subject.used
        self._caller, following = _owner(target, callback.caller), _owner(target, callback.caller + 1)
        leading = target.frames[callback.caller].source
        shown = shown_function(callback.name, callback.source, leading, self._caller, following)
        self._maker = None if shown is None else FunctionMaker(shown, so_far.seeds.names, self._factory)
        self._is_method = shown is not None and shown.is_method
        calls = () if shown is None else shown.calls
        self._called = frozenset(one.func.id for one in calls if isinstance(one.func, ast.Name))
        self._on_itself = frozenset(_called_on_itself(calls))
        self._is_apart = any(isinstance(one.func, ast.Attribute) and one.func.attr == callback.name for one in calls)
        self._words = _words(callback.name)

    def tests(self, base: TestCase, rng: Random) -> Iterator[TestCase]:
        """``base`` with it, each way once."""
        maker = self._maker
        if maker is None:
            return
        if self._is_method:
            for cls in maker.bases():
                yield from self._derived(base, cls, maker, rng)
            if not self._is_apart:
                return
        for place in self._places(base.statements, rng):
            statements = list(base.statements[: place.at])
            made = maker.bearer(statements, rng) if self._is_method else maker.function(statements, rng)
            if made is None:
                continue
            if self._is_method:
                statements.append(st.CallValue(self._factory.new(), made, NO_ARGUMENTS))
                made = statements[-1][0]
            if place.in_list:
                made = self._factory.literal(statements, st.Display("list", (st.Ref(made),)))
            yield TestCase(tuple(self._handed(base, place, statements, made, rng)))

    def _handed(self, base: TestCase, place: _Place, statements: list[Statement], made: Variable, rng: Random) -> list[Statement]:
        rest = base.statements[place.at :]
        if place.method is not None:
            # What the call after it is given under the same names.
            known = {one[0] for one in statements}
            passed = {name: variable for name, variable in passed_before(rest).items() if variable in known}
            if place.parameter is not None:
                passed[place.parameter.name] = made
            arguments = needed_arguments(statements, place.method, passed, self._factory, rng)
            if place.parameter is not None:
                arguments = with_argument(arguments, place.method, place.parameter, made) or arguments
            statements.append(st.MethodCall(self._factory.new(), place.owner, place.method.name, arguments, place.method))
            return [*statements, *rest]
        if place.parameter is None:
            return [*statements, st.SetAttribute(place.owner, place.name, made), *rest]
        first = rest[0]
        assert isinstance(first, st.Call | st.CallValue | st.MethodCall)
        assert first.callee is not None
        arguments = with_argument(first.arguments, first.callee, place.parameter, made) or first.arguments
        return [*statements, first._replace(arguments=arguments), *rest[1:]]

    def _derived(self, base: TestCase, cls: type, maker: FunctionMaker, rng: Random) -> Iterator[TestCase]:
        """With an instance of a subclass in place of one of ``cls``."""
        for index, one in enumerate(base.statements):
            if isinstance(one, st.Call) and one.callee.kind is CalleeKind.CLASS and one.callee.live is cls:
                statements = list(base.statements[:index])
                made = maker.subclass(statements, cls, rng)
                if made is not None:
                    call = st.CallValue(one.variable, made, one.arguments, one.callee)
                    yield TestCase((*statements, call, *base.statements[index + 1 :]))
                    for after in self._with_words(base.statements[index + 1 :]):
                        yield TestCase((*statements, call, *after))

    def _with_words(self, statements: Sequence[Statement]) -> Iterator[tuple[Statement, ...]]:
        """With a part of the method's name for a text, or as the key of a dictionary: mostly that is how it is chosen."""
        for index, one in enumerate(statements):
            if not isinstance(one, st.Literal):
                continue
            for word in self._words:
                value: st.Value = word
                if isinstance(one.value, st.Display) and one.value.kind == "dict":
                    value = st.Display("dict", ((word, None),))
                elif type(one.value) is not str:
                    continue
                yield (*statements[:index], one._replace(value=value), *statements[index + 1 :])

    # Where it may go

    def _places(self, statements: Sequence[Statement], rng: Random) -> list[_Place]:
        """Those of which it is known that they call what they are given, and a few others; all where there are none."""
        found = [*self._given(statements), *self._set(statements), *self._registered(statements)]
        certain = [place for weight, place in found if weight == _CALLED]
        others = [place for weight, place in found if weight == _MAYBE]
        return [*certain, *rng.sample(others, min(len(others), _FEW))] if certain else others

    def _given(self, statements: Sequence[Statement]) -> Iterator[tuple[int, _Place]]:
        for index, one in enumerate(statements):
            if not isinstance(one, st.Call | st.CallValue | st.MethodCall) or one.callee is None:
                continue
            for parameter in one.callee.parameters:
                weight = self._weight(one.callee, parameter)
                yield weight, _Place(index, parameter)
                if weight == _MAYBE and parameter.kind is not ParameterKind.VAR_POSITIONAL:
                    yield weight, _Place(index, parameter, in_list=True)

    def _set(self, statements: Sequence[Statement]) -> Iterator[tuple[int, _Place]]:
        """Attributes by which the object calls it, unless these are its own methods."""
        caller = self._caller
        if caller is None:
            return
        names = [name for name in sorted(self._on_itself) if function_of(attribute_of(caller, name)) is None]
        last = _last_call(statements)
        for one in statements[:last]:
            if type_of(one, self._factory.observed) is caller:
                yield from ((_CALLED, _Place(last, owner=one[0], name=name)) for name in names)

    def _registered(self, statements: Sequence[Statement]) -> Iterator[tuple[int, _Place]]:
        """Other methods of objects at hand that take a function."""
        last = _last_call(statements)
        called = {one.callee for one in statements if isinstance(one, st.MethodCall)}
        for one in statements[:last]:
            cls = None if type(one) is st.Literal else type_of(one, self._factory.observed)
            if cls is None or not self._factory.is_own(cls):
                continue
            for method in self._factory.methods_of(cls):
                if method.kind is CalleeKind.METHOD and not method.private and method not in called:
                    for parameter in method.parameters:
                        weight = self._weight(method, parameter)
                        if weight == _CALLED:
                            yield weight, _Place(last, parameter, owner=one[0], method=method)

    def _weight(self, callee: Callee, parameter: Parameter) -> int:
        if parameter.kind is ParameterKind.VAR_KEYWORD:
            return _NOT_ASKED
        hint, name = parameter.hint, parameter.name.strip("_")
        if self._is_method:
            return _MAYBE if is_any(hint) else _NOT_ASKED
        if not is_any(hint):
            return _CALLED if self._factory.accepts(hint, types.FunctionType) else _NOT_ASKED
        if name in CALLABLE_NAMES or name in self._called or name in {each.strip("_") for each in self._on_itself}:
            return _CALLED
        roles = self._used.roles(callee, parameter.name)
        return _CALLED if roles is not None and (roles.arities or roles.several) else _MAYBE


def _owner(target: CrashTarget, place: int) -> type | None:
    """The class that has the frame's function as a method."""
    if place >= len(target.frames):
        return None
    key = target.frames[place].key
    found = live_at(key.module, key.qualname.partition(".<locals>")[0].rpartition(".")[0])
    return found if is_class(found) and is_sound(found) else None


def _last_call(statements: Sequence[Statement]) -> int:
    calls = [index for index, one in enumerate(statements) if isinstance(one, st.Call | st.MethodCall) and one.callee is not None]
    return calls[-1] if calls else 0


def _called_on_itself(calls: Sequence[ast.Call]) -> Iterator[str]:
    """Attributes of the object that a line calls: ``self._handler(x)``."""
    for call in calls:
        if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) and call.func.value.id == "self":
            yield call.func.attr


def _words(name: str) -> tuple[str, ...]:
    """What is left of a method's name without what stands before all such names: ``mill`` of ``at_mill``."""
    parts = name.strip("_").split("_")
    return tuple("_".join(parts[first:]) for first in range(1, len(parts)))[:_MOST_WORDS]
