"""What the names in an echoed line mean: the subject's callables, constants and aliases, builtins, the standard library."""

from __future__ import annotations

import ast
import builtins
import random
import sys
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol, TypeAlias

from crashwright.engine.subject.api.addresses import standard_home
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.api.exports import Export, Exports
from crashwright.engine.subject.api.live_classes import live_classes
from crashwright.engine.subject.introspection import is_class
from crashwright.engine.testcase.echoing.surroundings import Surroundings
from crashwright.engine.testcase.statements import Named

STANDARD = frozenset(
    """
    array base64 calendar collections copy csv datetime decimal enum fractions functools io ipaddress itertools json math operator
    pathlib queue random re statistics string struct textwrap time types typing uuid zoneinfo
    """.split()
)
"""Modules of the standard library whose callables an echoed line may use, where no ``exports`` are known."""
_FOR_FUN = frozenset({"antigravity", "idlelib", "lib2to3", "test", "this", "tkinter", "turtle", "turtledemo"})
"""Modules that open windows when they are imported, or are no library."""
_DIRECT = (CalleeKind.FUNCTION, CalleeKind.CLASS, CalleeKind.STATIC, CalleeKind.CLASSMETHOD)


Known: TypeAlias = Callee | Named
"""What a name stands for: something to call, or an object."""


class NameApi(Protocol):
    """The part of the API model that names need."""

    @property
    def package(self) -> str:
        """The import name."""

    @property
    def callables(self) -> Iterable[Callee]:
        """Everything that a test can call."""

    def callee_of(self, value: object) -> Callee | None:
        """The callee for a function or class of the package."""

    def builtin(self, name: str) -> Callee:
        """A builtin function or class."""

    def standard(self, module: str, name: str) -> Callee:
        """A callable of the standard library; AttributeError, ImportError or ValueError where there is none."""


