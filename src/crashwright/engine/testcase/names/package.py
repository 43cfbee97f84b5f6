"""The names of the package: what it exports, and all that it defines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from crashwright.engine.subject.api.addresses import standard_home
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.api.exports import Exports
from crashwright.engine.subject.introspection import is_callable, is_class
from crashwright.engine.testcase.names.source import Known, standard_callee
from crashwright.engine.testcase.statements import Named

_DIRECT = (CalleeKind.FUNCTION, CalleeKind.CLASS, CalleeKind.STATIC, CalleeKind.CLASSMETHOD)


class OwnNames:
    """Callables of the package by the last parts of their names. ``are_exported``: the package says which names are modules."""

    def __init__(self, api: ApiModel, entry: Iterable[Callee], are_exported: bool) -> None:
        self.entry: dict[str, list[Callee]] = {}
        self.direct: dict[str, list[Callee]] = {}
        self.methods: dict[str, Callee] = {}
        self._are_exported = are_exported
        self._modules = {api.package, *api.package.split(".")}
        for callee in entry:
            self.entry.setdefault(callee.name, []).append(callee)
        for callee in sorted(api.callables, key=lambda one: (one.private, one.module.count("."), len(one.qualname))):
            if callee.kind in _DIRECT:
                self.direct.setdefault(callee.qualname, []).append(callee)
                self._modules.update(callee.module.split("."))
            else:
                self.methods.setdefault(callee.name, callee)
        for name, callees in self.entry.items():
            for callee in callees:
                if callee.kind in _DIRECT:
                    self.direct[callee.qualname] = callees
                else:
                    self.methods[name] = callee

    def meaning(self, parts: Sequence[str], rng: Random | None) -> Callee | None:
        """See ``names.source.NameSource``."""
        callees = self.direct.get(".".join(parts[-2:]))
        if callees is None and len(parts) > 1 and self._is_module_like(parts[:-1]) and not self._is_receiver(parts):
            callees = self.direct.get(parts[-1])
        if not callees:
            return None
        return callees[0 if rng is None else int(rng.random() * len(callees))]

    def _is_module_like(self, parts: Sequence[str]) -> bool:
        """Whether the parts before the last can be a module: the package itself, one of its modules, or an alias that no method
        call on a value would explain."""
        return parts[-1] in self._modules or (len(parts) == 1 and len(parts[0]) <= 3 and parts[0].islower())

    def _is_receiver(self, parts: Sequence[str]) -> bool:
        """Whether what stands before an entry's name is rather an instance than a short alias of a module."""
        if not self._are_exported or parts[-2] in self._modules:
            return False
        return any(callee.kind is CalleeKind.METHOD for callee in self.entry.get(parts[-1], ()))


class ExportedNames:
    """What the package offers, as an import finds it; the entry's own name is the entry's."""

    def __init__(self, api: ApiModel, exports: Exports, own: OwnNames) -> None:
        self._api = api
        self._exports = exports
        self._own = own

    def meaning(self, parts: Sequence[str], rng: Random | None) -> Known | None:
        """See ``names.source.NameSource``."""
        if len(parts) == 1 and parts[0] in self._own.entry and parts[0] in self._own.direct:
            return None
        export = self._exports.named(parts[0]) if len(parts) == 1 else self._exports.within(parts)
        if export is None:
            return None
        value = export.value
        callee = self._api.callee_of(value)
        home = standard_home(value) if callee is None else None
        if rng is not None and not self._exports.is_instance(value):
            called = callee if home is None else standard_callee(self._api, home.module, home.qualname)
            if called is not None or not is_callable(value):
                return called
        if home is not None:
            return Named(*home)
        if callee is None or is_class(value) != (callee.kind is CalleeKind.CLASS):
            return Named(export.module, export.name, value)
        return Named(callee.module, callee.qualname, value)
