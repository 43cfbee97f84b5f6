"""What is done with one value (``uses_of_values``)."""

from __future__ import annotations

from crashwright.engine.subject.usage.roles import CLASS, ROLES, Roles

FILE, FOLDER = "file", "folder"
_MOST_LINKS = 4
_OF_CALLABLES = frozenset({"call", "optional", "await"})


class Use:
    """What is done with one value. ``operations`` are: iterate, length, contains, index, slice, key, item, store, call, number,
    text, bytes, add, multiply, modulo, subtract, combine, order, with, await, next, unpack, optional, file or folder where it
    is the name of one, and those of ``roles``. ``links`` are the uses of other variables that the value flows into, ``places``
    those of other spellings of the path that it is."""

    __slots__ = ("arities", "asked", "attributes", "classes", "element", "equals", "links", "operations", "places", "width")

    def __init__(self) -> None:
        self.attributes: dict[str, None] = {}
        self.asked: dict[str, None] = {}
        """Attributes of which it is asked whether it has them."""
        self.arities: dict[int | None, None] = {}
        """With how many positional arguments it is called; None: with whatever there is."""
        self.operations: dict[str, None] = {}
        self.classes: dict[str, None] = {}
        """Names of classes that ``isinstance`` asks for, as written."""
        self.equals: dict[str, None] = {}
        """Names of what it is compared with, as written: a class, or a member of an enumeration."""
        self.element: Use | None = None
        self.width = 0
        """Of an element that is unpacked: into how many."""
        self.links: list[Use] = []
        self.places: list[Use] = []

    def note(self, operation: str) -> None:
        """The value takes part in ``operation``."""
        self.operations[operation] = None

    def elements(self) -> Use:
        """The use of its elements."""
        if self.element is None:
            self.element = Use()
        return self.element

    def __bool__(self) -> bool:
        return bool(self.attributes or self.operations or self.classes or self.equals)

    def merged(self) -> Use:
        """With all that it flows into."""
        whole = Use()
        seen: list[Use] = []
        waiting = [(self, 0, False)]
        while waiting:
            use, depth, is_place = waiting.pop(0)
            if any(use is known for known in seen):
                continue
            seen.append(use)
            if is_place:
                whole.operations |= {name: None for name in use.operations if name in (FILE, FOLDER)}
            else:
                whole._join(use)
            if depth < _MOST_LINKS:
                waiting.extend((link, depth + 1, is_place) for link in use.links)
                waiting.extend((place, depth + 1, True) for place in use.places)
        return whole

    def _join(self, use: Use) -> None:
        self.attributes |= use.attributes
        self.asked |= use.asked
        self.arities |= use.arities
        self.operations |= use.operations
        self.classes |= use.classes
        self.equals |= use.equals
        self.width = max(self.width, use.width)
        if use.element is not None:
            self.elements().links.append(use.element)

    def roles(self) -> Roles | None:
        """What has to be defined for it; None where that is nothing, or more is done with it than functions and classes allow."""
        kinds = dict.fromkeys(kind for kind in self.operations if kind in ROLES)
        if "type" in self.classes:
            kinds[CLASS] = None
        if not kinds and not (self.operations.keys() <= _OF_CALLABLES and "call" in self.operations):
            return None
        arities = tuple([number for number in self.arities if number is not None])
        return Roles(tuple(kinds), arities, None in self.arities, tuple(self.asked))
