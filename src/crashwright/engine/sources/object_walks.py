"""Walks on objects: methods of what the entry works on are called one after another, by chance, in one run, and what they did not
refuse stays done. ``report_fault``, ``arrive``, ``order_part``, and only then ``part_delivered``: an order that nobody tells.

Arguments are what is known by their names: what an object was made with (``Lift("L-017")`` for ``lift_number``), what a call gave
(``order``), and what its objects have (``ticket.number``); else another plain value. A call that raises is refused, and leaves no
trace in the test; the one that raises as the report says is the end of one.

# Deviation: the tests of EvoCrash are random at first; what makes a state is found by mutation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple, cast

from crashwright.engine.execution.executor import release
from crashwright.engine.execution.handlers import HANDLERS, Environment
from crashwright.engine.execution.limits import TestTimeout
from crashwright.engine.sources.carrying.arrivals import parts_of
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject, usual_on_path
from crashwright.engine.sources.source import When
from crashwright.engine.sources.values.plain_calls import PlainCalls
from crashwright.engine.subject.api.call_graph import CallGraph
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter
from crashwright.engine.subject.api.living import makers_of
from crashwright.engine.subject.api.types import ClassHint, accepts, is_any
from crashwright.engine.subject.introspection import class_module, class_name, identities, loaded_names
from crashwright.engine.testcase.binding import bound
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.shape import shape_of
from crashwright.engine.testcase.statements import Call, GetAttribute, MethodCall, Statement, Variable
from crashwright.engine.testcase.testcase import TestCase

MOST_ENTRIES, MOST_MAKERS = 2, 3
"""Entries that are walked to, and ways to make the object of one."""
WALKS, AT_FIRST, OTHERWISE = 30, 60, 4
"""For each entry at a standstill, and before the first generation; one in so many may begin with what is made in another way than
the first."""
MOST_TRIED, MOST_DONE = 80, 12
"""Calls that are tried in one walk, and that may succeed."""
TO_THE_ENTRY, ON_THE_OBJECT, ANEW, WHOLE, FURNISHED = 0.3, 0.8, 0.3, 0.3, 0.8
"""How often the entry is called, of other calls how often one on its object, how often a known value is left for a new one, how
often all arguments are passed, and how often to what makes the object."""
PATIENCE = 0.8
"""How often what was refused is not tried again before something else has succeeded."""
GIVEN, OF_THAT, SAME, ALIKE = 16, 9, 4, 1
"""How likely what a call gave is meant by a name that is like the call's, a field by its own name and that of its class, what was
passed under the same name, and what was under another with a word of it."""
_CALLED = (CalleeKind.METHOD, CalleeKind.FUNCTION)
_PLAIN = identities(str, int, float)
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")


class _Stroll(NamedTuple):
    """Stands in the place of a call, and defines nothing: what follows is decided as the test runs."""

    variable: Variable = -1


class _NamedValue(NamedTuple):
    """A value by its ``name``, and that of what has it; ``attribute`` of the ``variable``, if that is not "". ``is_given``: a call
    gave it."""

    owner: frozenset[str]
    name: str
    variable: Variable
    attribute: str
    cls: type
    is_given: bool = False


class ObjectWalks:
    """See ``sources.source.Source``."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:
        """What walks found, as far as it was not seen before."""
        factory = so_far.factory
        usual = usual_on_path(subject, factory)
        wired = _Wired(subject, factory)
        seen: set[int] = set()
        entries = [one for one in factory.entry if one.kind in _CALLED and not one.is_async]
        for number in range(AT_FIRST if so_far.moment is When.AHEAD else WALKS):
            for entry in entries[:MOST_ENTRIES]:
                if so_far.is_spent:
                    return
                is_bound = entry.owner is not None and entry.kind is CalleeKind.METHOD
                # A function makes what it takes.
                makers = (wired.makers(ClassHint(cast(type, entry.owner))) if is_bound else ()) or (entry,)
                maker = makers[0] if number % OTHERWISE else rng.choice(makers)
                calls = PlainCalls(factory, usual, rng, varied=True, makers=wired.makers)
                for statements in _Walk(subject, so_far, calls, rng, entry).taken(maker):
                    test = TestCase(statements)
                    shape = shape_of(test)
                    if shape not in seen and test.is_valid() and factory.has_room(statements):
                        seen.add(shape)
                        yield test


