"""Live values and how each came about: one long test that goes on and on, of which only what was kept has a name.

The log holds the statements that ran to their end. A value is the variable that a statement of it defines, so its recipe is a slice
of the log: the calls and constants that made it, and, as its *history*, the latest calls on what it was made of. State is not put
back, so only a run of the recipe from the start says what it is worth.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import islice
from typing import Any, NamedTuple

from crashwright.engine.execution.handlers import Environment
from crashwright.engine.subject.introspection import class_module, derives, identities, instance_dict
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.slices import slice_of
from crashwright.engine.testcase.statements import Statement, Variable
from crashwright.engine.testcase.variables import defined, used

OF_CLASS, OF_PLAIN = 14, 40
"""Values kept of one class of a package, and of one other class."""
OF_MAKER = 4
"""Values of one class kept that one callable gave."""
MOST_LOOKED_AT = 20
"""Attributes of an object by which it is told whether a call has changed it."""
LONGEST = 10_000
"""Items of a container, characters of a text."""
EFFECTS = (st.MethodCall, st.SetAttribute, st.DeleteAttribute, st.SetItem, st.DeleteItem)
_SIZED = identities(str, bytes, bytearray, list, tuple, dict, set, frozenset)
_WRITTEN = identities(str, bytes, int, float, complex)
_WORTHLESS = identities(type(None), bool, type(NotImplemented))

Look = tuple[tuple[int, int], ...]


class Live(NamedTuple):
    """A value: ``size`` is how many calls made it."""

    variable: Variable
    cls: type
    size: int


class Pool:
    """``own``: whether a class is the package's, so that its instances are hard to come by."""

    def __init__(self, own: frozenset[str]) -> None:
        self.env: Environment = {}
        self._own = own
        self._log: list[Statement] = []
        self._by_class: dict[type, list[Live]] = {}
        self._from: dict[tuple[type, object], int] = {}
        self._known: set[tuple[object, ...]] = set()
        self._sizes: dict[Variable, int] = {}
        self._kept: set[int] = set()
        self._asked = 0
        self._quiet: set[Variable] = set()

    @property
    def classes(self) -> list[type]:
        """Those of the values, in the order seen."""
        return list(self._by_class)

    def is_own(self, cls: type) -> bool:
        """Is it a class of the package?"""
        return class_module(cls).partition(".")[0] in self._own

    def of(self, cls: type) -> list[Live]:
        """The values of exactly that class."""
        return self._by_class.get(cls, [])

    def deriving(self, cls: type) -> list[Live]:
        """Instances of ``cls`` and of what inherits it."""
        return [live for known, values in self._by_class.items() if known is cls or derives(known, cls) for live in values]

    def one_of_each(self) -> list[Live]:
        """An instance of each class of the package, in turns another one."""
        self._asked += 1
        return [values[self._asked % len(values)] for cls, values in reversed(self._by_class.items()) if self.is_own(cls)]

    def owned(self) -> Iterator[Live]:
        """Instances of the package's classes, those of the class seen last first."""
        for cls in reversed(self._by_class):
            if self.is_own(cls):
                yield from self._by_class[cls]

    def note(self, statement: Statement, before: Look | None = None) -> None:
        """It ran to its end: what it did to its receiver is part of that one's history. ``before`` is how that looked."""
        self._log.append(statement)
        if before is not None and isinstance(statement, st.MethodCall) and before == self.look(statement.receiver):
            self._quiet.add(statement.variable)

    def look(self, variable: Variable) -> Look | None:
        """What can be seen of an object without asking it: which values its attributes have, and how long containers are. None
        where it keeps nothing that can be seen."""
        held = instance_dict(self.env[variable])
        if not held:
            return None
        return tuple([(id(value), _length(value)) for value in islice(held.values(), MOST_LOOKED_AT)])

    def keep(self, variable: Variable, maker: object, size: int) -> Live | None:
        """Keep what ``variable`` holds, unless there is enough of its like: its name is forgotten then."""
        value = self.env[variable]
        cls = type(value)
        if id(value) in self._kept or not self._is_new(cls, value, maker):
            del self.env[variable]
            return None
        live = Live(variable, cls, size)
        self._by_class.setdefault(cls, []).append(live)
        self._sizes[variable] = size
        self._kept.add(id(value))  # it lives as long as the pool
        return live

    def size_of(self, statement: Statement) -> int:
        """How many calls there are in what the statement is given, and itself."""
        return 1 + sum(self._sizes.get(variable, 0) for variable in set(used(statement)))

    def recipes(self, statement: Statement, longest: int) -> list[tuple[Statement, ...]]:
        """What makes all that ``statement`` is given, and itself: alone, and with its history, where that is something."""
        statements = [*self._log, statement]
        made = slice_of(statements, len(statements) - 1)
        told = [_with_history(statements, longest, len(made), quiet) for quiet in (self._quiet, frozenset[Variable]())]
        return [one for one in dict.fromkeys((made, *told)) if 0 < len(one) <= longest]

    def _is_new(self, cls: type, value: object, maker: object) -> bool:
        if id(cls) in _WORTHLESS or (id(cls) in _SIZED and len(value) > LONGEST):  # type: ignore[arg-type]
            return False
        own = self.is_own(cls)
        if len(self._by_class.get(cls, ())) >= (OF_CLASS if own else OF_PLAIN):
            return False
        if id(cls) in _WRITTEN or id(cls) in _SIZED:
            # What is in a container is not asked: that may be code of the package.
            said = (cls, value) if id(cls) in _WRITTEN else (cls, maker, len(value))  # type: ignore[arg-type]
            if said in self._known:
                return False
            self._known.add(said)
        given = self._from.get((cls, maker), 0)
        self._from[cls, maker] = given + 1
        return maker is None or given < OF_MAKER


def _length(value: Any) -> int:
    """Of a text or a plain container; 0 for all else, which is not asked."""
    return len(value) if id(type(value)) in _SIZED else 0


def _with_history(statements: Sequence[Statement], longest: int, made: int, quiet: Set[Variable]) -> tuple[Statement, ...]:
    """The last statement, all before it that its values need (``made`` statements), and as many of the latest calls on these as
    there is room for, but for the ``quiet`` ones."""
    room = longest - made
    while room > 0:
        told = _told(statements, room, quiet)
        if len(told) <= longest:
            return told
        room //= 2
    return ()


def _told(statements: Sequence[Statement], calls: int, quiet: Set[Variable]) -> tuple[Statement, ...]:
    needed = set(used(statements[-1]))
    chosen = [statements[-1]]
    for statement in reversed(statements[:-1]):
        variable = defined(statement)
        if variable in needed:
            needed.discard(variable)
        elif calls > 0 and variable not in quiet and isinstance(statement, EFFECTS) and statement.receiver in needed:
            calls -= 1
        else:
            continue
        needed.update(used(statement))
        chosen.append(statement)
    return tuple(reversed(chosen))
