"""Tests that are not run: those that ended an engine, and those that call what ended engines, in the way that ended them.

A callable alone is rarely to blame: an object that is passed to itself never ends, the same call with two objects does. What was
running when a fork died is therefore described by *patterns*: which arguments were the same object, or that an earlier statement
had put one of them into itself; where neither is so, the literals that were passed; and last the bare callable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Arguments, Display, Literal, Statement, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import defined, used, value_refs

DEATHS, BARE_DEATHS = 2, 3
"""Forks that a pattern has ended when it is banned; those that say no more than which callable it was have to end one more."""
HARMLESS = 5
"""Tests at least that have to call what is taken for harmless."""
LONGEST_LITERAL = 60
"""Characters of a literal that tell it from others."""
MOST_JUDGED = 20_000
_RECEIVER = "the receiver"


class CallPattern(NamedTuple):
    """``callee`` is the address of what is called (of methods the name only, where ``how`` tells more: subclasses have the same),
    ``how`` says which arguments it is given; empty for any."""

    callee: str
    how: str = ""

    def __str__(self) -> str:
        return f"{self.callee} where {self.how}" if self.how else self.callee

    @property
    def deaths(self) -> int:
        """How many forks it takes to ban it."""
        return DEATHS if self.how else BARE_DEATHS


class Quarantine:
    """``keys`` are those of tests that ended a fork, ``banned`` what several of them have in common."""

    def __init__(self, keys: Collection[int] = frozenset(), banned: Iterable[CallPattern] = ()) -> None:
        self._keys = keys
        self._banned = frozenset(banned)
        self._callees = frozenset(pattern.callee for pattern in self._banned)
        self._proven: set[int] = set()
        self._judged: dict[int, bool] = {}
        """By key: a test is asked for when it is made, crossed, chopped and run."""

    def __bool__(self) -> bool:
        return bool(self._keys or self._banned)

    def spare(self, callees: Collection[str]) -> bool:
        """These may be called, however many forks died of it: there is no other way to what is searched for. Whether one was
        banned."""
        banned = self._banned
        self._ban(pattern for pattern in banned if pattern.how or pattern.callee not in callees)
        return self._banned != banned

    def spare_circles(self, tests: Iterable[TestCase]) -> None:
        """Objects may be passed to themselves as ``tests`` do it: what is searched for was reported so."""
        if self._banned:
            self._ban(self._banned.difference(*(_circles(site) for test in tests for site in _sites(test))))

    def trust(self, tests: Iterable[TestCase]) -> None:
        """These were run before and did no harm, nor does what half of them call: few may have raised before they came so far."""
        known = [*tests]
        self._proven.update(test.key() for test in known)
        calls = Counter(address for test in known for address in {site.names[0] for site in _sites(test)})
        self.spare({address for address, times in calls.items() if times >= max(HARMLESS, len(known) / 2)})

    def admitted(self, tests: Iterable[TestCase]) -> list[TestCase]:
        """Those of ``tests`` that may be run."""
        return [test for test in tests if not self.holds(test)] if self else [*tests]

    def holds(self, test: TestCase) -> bool:
        """Whether ``test`` is not to be run."""
        key = test.key()
        if key in self._keys:
            return True
        if not self._banned or key in self._proven:
            return False
        known = self._judged.get(key)
        if known is None:
            if len(self._judged) >= MOST_JUDGED:
                self._judged.clear()
            known = self._judged[key] = self._is_banned(test)
        return known

    def _is_banned(self, test: TestCase) -> bool:
        return any(not self._banned.isdisjoint(_patterns(site)) for site in _sites(test) if self._callees.intersection(site.names))

    def _ban(self, patterns: Iterable[CallPattern]) -> None:
        self._banned = frozenset(patterns)
        self._callees = frozenset(pattern.callee for pattern in self._banned)
        self._judged.clear()


class _Site(NamedTuple):
    """A statement among those of its test. ``names``: the address of what it calls, and what it is called where that matters
    less."""

    statements: Sequence[Statement]
    place: int
    names: tuple[str, str]
    operands: tuple[tuple[str, Variable], ...]


def patterns_of(statements: Sequence[Statement], index: int) -> list[CallPattern]:
    """What may be said of the call at ``index``, for others to be told by; nothing where it calls nothing."""
    site = _site(statements, index)
    if site is None:
        return []
    # What is passed to itself is enough to blame: the same call may well end without that.
    return [CallPattern(site.names[1], how) for how in _alike(site)] or _patterns(site)


def _sites(test: TestCase) -> Iterator[_Site]:
    statements = test.statements
    for index in range(len(statements)):
        site = _site(statements, index)
        if site is not None:
            yield site


def _patterns(site: _Site) -> list[CallPattern]:
    address, name = site.names
    literals = _literals(site)
    found = [*_circles(site), *([CallPattern(name, literals)] if literals else [])]
    return [*found, CallPattern(address)] if ":" in address else found


def _circles(site: _Site) -> list[CallPattern]:
    """Where arguments are the same object, or hold it, that; else what earlier statements passed to itself of what it is given."""
    name = site.names[1]
    alike = _alike(site)
    if alike:
        return [CallPattern(name, how) for how in alike]
    wanted = {variable for _, variable in site.operands}
    found: dict[CallPattern, None] = {}
    for index in range(site.place - 1, -1, -1):
        statement = site.statements[index]
        reads = used(statement)
        if defined(statement) in wanted or not wanted.isdisjoint(reads):
            wanted.update(reads)
            earlier = _site(site.statements, index) if _KEEPS.get(type(statement)) else None
            if earlier is not None:
                found |= {CallPattern(name, f"{how} in {earlier.names[1]} before"): None for how in _alike(earlier)}
    return [*found]


def _alike(site: _Site) -> list[str]:
    """Which operands are, or hold, the same variable as one before."""
    said: list[str] = []
    if len(site.operands) < 2:
        return said
    seen: list[tuple[str, Variable]] = []
    for label, variable in site.operands:
        inside = _inside(site, variable)
        for earlier, other in seen:
            if other == variable or other in inside:
                said.append(f"{label} {'is' if other == variable else 'holds'} {earlier}")
                break
        seen.append((label, variable))
    return said


def _inside(site: _Site, variable: Variable) -> tuple[Variable, ...]:
    """The variables in the container that ``variable`` is."""
    value = _literal(site, variable)
    return tuple(value_refs(value.value)) if value is not None and type(value.value) is Display else ()


def _literals(site: _Site) -> str:
    """Which literals it is given; empty where there are none."""
    said = []
    for label, variable in site.operands:
        literal = _literal(site, variable)
        if literal is not None and type(literal.value) is not Display:
            said.append(f"{label} is {literal.value!r}"[:LONGEST_LITERAL])
    return ", ".join(said)


def _literal(site: _Site, variable: Variable) -> Literal | None:
    for statement in site.statements[: site.place]:
        if type(statement) is Literal and statement.variable == variable:
            return statement
    return None


def _site(statements: Sequence[Statement], index: int) -> _Site | None:
    statement = statements[index]
    if isinstance(statement, st.Await | st.Enter | st.Within):
        # What runs is what was called before: a coroutine, a context manager.
        made = used(statement)[0]
        index = next((place for place, one in enumerate(statements[:index]) if defined(one) == made), index)
        statement = statements[index]
    look = _LOOKS.get(type(statement))
    if look is None:
        return None
    names, operands = look(statement)
    return _Site(statements, index, names, operands)


_Look = tuple[tuple[str, str], tuple[tuple[str, Variable], ...]]


def _arguments(arguments: Arguments) -> Iterator[tuple[str, Variable]]:
    for number, variable in enumerate(arguments.positional, 1):
        yield f"argument {number}", variable
    for name, variable in arguments.keywords:
        yield name, variable
    for spread in (arguments.star, arguments.double_star):
        if spread is not None:
            yield "a spread argument", spread


def _call(statement: st.Call) -> _Look:
    address = statement.callee.address
    return (address, address), tuple(_arguments(statement.arguments))


def _method_call(statement: st.MethodCall) -> _Look:
    name = f".{statement.name}"
    address = name if statement.callee is None else statement.callee.address
    return (address, name), ((_RECEIVER, statement.receiver), *_arguments(statement.arguments))


def _plain(name: str, *operands: Variable) -> _Look:
    return (name, name), ((_RECEIVER, operands[0]), *((f"operand {place}", one) for place, one in enumerate(operands[1:], 2)))


_KEEPS = dict.fromkeys((st.Call, st.MethodCall, st.CallValue, st.SetAttribute, st.SetItem), True)
"""What may put an object into another one."""
_LOOKS: dict[type, Callable[..., _Look]] = {
    st.Call: _call,
    st.MethodCall: _method_call,
    st.CallValue: lambda s: (("()", "()"), ((_RECEIVER, s.function), *_arguments(s.arguments))),
    st.GetAttribute: lambda s: _plain(f".{s.name}", s.receiver),
    st.SetAttribute: lambda s: _plain(f".{s.name} =", s.receiver, s.value),
    st.DeleteAttribute: lambda s: _plain(f"del .{s.name}", s.receiver),
    st.GetItem: lambda s: _plain("[]", s.receiver, s.key),
    st.SetItem: lambda s: _plain("[] =", s.receiver, s.key, s.value),
    st.DeleteItem: lambda s: _plain("del []", s.receiver, s.key),
    st.Operation: lambda s: _plain(s.operator, *s.operands),
    st.Iterate: lambda s: _plain("for", s.iterable),
}