class EchoNames:
    """Resolves names by their last parts: an echoed line shows no imports, so ``nx.f`` is any public ``f`` of the package."""

    def __init__(
        self,
        api: NameApi,
        entry: Iterable[Callee],
        known: Mapping[str, Known] = MappingProxyType({}),
        exports: Exports | None = None,
        defines: bool = False,
    ) -> None:
        """``known`` are names that come from elsewhere than the package; those with a dot are methods of what a variable of that
        name holds (``client.get``). Without ``exports`` a name is a callable or nothing.
        ``defines``: classes and functions that examples define are statements of a test."""
        self.defines = defines
        self._surroundings = Surroundings(api.package) if defines else None
        self._api = api
        self._known = known
        self._exports = exports
        self._entry: dict[str, list[Callee]] = {}
        for callee in entry:
            self._entry.setdefault(callee.name, []).append(callee)
        self._direct: dict[str, list[Callee]] = {}
        self._methods: dict[str, Callee] = {}
        self._modules = {self._api.package, *self._api.package.split(".")}
        for callee in sorted(api.callables, key=lambda one: (one.private, one.module.count("."), len(one.qualname))):
            if callee.kind in _DIRECT:
                self._direct.setdefault(callee.qualname, []).append(callee)
                self._modules.update(callee.module.split("."))
            else:
                self._methods.setdefault(callee.name, callee)
        for name, callees in self._entry.items():
            for callee in callees:
                if callee.kind in _DIRECT:
                    self._direct[callee.qualname] = callees
                else:
                    self._methods[name] = callee

    @property
    def are_exported(self) -> bool:
        """Whether names are told from variables by what the package exports."""
        return self._exports is not None

    def is_own(self, known: Known) -> bool:
        """Whether it is of the package."""
        return known.module.partition(".")[0] == self._api.package.partition(".")[0]

    def entry_named(self, name: str, kind: CalleeKind) -> Callee | None:
        """The entry of that name and kind."""
        return next((callee for callee in self._entry.get(name, ()) if callee.kind is kind), None)

    def method_of(self, dotted: str) -> Callee | None:
        """The method of a variable that is known from elsewhere."""
        known = self._known.get(dotted)
        return known if isinstance(known, Callee) else None

    def method(self, name: str) -> Callee | None:
        """A method or property of the package by that name, the entry first."""
        return self._methods.get(name)

    def callee(self, function: ast.expr, rng: random.Random) -> Callee | None:
        """The function or class that an echoed call names; of several namesakes in the package any one."""
        parts = dotted_parts(function)
        if parts is None:
            return None
        known = self._known.get(parts[0]) if len(parts) == 1 else None
        if known is not None:
            return known if isinstance(known, Callee) else None
        if len(parts) >= 2:
            return self._of_dotted(parts, rng)
        found = self._exported(parts) or self._one_of(parts[-1], rng)
        if found is not None:
            return found
        if hasattr(builtins, parts[0]):
            return self._api.builtin(parts[0])
        return self._standard_class(parts[0])

    def _of_dotted(self, parts: list[str], rng: random.Random) -> Callee | None:
        found = self._one_of(".".join(parts[-2:]), rng) or self._exported(parts)
        if found is not None:
            return found
        own = self._one_of(parts[-1], rng) if self._is_module_like(parts[:-1]) and not self._is_receiver(parts) else None
        if own is not None or not self._is_standard(parts[0]):
            return own
        return self._standard(".".join(parts[:-1]), parts[-1])

    def _exported(self, parts: list[str]) -> Callee | None:
        """What the package exports by that name, where the entry has not that name too."""
        if self._exports is None or (len(parts) == 1 and parts[0] in self._entry):
            return None
        export = self._export(parts)
        if export is None or self._exports.is_instance(export.value):
            return None
        own = self._api.callee_of(export.value)
        home = standard_home(export.value) if own is None else None
        return own if home is None else self._standard(home.module, home.qualname)

    def _export(self, parts: list[str]) -> Export | None:
        if self._exports is None:
            return None
        return self._exports.named(parts[0]) if len(parts) == 1 else self._exports.within(parts)

    def _is_receiver(self, parts: list[str]) -> bool:
        """Whether what stands before an entry's name is rather an instance than a short alias of a module."""
        if self._exports is None or parts[-2] in self._modules:
            return False
        return any(callee.kind is CalleeKind.METHOD for callee in self._entry.get(parts[-1], ()))

    def _is_standard(self, module: str) -> bool:
        if self._exports is None:
            return module in STANDARD
        return module in sys.stdlib_module_names and module not in _FOR_FUN and not module.startswith("_")

    def _standard_class(self, name: str) -> Callee | None:
        """``from io import BytesIO``: class names are telling enough."""
        if not name[:1].isupper():
            return None
        home = None if self._exports is None else self._exports.standard_home(name)
        for module in ("io", "datetime", "decimal", "fractions", "collections", "pathlib", *(() if home is None else (home,))):
            standard = self._standard(module, name)
            if standard is not None:
                return standard
        return None

    def _standard(self, module: str, name: str) -> Callee | None:
        try:
            return self._api.standard(module, name)
        except (AttributeError, ImportError, ValueError):
            return None  # no such name there: the echoed one means something else

    def value(self, identifier: str) -> Named | None:
        """A name that is a class or function used as a value, or an object."""
        known = self._known.get(identifier)
        if known is not None:
            return known if isinstance(known, Named) else Named(known.module, known.qualname, known.live)
        export = self._export([identifier])
        callees = self._direct.get(identifier)
        if export is not None and identifier not in self._entry:
            return self._named(export)
        if callees:
            callee = callees[0]
            return Named(callee.module, callee.qualname, callee.live)
        builtin = getattr(builtins, identifier, None)
        if isinstance(builtin, type) or (
            callable(builtin) and identifier in ("len", "print", "sorted", "ord", "chr", "repr", "max", "min")
        ):
            return Named("builtins", identifier, builtin)
        standard = None if self._exports is None else self._standard_class(identifier)
        return None if standard is None else Named(standard.module, standard.qualname, standard.live)

    def live_classes(self, names: Sequence[str]) -> Mapping[str, type]:
        """Those of ``names`` that are classes now, of the package or of one place alone, though no name stands for them."""
        return live_classes(names, (self._api.package,))

    def thing(self, function: ast.expr) -> Named | None:
        """What is called where that is no function or class of the package: an object, or something that it re-exports."""
        parts = dotted_parts(function)
        known = self._known.get(parts[0]) if parts is not None and len(parts) == 1 else None
        if isinstance(known, Named):
            return known
        export = None if parts is None else self._export(parts)
        return None if export is None else self._named(export)

    def _named(self, export: Export) -> Named:
        callee = self._api.callee_of(export.value)
        home = standard_home(export.value) if callee is None else None
        if home is not None:
            return Named(*home)
        if callee is None or is_class(export.value) != (callee.kind is CalleeKind.CLASS):
            return Named(export.module, export.name, export.value)
        return Named(callee.module, callee.qualname, export.value)

    def dotted(self, node: ast.Attribute) -> Named | None:
        """A dotted name that is a class or function of the package used as a value."""
        parts = dotted_parts(node)
        if parts is None:
            return None
        export = self._export(parts)
        if export is not None:
            return self._named(export)
        callees = self._direct.get(".".join(parts[-2:]))
        if callees is None and self._is_module_like(parts[:-1]):
            callees = self._direct.get(parts[-1])
        return Named(callees[0].module, callees[0].qualname, callees[0].live) if callees else None

    def meaning(self, node: ast.expr) -> Named | None:
        """What a name or a dotted name means in a definition; None where it means nothing, or a module."""
        parts = dotted_parts(node) or [""]
        found = self.dotted(node) if isinstance(node, ast.Attribute) else self.value(parts[0])
        return found if found is not None or self._surroundings is None else self._surroundings.named(parts)

    def _one_of(self, name: str, rng: random.Random) -> Callee | None:
        callees = self._direct.get(name)
        return callees[int(rng.random() * len(callees))] if callees else None

    def _is_module_like(self, parts: list[str]) -> bool:
        """Whether the parts before the last can be a module: the package itself, one of its modules, or an alias that no method
        call on a value would explain."""
        return parts[-1] in self._modules or (len(parts) == 1 and len(parts[0]) <= 3 and parts[0].islower())


def dotted_parts(node: ast.expr) -> list[str] | None:
    """``a.b.c`` as its parts."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return [node.id, *reversed(parts)]
