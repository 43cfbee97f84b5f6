"""A test: an immutable tuple of statements."""

from __future__ import annotations

from collections.abc import Iterator

from crashwright.engine.testcase.statements import Literal, Statement, Variable
from crashwright.engine.testcase.variables import defined, used


class TestCase:
    """``statements`` in order. Compared by identity; :meth:`key` is structural. ``shape`` is the place where
    ``shape.shape_of`` keeps what it found (0: not asked yet)."""

    __slots__ = ("_key", "shape", "statements")
    __test__ = False

    def __init__(self, statements: tuple[Statement, ...]) -> None:
        self.statements = statements
        self._key = 0
        self.shape = 0

    def __len__(self) -> int:
        return len(self.statements)

    def __iter__(self) -> Iterator[Statement]:
        return iter(self.statements)

    def key(self) -> int:
        """A hash of the structure, stable within a process and its forks; computed once."""
        key = self._key
        if not key:
            # 1, True and 1.0 are equal: the types of literals tell them apart.
            types = [type(statement[1]) if type(statement) is Literal else type(statement) for statement in self.statements]
            key = self._key = hash((self.statements, tuple(types))) or 1
        return key

    def is_valid(self) -> bool:
        """Every variable is defined before it is used."""
        known: set[Variable] = set()
        for statement in self.statements:
            if not known.issuperset(used(statement)):
                return False
            variable = defined(statement)
            if variable is not None:
                known.add(variable)
        return True
