"""The index of a package: its modules read, what its dotted names mean, its classes in order of lookup, and all calls by name.

It is built once, from files, and bounded by lines of source; nothing is imported. Whether a class is there as a live object is for
``classes`` to say.
"""

from __future__ import annotations

import ast
import os
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from crashwright.core.unparsable import UNPARSABLE
from crashwright.engine.wants.reading.statements import ModuleWalk
from crashwright.engine.wants.reading.values import (
    CallNote,
    ClassSymbol,
    DottedName,
    External,
    FunctionSymbol,
    Module,
    Term,
    Value,
    WrittenValue,
    flow,
)

MOST_LINES = 60_000
"""Lines of source that are read of one package: one to two seconds."""
MOST_FILES = 3000
_DEEPEST = 12
"""Names for names."""


Meaning = Module | FunctionSymbol | ClassSymbol | Value | WrittenValue | External


class Package:
    """``files``: names of modules and their files, the most important first, since reading ends after ``MOST_LINES``."""

    def __init__(self, files: Iterable[tuple[str, str]]) -> None:
        self.modules: dict[str, Module] = {}
        self.functions: list[FunctionSymbol] = []
        self.classes: list[ClassSymbol] = []
        self.sites: dict[str, list[CallNote]] = defaultdict(list)
        self.methods: dict[str, list[FunctionSymbol]] = defaultdict(list)
        self.by_class_name: dict[str, list[ClassSymbol]] = defaultdict(list)
        self._meant: dict[tuple[Module, str], Meaning | None] = {}
        self._orders: dict[ClassSymbol, tuple[ClassSymbol, ...]] = {}
        self._foreign: dict[ClassSymbol, tuple[External, ...]] = {}
        self._below: dict[ClassSymbol, list[ClassSymbol]] | None = None
        self._registrations: list[tuple[Term, FunctionSymbol]] = []
        lines = 0
        for name, path in files:
            text = _read(path)
            lines += text.count("\n")
            if lines > MOST_LINES:
                break
            self._add(name, path, text)
        for term, function in self._registrations:
            generic = self.meaning(term)
            if isinstance(generic, FunctionSymbol):
                _implement(generic, function)

    def _add(self, name: str, path: str, text: str) -> None:
        try:
            tree = ast.parse(text)
        except UNPARSABLE:
            return
        module = self.modules[name] = Module(name, path, os.path.basename(path) == "__init__.py")
        walk = ModuleWalk(module, tree)
        self.functions += walk.functions
        self._registrations += walk.registrations
        self.classes += walk.classes
        for site in walk.sites:
            self.sites[site.name].append(site)
        for function in walk.functions:
            if function.owner is not None:
                self.methods[function.name].append(function)
        for symbol in walk.classes:
            self.by_class_name[symbol.name].append(symbol)

    # Names

    def meaning(self, term: Term, depth: int = 0) -> Meaning | None:
        """What a term stands for; aliases and imports are followed."""
        if not isinstance(term, DottedName):
            return term
        if depth > _DEEPEST:
            return None
        first = term.parts[0]
        if term.module is None:
            return self._absolute(term.parts, depth)
        found = self._in_module(term.module, first, depth)
        return self._descend(External(first) if found is None else found, term.parts[1:], depth)

    def _in_module(self, module: Module, name: str, depth: int) -> Meaning | None:
        key = module, name
        if key not in self._meant:
            self._meant[key] = None  # of modules that import each other's names in a circle
            self._meant[key] = self._found_in(module, name, depth)
        return self._meant[key]

    def _found_in(self, module: Module, name: str, depth: int) -> Meaning | None:
        known = module.names.get(name)
        if known is not None:
            return self.meaning(known, depth + 1)
        stars = module.names.get("*")
        for star in stars.sources if isinstance(stars, Value) and name != "*" else ():
            inner = self.meaning(star, depth + 1)
            if isinstance(inner, Module) and depth < _DEEPEST and (found := self._in_module(inner, name, depth + 1)) is not None:
                return found
        return None

    def _absolute(self, parts: Sequence[str], depth: int) -> Meaning:
        for end in range(len(parts), 0, -1):
            module = self.modules.get(".".join(parts[:end]))
            if module is not None:
                return self._descend(module, parts[end:], depth)
        return External(".".join(parts))

    def _descend(self, found: Meaning, parts: Sequence[str], depth: int) -> Meaning:
        for place, part in enumerate(parts):
            inner: Meaning | None = None
            if isinstance(found, External):
                return External(".".join((found.name, *parts[place:])))
            if isinstance(found, Module):
                inner = self._in_module(found, part, depth + 1) or self.modules.get(f"{found.name}.{part}")
            elif isinstance(found, ClassSymbol):
                inner = self.member(found, part)
            elif isinstance(found, Value):
                inner = found.attribute(part, found.line)
            if inner is None:
                return External("")
            found = inner
        return found

    def member(self, symbol: ClassSymbol, name: str) -> Meaning | None:
        """A method, a class within it, or what an attribute holds."""
        for cls in self.order(symbol):
            if name in cls.methods:
                return cls.methods[name]
            if name in cls.attributes:
                return cls.attributes[name]
            if name in cls.names:
                return self.meaning(cls.names[name])
        return None

    # Classes

    def order(self, symbol: ClassSymbol) -> tuple[ClassSymbol, ...]:
        """The class and its bases of the package, in order of lookup (of several bases, one after the other)."""
        known = self._orders.get(symbol)
        if known is not None:
            return known
        self._orders[symbol] = (symbol,)  # of a class that derives from itself by a name
        found: dict[ClassSymbol, None] = {symbol: None}
        foreign: dict[External, None] = {}
        for base in symbol.bases:
            meaning = self.meaning(base)
            if isinstance(meaning, ClassSymbol):
                found.update(dict.fromkeys(self.order(meaning)))
                foreign.update(dict.fromkeys(self._foreign.get(meaning, ())))
            elif isinstance(meaning, External):
                foreign[meaning] = None
        self._orders[symbol] = tuple(found)
        self._foreign[symbol] = tuple(foreign)
        return self._orders[symbol]

    def foreign(self, symbol: ClassSymbol) -> tuple[External, ...]:
        """The bases of it, and of its bases, that are not of the package."""
        self.order(symbol)
        return self._foreign.get(symbol, ())

    def below(self, symbol: ClassSymbol) -> list[ClassSymbol]:
        """The classes that derive from it."""
        if self._below is None:
            self._below = defaultdict(list)
            for cls in self.classes:
                for base in self.order(cls)[1:]:
                    self._below[base].append(cls)
        return self._below.get(symbol, [])

    def method(self, symbol: ClassSymbol, name: str, after: bool = False) -> FunctionSymbol | None:
        """The method of that name, of its bases alone if ``after``."""
        return next((cls.methods[name] for cls in self.order(symbol)[1 if after else 0 :] if name in cls.methods), None)

    def is_enum(self, symbol: ClassSymbol) -> bool:
        """Whether its attributes are its members."""
        return any(one.name.rpartition(".")[2] in _ENUMS for one in self.foreign(symbol))

    def fields(self, symbol: ClassSymbol) -> list[tuple[ClassSymbol, str]]:
        """The fields that a constructor takes which nobody wrote, in order; none where the class is no record."""
        order = self.order(symbol)
        is_record = any(one in _RECORDS for cls in order for one in cls.decorators) or any(
            one.name.rpartition(".")[2] in _RECORDS for one in self.foreign(symbol)
        )
        if not is_record:
            return []
        found = {name: cls for cls in reversed(order) for name in cls.fields}
        return [(cls, name) for name, cls in found.items()]

    def constructor(self, symbol: ClassSymbol) -> FunctionSymbol | None:
        """What takes the arguments of a call of the class."""
        return self.method(symbol, "__init__") or self.method(symbol, "__new__")


