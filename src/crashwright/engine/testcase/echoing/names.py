"""What the names in an echoed line mean: the subject's callables and constants, builtins, harmless parts of the standard
library."""

from __future__ import annotations

import ast
import builtins
import random
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Protocol, TypeAlias

from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.statements import Named

STANDARD = frozenset(
    """
    array base64 calendar collections copy csv datetime decimal enum fractions functools io ipaddress itertools json math operator
    pathlib queue random re statistics string struct textwrap time types typing uuid zoneinfo
    """.split()
)
"""Modules of the standard library whose callables an echoed line may use."""
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

    def builtin(self, name: str) -> Callee:
        """A builtin function or class."""

    def standard(self, module: str, name: str) -> Callee:
        """A callable of the standard library; AttributeError, ImportError or ValueError where there is none."""


class EchoNames:
    """Resolves names by their last parts: an echoed line shows no imports, so ``nx.f`` is any public ``f`` of the package."""

    def __init__(self, api: NameApi, entry: Iterable[Callee], known: Mapping[str, Known] = MappingProxyType({})) -> None:
        """``known`` are names that come from elsewhere than the package."""
        self._api = api
        self._known = known
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

    def entry_named(self, name: str, kind: CalleeKind) -> Callee | None:
        """The entry of that name and kind."""
        return next((callee for callee in self._entry.get(name, ()) if callee.kind is kind), None)

    def method(self, name: str) -> Callee | None:
        """A method or property of the package by that name, the entry first."""
        return self._methods.get(name)

    def callee(self, function: ast.expr, rng: random.Random) -> Callee | None:
        """The function or class that an echoed call names; of several namesakes in the package any one."""
        parts = dotted_parts(function)
        if parts is None:
            return None
        known = self._known.get(parts[0]) if len(parts) == 1 else None
        if isinstance(known, Callee):
            return known
        if len(parts) >= 2:
            found = self._one_of(".".join(parts[-2:]), rng)
            if found is not None:
                return found
            own = self._one_of(parts[-1], rng) if self._is_module_like(parts[:-1]) else None
            if own is not None or parts[0] not in STANDARD:
                return own
            return self._standard(".".join(parts[:-1]), parts[-1])
        found = self._one_of(parts[-1], rng)
        if found is not None:
            return found
        if len(parts) == 1:
            if hasattr(builtins, parts[0]):
                return self._api.builtin(parts[0])
            for module in ("io", "datetime", "decimal", "fractions", "collections", "pathlib"):
                # `from io import BytesIO`: class names are telling enough
                if parts[0][:1].isupper():
                    standard = self._standard(module, parts[0])
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
        if isinstance(known, Named):
            return known
        callees = self._direct.get(identifier)
        if callees:
            callee = callees[0]
            return Named(callee.module, callee.qualname, callee.live)
        builtin = getattr(builtins, identifier, None)
        if isinstance(builtin, type) or (
            callable(builtin) and identifier in ("len", "print", "sorted", "ord", "chr", "repr", "max", "min")
        ):
            return Named("builtins", identifier, builtin)
        return None

    def dotted(self, node: ast.Attribute) -> Named | None:
        """A dotted name that is a class or function of the package used as a value."""
        parts = dotted_parts(node)
        if parts is None:
            return None
        callees = self._direct.get(".".join(parts[-2:]))
        if callees is None and self._is_module_like(parts[:-1]):
            callees = self._direct.get(parts[-1])
        return Named(callees[0].module, callees[0].qualname, callees[0].live) if callees else None

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
