"""Calls as somebody writes them who tries a class out: each argument is a plain value of what the parameter takes, what was passed
under a name before is passed under it again, and what one call gave is handed to the next that takes such a thing.

The second date of a test comes after the first one, and the second number is another one: code that compares its arguments goes
its usual way.
"""

from __future__ import annotations

import collections.abc
import enum
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar, cast

from crashwright.engine.sources.values.usual_types import Usual, UsualTypes, ordinary_values
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.subject.api.hints import named_members
from crashwright.engine.subject.api.types import ChoiceHint, ClassHint, Hint, TypeHint, accepts
from crashwright.engine.subject.introspection import class_module, class_name, derives
from crashwright.engine.testcase.making.definitions import constructor_of
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.mocked import mock_call
from crashwright.engine.testcase.making.standard_plain import plain_arguments
from crashwright.engine.testcase.making.values import VALUE_TYPES
from crashwright.engine.testcase.statements import (
    Arguments,
    Call,
    Display,
    GetAttribute,
    Literal,
    MethodCall,
    Named,
    Ref,
    Reference,
    Statement,
    Value,
    Variable,
)
from crashwright.engine.testcase.typed import type_of
from crashwright.engine.testcase.variables import defined

T = TypeVar("T")
_DEEPEST = 4
_NONE = type(None)
_CALLABLE = cast(type, collections.abc.Callable)
_NUMBERS: tuple[Value, ...] = (1, 2, 3, 5, 10)
_FLOATS: tuple[Value, ...] = (1.5, 2.0, 0.5, 10.0)
_COLLECTIONS: dict[type, str] = {list: "list", tuple: "tuple", set: "set", frozenset: "frozenset"}


