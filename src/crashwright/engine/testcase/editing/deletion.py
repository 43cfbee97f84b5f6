"""Taking statements out of a test: what used their variables is bound to others of the same type, or goes along."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.definitions.source import is_inert
from crashwright.engine.testcase.making.displays import hashes_references
from crashwright.engine.testcase.statements import Arguments, Display, Ref, Statement, Value, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import NOTHING_OBSERVED, Observed, type_of
from crashwright.engine.testcase.variables import DEFINES_NOTHING, TREES, defined, map_used, used

_REBIND = 0.7
_PURE = frozenset({st.Literal, st.Reference, st.StubCallable, st.StubClass, st.FileFixture})


def delete(test: TestCase, index: int, rng: Random, observed: Observed = NOTHING_OBSERVED) -> TestCase:
    """Without the statement at ``index``. Later uses of its variable are bound to another one of its type where there is one
    (seven times of ten), are dropped where optional, or else their statements go too."""
    statements = test.statements
    gone = defined(statements[index])
    head, tail = statements[:index], statements[index + 1 :]
    if gone is None or gone in [s[0] for s in head if type(s) not in DEFINES_NOTHING]:
        return TestCase(head + tail)
    if rng.random() < _REBIND and not stands_in(tail, gone):
        other = _like(head, type_of(statements[index], observed), rng, observed)
        if other is not None:
            return TestCase(head + renamed(tail, gone, other))
    return TestCase(head + surviving(tail, {gone}))


def surviving(statements: Iterable[Statement], gone: set[Variable]) -> tuple[Statement, ...]:
    """What remains of ``statements`` when the variables ``gone`` (updated) are no longer defined."""
    kept: list[Statement] = []
    for statement in statements:
        if type(statement) is st.Literal and type(statement[1]) not in TREES:  # most are: the short way
            gone.discard(statement[0])
            kept.append(statement)
            continue
        variable = defined(statement)
        rest: Statement | None = statement
        if gone and not gone.isdisjoint(used(statement)):
            rest = without_variables(statement, gone)
        if rest is None:
            if variable is not None:
                gone.add(variable)
            continue
        if variable is not None:
            gone.discard(variable)
        kept.append(rest)
    return tuple(kept)


def without_variables(statement: Statement, gone: set[Variable]) -> Statement | None:
    """The statement with the optional uses of ``gone`` variables left out (keywords, stars, elements of containers); None
    where it cannot do without them."""
    if isinstance(statement, st.Call | st.MethodCall | st.CallValue):
        if statement[1] in gone:  # the receiver, or the function called
            return None
        arguments = _without_optional(statement.arguments, gone)
        return None if arguments is None else statement._replace(arguments=arguments)
    if isinstance(statement, st.Literal) and type(statement.value) is Display:
        return st.Literal(statement.variable, _without_elements(statement.value, gone))
    return None


def renamed(statements: tuple[Statement, ...], old: Variable, new: Variable) -> tuple[Statement, ...]:
    """With ``new`` in place of every use of ``old``."""
    return tuple([map_used(s, lambda v: new if v == old else v) if old in used(s) else s for s in statements])


def stands_in(statements: Iterable[Statement], variable: Variable) -> bool:
    """Whether it is put in the place of something that the code has: each such place has a double of its own, which is asked what
    it was called with."""
    return any(type(one) is st.Ambient and one.content == Ref(variable) for one in statements)


def prune(test: TestCase, keep: Iterable[Variable] = ()) -> TestCase:
    """Without the statements that only define variables nobody uses: literals, references, stubs, files. ``keep`` stay in
    any case."""
    live = set(keep)
    kept: list[Statement] = []
    for statement in reversed(test.statements):
        variable = defined(statement)
        if variable not in live and is_pure(statement):
            continue
        if variable is not None:
            live.discard(variable)
        live.update(used(statement))
        kept.append(statement)
    if len(kept) == len(test.statements):
        return test
    kept.reverse()
    return TestCase(tuple(kept))


def is_pure(statement: Statement) -> bool:
    """Does the statement do nothing but define its variable?"""
    if type(statement) is st.Definition:
        return is_inert(statement.source)
    if type(statement) is st.Literal:
        return type(statement.value) is not Display or not hashes_references(statement.value)
    return type(statement) in _PURE and not (type(statement) is st.StubClass and statement.bases)


def _like(head: tuple[Statement, ...], cls: type | None, rng: Random, observed: Observed) -> Variable | None:
    """A variable of exactly this class, from a random place on."""
    if cls is None or not head:
        return None
    start = int(rng.random() * len(head))
    for index in range(start - len(head), start):
        if type_of(head[index], observed) is cls:
            return defined(head[index])
    return None


def _without_optional(arguments: Arguments, gone: set[Variable]) -> Arguments | None:
    if not gone.isdisjoint(arguments.positional):
        return None
    return Arguments(
        arguments.positional,
        tuple([pair for pair in arguments.keywords if pair[1] not in gone]),
        None if arguments.star in gone else arguments.star,
        None if arguments.double_star in gone else arguments.double_star,
    )


def _without_elements(value: Value, gone: set[Variable]) -> Value:
    if type(value) is not Display:
        return value
    kept: list[object] = []
    for item in value.items:
        if type(item) is Ref:
            if item.variable not in gone:
                kept.append(item)
        elif type(item) is tuple:
            if not any(type(part) is Ref and part.variable in gone for part in item):
                kept.append(tuple([_without_elements(part, gone) for part in item]))
        else:
            kept.append(_without_elements(item, gone))  # type: ignore[arg-type]
    return Display(value.kind, tuple(kept))
