"""What names mean in a candidate: first what it imports itself, by the very address, then what an echoed line would mean by them.
What nothing has by that name is taken for the nearest name that there is."""

from __future__ import annotations

import ast
import random
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from crashwright.engine.subject.api.addresses import standard_home
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.exports import Exports
from crashwright.engine.subject.introspection import MODULES, is_callable, is_module, live_at, loaded_dict
from crashwright.engine.testcase.candidates.spelling import nearest
from crashwright.engine.testcase.echoing.names import EchoNames, dotted_parts
from crashwright.engine.testcase.statements import Named

_MISSING = object()
_OF_VALUES = frozenset(
    (*dir(str), *dir(bytes), *dir(bytearray), *dir(list), *dir(tuple), *dir(dict), *dir(set), *dir(int), *dir(float))
)
"""What nobody misspells by calling it on a value."""


class CandidateOrigin(NamedTuple):
    """Where an imported name comes from: a module, or something in it."""

    module: str
    qualname: str = ""


def origins(imports: Iterable[ast.Import | ast.ImportFrom]) -> dict[str, CandidateOrigin]:
    """What each name means that ``imports`` bind; relative imports mean nothing here."""
    found: dict[str, CandidateOrigin] = {}
    for node in imports:
        if isinstance(node, ast.Import):
            for one in node.names:
                found[one.asname or one.name.partition(".")[0]] = CandidateOrigin(
                    one.name if one.asname else one.name.partition(".")[0]
                )
        elif node.module and not node.level:
            for one in node.names:
                if one.name == "*":
                    found.update(_all_of(node.module))
                elif f"{node.module}.{one.name}" in MODULES:
                    found[one.asname or one.name] = CandidateOrigin(f"{node.module}.{one.name}")
                else:
                    found[one.asname or one.name] = CandidateOrigin(node.module, one.name)
    return found


def modules_named(imports: Iterable[ast.Import | ast.ImportFrom]) -> Iterator[str]:
    """The modules that have to be loaded for these."""
    for node in imports:
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif node.module and not node.level:
            yield node.module


def _all_of(module: str) -> Iterator[tuple[str, CandidateOrigin]]:
    known = loaded_dict(module)
    shown = known.get("__all__")
    listed = list(shown) if type(shown) is list or type(shown) is tuple else [one for one in known if one[:1] != "_"]
    names = [one for one in listed if type(one) is str]
    yield from ((name, CandidateOrigin(module, name)) for name in names)


class CandidateNames(EchoNames):
    """Of one candidate. ``mended`` are the misspelt names that were taken for others."""

    def __init__(self, api: ApiModel, entry: Iterable[Callee], imported: Mapping[str, CandidateOrigin], exports: Exports) -> None:
        super().__init__(api, entry, exports=exports, defines=True)
        self._model = api
        self._imported = imported
        self.mended: dict[str, str] = {}

    @property
    def of_package(self) -> list[str]:
        """Names that the package has by itself."""
        return [name for name in self._direct if "." not in name]

    def imports(self, name: str) -> CandidateOrigin | None:
        """Where an imported name comes from."""
        return self._imported.get(name)

    def callee(self, function: ast.expr, rng: random.Random) -> Callee | None:
        """As of an echoed line, but for what is imported."""
        named = self.imported(function)
        if named is None:
            return super().callee(function, rng)
        return self._callee_at(named)

    def _callee_at(self, named: Named) -> Callee | None:
        callee = self._model.callee_of(named.live)
        if callee is not None or not is_callable(named.live):
            return callee
        if named.module.partition(".")[0] in sys.stdlib_module_names:
            try:
                return self._model.standard(named.module, named.qualname)
            except (AttributeError, ImportError, ValueError):
                return None  # it is called as an object
        return None

    def thing(self, function: ast.expr) -> Named | None:
        """As of an echoed line, but for what is imported."""
        return self.imported(function) or super().thing(function)

    def value(self, identifier: str) -> Named | None:
        """As of an echoed line, but for what is imported."""
        return self.imported(ast.Name(identifier, ast.Load())) or super().value(identifier)

    def dotted(self, node: ast.Attribute) -> Named | None:
        """As of an echoed line, but for what is imported."""
        return self.imported(node) or super().dotted(node)

    def meaning(self, node: ast.expr) -> Named | None:
        """As of an echoed line, but for what is imported."""
        return self.imported(node) or super().meaning(node)

    def method_name(self, name: str, own: bool) -> str:
        """``name``, or what it is a misspelling of: of what is called on something of which nothing is known (``own``: of the
        package) only where nothing has such a method."""
        known = [*self._methods]
        if name in self._methods or name in _OF_VALUES or (not own and not known):
            return name
        return self._mend(name, known)

    def imported(self, node: ast.expr) -> Named | None:
        """What an imported name, or one within it, stands for; None for a module, and for what is not imported."""
        parts = dotted_parts(node)
        origin = self._imported.get(parts[0]) if parts else None
        if parts is None or origin is None:
            return None
        return self._within(origin, parts[1:])

    def _within(self, origin: CandidateOrigin, rest: list[str]) -> Named | None:
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
        home = standard_home(found) if self._model.callee_of(found) is None else None
        return Named(module, ".".join(names), found) if home is None else Named(*home)

    def _is_module(self, module: str, name: str) -> bool:
        """Whether ``name`` in ``module`` is a module of its own, and nothing else there is called so."""
        inner = MODULES.get(f"{module}.{name}")
        return inner is not None and live_at(module, name, inner) is inner

    def _mend(self, name: str, known: list[str]) -> str:
        near = nearest(name, known)
        if near is None:
            return name
        self.mended[name] = near
        return near
