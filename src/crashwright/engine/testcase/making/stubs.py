"""Stand-ins defined in the test itself: lambdas for callable parameters, small classes for protocols and abstract classes."""

from __future__ import annotations

from random import Random
from types import FunctionType

from crashwright.engine.subject.api.hints import HintScope, hint_of
from crashwright.engine.subject.api.types import ANY, VARIADIC, ChoiceHint, ClassHint, Hint, protocol_members
from crashwright.engine.subject.introspection import (
    abstract_methods,
    attribute_of,
    class_module,
    class_name,
    class_qualname,
    instance_of,
    is_callable,
    is_protocol,
)
from crashwright.engine.subject.layers import function_of
from crashwright.engine.testcase.making.nested_values import is_plain
from crashwright.engine.testcase.making.values import random_value
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Named, StubCallable, StubClass, Value, Variable

_NAMES = ("x", "y", "z", "u", "v", "w")
_ERRORS = ("ValueError", "TypeError", "KeyError", "RuntimeError", "StopIteration", "OSError")
_BUILTINS: tuple[Named, ...] = tuple(Named("builtins", f.__name__, f) for f in (len, str, int, list, repr, sorted, print, dict))


def stub_callable(rng: Random, variable: Variable, hint: Hint, pool: SeedPool) -> StubCallable:
    """A lambda of the arity that ``hint`` asks for (any arguments where it does not say), now and then one that raises."""
    arguments = hint.arguments if isinstance(hint, ClassHint) else ()
    parameters = "*args, **kwargs"
    if (
        arguments
        and not any(isinstance(part, ChoiceHint) and part == VARIADIC for part in arguments)
        and len(arguments) <= len(_NAMES)
    ):
        parameters = ", ".join(_NAMES[: len(arguments) - 1])
    raises = _ERRORS[int(rng.random() * len(_ERRORS))] if rng.random() < 0.08 else None
    result = None if raises else random_value(rng, arguments[-1] if arguments else ANY, pool)
    return StubCallable(variable, parameters, result, raises)


def builtin_callable(rng: Random) -> Named:
    """One of the common builtin functions."""
    return _BUILTINS[int(rng.random() * len(_BUILTINS))]


def can_stub(cls: type) -> bool:
    """Is ``cls`` a protocol or abstract, so that only a subclass can be had?"""
    return is_protocol(cls) or bool(abstract_methods(cls))


def stub_class(rng: Random, variable: Variable, cls: type, pool: SeedPool, instantiate: bool = True) -> StubClass:
    """A class with the members that the protocol or abstract class ``cls`` asks for."""
    protocol = is_protocol(cls)
    names = protocol_members(cls) if protocol else abstract_methods(cls)
    bases = () if protocol else (Named(class_module(cls), class_qualname(cls), cls),)
    members = tuple((name, *_member(rng, cls, name, pool)) for name in sorted(names))
    return StubClass(variable, f"Stub{class_name(cls).strip('_').title().replace('_', '')}", bases, members, instantiate)


def declared_result(function: FunctionType, cls: type) -> Hint:
    """What an abstract method declares to return."""
    annotation = function.__annotations__.get("return")
    return ANY if annotation is None else hint_of(annotation, HintScope(function.__globals__, cls))


def _result(function: FunctionType, cls: type) -> Hint:
    """As declared, where literals can be that."""
    hint = declared_result(function, cls)
    return hint if is_plain(hint) else ANY


def _member(rng: Random, cls: type, name: str, pool: SeedPool) -> tuple[str, Value]:
    found = attribute_of(cls, name)
    function = function_of(found)
    value = random_value(rng, ANY if function is None else _result(function, cls), pool)
    if instance_of(found, property):
        return "property", value
    method = is_callable(found) or instance_of(found, staticmethod) or instance_of(found, classmethod)
    return ("method" if method else "attribute"), value
