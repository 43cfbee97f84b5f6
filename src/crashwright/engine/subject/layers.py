"""The Python functions behind callables and descriptors: decorators, partials, properties and bound methods, seen through without
running the subject."""

from __future__ import annotations

import contextlib
import functools
import types
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import cast

from crashwright.engine.subject.introspection import (
    class_dict,
    class_module,
    class_qualname,
    identities,
    instance_dict,
    instance_of,
    is_class,
    loaded_dict,
    static_attribute,
)

_GETTERS = tuple(property.__dict__[name] for name in ("fget", "fset", "fdel"))
_PARTIAL_FUNCTION = functools.partial.__dict__["func"]
_UNWRAP_LIMIT = 20
_CACHED = type(functools.lru_cache(lambda: None))


def function_of(value: object) -> FunctionType | None:
    """The Python function that runs first when ``value`` is called or, for a property, read; None where that is not Python code."""
    for _ in range(_UNWRAP_LIMIT):
        if type(value) is FunctionType:
            return value
        inner = _inner(value)
        if inner is None:
            return None
        value = inner
    return None


def _inner(value: object) -> object | None:
    """One layer of a callable or descriptor removed."""
    cls = type(value)
    if cls is staticmethod or cls is classmethod or cls is types.MethodType:
        return cast(object, value.__func__)  # type: ignore[attr-defined]
    if issubclass(cls, property):
        return cast(object, _GETTERS[0].__get__(value))
    if issubclass(cls, functools.partial):
        return cast(object, _PARTIAL_FUNCTION.__get__(value))
    if issubclass(cls, _KEEPERS):
        return instance_dict(value).get("func")
    attributes = instance_dict(value)
    for name in ("__wrapped__", "func", "fget", "_func", "__func__", "function", "f", "fn", "wrapped", "_fget", "callback"):
        inner = attributes.get(name)
        if id(type(inner)) in _LAYERS:
            return inner
    return None


_KEEPERS = (functools.partialmethod, functools.cached_property, functools.singledispatchmethod)
_LAYERS = identities(FunctionType, staticmethod, classmethod, types.MethodType, functools.partial, property, _CACHED)


def manager_of(value: object) -> type | None:
    """The class of context managers that calling ``value`` makes of a generator, where ``contextlib`` decorated it."""
    function = function_of(value)
    if function is None or function.__code__.co_filename != contextlib.__file__:
        return None
    return _MANAGERS.get(function.__code__.co_qualname)


_MANAGERS: dict[str, type] = {
    "contextmanager.<locals>.helper": contextlib.AbstractContextManager,
    "asynccontextmanager.<locals>.helper": contextlib.AbstractAsyncContextManager,
}


def wrapped_of(function: object) -> object | None:
    """What ``functools.wraps`` recorded."""
    return instance_dict(function).get("__wrapped__")


def codes_of(value: object) -> tuple[CodeType, ...]:
    """The code objects that a call of ``value`` runs, outermost first: its own, and those behind ``__wrapped__``."""
    codes: list[CodeType] = []
    for function in layers_of(value):
        if function.__code__ not in codes:
            codes.append(function.__code__)
    return tuple(codes)


def layers_of(value: object) -> Iterator[FunctionType]:
    """The Python functions of a chain of decorators, outermost first."""
    current: object | None = value
    for _ in range(_UNWRAP_LIMIT):
        function = function_of(current)
        if function is None:
            return
        yield function
        current = wrapped_of(function)
        if current is None:
            return


def enclosed_functions(value: object) -> Iterator[FunctionType]:
    """Functions that the decorators of ``value`` keep in their closures: what a wrapper without ``functools.wraps`` calls. Of a
    class that is kept there its methods, with what these enclose in turn: a decorator may put the function into one."""
    for layer in layers_of(value):
        for content in _enclosed(layer):
            yield from layers_of(content)
            for method in _methods(content):
                yield method
                for inner in _enclosed(method):
                    yield from layers_of(inner)


def _enclosed(function: FunctionType) -> Iterator[object]:
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            content = cell.cell_contents
        except ValueError:  # the cell is still empty
            continue
        if name != "__class__":  # the class that the function is of, for the sake of ``super()``
            yield content


def _methods(value: object) -> Iterator[FunctionType]:
    """Those of a class that no module has by its name: it was made for what it is kept for."""
    if is_class(value) and loaded_dict(class_module(value)).get(class_qualname(value)) is not value:
        for attribute in list(class_dict(value).values()):
            yield from layers_of(attribute)


def setters_of(value: object) -> tuple[object, ...]:
    """The setter and deleter of a property."""
    if not instance_of(value, property):
        return ()
    found = (getter.__get__(value) for getter in _GETTERS[1:])
    return tuple(item for item in found if item is not None)


def can_be_deleted(descriptor: object) -> bool:
    """Whether a property has a deleter, or another descriptor says what deleting means."""
    if instance_of(descriptor, property):
        return _GETTERS[2].__get__(descriptor) is not None
    return static_attribute(type(descriptor), "__delete__") is not None


def can_be_set(descriptor: object) -> bool:
    """Whether a property has a setter; of other descriptors that is not known, and assumed."""
    return not instance_of(descriptor, property) or _GETTERS[1].__get__(descriptor) is not None
