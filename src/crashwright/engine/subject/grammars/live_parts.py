"""What objects of parsing libraries keep, and where such objects are: reached from the globals of a package's modules, however they
are held. Nothing of the subject is run."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, MemberDescriptorType, ModuleType
from typing import NamedTuple, TypeVar, cast

from crashwright.engine.subject.introspection import (
    MODULES,
    class_dict,
    class_module,
    class_mro,
    class_name,
    derives,
    identities,
    instance_dict,
    instance_of,
    is_class,
    loaded_dict,
    loaded_names,
    module_dict,
    same_package,
    static_attribute,
)

MOST_OBJECTS = 150_000
"""That are looked at for those of a library."""
MOST_RETURNS = 4000
"""Of functions whose variables are looked at in one run."""
_PASSED = identities(str, bytes, int, float, bool, complex, CodeType, FrameType, BuiltinFunctionType)
_MODULE_TYPES = identities(ModuleType)
T = TypeVar("T")


def kept(value: object, name: str) -> object:
    """An attribute that an instance keeps, in its dictionary or in a slot; else what its class has of that name, raw."""
    own = instance_dict(value)
    if name in own:
        return own[name]
    found = static_attribute(type(value), name)
    if found is None:
        return None
    if type(found[1]) is MemberDescriptorType:
        try:
            return cast(object, found[1].__get__(value))
        except AttributeError:  # it was never set
            return None
    return found[1]


def string(value: object) -> str:
    """The text that an object of a class of texts is; else the empty one."""
    return str.__str__(value) if instance_of(value, str) else ""


def items(value: object) -> list[object]:
    """Of a list or tuple, or what derives from them."""
    if instance_of(value, list):
        return list.__getitem__(cast("list[object]", value), slice(None))
    return [*tuple.__iter__(cast("tuple[object, ...]", value))] if instance_of(value, tuple) else []


def entries(value: object) -> dict[object, object]:
    """Of a dictionary, or what derives from it."""
    return dict(dict.items(cast("dict[object, object]", value))) if instance_of(value, dict) else {}


def kinds(value: object) -> Iterator[str]:
    """The names of the classes of a value, its own first."""
    return (class_name(cls) for cls in class_mro(type(value)))


def is_loaded(library: str) -> bool:
    """Whether a module of that name is, maybe as a part of another package."""
    return any(type(name) is str and library in name.split(".") for name in list(MODULES))


class HeldObject(NamedTuple):
    """An object, and the module of the package from which it was reached."""

    value: object
    module: str


def held_by(package: str, base: str, library: str, beside: Sequence[HeldObject] = ()) -> list[HeldObject]:
    """The objects of classes that derive from the one of the name ``base`` in a ``library``, as far as ``package`` holds them, or
    what there is ``beside``: not those that hold each other, nor those of the library."""
    if not is_loaded(library):
        return []
    known: dict[int, bool] = {}

    def is_wanted(cls: type) -> bool:
        if id(cls) not in known:
            known[id(cls)] = any(class_name(one) == base and library in class_module(one).split(".") for one in class_mro(cls))
        return known[id(cls)]

    own = {id(value) for name in list(MODULES) if type(name) is str and library in name.split(".") for value in _globals(name)}
    return [one for one in _reached(package, is_wanted, beside) if id(one.value) not in own]


def _globals(name: str) -> list[object]:
    return list(loaded_dict(name).values())


def _reached(package: str, is_wanted: Callable[[type], bool], beside: Sequence[HeldObject]) -> Iterator[HeldObject]:
    namespaces = {id(module_dict(module)) for module in list(MODULES.values()) if module is not None}
    seen: set[int] = set()
    waiting: list[tuple[object, str]] = [*beside]
    for name in loaded_names(package):
        waiting += [(value, name) for value in list(loaded_dict(name).values())]
    looked = 0
    for value, module in waiting:  # which grows meanwhile
        cls = type(value)
        if id(value) in seen or id(cls) in _PASSED or id(value) in namespaces or derives(cls, ModuleType):
            continue
        seen.add(id(value))
        if is_wanted(cls):
            yield HeldObject(value, module)
            continue
        if is_class(value) and not same_package(class_module(value), package):
            continue
        looked += 1
        if looked > MOST_OBJECTS:
            return
        waiting += [(one, module) for one in gc.get_referents(value)]


class HeldMeanwhile:
    """The variables of the functions of a package that run meanwhile, and of those that these call, as each of them returns or
    raises. A profiler that is there gets its place back."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._homes: dict[int, str] = {}
        self._looked_at = 0
        self._before: object = None
        self.found: list[HeldObject] = []

    def __enter__(self) -> HeldMeanwhile:
        self._before = sys.getprofile()
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(cast(None, self._before))

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        if event != "return" or self._looked_at >= MOST_RETURNS:
            return
        home = self._home(frame) or (self._home(frame.f_back) if frame.f_back is not None else "")
        if home:
            self._looked_at += 1
            self.found += [HeldObject(one, home) for one in frame.f_locals.values() if id(type(one)) not in _PASSED]

    def _home(self, frame: FrameType) -> str:
        """The module of the package whose function it is."""
        known = self._homes.get(id(frame.f_globals))
        if known is None:
            module = string(frame.f_globals.get("__name__"))
            known = self._homes[id(frame.f_globals)] = module if same_package(module, self._package) else ""
        return known


class Namespace(NamedTuple):
    """The names that a module or a class has."""

    module: str
    qualname: str
    names: Mapping[str, object]


def namespaces_of(package: str) -> Iterator[Namespace]:
    """Of the loaded modules of a package, and of the classes that they define: these with what they inherit within the package."""
    for name in loaded_names(package):
        names = dict(loaded_dict(name))
        yield Namespace(name, "", names)
        for value in names.values():
            if is_class(value) and class_module(value) == name:
                own = [class_dict(cls) for cls in reversed(class_mro(value)) if same_package(class_module(cls), package)]
                yield Namespace(name, class_name(value), {key: one for part in own for key, one in part.items()})


def documented(function: FunctionType) -> str:
    """Its docstring."""
    found = _DOC.__get__(function)
    return found if type(found) is str else ""


_DOC = FunctionType.__dict__["__doc__"]
