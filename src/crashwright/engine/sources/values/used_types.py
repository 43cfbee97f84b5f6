"""Which types an untyped parameter probably takes, by what its function does with it: for the tests that a factory makes, and for
the values that a test of a crash ends with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from crashwright.engine.sources.values.wanted_types import WantedTypes
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.hints import HintScope
from crashwright.engine.subject.api.types import ClassHint, TypeHint, is_any
from crashwright.engine.subject.introspection import (
    class_home,
    class_module,
    class_qualname,
    function_home,
    is_class,
    loaded_dict,
    same_package,
)
from crashwright.engine.subject.layers import function_of
from crashwright.engine.subject.source import ModuleSource, Sources
from crashwright.engine.subject.usage.caught import value_named
from crashwright.engine.subject.usage.roles import Roles
from crashwright.engine.subject.usage.use import FILE, FOLDER
from crashwright.engine.subject.usage.use_hints import Owned, UseReader, Weighted, attributes_of
from crashwright.engine.subject.usage.uses_of_values import ModuleUses
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.guessing import TRUSTED, NameModel
from crashwright.engine.wants.parameter_names import CALLABLE

SAID_TOO = 4.0
"""By how much a type weighs more where use and name of a parameter agree on it."""

MOST_MODULES = 40
"""Modules that are read for what the methods of classes set on ``self``: reading all of a large package takes many seconds."""


MOST_ACROSS = 16
"""Modules that are read for what the functions of others do with what they are given."""


class ReadModules:
    """What the modules of a package do with values, each of them read once, whoever asks: a module sees classes of many others.
    ``across``: what a function hands to one of another module is what that does with it, too."""

    def __init__(self, package: str, sources: Sources, across: bool = False) -> None:
        self._top = package.partition(".")[0]
        self._sources = sources
        self._across = across
        self._crossed = 0
        self._uses: dict[str, ModuleUses | None] = {}
        self._attributes: dict[type, frozenset[str]] = {}

    def uses_in(self, module: str) -> ModuleUses | None:
        """None where there is no source."""
        if module not in self._uses:
            source = self._sources.of_module(module)
            uses = self._uses[module] = ModuleUses(source.tree) if isinstance(source, ModuleSource) else None
            if uses is not None and self._across and self._crossed < MOST_ACROSS:
                self._crossed += 1
                self._connect(uses, loaded_dict(module))
        return self._uses[module]

    def _connect(self, uses: ModuleUses, names: Mapping[str, object]) -> None:
        """Let what its functions pass flow into the functions of other modules."""
        for function, passed in uses.outward:
            live = value_named(function, names)
            qualname = f"{class_qualname(live)}.__init__" if is_class(live) else ""
            home = class_home(live) if is_class(live) else ""
            if not qualname and (found := function_of(live)) is not None:
                home, qualname = function_home(found), found.__code__.co_qualname
            if qualname and same_package(home, self._top) and (other := self.uses_in(home)) is not None:
                other.flow_into(qualname, passed)

    def attributes_of(self, cls: type) -> frozenset[str]:
        """The names that its instances have, those that its methods set on ``self`` among them."""
        known = self._attributes.get(cls)
        if known is None:
            known = self._attributes[cls] = attributes_of(cls, self._on_self)
        return known

    def _on_self(self, cls: type) -> frozenset[str]:
        home = class_module(cls)
        wanted = home.partition(".")[0] == self._top and (home in self._uses or len(self._uses) < MOST_MODULES)
        uses = self.uses_in(home) if wanted else None
        return frozenset() if uses is None else uses.attributes_of(class_qualname(cls))


class UsedTypes:
    """Classes that ``module`` has by name are thought of. What ``wanted`` knows of a parameter comes first."""

    def __init__(
        self, api: ApiModel, sources: Sources, module: str, read: ReadModules | None = None, wanted: WantedTypes | None = None
    ) -> None:
        self._api = api
        self._wanted = wanted
        self._read = ReadModules(api.package, sources) if read is None else read
        self._readers: dict[str, UseReader] = {}
        self._module = module
        self._classes: tuple[Owned, ...] | None = None

    def hints(self, callee: Callee, parameter: str) -> Weighted:
        """The types with their weights; none where the function does nothing telling with it."""
        if self._wanted is not None and (wanted := self._wanted.hints(callee, parameter)):
            return wanted
        for key in sorted(self._api.keys_of(callee)):
            hints = self.within(key.module, key.qualname, parameter)
            if hints:
                return hints
        return ()

    def names_in(self, callee: Callee, parameter: str) -> str:
        """Whether the parameter is the name of a file or of a folder; "" where it is neither."""
        for key in sorted(self._api.keys_of(callee)):
            uses = self._read.uses_in(key.module)
            use = None if uses is None else uses.use_of(key.qualname, parameter)
            if use is not None:
                return FOLDER if FOLDER in use.operations else FILE if FILE in use.operations else ""
        return ""

    def within(self, module: str, qualname: str, parameter: str) -> Weighted:
        """Of the parameter of a function, which may have no address."""
        uses = self._read.uses_in(module)
        use = None if uses is None else uses.use_of(qualname, parameter)
        return () if use is None else self._reader(module).hints(use)

    def classes_with(self, names: Collection[str]) -> tuple[type, ...]:
        """The classes in sight of the module whose instances have all of ``names``."""
        return tuple(owned.cls for owned in self._in_sight() if all(name in owned.attributes for name in names))

    def _in_sight(self) -> tuple[Owned, ...]:
        """The classes of the module's names, when they are asked for."""
        if self._classes is None:
            named = [value for value in loaded_dict(self._module).values() if is_class(value)]
            near = {id(cls) for cls in named} | {id(cls) for cls in self._api.classes_in(self._module)}
            self._classes = tuple(Owned(cls, self._read.attributes_of(cls)) for cls in self._api.classes if id(cls) in near)
        return self._classes

    def _reader(self, module: str) -> UseReader:
        if module not in self._readers:
            self._readers[module] = UseReader(module, HintScope(loaded_dict(module)), self._in_sight())
        return self._readers[module]


