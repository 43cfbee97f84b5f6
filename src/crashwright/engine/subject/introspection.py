"""Looking at live objects without running the subject: no descriptors, no ``__getattr__``, no ``__class__`` properties, no hash or
equality of a metaclass.

Whatever the subject holds may be lazy or hostile: a proxy that raises until it is configured, a metaclass that cannot be hashed, a
module that is none. So objects of the subject are looked at by ``type(x)``, identity and the slots of the interpreter, and all such
looks go through here. ``tests/architecture/test_looks.py`` finds the others.
"""

from __future__ import annotations

import operator
import sys
import types
from collections import defaultdict, deque
from collections.abc import Mapping
from types import FunctionType
from typing import TypeGuard, cast

_CLASS_DICT = type.__dict__["__dict__"]
_CLASS_MRO = type.__dict__["__mro__"]
_CLASS_MODULE = type.__dict__["__module__"]
_CLASS_QUALNAME = type.__dict__["__qualname__"]
_CLASS_NAME = type.__dict__["__name__"]
_CLASS_FLAGS = type.__dict__["__flags__"]
_MODULE_DICT = vars(types.ModuleType)["__dict__"]
_ASKED = ("__hash__", "__eq__", "__getattribute__")
_ROOTS = (type, object)
_MISSING = object()
_ORDINARY = frozenset(
    map(id, (int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, deque, defaultdict, BaseException))
)
"""Classes in C whose look-up of attributes, though a slot of their own, is that of ``object``."""
_ABSTRACT_FLAG = 1 << 20
_FUNCTION_DICT = FunctionType.__dict__["__dict__"]
_EMPTY: Mapping[str, object] = types.MappingProxyType({})
MODULES = sys.modules
"""The interpreter's own table: a test may have put anything in the place of ``sys.modules`` by the time we look."""


def derives(cls: type, base: type) -> bool:
    """``issubclass`` by the order of lookup alone: no ``__subclasscheck__``, no ``__subclasshook__``."""
    return type.__subclasscheck__(base, cls)


def instance_of(value: object, base: type) -> bool:
    """``isinstance`` by the real class alone."""
    return type.__subclasscheck__(base, type(value))


def is_class(value: object) -> TypeGuard[type]:
    """Whether ``value`` really is a class (``isinstance`` would ask its ``__class__``)."""
    return issubclass(type(value), type)


def identities(*classes: type) -> frozenset[int]:
    """To ask ``id(type(value)) in ...``: a set of the classes themselves would hash the class of the value, and a tuple compare it,
    which its metaclass may answer. For classes that live for ever."""
    return frozenset(map(id, classes))


def class_dict(cls: type) -> Mapping[str, object]:
    """The class's own attributes."""
    return cast(Mapping[str, object], _CLASS_DICT.__get__(cls))


def class_mro(cls: type) -> tuple[type, ...]:
    """The class and its bases in order of lookup."""
    return cast(tuple[type, ...], _CLASS_MRO.__get__(cls))


def subclasses_of(cls: type) -> list[type]:
    """Those that derive from it directly and are alive, in the order in which they were made."""
    return type.__subclasses__(cls)


def class_qualname(cls: type) -> str:
    """``Outer.Inner``."""
    return cast(str, _CLASS_QUALNAME.__get__(cls))


def class_name(cls: type) -> str:
    """The bare name."""
    return cast(str, _CLASS_NAME.__get__(cls))


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
    known: str | None = None
    for member in class_dict(cls).values():
        function = member.__func__ if type(member) is staticmethod or type(member) is classmethod else member
        if type(function) is not FunctionType or function.__code__.co_qualname != prefix + function.__code__.co_name:
            continue
        home = function_home(function)
        if home == said:
            return said  # mostly the first one: a large package has thousands of classes
        if known is None and (not said or same_package(home, said)):
            known = home
    return said if known is None else known


def function_home(function: FunctionType) -> str:
    """The name of the module whose globals the function has."""
    return text(function.__globals__.get("__name__"))


def function_module(function: FunctionType | types.BuiltinFunctionType) -> str:
    """The name of the module that the function says it is of."""
    return text(function.__module__)


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
    if type(value) is FunctionType:  # of all that is asked for, nearly everything
        return cast(Mapping[str, object], _FUNCTION_DICT.__get__(value))
    for parent in class_mro(type(value)):
        slot = class_dict(parent).get("__dict__")
        if type(slot) is types.GetSetDescriptorType:  # and no property of the subject's
            try:
                found = slot.__get__(value)
            except (AttributeError, TypeError):  # TypeError: a descriptor copied from another class
                continue
            return cast(Mapping[str, object], found) if type(found) is dict else _EMPTY
    return _EMPTY


