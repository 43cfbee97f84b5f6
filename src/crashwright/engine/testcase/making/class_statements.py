"""Class statements that enter a crash: a subclass of what makes classes, or a class that holds what is told of its name."""

from __future__ import annotations

from random import Random

from crashwright.engine.subject.api.class_statements import Declared
from crashwright.engine.testcase.making.definitions import Definer
from crashwright.engine.testcase.making.vocabulary import StatementBuilder
from crashwright.engine.testcase.statements import Statement


class ClassStatements:
    """Appends one of them to a test."""

    def __init__(self, declared: Declared, definer: Definer) -> None:
        self._declared = declared
        self._definer = definer

    def __bool__(self) -> bool:
        return bool(self._declared)

    def append(self, builder: StatementBuilder, statements: list[Statement], rng: Random) -> None:
        """The first of the classes more often: they ask for the least."""
        bases, held = self._declared
        classes = bases or held
        cls = classes[int(rng.random() * rng.random() * len(classes))]
        if bases:
            self._definer.subclass(builder, statements, cls, rng)
        else:
            self._definer.holding(builder, statements, cls, rng)