class UsedAnywhere:
    """As :class:`UsedTypes`, each callable by the names of its own module. What is not asked for is not read."""

    def __init__(self, api: ApiModel, sources: Sources, wanted: WantedTypes | None = None) -> None:
        self._api = api
        self._wanted = wanted
        self._sources = sources
        self._read = ReadModules(api.package, sources)
        self._readers: dict[str, UsedTypes] = {}
        self._known: dict[type, frozenset[str]] = {}

    def hints(self, callee: Callee, parameter: str) -> Weighted:
        """See :meth:`UsedTypes.hints`."""
        if self._wanted is not None and (wanted := self._wanted.hints(callee, parameter)):
            return wanted
        for module in sorted({key.module for key in self._api.keys_of(callee)}):
            hints = self._reader(module).hints(callee, parameter)
            if hints:
                return hints
        return ()

    def of_inner(self, callee: Callee, parameter: str) -> Weighted:
        """Of a function that is made within another: its address is that of its code."""
        return self._reader(callee.module).within(callee.module, callee.qualname, parameter)

    def roles(self, callee: Callee, parameter: str, inner: bool = False) -> Roles | None:
        """What has to be defined for the parameter; ``inner``: of a function that is made within another."""
        places = [(callee.module, callee.qualname)] if inner else sorted({key[:2] for key in self._api.keys_of(callee)})
        for module, qualname in places:
            uses = self._read.uses_in(module)
            use = None if uses is None else uses.use_of(qualname, parameter)
            if use is not None and (roles := use.roles()) is not None:
                return roles
        return None

    def classes_with(self, modules: Iterable[str], names: Collection[str]) -> tuple[type, ...]:
        """The classes whose instances have all of ``names``: those in sight of ``modules``, else any of the package that says so
        itself."""
        for module in modules:
            found = self._reader(module).classes_with(names)
            if found:
                return found
        return tuple(cls for cls in self._api.classes if self._declared(cls).issuperset(names))

    def _reader(self, module: str) -> UsedTypes:
        if module not in self._readers:
            self._readers[module] = UsedTypes(self._api, self._sources, module, self._read)
        return self._readers[module]

    def _declared(self, cls: type) -> frozenset[str]:
        if cls not in self._known:
            self._known[cls] = attributes_of(cls, lambda _cls: ())
        return self._known[cls]


def suggest(factory: Factory, used: Callable[[Callee, str], Weighted], callables: Iterable[Callee], trust: float = TRUSTED) -> None:
    """Suggest to ``factory`` the types that the untyped parameters of ``callables`` are ``used`` as. ``trust``: how often that is
    to be followed."""
    for callee in callables:
        for parameter in callee.parameters:
            hints = used(callee, parameter.name) if is_any(parameter.hint) else ()
            if hints:
                factory.suggestions.add(callee, parameter.name, _weighed(hints, parameter.name, factory.names), trust)


def _weighed(hints: Weighted, name: str, names: NameModel) -> Weighted:
    """A type that the parameter's name suggests as well weighs more."""
    said = names.said(name)
    if isinstance(said, TypeHint):
        return tuple((said if hint == CALLABLE else hint, weight) for hint, weight in hints)
    if not isinstance(said, ClassHint):
        return hints
    return tuple(
        (hint, weight * SAID_TOO if isinstance(hint, ClassHint) and hint.cls is said.cls else weight) for hint, weight in hints
    )
