"""The names that a candidate imports itself, by the very address. What nothing has by that name is taken for the nearest name that
there is."""

from __future__ import annotations

import ast
import difflib
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from crashwright.engine.subject.api.addresses import standard_home
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.introspection import MODULES, is_callable, is_module, live_at, loaded_dict
from crashwright.engine.testcase.names.source import Known, standard_callee
from crashwright.engine.testcase.statements import Named

_MISSING = object()
ALIKE = 0.72
"""How much two names have to be alike for one to be a misspelling of the other."""
_OF_VALUES = frozenset(
    (*dir(str), *dir(bytes), *dir(bytearray), *dir(list), *dir(tuple), *dir(dict), *dir(set), *dir(int), *dir(float))
)
"""What nobody misspells by calling it on a value."""


class NameOrigin(NamedTuple):
    """Where an imported name comes from: a module, or something in it."""

    module: str
    qualname: str = ""


def origins(imports: Iterable[ast.Import | ast.ImportFrom]) -> dict[str, NameOrigin]:
    """What each name means that ``imports`` bind; relative imports mean nothing here."""
    found: dict[str, NameOrigin] = {}
    for node in imports:
        if isinstance(node, ast.Import):
            for one in node.names:
                found[one.asname or one.name.partition(".")[0]] = NameOrigin(one.name if one.asname else one.name.partition(".")[0])
        elif node.module and not node.level:
            for one in node.names:
                if one.name == "*":
                    found.update(_all_of(node.module))
                elif f"{node.module}.{one.name}" in MODULES:
                    found[one.asname or one.name] = NameOrigin(f"{node.module}.{one.name}")
                else:
                    found[one.asname or one.name] = NameOrigin(node.module, one.name)
    return found


def modules_named(imports: Iterable[ast.Import | ast.ImportFrom]) -> Iterator[str]:
    """The modules that have to be loaded for these."""
    for node in imports:
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif node.module and not node.level:
            yield node.module


def _all_of(module: str) -> Iterator[tuple[str, NameOrigin]]:
    known = loaded_dict(module)
    shown = known.get("__all__")
    listed = list(shown) if type(shown) is list or type(shown) is tuple else [one for one in known if one[:1] != "_"]
    names = [one for one in listed if type(one) is str]
    yield from ((name, NameOrigin(module, name)) for name in names)


class ImportedNames:
    """Of one candidate: what its imports bind. ``mended`` are the misspelt names that were taken for others."""

    def __init__(self, api: ApiModel, origins: Mapping[str, NameOrigin]) -> None:
        self._api = api
        self.origins = origins
        self.mended: dict[str, str] = {}

    def meaning(self, parts: Sequence[str], rng: Random | None) -> Known | None:
        """See ``names.source.NameSource``; None for a module too."""
        origin = self.origins.get(parts[0])
        named = None if origin is None else self._within(origin, parts[1:])
        return (named and self._callee_at(named)) or named if rng is not None else named

    def _callee_at(self, named: Named) -> Callee | None:
        callee = self._api.callee_of(named.live)
        if callee is not None or not is_callable(named.live) or named.module.partition(".")[0] not in sys.stdlib_module_names:
            return callee
        return standard_callee(self._api, named.module, named.qualname)

    def _within(self, origin: NameOrigin, rest: Sequence[str]) -> Named | None:
        module, names = origin.module, [*([origin.qualname] if origin.qualname else []), *rest]
        while (
            names
            and f"{module}.{names[0]}" in MODULES
            and live_at(module, names[0], _MISSING) in (_MISSING, MODULES.get(f"{module}.{names[0]}"))
        ):
            module = f"{module}.{names.pop(0)}"
        if not names or module not in MODULES:
            return None
        found = live_at(module, ".".join(names), _MISSING)
        if found is _MISSING and len(names) == 1:
            names = [self._mend(names[0], [one for one in loaded_dict(module) if type(one) is str])]
            found = live_at(module, names[0], _MISSING)
        if found is _MISSING or is_module(found):
            return None
        home = standard_home(found) if self._api.callee_of(found) is None else None
        return Named(module, ".".join(names), found) if home is None else Named(*home)

    def method_name(self, name: str, methods: Collection[str], own: bool) -> str:
        """``name``, or which of the package's ``methods`` it is a misspelling of: of what is called on something of which nothing
        is known (``own``: of the package) only where nothing has such a method."""
        if name in methods or name in _OF_VALUES or (not own and not methods):
            return name
        return self._mend(name, methods)

    def _mend(self, name: str, known: Iterable[str]) -> str:
        near = nearest(name, known)
        if near is None:
            return name
        self.mended[name] = near
        return near


def nearest(name: str, known: Iterable[str]) -> str | None:
    """What ``name`` is a misspelling of."""
    return next(iter(difflib.get_close_matches(name, list(known), 1, ALIKE)), None)
