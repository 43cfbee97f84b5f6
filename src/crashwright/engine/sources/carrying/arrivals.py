"""What arrives at the entry of a function in a run of a test, and where in the values of the test each part of it is found.

Nothing of the subject is run: attributes and items are read as ``goals.crash.live_heap`` reads them. What was found is plain data,
so that it outlives the run, whose state is put back.
"""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from types import FrameType, MemberDescriptorType
from typing import NamedTuple, cast

from crashwright.core.location import CodeKey
from crashwright.core.target import TargetFrame
from crashwright.engine.goals.crash.live_heap import is_scalar, pairs_of
from crashwright.engine.subject.introspection import (
    class_dict,
    class_module,
    class_mro,
    derives,
    identities,
    instance_dict,
    is_class,
    is_module,
)
from crashwright.engine.testcase.statements import Variable

MOST_ARRIVALS, MOST_ENTRIES = 6, 40
"""Entries of one run that are kept, the first ones and the last, and looked at."""
MOST_OBJECTS, DEEPEST = 1200, 6
"""What is looked at from the values of a test, ..."""
MOST_NODES, DEEPEST_NODE = 240, 5
"""... and of what arrives."""
MOST_ITEMS = 40
"""Items of one container."""
SPOTS = 3
"""Places of one value that are kept."""
OUTWARDS = 24
"""Callers among which the frame further out is looked for."""
_SEQUENCES = (list, tuple)
_CONTAINERS = identities(list, tuple, dict)
_OPAQUE = identities(type(sys), type(is_scalar), type(len), type, property, staticmethod, classmethod)


class PathStep(NamedTuple):
    """From an object to a part of it: ``attribute`` of this name, or ``item`` of this index or key; ``fixed``: of what does not
    let itself be changed."""

    kind: str
    key: object
    fixed: bool = False


class Spot(NamedTuple):
    """Where in the values of a test something is: ``path`` begins at what the variable holds."""

    variable: Variable
    path: tuple[PathStep, ...] = ()


class ArrivedValue(NamedTuple):
    """A value as it was when it arrived. ``value`` is that of a scalar (None where ``is_scalar`` is false). ``same`` are the places
    of this very object, ``alike`` those of equal scalars."""

    cls: type
    is_scalar: bool
    value: object
    parts: tuple[tuple[PathStep, ArrivedValue], ...] = ()
    whole: bool = False
    """It is a list, tuple or dict itself, and all that it holds is among the parts."""
    same: tuple[Spot, ...] = ()
    alike: tuple[Spot, ...] = ()

    def part(self, step: PathStep) -> ArrivedValue | None:
        """By kind and key."""
        return next((node for own, node in self.parts if own[:2] == step[:2] and type(own.key) is type(step.key)), None)


class Arrival(NamedTuple):
    """``arguments`` by name; ``rightly``: it was called from where the report says."""

    arguments: Mapping[str, ArrivedValue]
    rightly: bool


class Arrivals:
    """Notes what arrives at the entry of ``frame`` in the runs that are made within it. ``outside``: the next frame further out.
    ``variables`` gives those of the test that runs."""

    def __init__(self, frame: TargetFrame, outside: TargetFrame | None, variables: Callable[[], Mapping[Variable, object]]) -> None:
        self._frame = frame
        self._outside = outside
        self._variables = variables
        self._before: object = None
        self._code: object = None
        self._entries = 0
        self.found: list[Arrival] = []

    def __enter__(self) -> Arrivals:
        self._before = sys.getprofile()
        self.found, self._entries = [], 0
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(cast(None, self._before))

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call" or self._entries >= MOST_ENTRIES:
            return
        code = frame.f_code
        if code is not self._code:
            if code.co_name != self._frame.key.name or not _is_of(frame, self._frame.key):
                return
            self._code = code
        self._entries += 1
        rightly = self._outside is None or self._is_called_rightly(frame)
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)]
        given = frame.f_locals
        places = TestPlaces(self._variables())
        del self.found[MOST_ARRIVALS - 1 :]
        self.found.append(Arrival({name: places.node(given[name]) for name in names if name in given}, rightly))

    def _is_called_rightly(self, frame: FrameType) -> bool:
        outside = self._outside
        back = frame.f_back
        for _ in range(OUTWARDS):
            if back is None or outside is None:
                return False
            if back.f_lineno == outside.line and back.f_code.co_name == outside.key.name and _is_of(back, outside.key):
                return True
            back = back.f_back
        return False


def _is_of(frame: FrameType, key: CodeKey) -> bool:
    code = frame.f_code
    return (
        code.co_qualname == key.qualname and code.co_firstlineno == key.first_line and frame.f_globals.get("__name__") == key.module
    )