def _implement(generic: FunctionSymbol, function: FunctionSymbol) -> None:
    """What ``generic``, a function that dispatches on a type, is given goes to ``function`` too if it is of the type that that is
    registered for."""
    for source, target in zip(generic.positional, function.positional, strict=False):
        flow(generic.parameters[source], function.parameters[target])
    flow(function.returned, generic.returned)
    first = generic.parameters[generic.positional[0]] if generic.positional else None
    if first is not None:
        first.tested = [*first.tested, *function.registered, *_annotated_first(function)]


def _annotated_first(function: FunctionSymbol) -> Iterator[tuple[Term, int]]:
    """The class that its first parameter is annotated with, by its dotted name."""
    arguments = [] if isinstance(function.node, ast.Lambda) else [*function.node.args.posonlyargs, *function.node.args.args]
    annotation = next((one.annotation for one in arguments if one.arg in function.positional[:1]), None)
    if isinstance(annotation, ast.Name | ast.Attribute):
        yield DottedName(function.module, tuple(ast.unparse(annotation).split("."))), annotation.lineno


_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
_RECORDS = frozenset({"dataclass", "define", "frozen", "mutable", "attrs", "s", "NamedTuple", "TypedDict", "BaseModel"})


def near(files: Iterable[tuple[str, str]], modules: Sequence[str]) -> list[tuple[str, str]]:
    """The same with those that ``modules`` name first, then those that are in the same folders."""
    parts = [module.split(".") for module in modules]

    def distance(name: str) -> int:
        own = name.split(".")
        return min((0 if own == other else 1 + len(other) - _alike(own, other) for other in parts), default=0)

    return sorted(files, key=lambda one: distance(one[0]))


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many parts both begin with."""
    return next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def files_of(folder_or_file: str, name: str) -> Iterator[tuple[str, str]]:
    """The modules of a package in a folder (or the one that is a file), with their files; tests come last."""
    if folder_or_file.endswith(".py"):
        yield name, folder_or_file
        return
    found: list[tuple[bool, str, str]] = []
    for folder, inner, files in os.walk(folder_or_file):
        inner[:] = sorted(one for one in inner if one.isidentifier() and one != "__pycache__")
        for file in sorted(files):
            stem, extension = os.path.splitext(file)
            if extension == ".py" and len(found) < MOST_FILES:
                parts = [name, *os.path.relpath(folder, folder_or_file).split(os.sep), stem]
                module = ".".join(part for part in parts if part not in (".", "__init__"))
                is_test = any(part in ("tests", "test", "testing") or part.startswith("test_") for part in parts)
                found.append((is_test, module, os.path.join(folder, file)))
    yield from ((module, path) for _, module, path in sorted(found, key=lambda one: one[0]))


def _read(path: str) -> str:
    try:
        with tokenize.open(path) as stream:
            return stream.read()
    except OSError:
        return ""
    except UNPARSABLE:
        return ""
