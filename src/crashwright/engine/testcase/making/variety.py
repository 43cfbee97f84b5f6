"""How random tests for a suite differ from those for one crash: many calls on one object, parameters of one name that take one
type, arguments that are nearly the same.

# Deviation: EvoSuite draws every statement by itself; containers then stay empty, and what is compared is never alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple, Protocol

from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter
from crashwright.engine.subject.api.types import ClassHint, Hint
from crashwright.engine.testcase.making.values import mutate_value
from crashwright.engine.testcase.making.vocabulary import StatementBuilder
from crashwright.engine.testcase.statements import Literal, Statement, Variable
from crashwright.engine.testcase.typed import type_of

REUSES = (0.9, 0.5, 0.1)
"""How often objects at hand are taken in tests of one object: one that is put in twice shows little."""
_LONGER = 24  # statements by which tests of one object may be longer than others
_CHOSEN = 0.75  # how often they call one of the few methods chosen
_TOO_SMALL = frozenset({type(None), bool, type})  # for something nearly the same
_METHOD = CalleeKind.METHOD
_MANY = 4  # optional parameters beyond which a call has one of them nearly always


class Variety(NamedTuple):
    """Shares. ``objects``: random tests that call many methods of one object. ``themes``: tests in which untyped parameters of one
    name take values of one type, as what is compared or kept in one container has. ``twins``: arguments that are nearly the one
    before, where both are literals of one type. ``elsewhere``: random calls that go to any callable of the package. ``few``: what
    takes all its arguments behind a star is mostly given a few. ``bare``: calls with none of their many optional
    arguments: where each of ten is given a third of the time, hardly any call has none, and one that is odd breaks what is made.
    ``existing``: texts and untyped arguments that are parts of what the test has already. ``mocks``: what stands in for
    others is a mock, of which can be asserted what it was called with."""

    objects: float = 0.0
    themes: float = 0.0
    twins: float = 0.0
    elsewhere: float = 0.2
    few: bool = False
    existing: float = 0.0
    bare: float = 0.0
    mocks: float = 0.0

    def omits(self, parameters: Sequence[Parameter], rng: Random) -> bool:
        """Whether a call has none of its optional arguments, which are many."""
        return self.bare > 0 and sum(not one.required for one in parameters) > _MANY and rng.random() < self.bare


PLAIN = Variety()
"""Nothing of this, and no draw for it."""
CRASH = Variety(0.25, bare=0.35, existing=0.06)
"""Few: what is searched for is mostly one call."""
SUITE = Variety(0.35, 0.6, 0.25, 0.02, few=True, mocks=0.85)


class ObjectBuilder(StatementBuilder, Protocol):
    """The factory as tests of one object see it."""

    @property
    def entry(self) -> tuple[Callee, ...]: ...
    @property
    def entry_set(self) -> frozenset[Callee]: ...
    @property
    def max_length(self) -> int: ...
    def methods_of(self, cls: type) -> tuple[Callee, ...]: ...
    def call(
        self, statements: list[Statement], callee: Callee, rng: Random, depth: int = 0, receiver: Variable | None = None
    ) -> Variable: ...


def object_test(builder: ObjectBuilder, rng: Random, length: int) -> list[Statement]:
    """Many calls on one object, most of them of a few methods: containers have to be filled before they can be emptied. Empty where
    the entry drawn belongs to no class, or none was called."""
    entry = builder.entry
    callee = entry[int(rng.random() * len(entry))] if entry else None
    owner = None if callee is None else callee.owner  # of a class itself
    if owner is None or callee is None:
        return []
    methods = [method for method in builder.methods_of(owner) if method.kind is _METHOD and not method.private]
    if not methods:
        return []
    chosen = [methods[int(rng.random() * len(methods))] for _ in range(1 + int(rng.random() * 3))]
    if callee in methods:
        chosen.append(callee)
    statements: list[Statement] = []
    size = min(length + int(rng.random() * _LONGER), builder.max_length - 2)
    receiver = builder.argument(statements, ClassHint(owner), rng, 1, legal=True)
    while len(statements) < size:
        among = chosen if rng.random() < _CHOSEN else methods
        before = len(statements)
        builder.call(statements, among[int(rng.random() * len(among))], rng, receiver=receiver)
        if len(statements) > builder.max_length:
            del statements[before:]
            break
    return statements if any(getattr(statement, "callee", None) in builder.entry_set for statement in statements) else []


def twin(builder: StatementBuilder, statements: Sequence[Statement], variable: Variable, hint: Hint, rng: Random) -> Literal | None:
    """A literal for ``hint`` that differs a little from that of ``variable``; None where that holds no literal, or one of a type
    that is not asked for."""
    for statement in reversed(statements):
        if statement[0] == variable and type(statement) is Literal:
            cls = type_of(statement)
            if cls is None or cls in _TOO_SMALL or not builder.accepts(hint, cls):
                return None
            return Literal(builder.new(), mutate_value(rng, statement.value, builder.pool))
    return None


class Themes:
    """The types that parameters take by their names in one test, which has a theme or not."""

    __slots__ = ("_known",)

    def __init__(self, wanted: bool = False) -> None:
        self._known: dict[str, Hint] | None = {} if wanted else None

    @property
    def active(self) -> bool:
        """Whether this test has a theme."""
        return self._known is not None

    def known(self, name: str) -> Hint | None:
        """What parameters of that name take in this test, where one has taken something."""
        return None if self._known is None else self._known.get(name)

    def note(self, name: str, hint: Hint) -> None:
        """A parameter of that name took this."""
        if self._known is not None:
            self._known[name] = hint
