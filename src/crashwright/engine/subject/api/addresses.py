"""Importable addresses: under which module and name a test best reaches each object of the package."""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import NamedTuple, cast

from crashwright.engine.subject.introspection import (
    class_dict,
    class_home,
    class_module,
    class_mro,
    class_qualname,
    function_home,
    function_module,
    identities,
    instance_dict,
    instance_of,
    is_callable,
    is_class,
    is_sound,
    live_at,
    module_dict,
    same_package,
    text,
)
from crashwright.engine.subject.layers import function_of, wrapped_of

MOST_WRAPPERS = 5
_NEVER = identities(types.ModuleType, staticmethod, classmethod, property)
_SCALARS = identities(type(None), bool, int, float, complex, str, bytes)
_FUNCTIONS = identities(FunctionType, BuiltinFunctionType)


class Addressed(NamedTuple):
    """An object and the address that a test should use for it."""

    module: str
    qualname: str
    value: object

    @property
    def private(self) -> bool:
        """Whether a part of the address starts with an underscore."""
        return is_private(self.module) or is_private(self.qualname)


def is_private(dotted: str) -> bool:
    """Whether a part starts with an underscore and is no dunder."""
    return any(part.startswith("_") and not part.endswith("__") for part in dotted.split("."))


def standard_home(value: object) -> Addressed | None:
    """Where the standard library itself has this class or function, which others only import; None for what is not from there."""
    if is_class(value):
        module, qualname = class_module(value), class_qualname(value)
    elif type(value) is FunctionType or type(value) is BuiltinFunctionType:
        module, qualname = function_module(value), text(value.__qualname__)
    else:
        return None
    for home in (module.lstrip("_"), module):  # many say that they are of _io or _decimal, which nobody imports
        standard = home.partition(".")[0] in sys.stdlib_module_names and home != "builtins"
        if standard and not is_private(f"{home}.{qualname}") and live_at(home, qualname) is value:
            return Addressed(home, qualname, value)
    return None


