"""What a walk over the source notes of each value: where it comes from, where it goes, and what is done with it.

A :class:`Value` stands for a variable, a parameter, an attribute of a class, or a part of one of these: all that is known to hold
the same. The walk writes into it and asks nothing; ``flow`` follows it from there on.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from crashwright.engine.subject.api.types import Hint

NOTHING = object()
"""No literal."""


class WrittenValue(NamedTuple):
    """A value that the source writes out: its type, and itself where it is plain."""

    hint: Hint
    literal: object = NOTHING


class DottedName(NamedTuple):
    """What a dotted name means in a module (None: anywhere)."""

    module: Module | None
    parts: tuple[str, ...]


class External(NamedTuple):
    """What is not of the package, by its dotted name."""

    name: str


class PartOf(NamedTuple):
    """``kind``: attribute, key or item (then ``name`` is None)."""

    whole: Value
    kind: str
    name: str | int | None


class Value:
    """What nothing was noted of costs nothing: all lists are class-wide empty ones until then."""

    sources: list[Term] | tuple[()] = ()
    """What is assigned to it."""
    flows: list[Value] | tuple[()] = ()
    """What it is assigned to."""
    passed: list[tuple[CallNote, int | str]] | tuple[()] = ()
    """Calls that get it, and where: a position, a keyword, ``*`` or ``**``."""
    methods: list[CallNote] | tuple[()] = ()
    """Calls of its methods; of itself, where the name is empty."""
    compared: list[Term] | tuple[()] = ()
    attributes: dict[str, Value] | None = None
    keys: dict[str | int, Value] | None = None
    items: Value | None = None
    operations: dict[str, int] | None = None
    """What is done with it (as in ``usage.use``), and the first line."""
    literals: list[tuple[object, int]] | tuple[()] = ()
    tested: list[tuple[Term, int]] | tuple[()] = ()
    """The classes that ``isinstance`` asks for."""
    part_of: PartOf | None = None
    made_by: CallNote | None = None
    parameter: tuple[FunctionSymbol, str] | None = None
    receiver: ClassSymbol | None = None
    """It is ``self`` in a method of that class."""
    owned: tuple[ClassSymbol, str] | None = None
    """It is the attribute of a class."""
    width: int = 0
    """Into how many it is unpacked."""

    def __init__(self, module: Module, line: int) -> None:
        self.module = module
        self.line = line

    def attribute(self, name: str, line: int) -> Value:
        """What an attribute of it holds; of ``self`` that of the class."""
        if self.receiver is not None:
            return self.receiver.attribute(name, line)
        known = self.attributes
        if known is None:
            known = self.attributes = {}
        found = known.get(name)
        if found is None:
            found = known[name] = Value(self.module, line)
            found.part_of = PartOf(self, "attribute", name)
        return found

    def key(self, key: str | int, line: int) -> Value:
        """What stands under a key, or at a place."""
        known = self.keys
        if known is None:
            known = self.keys = {}
        found = known.get(key)
        if found is None:
            found = known[key] = Value(self.module, line)
            found.part_of = PartOf(self, "key", key)
        return found

    def item(self, line: int) -> Value:
        """Any of its items."""
        if self.items is None:
            self.items = Value(self.module, line)
            self.items.part_of = PartOf(self, "item", None)
        return self.items

    @property
    def is_read(self) -> bool:
        """Whether it is more than stored."""
        used = self.flows or self.passed or self.methods or self.compared or self.attributes or self.keys or self.operations
        return bool(used) or not self.sources

    def note(self, operation: str, line: int) -> None:
        """It takes part in ``operation``."""
        if self.operations is None:
            self.operations = {operation: line}
        else:
            self.operations.setdefault(operation, line)

    def expect(self, literal: object, line: int) -> None:
        """It is compared with that."""
        if not self.literals:
            self.literals = []
        self.literals.append((literal, line))


def flow(source: Term, target: Value) -> None:
    """``target`` is given ``source``."""
    if source is None or source is target:
        return
    if not target.sources:
        target.sources = []
    target.sources.append(source)
    if isinstance(source, Value):
        if not source.flows:
            source.flows = []
        source.flows.append(target)


def compare(one: Term, other: Term) -> None:
    """Both may be the same."""
    if isinstance(one, Value) and other is not None:
        if not one.compared:
            one.compared = []
        one.compared.append(other)


class CallNote:
    """A call: of a name (``named``), of a method of ``receiver``, of ``super()`` in ``above``. ``result`` is what it gives."""

    __slots__ = ("above", "arguments", "function", "known", "line", "module", "name", "named", "of_itself", "receiver", "result")

    def __init__(self, module: Module, line: int, name: str) -> None:
        self.module = module
        self.line = line
        self.name = name
        self.named: DottedName | FunctionSymbol | ClassSymbol | None = None
        self.receiver: Term = None
        self.of_itself = False
        """It is the receiver that is called, not a method of it."""
        self.above: ClassSymbol | None = None
        self.arguments: list[tuple[int | str, Term]] = []
        """By position or keyword; ``*`` and ``**`` are what is spread."""
        self.function: FunctionSymbol | None = None
        self.result = Value(module, line)
        self.result.made_by = self
        self.known: list[FunctionSymbol | ClassSymbol | External] | None = None
        """What it leads to, once that was asked (``calls``)."""

    def argument(self, place: int | str) -> Term:
        """What is passed there."""
        return next((term for known, term in self.arguments if known == place), None)

    def literal(self, place: int | str) -> object:
        """What is written there, NOTHING where nothing is."""
        term = self.argument(place)
        return term.literal if isinstance(term, WrittenValue) else NOTHING


class Module:
    """A file of the package. ``names`` are what its top level defines, imports and assigns, ``written`` what it assigns to them."""

    __slots__ = ("is_package", "name", "names", "path", "written")

    def __init__(self, name: str, path: str, is_package: bool) -> None:
        self.name = name
        self.path = path
        self.is_package = is_package
        self.names: dict[str, Term] = {}
        self.written: dict[str, ast.expr] = {}


class ClassSymbol:
    """A class of the package. ``fields`` are the names that its body annotates; ``attributes`` what its instances hold."""

    __slots__ = (
        "annotations",
        "attributes",
        "bases",
        "decorators",
        "fields",
        "line",
        "methods",
        "module",
        "names",
        "node",
        "qualname",
    )

    def __init__(self, module: Module, qualname: str, node: ast.ClassDef) -> None:
        self.module = module
        self.qualname = qualname
        self.node = node
        self.line = node.lineno
        self.bases: list[Term] = []
        self.decorators: list[str] = []
        self.fields: list[str] = []
        self.annotations: dict[str, ast.expr] = {}
        self.attributes: dict[str, Value] = {}
        self.methods: dict[str, FunctionSymbol] = {}
        self.names: dict[str, Term] = {}

    def attribute(self, name: str, line: int) -> Value:
        """What an attribute of its instances holds."""
        found = self.attributes.get(name)
        if found is None:
            found = self.attributes[name] = Value(self.module, line)
            found.owned = self, name
        return found

    @property
    def name(self) -> str:
        """Without what is around it."""
        return self.qualname.rpartition(".")[2]


class FunctionSymbol:
    """A function or method of the package. ``parameters`` in order, without the receiver; ``positional`` those that stand by
    position. ``returned`` is what it gives."""

    __slots__ = (
        "decorators",
        "defaults",
        "is_generator",
        "module",
        "node",
        "owner",
        "parameters",
        "positional",
        "qualname",
        "registered",
        "returned",
        "star",
        "stars",
    )

    def __init__(self, module: Module, qualname: str, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        self.module = module
        self.qualname = qualname
        self.node = node
        self.owner: ClassSymbol | None = None
        self.decorators: list[DottedName | None] = []
        self.parameters: dict[str, Value] = {}
        self.positional: list[str] = []
        self.defaults: dict[str, Term] = {}
        self.star = ""
        self.stars = ""
        self.registered: list[tuple[Term, int]] = []
        """What its decorators are given: a class, of a registry by types."""
        self.returned = Value(module, node.lineno)
        self.is_generator = False

    @property
    def name(self) -> str:
        """Without what is around it."""
        return self.qualname.rpartition(".")[2]

    def is_decorated(self, name: str) -> bool:
        """By something whose name ends so."""
        return any(one is not None and one.parts[-1] == name for one in self.decorators)

    def place_of(self, place: int | str) -> Value | None:
        """The parameter that takes a position or a keyword; parts of those behind stars."""
        if type(place) is int:
            if place < len(self.positional):
                return self.parameters[self.positional[place]]
            return self.parameters[self.star].item(self.node.lineno) if self.star else None
        if place == "*":
            return self.parameters.get(self.star)
        if place == "**":
            return self.parameters.get(self.stars)
        if place in self.parameters and place not in (self.star, self.stars):
            return self.parameters[str(place)]
        return self.parameters[self.stars].key(place, self.node.lineno) if self.stars else None


Term = Value | WrittenValue | DottedName | FunctionSymbol | ClassSymbol | None
"""What an expression means, as far as it is known."""
