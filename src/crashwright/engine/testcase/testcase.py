"""A test: an immutable tuple of statements."""

from __future__ import annotations

from collections.abc import Iterator

from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase.statements import Call, Literal, MethodCall, Statement, Variable
from crashwright.engine.testcase.variables import defined, used


class TestCase:
    """``statements`` in order. Compared by identity; :meth:`key` is structural. ``shape`` is the place where
    ``shape.shape_of`` keeps what it found (0: not asked yet)."""

    __slots__ = ("_characters", "_key", "_kinds", "shape", "statements")
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
        return self._key or self._look()

    def kinds(self) -> tuple[type, ...]:
        """The classes of the statements, for literals those of their values."""
        if not self._key:
            self._look()
        return self._kinds

    def characters(self) -> int:
        """The length of all strings and bytes that are literals of their own."""
        if not self._key:
            self._look()
        return self._characters

    def last_callee(self) -> Callee | None:
        """What the last call calls; None where there is none, or its callee is not known."""
        return next((one.callee for one in reversed(self.statements) if isinstance(one, Call | MethodCall)), None)

    def _look(self) -> int:
        """Everything that one pass over the statements tells: every test is asked for all of it."""
        characters = 0
        kinds: list[type] = []
        for statement in self.statements:
            kind: type = type(statement)
            if kind is Literal:
                value = statement[1]
                kind = type(value)
                if kind is str or kind is bytes:
                    characters += len(value)  # type: ignore[arg-type]
            kinds.append(kind)
        self._characters = characters
        self._kinds = tuple(kinds)
        # 1, True and 1.0 are equal: the types of literals tell them apart.
        self._key = hash((self.statements, self._kinds)) or 1
        return self._key

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
