"""What a package offers by which names: functions, classes, constants, aliases and re-exports, as an import statement finds them;
and classes of the standard library by name alone. Static look-ups in modules that are loaded; nothing is imported."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Sequence
from types import FunctionType
from typing import NamedTuple

from crashwright.engine.subject.api.addresses import is_private
from crashwright.engine.subject.introspection import (
    MODULES,
    class_module,
    function_module,
    identities,
    is_callable,
    is_class,
    is_module,
    is_sound,
    loaded_dict,
    loaded_module,
    loaded_names,
    module_dict,
    same_package,
    text,
)

_SCALARS = identities(bool, int, float, complex, str, bytes)


class Export(NamedTuple):
    """An object and where to import it from."""

    module: str
    name: str
    value: object


class Exports:
    """Of the modules of ``package`` that are loaded now. A name means what the package itself has by it, else one of the modules
    ``near``, else the nearest to the top, else a class or function that one of the modules ``between`` defines: those of other
    packages that the calls of a report go through."""

    __slots__ = ("_between", "_dotted", "_modules", "_named", "_near", "_package", "_standard")

    def __init__(self, package: str, near: Sequence[str] = (), between: Sequence[str] = ()) -> None:
        self._package = package
        self._between = tuple(module for module in dict.fromkeys(between) if loaded_module(module) is not None)
        self._near = tuple(near)
        places = {name: place for place, name in reversed(list(enumerate(near)))}
        rank = {
            name: (name != package, places.get(name, len(near)), is_private(name), name.count("."), name)
            for name in loaded_names(package)
        }
        self._modules = sorted(rank, key=lambda name: rank[name])
        self._named: dict[str, Export | None] = {}
        self._dotted: dict[str, Export | None] = {}
        self._standard: dict[str, str] | None = None

    def named(self, name: str) -> Export | None:
        """What the bare name most likely stands for. One in lower case is mostly a variable: it has to be a callable or an instance
        of a class of the package. That of a builtin stands for the builtin."""
        if name not in self._named:
            found = (self._in(module, name) for module in (() if name in vars(builtins) else self._modules))
            own = next((one for one in found if one is not None and (not name.islower() or self._is_api(one.value))), None)
            self._named[name] = own or self._defined_between(name)
        return self._named[name]

    def within(self, parts: Sequence[str]) -> Export | None:
        """What ``a.b.name`` stands for if a module of the package ends in ``a.b``, or if one of the modules near imports ``a`` from
        another package."""
        dotted = ".".join(parts)
        if dotted not in self._dotted:
            end = dotted.rpartition(".")[0]
            homes = [module for module in self._modules if module == end or module.endswith(f".{end}")]
            found = (self._in(module, parts[-1]) for module in homes)
            self._dotted[dotted] = next((one for one in found if one is not None), None) or self._imported(parts)
        return self._dotted[dotted]

    def is_instance(self, value: object) -> bool:
        """Whether it is an instance of a class of the package, and no function or class."""
        return not is_class(value) and same_package(class_module(type(value)), self._package)

    def standard_home(self, name: str) -> str | None:
        """The module of the standard library that defines a public class of that name; of several the nearest to the top."""
        if self._standard is None:
            self._standard = {}
            loaded = [
                one
                for one in list(MODULES)
                if type(one) is str and one.partition(".")[0] in sys.stdlib_module_names and not is_private(one)
            ]
            for module in sorted(loaded, key=lambda one: (one.count("."), one)):
                for known, value in list(loaded_dict(module).items()):
                    # Many say that they are of _io or _decimal, which nobody imports.
                    if is_class(value) and class_module(value).strip("_") in (module, f"{module}.{known}"):
                        self._standard.setdefault(known, module)
        return self._standard.get(name)

    def _defined_between(self, name: str) -> Export | None:
        found = (self._in(module, name) for module in (() if name in vars(builtins) else self._between))
        return next((one for one in found if one is not None and _is_defined_in(one.value, one.module)), None)

    def _imported(self, parts: Sequence[str]) -> Export | None:
        """What stands behind the dots of a module that one of the modules near imports, under this name or another one."""
        globals_near = [loaded_dict(module) for module in self._near]
        bound = [live.get(parts[0]) for live in globals_near]
        alike = [value for live in globals_near for value in list(live.values()) if _last_part(value) == parts[0]]
        for root in (*bound, *alike):
            home = root
            for part in parts[1:-1]:
                home = module_dict(home).get(part) if is_module(home) else None
            module = _home_of(home)
            found = None if module is None else self._in(module, parts[-1])
            if found is not None:
                return found
        return None

    def _in(self, module: str, name: str) -> Export | None:
        value = loaded_dict(module).get(name)
        if value is None or is_module(value) or not is_sound(value if is_class(value) else type(value)):
            return None
        return Export(module, name, value)

    def _is_api(self, value: object) -> bool:
        if id(type(value)) in _SCALARS:
            return False
        return is_callable(value) or self.is_instance(value)


def _is_defined_in(value: object, module: str) -> bool:
    return (is_class(value) and class_module(value) == module) or (type(value) is FunctionType and function_module(value) == module)


def _home_of(module: object) -> str | None:
    """The name by which a test imports ``module``."""
    name = text(module_dict(module).get("__name__")) if is_module(module) else ""
    return name if name and loaded_module(name) is module else None


def _last_part(value: object) -> str:
    return (_home_of(value) or "").rpartition(".")[2]
