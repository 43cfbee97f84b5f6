"""Arguments that are named rather than written: choices of a hint, classes as values, builtin functions; and stand-ins for
callables."""

from __future__ import annotations

import enum
from random import Random
from typing import cast

from crashwright.engine.subject.api.callee import CalleeKind
from crashwright.engine.subject.api.types import ChoiceHint, ClassHint, Hint, TypeHint
from crashwright.engine.subject.introspection import (
    class_module,
    class_qualname,
    instance_dict,
    instance_of,
    is_abstract,
    is_class,
    text,
)
from crashwright.engine.testcase.making.definitions import constructor_of
from crashwright.engine.testcase.making.stubs import builtin_callable, stub_callable
from crashwright.engine.testcase.making.values import SCALARS
from crashwright.engine.testcase.making.vocabulary import StatementBuilder
from crashwright.engine.testcase.statements import Named, Reference, Statement, Value, Variable

_BUILTIN_CALLABLE = 0.2


def reference(builder: StatementBuilder, statements: list[Statement], named: Named) -> Variable:
    """Appends a reference to something importable."""
    variable = builder.new()
    statements.append(Reference(variable, named))
    return variable


def choice(builder: StatementBuilder, statements: list[Statement], hint: ChoiceHint, rng: Random) -> Variable:
    """Appends one of the values of ``hint``."""
    value = hint.values[int(rng.random() * len(hint.values))]
    if type(value) in SCALARS:
        return builder.literal(statements, cast(Value, value))
    if instance_of(value, enum.Enum):
        cls, name = type(value), text(instance_dict(value).get("_name_"))
        home = constructor_of(builder, cls)
        return reference(builder, statements, Named(home.module, f"{home.qualname}.{name}", value))
    if is_class(value):
        return reference(builder, statements, named_class(value))
    return builder.literal(statements, None)


def class_value(builder: StatementBuilder, statements: list[Statement], hint: TypeHint, rng: Random) -> Variable:
    """Appends a reference to a class that ``hint`` accepts."""
    definer = builder.definer
    if definer is not None and (definer.wants(hint.cls, rng) or (is_abstract(hint.cls) and rng.random() < _BUILTIN_CALLABLE)):
        return definer.subclass(builder, statements, hint.cls, rng)
    classes = [callee for callee in builder.constructors_of(ClassHint(hint.cls)) if callee.kind is CalleeKind.CLASS]
    if classes:
        callee = classes[int(rng.random() * rng.random() * len(classes))]
        return reference(builder, statements, Named(callee.module, callee.qualname, callee.live))
    return reference(builder, statements, named_class(hint.cls))


def named_class(cls: type) -> Named:
    """The class by the address that it gives itself."""
    return Named(class_module(cls), class_qualname(cls), cls)


def callable_value(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random) -> Variable:
    """Appends a builtin function, or a lambda of the arity that ``hint`` asks for."""
    if rng.random() < _BUILTIN_CALLABLE:
        return reference(builder, statements, builtin_callable(rng))
    defined = None if builder.definer is None else builder.definer.function(builder, statements, hint, rng)
    if defined is not None:
        return defined
    stub = stub_callable(rng, builder.new(), hint, builder.pool)
    statements.append(stub)
    return stub.variable
