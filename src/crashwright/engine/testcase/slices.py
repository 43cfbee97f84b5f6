"""The statements that make one value: cut out of one test, grafted into another (the object pool of EvoSuite, as slices of
tests)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from crashwright.engine.subject.introspection import derives
from crashwright.engine.testcase.statements import (
    DeleteAttribute,
    DeleteItem,
    Enter,
    MethodCall,
    SetAttribute,
    SetItem,
    Statement,
    Variable,
)
from crashwright.engine.testcase.variables import defined, map_used, used, with_variable

KEPT = 3
"""Slices kept for each class and last call, the shortest."""
LONGEST = 8
_EFFECTS = (MethodCall, SetAttribute, DeleteAttribute, SetItem, DeleteItem)
MOST = 4000
"""Shapes of slices remembered in all."""


def slice_of(statements: Sequence[Statement], index: int, effects: bool = False) -> tuple[Statement, ...]:
    """The statement at ``index`` and all before it that its value needs; with ``effects``, methods called on and changes made to
    such values too. Empty where they include a ``with`` block."""
    needed = set(used(statements[index]))
    chosen = [statements[index]]
    for statement in reversed(statements[:index]):
        variable = defined(statement)
        if variable in needed:
            if isinstance(statement, Enter):
                return ()
            needed.discard(variable)
            needed.update(used(statement))
            chosen.append(statement)
        elif effects and isinstance(statement, _EFFECTS) and statement.receiver in needed:
            needed.update(used(statement))
            chosen.append(statement)
    return tuple(reversed(chosen))


def graft(part: Sequence[Statement], fresh: Iterator[Variable]) -> list[Statement]:
    """A copy of a slice with variables of its own; what it has from elsewhere stays. The last statement defines its value."""
    names: dict[Variable, Variable] = {}
    copied: list[Statement] = []
    for statement in part:
        moved = map_used(statement, lambda one: names.get(one, one))
        variable = defined(moved)
        if variable is not None:
            names[variable] = next(fresh)
            moved = with_variable(moved, names[variable])
        copied.append(moved)
    return copied


class Slices:
    """The slices known for each class of the subject, by the call that gives the value: a few of each, so that rare ways stay."""

    def __init__(self) -> None:
        self._known: dict[type, dict[object, list[tuple[Statement, ...]]]] = {}
        self._seen: set[int] = set()

    def learn(self, cls: type, part: tuple[Statement, ...]) -> None:
        """``part`` made an instance of ``cls``."""
        if not part or len(part) > LONGEST:
            return
        shape = hash((cls, tuple(_shape(statement) for statement in part)))
        if shape in self._seen or len(self._seen) >= MOST:
            return
        self._seen.add(shape)
        known = self._known.setdefault(cls, {}).setdefault(_shape(part[-1]), [])
        known.append(part)
        known.sort(key=len)
        del known[KEPT:]

    def draw(self, wanted: type, rng: Random) -> tuple[Statement, ...]:
        """A slice for an instance of ``wanted`` or of a class that inherits it; empty where none is known."""
        ways = self._known.get(wanted)
        if ways is None:
            heirs = [ways for cls, ways in self._known.items() if derives(cls, wanted)]
            ways = heirs[int(rng.random() * len(heirs))] if heirs else None
        if not ways:
            return ()
        parts = list(ways.values())[int(rng.random() * len(ways))]
        return parts[int(rng.random() * len(parts))]


def _shape(statement: Statement) -> tuple[str, object]:
    callee = getattr(statement, "callee", None)
    return type(statement).__name__, callee.address if callee is not None else getattr(statement, "name", None)
