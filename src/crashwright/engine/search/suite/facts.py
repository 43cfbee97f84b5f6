"""What a test itself called of the module under test, and how each call ended: the facts behind the method, no-exception, exception
and output criteria (SPEC 6)."""

from __future__ import annotations

import ast
import contextlib
import types
from collections.abc import Callable, Collection
from types import CodeType
from typing import Any, NamedTuple

from crashwright.engine.execution.outcome import Outcome, RaisedFrame
from crashwright.engine.frameworks.click_runner import swallowed
from crashwright.engine.instrument.trace import MADE, CallFact
from crashwright.engine.subject.api.callee import MOCKS, Callee, CalleeKind
from crashwright.engine.subject.introspection import class_module, class_mro, class_name, class_qualname, identities, instance_dict
from crashwright.engine.subject.layers import manager_of
from crashwright.engine.subject.walking import walk
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.making.entering import ENTERING
from crashwright.engine.testcase.statements import INVOKE, Statement
from crashwright.engine.testcase.testcase import TestCase

_ATTRIBUTES = (st.GetAttribute, st.SetAttribute, st.DeleteAttribute)
_ACCESSORS: dict[type, str] = {st.SetAttribute: "setter", st.DeleteAttribute: "deleter"}
Classify = Callable[[object], tuple[str, ...]]


_DRIVING = (st.Iterate, st.Await, st.Enter, st.Within)
_Driving = st.Iterate | st.Await | st.Enter | st.Within
_COROUTINES = identities(types.CoroutineType)
_BODIES = _COROUTINES | identities(
    types.GeneratorType, types.AsyncGeneratorType, contextlib._GeneratorContextManager, contextlib._AsyncGeneratorContextManager
)


class _Made(NamedTuple):
    """A coroutine, generator or context manager that a call made."""

    address: str
    identity: int
    cls: type


class RaisePlaces:
    """Which lines of the module under test raise by themselves: ``explicit`` for ``raise``, ``assertion`` for ``assert``."""

    def __init__(self, path: str, tree: ast.Module) -> None:
        self._path = path
        self._kinds: dict[int, str] = {}
        for node in walk(tree):
            if isinstance(node, (ast.Raise, ast.Assert)):
                kind = "explicit" if isinstance(node, ast.Raise) else "assertion"
                for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                    self._kinds[line] = kind

    def is_own(self, code: CodeType) -> bool:
        """Whether code is of the module under test."""
        return code.co_filename == self._path

    def kind(self, frames: tuple[RaisedFrame, ...]) -> str:
        """See ``CallFact.kind``."""
        own = [frame for frame in frames if self.is_own(frame.code)]
        if not own:
            return "outside"
        if own[-1] is not frames[-1]:
            return "implicit"
        return self._kinds.get(own[-1].line, "implicit")