def attribute_sources(value: object, name: str, missing: object) -> tuple[object, object] | None:
    """What the look-up of an attribute of an instance decides between: what its classes have for the name, raw, and what its own
    dictionary has. Each ``missing`` where it has none; None where the class looks attributes up in a way of its own."""
    raw = missing
    own: object = None
    for parent in class_mro(type(value)):
        names = class_dict(parent)
        if parent is not object:
            if "__getattribute__" in names and id(parent) not in _ORDINARY:
                return None
            if own is None and type(names.get("__dict__")) is types.GetSetDescriptorType:
                own = names["__dict__"]
        if raw is missing and name in names:
            raw = names[name]
    if own is None:
        return raw, missing
    found = cast(types.GetSetDescriptorType, own).__get__(value)
    return raw, found.get(name, missing) if type(found) is dict else missing


def module_dict(module: object) -> dict[str, object]:
    """The globals of a module, also of one that replaced itself by an object of its own class."""
    if not instance_of(module, types.ModuleType):
        return dict(instance_dict(module))
    found = _MODULE_DICT.__get__(module)
    return cast(dict[str, object], found) if type(found) is dict else {}


def loaded_module(name: str) -> types.ModuleType | None:
    """The module of that name, where it is loaded and really is one: ``sys.modules`` may hold anything."""
    found: object = MODULES.get(name)
    return found if is_module(found) else None


def loaded_dict(name: str) -> dict[str, object]:
    """The globals of whatever is loaded by that name (see :func:`module_dict`); empty where nothing is."""
    found: object = MODULES.get(name)
    return {} if found is None else module_dict(found)


def loaded_modules() -> int:
    """How many modules are loaded: cheap to ask, where only a change is of interest."""
    return len(MODULES)


def loaded_names(package: str) -> list[str]:
    """The names of the modules of a package that are loaded, in the order of their import."""
    return [name for name in list(MODULES) if type(name) is str and (name == package or name.startswith(f"{package}."))]


def is_module(value: object) -> TypeGuard[types.ModuleType]:
    """Whether ``value`` really is a module, maybe of a class of its own."""
    return issubclass(type(value), types.ModuleType)


def attribute_of(value: object, name: str, default: object = None) -> object:
    """The attribute, where an import statement would find it without running the subject: what a module holds, or a class and
    its bases (descriptors as they are), or an instance itself."""
    if is_class(value):
        found = static_attribute(value, name)
        return default if found is None else found[1]
    return (module_dict(value) if is_module(value) else instance_dict(value)).get(name, default)


def live_at(module: str, qualname: str, default: object = None) -> object:
    """What a test finds that imports this address and reads its attributes: the one look here that may run code of the subject."""
    value: object = MODULES.get(module, default)
    try:
        for part in qualname.split("."):
            value = getattr(value, part)
    except BaseException:  # noqa: BLE001 - a lazy object may raise anything; then no test can name what is behind it
        return default
    return value


def text(value: object) -> str:
    """``value`` where it is a text, else the empty one: names, module names and docstrings can be set to anything."""
    return value if type(value) is str else ""


def is_callable(value: object) -> bool:
    """``callable``, which asks the class too, but by its order of lookup."""
    return static_attribute(type(value), "__call__") is not None


def is_sound(cls: type) -> bool:
    """Whether the class can be a key and be asked its name: a metaclass may define ``__hash__``, ``__eq__`` and
    ``__getattribute__``, and only one whose work is let into the model of the subject."""
    meta = type(cls)
    if meta is type or all(_definer(meta, name) in _ROOTS for name in _ASKED):
        return True
    try:
        same, other = operator.eq(cls, cls), operator.eq(cls, object)
        return same is True and other is False and hash(cls) == hash(cls) and cls.__mro__ is class_mro(cls)
    except BaseException:  # noqa: BLE001 - code of the subject's metaclass may raise anything; then the class is left out
        return False


def _definer(cls: type, name: str) -> type | None:
    found = static_attribute(cls, name)
    return None if found is None else found[0]


def own_annotations(cls: type) -> Mapping[str, object]:
    """The annotations that the class keeps; none where ``__annotations__`` is no dictionary."""
    kept = class_dict(cls).get("__annotations__")
    if type(kept) is not dict:
        kept = class_dict(cls).get("__annotations_cache__")
    return kept if type(kept) is dict else _EMPTY


def is_typed_dict(cls: type) -> bool:
    """Whether the class is a ``TypedDict``, of ``typing`` or ``typing_extensions``."""
    return class_name(type(cls)) == "_TypedDictMeta"


def is_protocol(cls: type) -> bool:
    """Whether the class is a protocol itself (a class that implements one is not)."""
    found = static_attribute(cls, "_is_protocol")
    return found is not None and found[1] is True


def abstract_methods(cls: type) -> frozenset[str]:
    """The names that keep the class from being instantiated."""
    found = class_dict(cls).get("__abstractmethods__")
    return found if type(found) is frozenset else frozenset()


def is_abstract(cls: type) -> bool:
    """Whether the class refuses to be instantiated: abstract methods left, or a protocol."""
    flags: int = _CLASS_FLAGS.__get__(cls)
    return bool(flags & _ABSTRACT_FLAG) or class_dict(cls).get("_is_protocol") is True


def is_exception(cls: type) -> bool:
    """Whether instances can be raised."""
    return derives(cls, BaseException)
