"""What the code of one package wants of the parameters of its functions: read when it is first asked for, and each once."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from crashwright.engine.subject.api.types import ClassHint, Hint
from crashwright.engine.wants.reading.demand import Demands
from crashwright.engine.wants.reading.evidence import Evidences
from crashwright.engine.wants.reading.package import Package
from crashwright.engine.wants.reading.trees import Trees
from crashwright.engine.wants.reading.values import ClassSymbol, FunctionSymbol, Value
from crashwright.engine.wants.want import Want

NOTHING = Want()
_MOST_MAKERS = 24
"""Functions whose parameters are looked at for classes."""


class Wanted:
    """``files`` are the modules of the package, the most important first. ``is_live``: classes that are loaded stand for themselves
    (in an engine); else types are names."""

    def __init__(self, files: Iterable[tuple[str, str]], is_live: bool) -> None:
        self._files = files
        self._is_live = is_live
        self._package: Package | None = None
        self._trees: Trees | None = None
        self._parameters: dict[tuple[str, str], dict[str, Value]] = {}
        self._functions: dict[tuple[str, str], FunctionSymbol] = {}
        self._classes: dict[tuple[str, str], ClassSymbol] = {}
        self._known: dict[tuple[str, str, str], Want] = {}

    def parameter(self, module: str, qualname: str, name: str) -> Want:
        """What is wanted of a parameter of a function, by the names of its code; NOTHING where it is not known."""
        key = module, qualname, name
        if key not in self._known:
            trees, value = self._read(), self._parameters.get((module, qualname), {}).get(name)
            self._known[key] = NOTHING if value is None else trees.of(value, name)
        return self._known[key]

    def hints(self, module: str, qualname: str, name: str) -> tuple[tuple[Hint, float], ...]:
        """The types alone: cheaper."""
        trees, value = self._read(), self._parameters.get((module, qualname), {}).get(name)
        return () if value is None else trees.hints(value, name)

    def field(self, module: str, qualname: str, name: str) -> tuple[tuple[Hint, float], ...]:
        """The types of an attribute of a class, which a constructor that nobody wrote takes."""
        trees = self._read()
        symbol = self._classes.get((module, qualname))
        return () if symbol is None or name not in symbol.attributes else trees.hints(symbol.attributes[name], name)

    def having(self, names: Collection[str]) -> tuple[type, ...]:
        """The classes that are loaded and whose instances have all of these attributes, without those that derive from others of
        them."""
        classes = self._read().having(names)
        return tuple(hint.cls for hint in classes if isinstance(hint, ClassHint))

    def keywords(self, module: str, qualname: str) -> dict[str, Hint]:
        """What a function that takes any keywords makes of them, itself, where it keeps them or where it hands them on."""
        trees, function = self._read(), self._functions.get((module, qualname))
        return {} if function is None or not function.stars else trees.keywords(function.parameters[function.stars])

    def names(self, module: str, qualname: str) -> tuple[str, ...]:
        """The parameters of a function."""
        self._read()
        return tuple(self._parameters.get((module, qualname), ()))

    def homes(self, places: Iterable[tuple[str, str]]) -> list[str]:
        """The modules with the classes that the parameters of these functions, and of what makes their owners, are wanted to be,
        and with those that their constructors take in turn."""
        package = self._modules()
        trees = Trees(Demands(Evidences(package, is_live=False)))
        waiting = [one for module, qualname in places for one in ((module, qualname), _maker_of(module, qualname))]
        found: dict[str, None] = {}
        for place in waiting:
            for name, value in self._parameters.get(place, {}).items():
                for symbol in trees.classes(value, name):
                    maker = package.constructor(symbol)
                    further = (symbol.module.name, symbol.qualname) if maker is None else (maker.module.name, maker.qualname)
                    found[symbol.module.name] = None
                    if further not in waiting and len(waiting) < _MOST_MAKERS:
                        waiting.append(further)
        return list(found)

    def read(self) -> None:
        """Read the files now."""
        self._read()

    def _modules(self) -> Package:
        if self._package is None:
            self._package = Package(self._files)
            for function in self._package.functions:
                self._parameters.setdefault((function.module.name, function.qualname), function.parameters)
                self._functions.setdefault((function.module.name, function.qualname), function)
            for symbol in self._package.classes:
                self._classes.setdefault((symbol.module.name, symbol.qualname), symbol)
        return self._package

    def _read(self) -> Trees:
        if self._trees is None:
            self._trees = Trees(Demands(Evidences(self._modules(), self._is_live)))
        return self._trees


def _maker_of(module: str, qualname: str) -> tuple[str, str]:
    return module, f"{qualname.rpartition('.')[0]}.__init__"