class RunFacts:
    """Collects the facts of one run at a time. ``watched`` are the callables under test; ``classify`` gives the output classes of a
    value (``goals.coverage.output``)."""

    def __init__(self, watched: Collection[Callee], classify: Classify, places: RaisePlaces) -> None:
        self._addresses: dict[Callee, str] = {}
        self._members: dict[str, list[tuple[type, str]]] = {}
        """Properties, and what ``with`` calls, by name."""
        for callee in watched:
            self._addresses[callee] = callee.address
            if (callee.kind is CalleeKind.PROPERTY or callee.name in ENTERING) and callee.owner is not None:
                self._members.setdefault(callee.name, []).append((callee.owner, callee.address))
        self._known: dict[tuple[int, str], tuple[type, str | None]] = {}
        """By the identity of a class, which is kept for as long."""
        self._classify = classify
        self._places = places
        self._calls: list[CallFact] = []
        self._failed: str | None = None
        """The address of the attribute that raised."""
        self._deferring = frozenset(callee.address for callee in watched if _defers(callee))
        self._made: dict[int, _Made] = {}
        """By variable, as long as nothing of their bodies ran."""
        self._entered: list[CallFact] = []
        self._swallowed = False

    def note(self, statement: Any, env: dict[int, Any], returned: bool = True) -> None:
        """For ``Executor.note_results``."""
        if isinstance(statement, _DRIVING):
            if returned:
                self._ran(statement, env)
                if isinstance(statement, st.Within):
                    self._managed(statement, env)
            return
        if returned and isinstance(statement, st.MethodCall) and statement.name == INVOKE and swallowed(env[statement.variable]):
            self._swallowed = True
        address = self._address(statement, env)
        if not returned:
            self._failed = address
        elif address is not None:
            value = env[statement.variable]
            if address in self._deferring and id(type(value)) in _BODIES:
                self._made[statement.variable] = _Made(address, id(value), type(value))
                self._calls.append(CallFact(address, kind=MADE))
            else:
                self._calls.append(CallFact(address, self._classify(value)))

    def _ran(self, statement: _Driving, env: dict[int, Any]) -> None:
        """The body of something made before has run, at least in part."""
        driven = _driven(statement)
        made = self._made.get(driven)
        if made is None or made.identity != id(env[driven]):
            return
        del self._made[driven]
        value = env[statement.variable]
        output: tuple[str, ...] = ()
        if isinstance(statement, st.Enter | st.Within) or id(made.cls) in _COROUTINES:
            output = self._classify(value)
        elif statement.mode != "for":  # a loop leaves no list
            filled = statement.mode == "next" or len(value) > 0
            output = (f"{class_qualname(made.cls)} {'non-empty' if filled else 'empty'}",)
        self._calls.append(CallFact(made.address, output))
        if isinstance(statement, st.Enter):
            self._entered.append(self._calls[-1])

    def _managed(self, statement: st.Within, env: dict[int, Any]) -> None:
        """Entering and leaving are calls of methods of the manager."""
        cls = type(env[statement.manager])
        for name in ENTERING:
            address = self._member(cls, name) if name in self._members and name.startswith("__a") is statement.is_async else None
            if address is not None:
                self._calls.append(CallFact(address))

    def reset(self) -> None:
        """Before a run: others, of which nobody asks what they called, may have been made since the last one."""
        self._calls, self._failed, self._entered, self._swallowed = [], None, [], False
        self._made.clear()

    def swallowed(self) -> bool:
        """Whether a program ended by an exception that its runner kept to itself, in the run that is over. To be asked once."""
        found, self._swallowed = self._swallowed, False
        return found

    def take(self, test: TestCase, outcome: Outcome) -> tuple[CallFact, ...]:
        """The facts of the run that has just ended."""
        calls, self._calls = self._calls, []
        if outcome.error is None:
            return tuple(calls)
        accessor = ""
        if outcome.executed < len(test.statements):
            address = self._raising(test.statements, outcome.executed)
            accessor = _ACCESSORS.get(type(test.statements[outcome.executed]), "")
        else:  # a manager did, as it was left: which one is only known of a single one
            address = self._entered[0].address if len(self._entered) == 1 else None
            calls = [call for call in calls if not any(call is entered for entered in self._entered)]
        if address is not None:
            cls = type(outcome.error)
            kind = "outside" if _stubbed(test, cls) else self._places.kind(outcome.frames)
            calls.append(CallFact(address, (), name_of(cls), kind, accessor))
        return tuple(calls)

    def _address(self, statement: Statement, env: dict[int, Any]) -> str | None:
        if isinstance(statement, st.MethodCall):
            receiver = env[statement.receiver]
            if statement.name in instance_dict(receiver):
                return None  # what the test itself has put there
            if class_module(type(receiver)) == MOCKS:
                return None  # nothing of the class itself runs
        if isinstance(statement, st.Call | st.MethodCall):
            return None if statement.callee is None else self._addresses.get(statement.callee)
        if isinstance(statement, _ATTRIBUTES) and statement.name in self._members:
            return self._member(type(env[statement.receiver]), statement.name)
        return None

    def _member(self, cls: type, name: str) -> str | None:
        key = (id(cls), name)
        if key not in self._known:
            owners = self._members[name]
            nearest = (address for base in class_mro(cls) for owner, address in owners if owner is base)
            self._known[key] = cls, next(nearest, None)
        return self._known[key][1]

    def _raising(self, statements: tuple[Statement, ...], index: int) -> str | None:
        """The callable under test in whose call, or in the use of whose result, the statement raised."""
        statement = statements[index]
        if isinstance(statement, (st.Call, st.MethodCall)):
            return self._addresses.get(statement.callee) if statement.callee is not None else None
        if isinstance(statement, _ATTRIBUTES):
            return self._failed
        if not isinstance(statement, _DRIVING):
            return None
        used = _driven(statement)
        if used in self._made:
            return self._made[used].address
        for earlier in reversed(statements[:index]):
            if isinstance(earlier, (st.Call, st.MethodCall)) and earlier.variable == used:
                return self._addresses.get(earlier.callee) if earlier.callee is not None else None
        return None


def _defers(callee: Callee) -> bool:
    """Whether a call runs nothing of the body: that of a coroutine or a generator, or what ``contextlib`` makes of one."""
    return callee.is_async or callee.is_generator or manager_of(callee.live) is not None


def _driven(statement: _Driving) -> int:
    if isinstance(statement, st.Iterate):
        return statement.iterable
    return statement.awaitable if isinstance(statement, st.Await) else statement.manager


def _stubbed(test: TestCase, cls: type) -> bool:
    """Whether a stub of the test raises such exceptions: they say nothing of the module."""
    raising = (statement.raises for statement in test.statements if isinstance(statement, st.StubCallable))
    return class_module(cls) == "builtins" and class_name(cls) in raising


def name_of(cls: type) -> str:
    """``module.qualname``; for builtins the name alone."""
    module = class_module(cls)
    return class_qualname(cls) if module == "builtins" else f"{module}.{class_qualname(cls)}"
