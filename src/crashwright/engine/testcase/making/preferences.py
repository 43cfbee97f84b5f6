"""What the goal depends on: callables that are called more often than chance has it, where nobody asks for a certain one, fields
that are set, and a function that entries make."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.closures import Closure
from crashwright.engine.subject.api.types import ANY, ClassHint
from crashwright.engine.testcase.making.calls_in_turn import Chaining, called, followed
from crashwright.engine.testcase.making.class_statements import ClassStatements
from crashwright.engine.testcase.making.instance_fields import Fields
from crashwright.engine.testcase.statements import SetAttribute, Statement, Variable

SHARE = 0.3
"""Of the choices that may be one of them, how many are made among them alone."""
CALLED = 0.8
"""How often what an entry makes is called too."""


class Preferences:
    """None at first: then nothing is drawn, and every choice stays as it was."""

    def __init__(self) -> None:
        self._callees: tuple[Callee, ...] = ()
        self.fields = Fields()
        self.closure: Closure | None = None
        """What the entries make, and is to be called."""
        self.returned: dict[Callee, list[Closure]] = {}
        """The functions that callables return, made within them."""
        self.thrown: tuple[type, ...] = ()
        """Exceptions that may be raised within a context manager."""
        self.class_statements: ClassStatements | None = None
        """What the entries run when a class is declared."""
        self.setters: tuple[Callee, ...] = ()
        """Properties that are to be set, not read."""

    def add(self, callees: Sequence[Callee]) -> None:
        """These too."""
        self._callees = tuple(dict.fromkeys((*self._callees, *callees)))

    def enter(self, builder: Chaining, statements: list[Statement], rng: Random) -> bool:
        """Appends a class statement, what sets one of the properties that are to be set, or a call of the function that the entries
        make; False where there is none, and now and then."""
        if (self.closure is None and not self.setters and not self.class_statements) or rng.random() >= CALLED:
            return False
        if self.class_statements:
            self.class_statements.append(builder, statements, rng)
        elif self.closure is not None:
            called(builder, statements, self.closure, rng)
        else:
            self._set(builder, statements, self.setters[int(rng.random() * len(self.setters))], rng)
        return True

    def follow(
        self, builder: Chaining, statements: list[Statement], callee: Callee, made: Variable, rng: Random
    ) -> Variable | None:
        """Appends calls of a function that ``callee`` has returned as ``made``, mostly; None where it returns none."""
        closures = self.returned.get(callee) if self.returned else None
        if not closures or rng.random() >= CALLED:
            return None
        return followed(builder, statements, made, closures[int(rng.random() * len(closures))], rng)

    def _set(self, builder: Chaining, statements: list[Statement], setter: Callee, rng: Random) -> None:
        owner = ANY if setter.owner is None else ClassHint(setter.owner)
        receiver = builder.argument(statements, owner, rng, 1, legal=True)
        statements.append(SetAttribute(receiver, setter.name, builder.argument(statements, setter.returns, rng, 1, setter.name)))

    def instead_of(self, callees: Sequence[Callee], rng: Random) -> Callee:
        """One of ``callees``, where anything may be called."""
        if self._callees and rng.random() < SHARE:
            callees = self._callees
        return callees[int(rng.random() * len(callees))]

    def among(self, methods: Sequence[Callee], rng: Random) -> Callee:
        """One of ``methods``."""
        if self._callees and rng.random() < SHARE:
            methods = [callee for callee in methods if callee in self._callees] or methods
        return methods[int(rng.random() * len(methods))]