class TestPlaces:
    """Where in the values of a test objects are: by identity, and scalars by what they are."""

    def __init__(self, variables: Mapping[Variable, object], most: int = MOST_OBJECTS) -> None:
        self._same: dict[int, list[Spot]] = {}
        self._alike: dict[tuple[type, object], list[Spot]] = {}
        self._kept: list[object] = []
        self._left = MOST_NODES
        self._objects = most
        self._classes: dict[int, _OfClass] = {}
        self._seen: set[Variable] = set()
        self.add(variables)

    def add(self, variables: Mapping[Variable, object]) -> None:
        """Those that were not looked at before."""
        waiting = [(Spot(variable), value) for variable, value in variables.items() if variable not in self._seen]
        self._seen.update(variables)
        place = 0
        while place < len(waiting) and self._objects > 0:
            self._objects -= 1
            spot, value = waiting[place]
            place += 1
            if is_scalar(value):
                self._at(self._alike.setdefault((type(value), repr(value)), []), spot)
                continue
            known = self._same.setdefault(id(value), [])
            self._at(known, spot)
            if len(known) > 1 or len(spot.path) >= DEEPEST:
                continue
            self._kept.append(value)  # an address is one object's as long as that lives
            waiting += [(Spot(spot.variable, (*spot.path, step)), part) for step, part in parts_of(value, self._classes)]

    @staticmethod
    def _at(spots: list[Spot], spot: Spot) -> None:
        if len(spots) < SPOTS:
            spots.append(spot)

    def spots(self, value: object) -> tuple[Spot, ...]:
        """Where ``value`` is: this very object, or scalars that equal it."""
        if is_scalar(value):
            return tuple(self._alike.get((type(value), repr(value)), ()))
        return tuple(self._same.get(id(value), ()))

    def node(self, value: object, depth: int = 0) -> ArrivedValue:
        """``value`` with its parts."""
        self._left -= 1
        if is_scalar(value):
            return ArrivedValue(type(value), True, value, alike=tuple(self._alike.get((type(value), repr(value)), ())))
        deeper = depth < DEEPEST_NODE
        parts = tuple((step, self.node(part, depth + 1)) for step, part in parts_of(value) if deeper and self._left > 0)
        kind = type(value)
        whole = id(kind) in _CONTAINERS and len(cast("list[object]", value)) == len(parts)
        return ArrivedValue(kind, False, None, parts, whole, tuple(self._same.get(id(value), ())))


class _OfClass(NamedTuple):
    """What all of its instances have. ``cls`` is kept, since an address is one object's as long as that lives."""

    cls: type
    shared: list[tuple[str, object]]
    slots: list[tuple[str, MemberDescriptorType]]


def parts_of(value: object, known: dict[int, _OfClass] | None = None) -> Iterator[tuple[PathStep, object]]:
    """What builtin containers hold, and the attributes of an object's own. ``known``: what was read of classes before."""
    kind = type(value)
    if id(kind) in _OPAQUE or is_scalar(value) or is_class(value) or is_module(value) or derives(kind, enum.Enum):
        return  # nobody goes by one member of an enumeration to another
    for base in _SEQUENCES:
        if derives(kind, base):
            items = (
                base.__iter__(cast("list[object]", value)) if base is list else tuple.__iter__(cast("tuple[object, ...]", value))
            )
            for index, item in enumerate(islice(items, MOST_ITEMS)):
                yield PathStep("item", index, base is tuple), item
    if derives(kind, dict):
        pairs = pairs_of(value)
        for key, item in list(islice(pairs or (), MOST_ITEMS)):
            if is_scalar(key):
                yield PathStep("item", key), item
    own = instance_dict(value)
    for name, item in list(islice(own.items(), MOST_ITEMS)):
        if type(name) is str:
            yield PathStep("attribute", name), item
    if known is None or (of_class := known.get(id(kind))) is None:
        of_class = _OfClass(kind, _shared(kind), _slots(kind))
        if known is not None:
            known[id(kind)] = of_class
    for name, item in of_class.shared:
        if name not in own:
            yield PathStep("attribute", name), item
    for name, slot in of_class.slots:
        try:
            yield PathStep("attribute", name), slot.__get__(value)
        except AttributeError:  # an empty one
            continue


def _shared(kind: type) -> list[tuple[str, object]]:
    """The plain values that its class has for all: in a class that a test defines they are what it was made for."""
    if class_module(kind) == "builtins":
        return []
    found = {
        name: raw
        for parent in reversed(class_mro(kind)[:-1])
        for name, raw in class_dict(parent).items()
        if not name.startswith("__") and (is_scalar(raw) or id(type(raw)) in _CONTAINERS)
    }
    return list(found.items())[:MOST_ITEMS]


def _slots(kind: type) -> list[tuple[str, MemberDescriptorType]]:
    if class_module(kind) == "builtins":
        return []
    return [
        (name, raw)
        for parent in class_mro(kind)[:-1]
        for name, raw in class_dict(parent).items()
        if type(raw) is MemberDescriptorType and not name.startswith("__")
    ]
