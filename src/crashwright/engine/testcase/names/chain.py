"""The chain of sources of names: each name means what the first source says that knows it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from types import MappingProxyType

from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.api.exports import Exports
from crashwright.engine.testcase.names.imported import ImportedNames
from crashwright.engine.testcase.names.package import ExportedNames, OwnNames
from crashwright.engine.testcase.names.source import Known, NameSource, dotted_parts
from crashwright.engine.testcase.names.standard import BuiltinNames, StandardNames
from crashwright.engine.testcase.names.surroundings import Surroundings
from crashwright.engine.testcase.statements import Named


class NameChain:
    """Of one reader of code. A line shows no imports, so ``nx.f`` is any public ``f`` of the package."""

    def __init__(
        self,
        api: ApiModel,
        entry: Iterable[Callee],
        known: Mapping[str, Known] = MappingProxyType({}),
        exports: Exports | None = None,
        defines: bool = False,
        imported: ImportedNames | None = None,
    ) -> None:
        """``known`` are names that come from elsewhere than the package; those with a dot are methods of what a variable of that
        name holds (``client.get``). Without ``exports`` a name is a callable or nothing. What is ``imported`` comes before all.
        ``defines``: classes and functions that examples define are statements of a test."""
        self.defines = defines
        self.are_exported = exports is not None
        """Whether names are told from variables by what the package exports."""
        self.own = OwnNames(api, entry, self.are_exported)
        self.package = api.package
        self._known = known
        self._sources: tuple[NameSource, ...] = (
            *(() if imported is None else (imported,)),
            KnownNames(known),
            *(() if exports is None else (ExportedNames(api, exports, self.own),)),
            self.own,
            BuiltinNames(api),
            StandardNames(api, exports),
        )
        self._surroundings = Surroundings(api.package) if defines else None

    def called(self, function: ast.expr, rng: Random) -> Known | None:
        """What a call calls: a function or class, or an object; None where that is not known by its name."""
        return self._meaning(dotted_parts(function), rng)

    def callee(self, function: ast.expr, rng: Random) -> Callee | None:
        """The function or class that a call names."""
        found = self.called(function, rng)
        return found if isinstance(found, Callee) else None

    def value(self, *parts: str) -> Named | None:
        """The class, function or object that a name stands for as a value."""
        found = self._meaning(parts, None)
        return Named(found.module, found.qualname, found.live) if isinstance(found, Callee) else found

    def in_definition(self, *parts: str) -> Named | None:
        """The same where more stands around it: None where it means nothing, or a module."""
        return self.value(*parts) or (None if self._surroundings is None else self._surroundings.named(parts))

    def _meaning(self, parts: Sequence[str] | None, rng: Random | None) -> Known | None:
        found = (source.meaning(parts, rng) for source in self._sources if parts)
        return next((one for one in found if one is not None), None)

    def is_own(self, known: Known) -> bool:
        """Whether it is of the package."""
        return known.module.partition(".")[0] == self.package.partition(".")[0]

    def entry_named(self, name: str, kind: CalleeKind) -> Callee | None:
        """The entry of that name and kind."""
        return next((callee for callee in self.own.entry.get(name, ()) if callee.kind is kind), None)

    def method_of(self, dotted: str) -> Callee | None:
        """The method of a variable that is known from elsewhere."""
        known = self._known.get(dotted)
        return known if isinstance(known, Callee) else None


class KnownNames:
    """Names that somebody says the meaning of."""

    def __init__(self, known: Mapping[str, Known]) -> None:
        self._known = known

    def meaning(self, parts: Sequence[str], rng: Random | None) -> Known | None:  # noqa: ARG002 (there are no namesakes)
        """See ``names.source.NameSource``."""
        return self._known.get(parts[0]) if len(parts) == 1 else None