class PlainCalls:
    """Writes one test. ``whole``: arguments that may be left out are passed too; ``same``: what has the name of something that was
    passed before is that. ``varied``: which of several plain values comes first is left to chance, and what may be left out and
    is not known at all is left out. ``makers``: what makes an object of the subject, if not the class itself."""

    def __init__(
        self,
        factory: Factory,
        usual: UsualTypes,
        rng: Random,
        statements: Sequence[Statement] = (),
        varied: bool = False,
        makers: Callable[[ClassHint], Sequence[Callee]] | None = None,
    ) -> None:
        self._factory = factory
        self._usual = usual
        self._rng = rng
        self.statements: list[Statement] = list(statements)
        self._passed: dict[str, Variable] = {}
        self._made: dict[object, int] = {}
        """How many of a kind there are."""
        self._varied = varied
        self._makers = factory.constructors_of if makers is None else makers

    def hand(self, name: str, variable: Variable) -> None:
        """It is passed under that name from now on."""
        self._passed[name] = variable

    def forget(self, name: str) -> None:
        """What is passed under that name next is another value."""
        self._passed.pop(name, None)

    def cut(self, place: int) -> None:
        """Without the statements from there on, and what they define."""
        gone = {defined(one) for one in self.statements[place:]}
        del self.statements[place:]
        self._passed = {name: variable for name, variable in self._passed.items() if variable not in gone}

    def call(
        self, callee: Callee, receiver: Variable | None = None, whole: bool = False, same: bool = True, depth: int = 0
    ) -> Variable | None:
        """Appends the call; its variable, or None where an argument cannot be made."""
        if callee.kind is CalleeKind.PROPERTY and receiver is not None:
            self.statements.append(GetAttribute(self._factory.new(), receiver, callee.name))
            return self.statements[-1][0]
        arguments = self._arguments(callee, whole, same, depth)
        if arguments is None:
            return None
        variable = self._factory.new()
        if receiver is not None:
            self.statements.append(MethodCall(variable, receiver, callee.name, arguments, callee))
        else:
            self.statements.append(Call(variable, callee, arguments))
        return self._factory.drive(self.statements, callee, variable, self._rng, _DEEPEST)

    def _arguments(self, callee: Callee, whole: bool, same: bool, depth: int) -> Arguments | None:
        positional: list[Variable] = []
        keywords: list[tuple[str, Variable]] = []
        for parameter in callee.parameters:
            kind = parameter.kind
            if kind in (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD) or not (parameter.required or whole):
                continue
            given = self._passed.get(parameter.name) if same else None
            if given is None:
                given = self._value(callee, parameter, same, depth)
            if given is None:
                if parameter.required:
                    return None
                continue
            self._passed[parameter.name] = given
            if kind is ParameterKind.KEYWORD_ONLY or not parameter.required:
                keywords.append((parameter.name, given))
            else:
                positional.append(given)
        return Arguments(tuple(positional), tuple(keywords))

    def _value(self, callee: Callee, parameter: Parameter, same: bool, depth: int) -> Variable | None:
        usual = self._usual.of(callee, parameter)
        if self._varied and not (parameter.required or usual.hints or usual.values):
            return None
        if usual.values or usual.named or not usual.hints:
            return self._one_of(parameter.name, self._other(parameter, ordinary_values(usual, parameter)))
        for hint in usual.hints:
            made = self._of(hint, parameter, usual, same, depth)
            if made is not None:
                return made
        return None

    def _of(self, hint: Hint, parameter: Parameter, usual: Usual, same: bool, depth: int) -> Variable | None:
        """What one part of the type asks for."""
        if isinstance(hint, ChoiceHint):
            return self._one_of(parameter.name, self._other(parameter, ordinary_values(usual, parameter)))
        if isinstance(hint, TypeHint):
            return self._factory.argument(self.statements, hint, self._rng, _DEEPEST, parameter.name, legal=True)
        if not isinstance(hint, ClassHint) or hint.cls is _NONE:
            return None
        cls = hint.cls
        if cls is bool:
            return self._literal(parameter.default is not True)
        if cls is int or cls is float:
            return self._one_of(cls, self._other(parameter, _NUMBERS if cls is int else _FLOATS))
        if cls is str:
            word = ordinary_values(usual, parameter)
            return self._one_of(parameter.name, [*self._other(parameter, word), f"other {parameter.name.strip('_')}"])
        if cls in _COLLECTIONS and hint.arguments:
            return self._collection(hint, parameter, same, depth)
        if cls in VALUE_TYPES:
            return self._one_of(parameter.name, ordinary_values(usual, parameter))
        return self._object(hint, parameter, same, depth)

    def _collection(self, hint: ClassHint, parameter: Parameter, same: bool, depth: int) -> Variable | None:
        """Two different items."""
        item = hint.arguments[0]
        items: list[Value] = []
        for _ in range(2):
            part = parameter._replace(hint=item, default=None, name=parameter.name.removesuffix("s") or parameter.name)
            made = self._of(item, part, Usual((item,)), same and not items, depth + 1)
            if made is None:
                return None
            given = next(one for one in self.statements if one[0] == made)
            items.append(given.value if isinstance(given, Literal) else Ref(made))
        return self._literal(Display(_COLLECTIONS[hint.cls], tuple(items)))

    def _object(self, hint: ClassHint, parameter: Parameter, same: bool, depth: int) -> Variable | None:
        """One that is there, or a new one."""
        factory, cls = self._factory, hint.cls
        if same and factory.is_own(cls):
            for one in reversed(self.statements):
                known = None if isinstance(one, Literal) else type_of(one, factory.observed)
                if known is not None and accepts(hint, known):
                    return one[0]
        if derives(cls, enum.Enum):
            members = named_members(cls)
            if members and factory.is_own(cls):
                name, member = self._nth(cls, [*members])
                home = constructor_of(factory, cls)
                return self._refer(Named(home.module, f"{home.qualname}.{name}", member))
        plain = plain_arguments(cls)
        if plain:
            given = [self._literal(value) for value in self._nth(cls, plain)]
            maker = factory.api.standard(class_module(cls), class_name(cls))
            self.statements.append(Call(factory.new(), maker, Arguments(tuple(given))))
            return self.statements[-1][0]
        if cls is _CALLABLE:
            return self._function(hint, parameter, same, depth)
        makers = self._makers(hint) if factory.is_own(cls) and depth < _DEEPEST else ()
        if makers and makers[0].kind in (CalleeKind.CLASS, CalleeKind.FUNCTION):
            return self.call(makers[0], None, False, same, depth + 1)
        return factory.argument(self.statements, hint, self._rng, min(depth + 1, _DEEPEST), parameter.name, legal=True)

    def _function(self, hint: ClassHint, parameter: Parameter, same: bool, depth: int) -> Variable:
        """A mock of it that answers with a plain value of what is declared."""
        results = hint.arguments[-1:]
        part = parameter._replace(hint=results[0], default=None) if results else parameter
        answer = self._of(results[0], part, Usual(results), same, depth + 1) if results and depth < _DEEPEST else None
        return mock_call(self._factory, self.statements, "Mock", () if answer is None else (("return_value", answer),))

    # Values that differ

    def _other(self, parameter: Parameter, values: Sequence[Value]) -> list[Value]:
        """Without the default, where there is another one: nobody passes that."""
        other = [one for one in values if parameter.required or repr(one) != repr(parameter.default)]
        return other or list(values)

    def _one_of(self, kind: object, values: Sequence[Value]) -> Variable | None:
        return self._literal(self._nth(kind, values)) if values else None

    def _nth(self, kind: object, values: Sequence[T]) -> T:
        count = self._made.get(kind)
        if count is None:
            count = self._rng.randrange(len(values)) if self._varied else 0
        self._made[kind] = count + 1
        return values[count % len(values)]

    def _literal(self, value: Value) -> Variable:
        return self._factory.literal(self.statements, value)

    def _refer(self, named: Named) -> Variable:
        self.statements.append(Reference(self._factory.new(), named))
        return self.statements[-1][0]
