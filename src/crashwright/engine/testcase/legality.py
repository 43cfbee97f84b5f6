"""Whether a test uses the subject as its authors meant it: argument types against declared ones, private names.

A crash that a wrong-typed argument trips by accident is the classic useless reproduction (DESIGN, "What counts as reproduced").
Only annotations are held against a test: what a docstring or a default value shows is a hint for the factory, not a promise. What
is not known counts as legal, and :func:`judged_arguments` says how much that is.
"""

from __future__ import annotations

import ast
import sys
import typing
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from crashwright.engine.subject.api.callee import MOCKS, Callee, CalleeKind, Parameter
from crashwright.engine.subject.api.types import (
    ANY,
    VARIADIC,
    ChoiceHint,
    ClassHint,
    Hint,
    TypeHint,
    UnionHint,
    accepts,
    is_any,
    is_subclass,
    protocol_members,
)
from crashwright.engine.subject.introspection import abstract_methods, attribute_of, class_module, is_class, is_protocol
from crashwright.engine.subject.layers import function_of
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.assigned import Settable, settable
from crashwright.engine.testcase.binding import bound
from crashwright.engine.testcase.definitions.source import is_class_source, returned_by_methods
from crashwright.engine.testcase.making.stubs import declared_result
from crashwright.engine.testcase.seeds import class_of_value
from crashwright.engine.testcase.statements import Arguments, Display, Ref, Statement, Value, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import type_of
from crashwright.engine.testcase.variables import defined

Seen = Mapping[Callee, Collection[type]]
"""The classes of results, as runs of other tests showed them."""


def is_legal(test: TestCase, seen: Seen, granted: Collection[str] = ()) -> bool:
    """Whether every argument may stand where it does, what is assigned to an attribute too, and no private name is used but those
    ``granted`` (parts of the entry's own address)."""
    known: dict[Variable, Statement] = {}
    judge = _Judge(known, seen)
    for statement in test.statements:
        if not _is_public(statement, granted) or not judge.statement(statement):
            return False
        variable = defined(statement)
        if variable is not None:
            known[variable] = statement
    return True


def takes_what_is_declared(test: TestCase) -> bool:
    """Whether every argument may stand where it does, whatever names are used."""
    known: dict[Variable, Statement] = {}
    judge = _Judge(known, {})
    for statement in test.statements:
        if not judge.statement(statement):
            return False
        variable = defined(statement)
        if variable is not None:
            known[variable] = statement
    return True


def misplaced_literals(test: TestCase) -> Iterator[tuple[Variable, Hint]]:
    """The literals that are passed where an annotation, a documentation or a default value speaks of something else, and of what;
    also ``True`` where a number is asked for."""
    known: dict[Variable, Statement] = {}
    judge = _Judge(known, {})
    for statement in test.statements:
        if isinstance(statement, st.Call | st.MethodCall) and statement.callee is not None and not is_standard(statement.callee):
            for parameter, value in judge.bound(statement.callee, statement.arguments):
                given = known.get(value.variable) if isinstance(value, Ref) else None
                if isinstance(given, st.Literal) and not judge.is_at_home(parameter, given.value):
                    yield given.variable, parameter.hint
        variable = defined(statement)
        if variable is not None:
            known[variable] = statement


class Judged(NamedTuple):
    """How many arguments of a test there are, and values that it assigns to attributes; and of how many of them a signature or a
    class says something."""

    arguments: int
    declared: int


def judged_arguments(test: TestCase) -> Judged:
    """What :func:`is_legal` could look at."""
    arguments = declared = 0
    known: dict[Variable, Statement] = {}
    judge = _Judge(known, {})
    for statement in test.statements:
        if (variable := defined(statement)) is not None:
            known[variable] = statement
        if isinstance(statement, st.SetAttribute):
            attribute = judge.attribute(statement)
            arguments += 1
            declared += attribute is not None and attribute.declared
        elif isinstance(statement, st.Call | st.MethodCall) and not is_standard(statement.callee):
            given = [*statement.arguments.positional, *(variable for _, variable in statement.arguments.keywords)]
            arguments += len(given)
            if statement.callee is not None and statement.callee.kind is not CalleeKind.PROPERTY:
                declared += sum(parameter.declared for parameter, _ in judge.bound(statement.callee, statement.arguments))
    return Judged(arguments, min(declared, arguments))


def is_standard(callee: Callee | None) -> bool:
    return callee is not None and callee.module.partition(".")[0] in sys.stdlib_module_names


