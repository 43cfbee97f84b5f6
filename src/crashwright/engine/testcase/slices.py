"""The statements that make one value: cut out of one test, grafted into another (the object pool of EvoSuite, as slices of tests)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from crashwright.engine.testcase.statements import Enter, Statement, Variable
from crashwright.engine.testcase.variables import defined, map_used, used, with_variable

KEPT = 8
"""Slices kept for each class, the shortest."""
LONGEST = 8


def slice_of(statements: Sequence[Statement], index: int) -> tuple[Statement, ...]:
    """The statement at ``index`` and all before it that its value needs. Empty where they include a ``with`` block."""
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
    return tuple(reversed(chosen))


def graft(part: Sequence[Statement], fresh: Iterator[Variable]) -> list[Statement]:
    """A copy of a slice with variables of its own; the last statement defines its value."""
    names: dict[Variable, Variable] = {}
    copied: list[Statement] = []
    for statement in part:
        moved = map_used(statement, names.__getitem__)
        variable = defined(moved)
        if variable is not None:
            names[variable] = next(fresh)
            moved = with_variable(moved, names[variable])
        copied.append(moved)
    return copied


class Slices:
    """The slices known for each class of the subject."""

    def __init__(self) -> None:
        self._known: dict[type, list[tuple[Statement, ...]]] = {}
        self._seen: set[int] = set()

    def learn(self, cls: type, part: tuple[Statement, ...]) -> None:
        """``part`` made an instance of ``cls``."""
        if not part or len(part) > LONGEST:
            return
        shape = hash((cls, tuple(_shape(statement) for statement in part)))
        if shape in self._seen:
            return
        self._seen.add(shape)
        known = self._known.setdefault(cls, [])
        known.append(part)
        known.sort(key=len)
        del known[KEPT:]

    def draw(self, wanted: type, rng: Random) -> tuple[Statement, ...]:
        """A slice for an instance of ``wanted`` or of a class that inherits it; empty where none is known."""
        known = self._known.get(wanted)
        if known is None:
            known = [part for cls, parts in self._known.items() if wanted in cls.__mro__ for part in parts]
        return known[int(rng.random() * len(known))] if known else ()


def _shape(statement: Statement) -> object:
    callee = getattr(statement, "callee", None)
    return type(statement).__name__, callee.address if callee is not None else getattr(statement, "name", None)