class _Wired:
    """How the objects of the subject are made: functions that make one with all that it works with come first, for nobody else
    passes ten objects to one."""

    def __init__(self, subject: CrashSubject, factory: Factory) -> None:
        self._subject = subject
        self._factory = factory
        self._graph = CallGraph(subject.sources, loaded_names(subject.api.package))
        self._known: dict[int, tuple[Callee, ...]] = {}

    def makers(self, hint: ClassHint) -> tuple[Callee, ...]:
        """The likeliest first."""
        cls = hint.cls
        if id(cls) not in self._known:
            found = makers_of(self._subject.api, cls, self._subject.sources, self._graph)
            alone = [one for one in found if one.kind is CalleeKind.FUNCTION and not one.is_async]
            self._known[id(cls)] = (*alone, *self._factory.constructors_of(hint))[:MOST_MAKERS]
        return self._known[id(cls)]


class _Walk:
    def __init__(self, subject: CrashSubject, so_far: CrashSoFar, calls: PlainCalls, rng: Random, entry: Callee) -> None:
        self._subject = subject
        self._so_far = so_far
        self._factory = so_far.factory
        self._rng = rng
        self._entry = entry
        self._calls = calls
        self._sought = subject.start.target.exception.rpartition(".")[2]
        self._known: list[_NamedValue] = []
        self._found: list[tuple[Statement, ...]] = []
        self._came: tuple[Statement, ...] = ()
        """To the entry, which returned."""

    def taken(self, maker: Callee) -> list[tuple[Statement, ...]]:
        """The statements of what ended as is looked for; and of what came to the entry after the most."""
        receiver = self._calls.call(maker, None, self._rng.random() < FURNISHED)
        if receiver is None:
            return []
        if maker is self._entry:
            # What it takes is there; it is called later.
            self._calls.cut(
                next(at for at, one in enumerate(self._calls.statements) if isinstance(one, Call) and one.callee is maker)
            )
            receiver = None
        begun = TestCase(tuple(self._calls.statements))
        if not begun.is_valid() or self._so_far.quarantine.holds(begun):
            return []
        self._so_far.meter.spend()
        self._subject.recorder.reset()
        whole = TestCase((*begun.statements, cast(Statement, _Stroll())))
        outcome = self._so_far.bench.executor.run_with(whole, {_Stroll: lambda env, _: self._stroll(env, receiver)})
        self._subject.recorder.drop_wanted()
        release(outcome)
        return [*self._found, *([self._came] if self._came else [])]

    def _stroll(self, env: Environment, receiver: Variable | None) -> None:
        calls, rng = self._calls, self._rng
        others = self._others(calls.statements, env, receiver)
        own = [] if receiver is None else self._methods(cast(type, self._entry.owner))
        self._learn_passed(calls.statements, env)
        done, refused = 0, set[Callee]()
        for _ in range(MOST_TRIED):
            place, callee = receiver, self._entry
            if rng.random() >= TO_THE_ENTRY:
                is_own = bool(own) and (not others or rng.random() < ON_THE_OBJECT)
                place, callee = (receiver, rng.choice(own)) if is_own else rng.choice(others or [(receiver, self._entry)])
            if callee in refused and rng.random() < PATIENCE:
                continue
            mark = len(calls.statements)
            made = self._tried(callee, place, env)
            if made is None:
                calls.cut(mark)
                refused.add(callee)
                continue
            refused.clear()
            done += 1
            self._learn_passed(calls.statements[mark:], env)
            self._learn_result(callee, made, env)
            if callee is self._entry:
                self._came = tuple(calls.statements)
            if done == MOST_DONE:
                return

    def _tried(self, callee: Callee, receiver: Variable | None, env: Environment) -> Variable | None:
        """The variable of a call that returned."""
        calls = self._calls
        mark = len(calls.statements)
        for parameter in callee.parameters:
            self._bind(parameter)
        made = calls.call(callee, receiver, self._rng.random() < WHOLE)
        handlers = [(HANDLERS.get(type(one)), one) for one in calls.statements[mark:]]
        if made is None or any(handler is None for handler, _ in handlers):
            return None  # blocks of ``with``, and what is awaited, are no straight line
        try:
            for handler, statement in handlers:
                if handler is not None:
                    handler(env, statement)
        except TestTimeout:
            raise
        except BaseException as error:  # noqa: BLE001 - whatever the subject raises is an answer
            if callee is self._entry and class_name(type(error)) == self._sought:
                self._found.append(tuple(calls.statements))
            return None
        return made

    def _bind(self, parameter: Parameter) -> None:
        """What is known by the name of a parameter is passed; now and then another value."""
        calls, rng = self._calls, self._rng
        found = [(score, one) for one in self._known if (score := _nearness(parameter, one))]
        if not found or rng.random() < ANEW:
            if rng.random() < ANEW:
                calls.forget(parameter.name)
            return
        chosen = rng.choices([one for _, one in found], [score for score, _ in found])[0]
        variable = chosen.variable
        if chosen.attribute:
            calls.statements.append(GetAttribute(self._factory.new(), variable, chosen.attribute))
            variable = calls.statements[-1][0]
        calls.hand(parameter.name, variable)

    # What is known

    def _methods(self, cls: type) -> list[Callee]:
        return [one for one in self._factory.methods_of(cls) if _can_be_called(one)]

    def _others(
        self, statements: Sequence[Statement], env: Environment, receiver: Variable | None
    ) -> list[tuple[Variable | None, Callee]]:
        """Methods of the objects that it was made with."""
        made = [one.variable for one in statements if isinstance(one, Call) and one.variable != receiver]
        own = [(variable, type(env[variable])) for variable in made if variable in env]
        return [(variable, callee) for variable, cls in own if self._factory.is_own(cls) for callee in self._methods(cls)]

    def _learn_passed(self, statements: Sequence[Statement], env: Environment) -> None:
        """What calls were given, under the names of their parameters."""
        for one in statements:
            if not isinstance(one, Call | MethodCall) or one.callee is None:
                continue
            owner = _words(one.callee.name)
            for parameter, variable in bound(one.callee, one.arguments.positional, one.arguments.keywords):
                if variable in env:
                    self._note(owner, parameter.name, variable, "", env[variable])

    def _learn_result(self, callee: Callee, made: Variable, env: Environment) -> None:
        """What a call gave, under its own name; of an object what it has."""
        value = env.get(made)
        self._note(_words(callee.name), callee.name, made, "", value, is_given=True)
        cls = type(value)
        if self._factory.is_own(cls):
            owner = _words(class_name(cls))
            for step, held in parts_of(value):
                name = str(step.key)
                if step.kind == "attribute" and not name.startswith("_"):
                    self._note(owner, name, made, name, held)

    def _note(
        self, owner: frozenset[str], name: str, variable: Variable, attribute: str, value: Any, is_given: bool = False
    ) -> None:
        if id(type(value)) in _PLAIN or class_module(type(value)) in _STANDARD:
            self._known.append(_NamedValue(owner, name, variable, attribute, type(value), is_given))


_STANDARD = frozenset({"datetime", "decimal", "uuid", "fractions"})
"""Modules whose values are passed on as numbers and texts are."""


def _can_be_called(callee: Callee) -> bool:
    return callee.kind is CalleeKind.METHOD and not (callee.private or callee.name.startswith("_") or callee.is_async)


def _nearness(parameter: Parameter, known: _NamedValue) -> int:
    """How much what is known by one name is likely to be meant by another; 0 for not at all."""
    hint = parameter.hint
    if not (id(known.cls) in _PLAIN if is_any(hint) else accepts(hint, known.cls)):
        return 0
    wanted, name = _words(parameter.name), _words(known.name)
    if wanted.isdisjoint(known.owner | name):
        return 0
    if known.is_given:
        return GIVEN
    if wanted <= known.owner | name and not wanted <= name:
        return OF_THAT
    return SAME if parameter.name == known.name else ALIKE


def _words(name: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORDS.findall(name))