def _is_public(statement: Statement, granted: Collection[str]) -> bool:
    names: tuple[str, ...] = ()
    match statement:
        case st.Call(callee=callee):
            names = (*callee.module.split("."), *callee.qualname.split("."))
        case st.Reference(named=named):
            names = (*named.module.split("."), *named.qualname.split("."))
        case st.Definition():
            addresses = [f"{bound.module}.{bound.qualname}" for _, bound in statement.names if isinstance(bound, st.Named)]
            names = tuple(part for address in addresses for part in address.split("."))
        case st.MethodCall() | st.GetAttribute() | st.SetAttribute() | st.DeleteAttribute():
            names = (statement.name,)
    return not any(name.startswith("_") and not name.endswith("__") and name not in granted for name in names)


class _Judge:
    """``known`` are the statements before the one that is judged, by variable."""

    def __init__(self, known: Mapping[Variable, Statement], seen: Seen) -> None:
        self._known = known
        self._seen = seen

    def statement(self, statement: Statement) -> bool:
        """Whether its arguments are legal."""
        if isinstance(statement, st.SetAttribute):
            return self._assigns_what_there_is(statement)
        if not isinstance(statement, st.Call | st.MethodCall) or statement.callee is None:
            return True
        callee = statement.callee
        if callee.kind is CalleeKind.PROPERTY:
            return True
        return all(
            self._argument(parameter, value) for parameter, value in self.bound(callee, statement.arguments) if parameter.declared
        )

    def attribute(self, statement: st.SetAttribute) -> Settable | None:
        """What is known of the attribute that a statement assigns to; None if its object has none of that name."""
        made = self._known.get(statement.receiver)
        cls = None if made is None or isinstance(made, st.Literal | st.Definition | st.StubClass) else type_of(made)
        return Settable() if cls is None else settable(cls, statement.name)

    def _assigns_what_there_is(self, statement: st.SetAttribute) -> bool:
        known = self.attribute(statement)
        return known is not None and self._accepts(known.hint, Ref(statement.value))

    def is_at_home(self, parameter: Parameter, value: Value) -> bool:
        """Whether a literal may stand there, by all that is known of the parameter."""
        if type(value) is bool and isinstance(parameter.hint, ClassHint) and parameter.hint.cls in (int, float):
            return False
        return self._argument(parameter, value)

    def bound(self, callee: Callee, arguments: Arguments) -> Iterator[tuple[Parameter, Value]]:
        """The parameters that get a value."""
        values: list[Value] = [Ref(variable) for variable in arguments.positional]
        values += self._items(arguments.star)
        return bound(callee, values, [(name, Ref(variable)) for name, variable in arguments.keywords])

    def _items(self, variable: Variable | None) -> list[Value]:
        """What ``*variable`` passes, where that can be seen."""
        statement = None if variable is None else self._known.get(variable)
        if isinstance(statement, st.Literal) and isinstance(statement.value, Display) and statement.value.kind in ("list", "tuple"):
            return [typing.cast(Value, item) for item in statement.value.items]
        return []

    def _argument(self, parameter: Parameter, value: Value) -> bool:
        if not parameter.required and parameter.default is None and self._is_none(value):
            return True  # ``x: int = None``: the authors' own default
        return self._accepts(parameter.hint, value)

    def _is_none(self, value: Value) -> bool:
        if isinstance(value, Ref):
            statement = self._known.get(value.variable)
            return isinstance(statement, st.Literal) and self._is_none(statement.value)
        return value is None

    def _accepts(self, hint: Hint, value: Value) -> bool:
        if is_any(hint):
            return True
        if isinstance(hint, UnionHint):
            return any(self._accepts(member, value) for member in hint.members)
        if isinstance(value, Ref):
            statement = self._known.get(value.variable)
            return statement is None or self._accepts_result(hint, statement)
        if isinstance(hint, ChoiceHint):
            return hint is VARIADIC or any(type(choice) is type(value) and choice == value for choice in hint.values)
        cls = class_of_value(value)
        if cls is None:
            return True
        return accepts(hint, cls) and (not isinstance(value, Display) or self._accepts_items(hint, value))

    def _accepts_result(self, hint: Hint, statement: Statement) -> bool:
        match statement:
            case st.Literal(value=value):
                return self._accepts(hint, value)
            case st.Reference(named=named):
                return named.live is None or _accepts_object(hint, named.live)
            case st.StubClass(instantiate=True):
                return _accepts_stub(hint, statement)
            case st.Definition():
                return _accepts_defined(hint, statement)
            case st.Call(callee=callee) if callee.module == MOCKS:
                return self._accepts_mock(hint, statement)
            case st.Call(callee=callee) if callee.kind is CalleeKind.CLASS:
                cls = type_of(statement)
                return cls is None or accepts(hint, cls)
            case st.Call(callee=callee) | st.MethodCall(callee=Callee() as callee):
                classes = self._seen.get(callee, ())
                return not classes or any(accepts(hint, cls) for cls in classes)
        cls = type_of(statement)
        if isinstance(statement, st.CallValue) and isinstance(hint, ClassHint):
            made = self._known.get(statement.function)
            if isinstance(made, st.Definition) and not self._returns_as_declared(made, hint.cls):
                return False
        return cls is None or accepts(hint, cls)

    def _accepts_mock(self, hint: Hint, mock: st.Call) -> bool:
        """By what it is a mock of; one of nothing is called, or only asked for attributes."""
        spec = next((variable for name, variable in mock.arguments.keywords if name == "spec"), None)
        named = None if spec is None else self._known.get(spec)
        if not isinstance(named, st.Reference) or not is_class(named.named.live):
            return True
        return accepts(hint, named.named.live)

    def _returns_as_declared(self, double: st.Definition, cls: type) -> bool:
        """Whether the methods of a class that the test defines return what those of ``cls``, which it stands in for, say they do;
        as far as that is a literal, a name or a call of a class."""
        names = dict(double.names)
        for method, value in returned_by_methods(double.source):
            function = function_of(attribute_of(cls, method))
            hint = ANY if function is None else declared_result(function, cls)
            if not is_any(hint) and not self._returns(hint, value, names):
                return False
        return True

    def _returns(self, hint: Hint, value: ast.expr, names: Mapping[str, st.Named | Ref]) -> bool:
        match value:
            case ast.Constant(value=None | bool() | int() | float() | complex() | str() | bytes() as plain):
                return self._accepts(hint, plain)
            case ast.Name(id=name):
                bound = names.get(name)
                return not isinstance(bound, st.Named) or bound.live is None or _accepts_object(hint, bound.live)
            case ast.Call(func=ast.Name(id=name)):
                bound = names.get(name)
                made = bound.live if isinstance(bound, st.Named) else None
                return not is_class(made) or is_any(hint) or not isinstance(hint, ClassHint) or accepts(hint, made)
        return True

    def _accepts_items(self, hint: Hint, display: Display) -> bool:
        if not isinstance(hint, ClassHint) or not hint.arguments:
            return True
        arguments = hint.arguments
        items = typing.cast(tuple[Value, ...], display.items)
        if display.kind == "dict":
            pairs = typing.cast(tuple[tuple[Value, Value], ...], display.items)
            if len(arguments) != 2:
                return all(self._accepts(arguments[0], key) for key, _ in pairs)
            return all(self._accepts(arguments[0], key) and self._accepts(arguments[1], value) for key, value in pairs)
        if hint.cls is tuple and not (len(arguments) == 2 and arguments[1] is VARIADIC):
            return len(items) == len(arguments) and all(map(self._accepts, arguments, items))
        return display.kind == "bytearray" or all(self._accepts(arguments[0], item) for item in items)


