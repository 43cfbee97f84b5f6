"""What the factory needs to know about the subject: a small protocol that the API model satisfies and tests fake."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from keyword import iskeyword
from random import Random
from typing import Protocol

from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.types import Hint
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Statement, Value, Variable

BODIES = frozenset(
    {
        *(contextlib.AbstractContextManager, contextlib._GeneratorContextManager),  # what decorated generators declare, and make
        *(contextlib.AbstractAsyncContextManager, contextlib._AsyncGeneratorContextManager),
    }
)
"""Classes of what runs its body between entering and leaving."""


class ImportedConstant(Protocol):
    """Something importable that is not called: a module constant, an enum member."""

    @property
    def module(self) -> str: ...
    @property
    def qualname(self) -> str: ...
    @property
    def value(self) -> object: ...


class Api(Protocol):
    """The callables of the subject and of the standard library, by what they make."""

    @property
    def callables(self) -> Sequence[Callee]: ...
    @property
    def constants(self) -> Sequence[ImportedConstant]: ...
    def methods_of(self, cls: type) -> Sequence[Callee]:
        """Methods and properties of instances of ``cls``."""
        ...

    def constructors_of(self, hint: Hint) -> Sequence[Callee]:
        """Classes, and class methods that make an instance, for ``hint``; nearest first."""
        ...

    def producers(self, hint: Hint) -> Sequence[Callee]:
        """Other callables that return such a value."""
        ...

    def builtin(self, name: str) -> Callee:
        """A builtin function or class."""
        ...

    def standard(self, module: str, name: str) -> Callee:
        """A function or class of the standard library."""
        ...


class ClassDefiner(Protocol):
    """Makes classes for a test."""

    def wants(self, cls: type, rng: Random) -> bool:
        """Whether a test should now declare a class of its own where it needs ``cls`` or an instance."""
        ...

    def subclass(self, builder: StatementBuilder, statements: list[Statement], cls: type, rng: Random, name: str = "") -> Variable:
        """Appends a class that derives from ``cls``, or passes for the protocol ``cls``, called ``name`` where that is known."""
        ...

    def plain(self, builder: StatementBuilder, statements: list[Statement], name: str, rng: Random) -> Variable:
        """Appends a class of that name that has nothing to do with the subject."""
        ...

    def function(self, builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random) -> Variable | None:
        """Appends a function for the callable that ``hint`` asks for; None where a lambda will do."""
        ...


class StatementBuilder(Protocol):
    """The factory as its recipes see it: they append statements and return the variable of the last."""

    @property
    def definer(self) -> ClassDefiner | None:
        """None: nothing is defined in a test."""
        ...

    @property
    def api(self) -> Api: ...
    @property
    def pool(self) -> SeedPool: ...
    @property
    def new(self) -> Callable[[], Variable]: ...
    def constructors_of(self, hint: Hint) -> tuple[Callee, ...]: ...
    def accepts(self, hint: Hint, cls: type) -> bool: ...
    def literal(self, statements: list[Statement], value: Value) -> Variable: ...
    def argument(
        self, statements: list[Statement], hint: Hint, rng: Random, depth: int = 0, name: str = "", legal: bool = False
    ) -> Variable: ...
    def value(self, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Value: ...


def is_keyword_name(text: str) -> bool:
    """Can it stand before the ``=`` of a keyword argument?"""
    return text.isidentifier() and text.isascii() and not iskeyword(text)
