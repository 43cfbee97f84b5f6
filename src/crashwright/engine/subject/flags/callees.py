"""Which Python functions a call, property or operator may run (for flags, paper 003): by live objects where a name tells, else by
the methods of that name in the loaded classes.

It over-approximates; which of them really ran is told by the trace.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType
from typing import NamedTuple

from crashwright.core.location import CodeKey
from crashwright.engine.subject.api.code_index import key_of
from crashwright.engine.subject.introspection import (
    class_dict,
    class_home,
    class_qualname,
    derives,
    instance_of,
    is_callable,
    is_class,
    loaded_dict,
    module_dict,
    static_attribute,
)
from crashwright.engine.subject.layers import enclosed_functions, layers_of

MOST_CANDIDATES = 12
"""A name that more functions have tells nothing."""
_NESTING = 3
_MISSING = object()


class _Method(NamedTuple):
    owner: type
    keys: tuple[CodeKey, ...]
    is_property: bool


class LiveCallees:
    """The functions behind names and attributes. ``modules`` are those whose classes count for a method of unknown receiver; they
    must be loaded."""

    __slots__ = ("_classes", "_methods", "_modules")

    def __init__(self, modules: Iterable[str]) -> None:
        self._modules = tuple(modules)
        self._methods: dict[str, list[_Method]] | None = None
        self._classes: dict[tuple[str, str], type] = {}

    def of_call(self, function: ast.expr, caller: CodeKey) -> tuple[CodeKey, ...]:
        """The codes that a call of ``function`` in the code ``caller`` may run; empty where that is no Python, or too many."""
        live = self._live(function, caller)
        if live is not _MISSING:
            return _keys(live)
        if isinstance(function, ast.Attribute):
            return self._of_attribute(function, caller, properties=False)
        return ()

    def of_property(self, attribute: ast.Attribute, caller: CodeKey) -> tuple[CodeKey, ...]:
        """The getters that reading ``attribute`` may run."""
        if self._live(attribute, caller) is not _MISSING:
            return ()
        return self._of_attribute(attribute, caller, properties=True)

    def of_special(self, *names: str) -> tuple[CodeKey, ...]:
        """The special methods of these names, of any class."""
        found = dict.fromkeys(key for name in names for method in self._named(name) for key in method.keys)
        return tuple(found) if len(found) <= MOST_CANDIDATES else ()

    def _of_attribute(self, attribute: ast.Attribute, caller: CodeKey, properties: bool) -> tuple[CodeKey, ...]:
        methods = [method for method in self._named(attribute.attr) if method.is_property is properties]
        if isinstance(attribute.value, ast.Name) and attribute.value.id in ("self", "cls"):
            owner = self._owner(caller)
            if owner is not None:
                methods = [method for method in methods if _related(method.owner, owner)]
        found = dict.fromkeys(key for method in methods for key in method.keys)
        return tuple(found) if len(found) <= MOST_CANDIDATES else ()

    def _live(self, expression: ast.expr, caller: CodeKey) -> object:
        """The object that a name, or a chain of attributes of modules and classes, stands for; ``_MISSING`` where that is only
        known when it runs."""
        if isinstance(expression, ast.Name):
            return loaded_dict(caller.module).get(expression.id, _MISSING)
        if isinstance(expression, ast.Attribute):
            owner = self._live(expression.value, caller)
            if owner is _MISSING:
                return _MISSING
            if is_class(owner):
                found = static_attribute(owner, expression.attr)
                return _MISSING if found is None else found[1]
            if type(owner) is ModuleType:
                return module_dict(owner).get(expression.attr, _MISSING)
        return _MISSING

    def _owner(self, caller: CodeKey) -> type | None:
        """The class in whose body a method was written."""
        self._scanned()
        return self._classes.get((caller.module, caller.qualname.partition(".<locals>")[0].rpartition(".")[0]))

    def _named(self, name: str) -> list[_Method]:
        return self._scanned().get(name, [])

    def _scanned(self) -> Mapping[str, list[_Method]]:
        if self._methods is None:
            self._methods = {}
            for cls in self._all_classes():
                for name, value in list(class_dict(cls).items()):
                    keys = () if is_class(value) else _keys(value)
                    if keys:
                        is_property = instance_of(value, property) or (
                            static_attribute(type(value), "__get__") is not None and not is_callable(value)
                        )
                        self._methods.setdefault(name, []).append(_Method(cls, keys, is_property))
        return self._methods

    def _all_classes(self) -> Iterator[type]:
        for name in self._modules:
            for value in list(loaded_dict(name).values()):
                if is_class(value) and class_home(value) == name:
                    yield from self._with_nested(value, name, _NESTING)

    def _with_nested(self, cls: type, module: str, depth: int) -> Iterator[type]:
        key = (module, class_qualname(cls))
        if key in self._classes:
            return
        self._classes[key] = cls
        yield cls
        if depth:
            for value in list(class_dict(cls).values()):
                if is_class(value) and class_qualname(value).startswith(f"{key[1]}."):
                    yield from self._with_nested(value, module, depth - 1)


def _keys(value: object) -> tuple[CodeKey, ...]:
    """The codes of a function and of what its decorators hide; none for classes, whose calls give instances."""
    if is_class(value):
        return ()
    return tuple(dict.fromkeys(key_of(function) for function in (*layers_of(value), *enclosed_functions(value))))


def _related(one: type, other: type) -> bool:
    return derives(other, one) or derives(one, other)