def _accepts_object(hint: Hint, live: object) -> bool:
    """Whether an importable object may stand where ``hint`` is asked for."""
    if isinstance(hint, TypeHint):
        return is_class(live) and is_subclass(live, hint.cls)
    if isinstance(hint, ChoiceHint):
        return any(choice is live for choice in hint.values)
    return accepts(hint, type(live))


def _accepts_defined(hint: Hint, statement: st.Definition) -> bool:
    """Whether what the test defines may stand where ``hint`` is asked for: a class by the bases that are known."""
    if isinstance(hint, TypeHint) and is_class_source(statement.source):
        known = [bound.live for _, bound in statement.names if isinstance(bound, st.Named) and is_class(bound.live)]
        return not known or any(_accepts_object(hint, live) for live in known)
    cls = type_of(statement)
    return cls is None or accepts(hint, cls)


def _accepts_stub(hint: Hint, stub: st.StubClass) -> bool:
    """Whether a stub may pass for what is asked for: by what it inherits, or by its members where a protocol asks for no more."""
    if not isinstance(hint, ClassHint):
        return False
    bases = [base.live for base in stub.bases]
    if any(base is None or (is_class(base) and accepts(hint, base)) for base in bases):
        return True
    names = {name for name, _, _ in stub.members}
    if is_protocol(hint.cls):
        return names >= protocol_members(hint.cls)
    return class_module(hint.cls) == "collections.abc" and names >= abstract_methods(hint.cls)
