"""What a name in the package's examples means where the names of its own callables do not tell: what its modules import and
define, and common names of the standard library."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Sequence
from typing import cast

from crashwright.engine.subject.introspection import (
    MODULES,
    class_module,
    class_qualname,
    is_class,
    is_module,
    live_at,
    loaded_dict,
    loaded_names,
    module_dict,
)
from crashwright.engine.testcase.statements import Named

_STANDARD = "typing dataclasses abc enum collections contextlib functools datetime decimal io".split()
"""Modules whose names definitions take without saying from where."""
_MISSING = object()


class Surroundings:
    """Of the loaded modules of ``package``."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._names = sorted(loaded_names(package), key=lambda name: (name.count("."), name))

    def named(self, parts: Sequence[str]) -> Named | None:
        """The object that ``a.b.c`` means, by an address that a test can import it from; None where it means nothing, or a
        module."""
        for module in self._modules(parts[0]) if len(parts) > 1 else ():
            found = live_at(module, ".".join(parts[1:]), _MISSING)
            if found is not _MISSING and not is_module(found):
                return Named(module, ".".join(parts[1:]), found)
        for module in self._places(parts[0]):
            found = live_at(module, ".".join(parts), _MISSING)
            if found is not _MISSING and not is_module(found):
                return _at_home(module, ".".join(parts), found)
        return None

    def _modules(self, name: str) -> Iterator[str]:
        """Modules that may be called so: of the package, those that its modules import, of the standard library."""
        for module in self._names:
            if module == name or module.rpartition(".")[2] == name:
                yield module
        for module in self._names:
            value = loaded_dict(module).get(name)
            if is_module(value):
                yield str(module_dict(value).get("__name__"))
        if name in MODULES:
            yield name
        elif name in sys.stdlib_module_names and name in (*_STANDARD, "asyncio"):
            importlib.import_module(name)
            yield name

    def _places(self, name: str) -> Iterator[str]:
        """Modules that have such a name: public ones of the package first, what is told by its name alone last."""
        for module in self._names:
            if name in loaded_dict(module):
                yield module
        for module in _STANDARD:
            importlib.import_module(module)
            names = loaded_dict(module)
            if name in names and name in cast(list[str], names.get("__all__", names)):
                yield module


def _at_home(module: str, qualname: str, value: object) -> Named:
    """By the address that a class gives itself, where it is found there and nothing about that is private."""
    if is_class(value):
        cls = value
        home = class_module(cls), class_qualname(cls)
        own = f".{'.'.join(home)}"
        if "._" not in own and live_at(*home) is value:
            return Named(*home, value)
    return Named(module, qualname, value)
