"""What code has asked of one value that it was given: attributes, keys, items, a call, the other side of comparisons; by path, as a
tree. ``execution.recording`` writes it down while a test runs, ``making.demanded`` builds real values that answer it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from crashwright.engine.subject.api.types import Hint
from crashwright.engine.testcase.statements import Scalar

MOST_BELOW = 40
"""Keys, or attributes, of one value that are remembered."""
MOST_WANTED = 6
DEEPEST = 8
"""After so many steps from the argument nothing more is asked for: a value that is its own parent has no end."""


class DemandKind(Enum):
    """What a value is to be."""

    OPEN = "open"
    """Not known yet: anything that does not ask for one of the others."""
    OBJECT = "object"
    CALLABLE = "callable"
    ASYNC = "async"
    """A function to be awaited; its items are the results of its calls, one after the other."""
    DOUBLE = "double"
    """A function in the place of one that the code calls; its items are the results of its calls, one after the other."""
    MANAGER = "manager"
    """To be entered by ``with``; its result is what that gives."""
    MAPPING = "dict"
    LIST = "list"
    TUPLE = "tuple"
    TEXT = "str"
    BYTES = "bytes"
    NUMBER = "int"
    REAL = "float"
    NOTHING = "None"


class How(Enum):
    """How a text or a number is compared with another."""

    EQUAL = "equal"
    STARTS = "starts"
    ENDS = "ends"
    HOLDS = "holds"


class Demand:
    """One node. ``name`` is the key or attribute by which the value was reached, "" for items."""

    __slots__ = (
        "absent",
        "attributes",
        "caller",
        "cls",
        "depth",
        "document",
        "hint",
        "is_decided_on",
        "is_tested",
        "is_walked",
        "items",
        "keys",
        "kind",
        "layout",
        "name",
        "optional",
        "owner",
        "result",
        "wanted",
        "width",
    )

    def __init__(self, name: str = "", depth: int = 0, kind: DemandKind = DemandKind.OPEN, cls: type | None = None) -> None:
        self.name = name
        self.cls = cls
        """The class of an object, where a signature says so: one that holds whatever attributes it is made with, or one of a
        library that a mock is to stand for."""
        self.hint: Hint | None = None
        """Its type, where that says all: it is made as an argument of that type is."""
        self.depth = depth
        self.kind = kind if depth < DEEPEST else DemandKind.NOTHING
        self.attributes: dict[str, Demand] = {}
        self.keys: dict[tuple[type, Scalar], Demand] = {}
        self.items: list[Demand] = []
        self.optional: dict[tuple[type, Scalar], None] = {}
        """Keys whose presence was asked for, or that have a default where they lack."""
        self.absent: set[tuple[type, Scalar]] = set()
        """Keys that are not there, whoever asks."""
        self.caller: Demand | None = None
        """What was called, where this is its result."""
        self.owner: Demand | None = None
        """Whose attribute it is."""
        self.result: Demand | None = None
        """Of a call, or of entering."""
        self.document: Demand | None = None
        """What is read in it, where it is a text or bytes that a parser of documents was given."""
        self.layout: tuple[DemandKind, ...] = ()
        """What is under its keys, under the keys of that, and so on, where the format of a document leaves no choice."""
        self.wanted: dict[tuple[How, type, Scalar], None] = {}
        self.width = 0
        """Into how many items it is unpacked."""
        self.is_walked = False
        """It is a mapping whose items were gone through."""
        self.is_decided_on = False
        """It was asked whether it is true."""
        self.is_tested = False
        """Its class was asked for, and what it is said to be decides."""

    def attribute(self, name: str) -> Demand:
        """What is asked of that attribute."""
        if self.kind is DemandKind.OPEN:
            self.kind = DemandKind.OBJECT
        found = self.attributes.get(name)
        if found is None:
            found = Demand(name, self.depth + 1)
            found.owner = self
            if len(self.attributes) < MOST_BELOW:
                self.attributes[name] = found
        return found

    def key(self, key: Scalar, optional: bool = False) -> Demand:
        """What is asked of the value of that key."""
        place = type(key), key
        found = self.keys.get(place)
        if found is None:
            kind = self.layout[0] if self.layout else DemandKind.OPEN
            found = Demand(key if type(key) is str else "", self.depth + 1, kind)
            found.layout = self.layout[1:]
            if len(self.keys) < MOST_BELOW:
                self.keys[place] = found
                if optional:
                    self.optional[place] = None
        elif not optional:
            self.optional.pop(place, None)
        return found

    def item(self, index: int) -> Demand:
        """What is asked of the item at that place; of one far behind, of the last."""
        while len(self.items) <= min(index, MOST_BELOW):
            self.items.append(Demand("", self.depth + 1))
        return self.items[min(index, MOST_BELOW)]

    def returned(self) -> Demand:
        """What is asked of the result of a call."""
        if self.result is None:
            self.result = Demand(self.name, self.depth + 1)
            self.result.caller = self
        return self.result

    def read(self) -> Demand:
        """What is asked of the document in it."""
        if self.document is None:
            self.document = Demand("", self.depth + 1)
        return self.document

    def want(self, how: How, value: Scalar) -> None:
        """It was compared with ``value``."""
        if len(self.wanted) < MOST_WANTED:
            self.wanted[how, type(value), value] = None

    def prefer(self, how: How, value: Scalar) -> None:
        """Of what it was compared with, ``value`` is what it is to be next."""
        self.wanted.pop((how, type(value), value), None)
        if len(self.wanted) >= MOST_WANTED:
            del self.wanted[next(iter(self.wanted))]
        self.wanted[how, type(value), value] = None

    def unpacked(self, width: int) -> None:
        """It has so many items, no more."""
        if self.kind in (DemandKind.OPEN, DemandKind.OBJECT):
            self.kind = DemandKind.TUPLE
        self.width = min(width, MOST_BELOW)
        if self.width:
            self.item(self.width - 1)
            del self.items[self.width :]

    def below(self) -> Iterator[Demand]:
        """The nodes one step away."""
        yield from self.attributes.values()
        yield from self.keys.values()
        yield from self.items
        if self.result is not None:
            yield self.result
        if self.document is not None:
            yield self.document

    def nodes(self) -> Iterator[Demand]:
        """All of the tree, itself first."""
        yield self
        for one in self.below():
            yield from one.nodes()

    @property
    def is_looked_at(self) -> bool:
        """Whether it matters what it is."""
        return self.is_decided_on or self.size() > 1

    def size(self) -> int:
        """Grows with whatever is learnt."""
        return sum(1 + len(node.wanted) + (node.kind is not DemandKind.OPEN) + node.width for node in self.nodes())
