"""Looking at live objects without running the subject: no descriptors, no ``__getattr__``, no ``__class__`` properties."""

from __future__ import annotations

import functools
import types
from collections.abc import Iterator, Mapping
from types import CodeType, FunctionType
from typing import cast

_CLASS_DICT = type.__dict__["__dict__"]
_CLASS_MRO = type.__dict__["__mro__"]
_GETTERS = tuple(property.__dict__[name] for name in ("fget", "fset", "fdel"))
_CLASS_MODULE = type.__dict__["__module__"]
_CLASS_QUALNAME = type.__dict__["__qualname__"]
_ABSTRACT_FLAG = 1 << 20
_UNWRAP_LIMIT = 20
_EMPTY: Mapping[str, object] = types.MappingProxyType({})
_CACHED = type(functools.lru_cache(lambda: None))


def is_class(value: object) -> bool:
    """Whether ``value`` really is a class (``isinstance`` would ask its ``__class__``)."""
    return type in type(value).__mro__


def class_dict(cls: type) -> Mapping[str, object]:
    """The class's own attributes."""
    return cast(Mapping[str, object], _CLASS_DICT.__get__(cls))


def class_mro(cls: type) -> tuple[type, ...]:
    """The class and its bases in order of lookup."""
    return cast(tuple[type, ...], _CLASS_MRO.__get__(cls))


def class_qualname(cls: type) -> str:
    """``Outer.Inner``."""
    return cast(str, _CLASS_QUALNAME.__get__(cls))


def class_module(cls: type) -> str:
    """The name of the module that says it defines the class."""
    try:
        module = _CLASS_MODULE.__get__(cls)
    except AttributeError:
        return ""
    return module if type(module) is str else ""


def class_home(cls: type) -> str:
    """The name of the module that the class was written in. A package that re-exports its parts may have put its own name into
    their ``__module__``: then the class's own methods know better."""
    said = class_module(cls)
    prefix = f"{class_qualname(cls)}."
    members = (
        value.__func__ if type(value) is staticmethod or type(value) is classmethod else value for value in class_dict(cls).values()
    )
    functions = [member for member in members if type(member) is FunctionType]
    homes = [function_home(one) for one in functions if one.__code__.co_qualname == prefix + one.__code__.co_name]
    return said if said in homes else next((home for home in homes if same_package(home, said)), said)


def function_home(function: FunctionType) -> str:
    """The name of the module whose globals the function has."""
    name = function.__globals__.get("__name__")
    return name if type(name) is str else ""


def same_package(module: str, other: str) -> bool:
    """Whether both modules are of one top-level package."""
    return module.partition(".")[0] == other.partition(".")[0]


def static_attribute(cls: type, name: str) -> tuple[type, object] | None:
    """The class that defines ``name`` for instances of ``cls``, with the raw attribute."""
    for parent in class_mro(cls):
        attributes = class_dict(parent)
        if name in attributes:
            return parent, attributes[name]
    return None


def instance_dict(value: object) -> Mapping[str, object]:
    """The instance's own attributes, empty where it keeps none."""
    try:
        found = object.__getattribute__(value, "__dict__")
    except (AttributeError, TypeError):  # TypeError: a ``__dict__`` descriptor copied from another class
        return _EMPTY
    return cast(Mapping[str, object], found) if type(found) is dict else _EMPTY


def module_dict(module: object) -> dict[str, object]:
    """The globals of a module, also of one that replaced itself by an object of its own class."""
    try:
        found = types.ModuleType.__getattribute__(module, "__dict__")
    except (AttributeError, TypeError):
        return dict(instance_dict(module))
    return cast(dict[str, object], found)


def is_abstract(cls: type) -> bool:
    """Whether the class refuses to be instantiated: abstract methods left, or a protocol."""
    flags: int = type.__dict__["__flags__"].__get__(cls)
    return bool(flags & _ABSTRACT_FLAG) or class_dict(cls).get("_is_protocol") is True


def is_exception(cls: type) -> bool:
    """Whether instances can be raised."""
    return BaseException in class_mro(cls)


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
    if type(value) in (staticmethod, classmethod, types.MethodType):
        return cast(object, value.__func__)  # type: ignore[attr-defined]
    if property in type(value).__mro__:
        return cast(object, _GETTERS[0].__get__(value))
    if functools.partial in type(value).__mro__ or functools.partialmethod in type(value).__mro__:
        return cast(object, value.func)  # type: ignore[attr-defined]
    if type(value) is functools.cached_property:
        return value.func
    if type(value) is functools.singledispatchmethod:
        return cast(object, value.func)
    attributes = instance_dict(value)
    for name in ("__wrapped__", "func", "fget", "_func", "__func__", "function", "f", "fn", "wrapped", "_fget", "callback"):
        inner = attributes.get(name)
        if inner is not None and (type(inner) is FunctionType or type(inner) in _LAYERS):
            return inner
    return None


_LAYERS = (staticmethod, classmethod, types.MethodType, functools.partial, property, _CACHED)


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
    """Functions that the decorators of ``value`` keep in their closures: what a wrapper without ``functools.wraps`` calls."""
    for layer in layers_of(value):
        for cell in layer.__closure__ or ():
            try:
                content = cell.cell_contents
            except ValueError:  # the cell is still empty
                continue
            yield from layers_of(content)


def setters_of(value: object) -> tuple[object, ...]:
    """The setter and deleter of a property."""
    if property not in type(value).__mro__:
        return ()
    found = (getter.__get__(value) for getter in _GETTERS[1:])
    return tuple(item for item in found if item is not None)