class AddressBook:
    """The functions, classes and other objects of a package with their best addresses. ``modules`` maps names to live modules.
    ``preferred`` is the module whose own names are best, where they are public."""

    __slots__ = ("_best", "_keepers", "_preferred", "_rank", "classes", "constants", "functions", "package")

    def __init__(self, package: str, modules: Iterable[tuple[str, object]], preferred: str = "") -> None:
        self.package = package
        self._preferred = preferred
        self._best: dict[int, Addressed] = {}
        self._rank: dict[int, tuple[object, ...]] = {}
        self._keepers: set[int] = set()
        for name, module in modules:
            self._scan(name, module)
        found = tuple(self._best.values())
        self.functions = tuple(
            item
            for item in found
            if not is_class(item.value) and id(item.value) not in self._keepers and _callable(item.value, self.owns)
        )
        outer = [item for item in found if is_class(item.value)]
        self.classes = tuple(nested for item in outer for nested in self._with_nested(item, 0))
        self.constants = tuple(self._constants(found))

    def owns(self, module: str | None) -> bool:
        """Whether a module of that name belongs to the package."""
        return type(module) is str and (module == self.package or module.startswith(self.package + "."))

    def of(self, value: object) -> Addressed | None:
        """The best address of that very object."""
        return self._best.get(id(value))

    def home_of(self, item: Addressed) -> str:
        """The module that defines what is addressed ("" where that is not known)."""
        return self._home(item.value, item.module) or ""

    def _scan(self, module: str, live: object) -> None:
        names = module_dict(live)
        public = _exported(names.get("__all__"))
        for name, value in list(names.items()):
            if type(name) is not str or _is_dunder(name) or id(type(value)) in _SCALARS | _NEVER or _unsound(value):
                continue
            home = self._home(value, module)
            if home is None:
                continue
            related = home == module or home.startswith(module + ".")
            rank = (
                is_private(module) or name.startswith("_"),
                module != self._preferred,
                not related,
                module.count("."),
                name != _own_name(value),
                name not in public,
                len(module),
                module,
                name,
            )
            self._note(Addressed(module, name, value), rank)
            kept = None if is_class(value) or id(type(value)) in _FUNCTIONS else self._kept_function(value)
            if kept is not None:
                self._keepers.add(id(value))
                self._note(Addressed(module, f"{name}.{kept[0]}", kept[1]), (*rank, kept[0]))

    def _note(self, item: Addressed, rank: tuple[object, ...]) -> None:
        key = id(item.value)
        if key not in self._best or rank < self._rank[key]:
            self._best[key] = item
            self._rank[key] = rank

    def _kept_function(self, value: object) -> tuple[str, FunctionType] | None:
        """The function of the package that an object of another package was made of and keeps in public, with the attribute's name:
        a command's ``callback``, a task's ``fn``. Called itself, such an object does more: it parses a command line, say."""
        if self.owns(class_module(type(value))) or not is_callable(value):
            return None
        held = [(name, one) for name, one in list(instance_dict(value).items()) if type(name) is str and not name.startswith("_")]
        kept = [found for name, one in held if (found := self._unwrapped(name, one)) is not None]
        return kept[0] if len(kept) == 1 else None

    def _unwrapped(self, name: str, held: object) -> tuple[str, FunctionType] | None:
        """The function of the package that ``held`` is or wraps, with the way to it: a decorator of a framework may look for
        what that has set up."""
        for _ in range(MOST_WRAPPERS):
            if type(held) is not FunctionType:
                return None
            if self.owns(function_home(held)):
                return name, held
            name, held = f"{name}.__wrapped__", wrapped_of(held)
        return None

    def _home(self, value: object, found_in: str) -> str | None:
        """The module that defines ``value``, or None where it is not of the package."""
        if is_class(value):
            home = class_home(value)
        elif type(value) is FunctionType:
            home = function_module(value)
            if not self.owns(home):
                # A decorator of another package may have left its own name: the code's module decides.
                home = function_home(value)
            elif value.__code__.co_qualname == value.__qualname__ and same_package(function_home(value), home):
                # No decorator's wrapper: a package that re-exports it may have put its own name into ``__module__``.
                home = function_home(value)
        elif type(value) is BuiltinFunctionType:
            home = function_module(value)
        elif type(value) is MethodType:
            home = found_in if self.owns(class_module(type(value.__self__))) else _home_of_code(value)
        elif self.owns(class_module(type(value))) or instance_of(value, functools.partial):
            home = found_in
        else:
            home = _home_of_code(value) or text(instance_dict(value).get("__module__"))
        return home if self.owns(home) else None

    def _with_nested(self, item: Addressed, depth: int) -> Iterator[Addressed]:
        yield item
        cls = cast(type, item.value)
        prefix = class_qualname(cls) + "."
        for name, value in class_dict(cls).items():
            if (
                depth < 4
                and is_class(value)
                and not _unsound(value)
                and class_qualname(value) == prefix + name
                and id(value) not in self._best
            ):
                nested = Addressed(item.module, f"{item.qualname}.{name}", value)
                self._best[id(value)] = nested
                yield from self._with_nested(nested, depth + 1)

    def _constants(self, found: Iterable[Addressed]) -> Iterator[Addressed]:
        for item in found:
            if not is_class(item.value) and self.owns(class_module(type(item.value))) and not item.private:
                yield item
        for item in self.classes:
            if item.private:
                continue
            for name, value in list(class_dict(cast(type, item.value)).items()):
                if not name.startswith("_") and self._is_class_constant(value):
                    yield Addressed(item.module, f"{item.qualname}.{name}", value)

    def _is_class_constant(self, value: object) -> bool:
        cls = type(value)
        if id(cls) in _SCALARS | _NEVER | _FUNCTIONS or is_class(value) or not is_sound(cls):
            return False
        return self.owns(class_module(cls)) and "__get__" not in {
            name for parent in class_mro(cls)[:-1] for name in class_dict(parent)
        }


def foreign_address(cls: type, loaded: Mapping[str, object]) -> Addressed:
    """The address of a class of another package: the outermost of its packages that has it by its name, as people import it.
    ``loaded`` are the modules by name."""
    module, qualname = class_module(cls), class_qualname(cls)
    parts = module.split(".")
    for length in range(1, len(parts)):
        outer = ".".join(parts[:length])
        if not is_private(outer) and outer in loaded and module_dict(loaded[outer]).get(qualname) is cls:
            return Addressed(outer, qualname, cls)
    return Addressed(module, qualname, cls)


def _home_of_code(value: object) -> str:
    function = function_of(value)
    return "" if function is None else function_module(function)


def _unsound(value: object) -> bool:
    """Whether it is a class, or of a class, that cannot even be compared: no test can do anything with it."""
    return not is_sound(value if is_class(value) else type(value))


def _exported(names: object) -> frozenset[str]:
    if type(names) is list or type(names) is tuple:
        return frozenset(name for name in cast(list[object], names) if type(name) is str)
    return frozenset()


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _own_name(value: object) -> str | None:
    if is_class(value):
        return class_qualname(value)
    if type(value) is FunctionType:
        return value.__name__
    return None


def _callable(value: object, owns: Callable[[str], bool]) -> bool:
    """Functions, methods, partials, wrappers, and foreign callable objects around a function of the package."""
    if id(type(value)) in _FUNCTIONS or type(value) is MethodType or instance_of(value, functools.partial):
        return True
    return is_callable(value) and not owns(class_module(type(value)))
