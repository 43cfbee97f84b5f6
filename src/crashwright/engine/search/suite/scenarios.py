"""Tests made of two: what a method changed shows in what another one answers, so the calls of one test go on where those of another
have ended, on the same object. ``remove`` says nothing by itself, and neither does ``list`` of what is empty.

Each call that succeeds somewhere in a test is one to begin with, not only the last: where an object has to be given something
first, hardly any test ends with that. And what was given once is given a second time with other values, before anything is asked:
of one thing alone no order, no choice and no limit shows.

Nobody asked for them to cover a branch. They tell mutants that tests of one call each cannot: effects left out, orders, defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from crashwright.engine.subject.api.callee import CalleeKind
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.editing.deletion import prune
from crashwright.engine.testcase.making.standard_plain import plain_arguments
from crashwright.engine.testcase.statements import Arguments, Statement, Value, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import map_arguments, map_used, used

LONGEST = 24
"""Statements of one."""
_FLAT = frozenset({st.Literal, st.Reference, st.Call, st.MethodCall, st.Ambient, st.FileFixture, st.GetAttribute, st.SetAttribute})


class _Use(NamedTuple):
    """A test whose last call is of a method, the place where the object was made that it is called on, and the address of its
    class."""

    test: TestCase
    made: int
    cls: str
    call: st.MethodCall

    @property
    def given(self) -> int:
        """How much the call is handed."""
        return len(self.call.arguments.positional) + len(self.call.arguments.keywords)

    @property
    def is_steered(self) -> bool:
        """Whether the object is given a function of the test, such as its clock."""
        maker = self.test.statements[self.made]
        mocks = {one.variable for one in self.test.statements if st.is_mock(one)}
        return not mocks.isdisjoint(used(maker))


def scenarios(tests: Sequence[TestCase], new: Callable[[], Variable]) -> Iterator[TestCase]:
    """Of ``tests``, in which all calls succeed: each method again with other arguments, each followed by each other method of its
    class. What is handed most comes first: that is what an object keeps. One of each class in turn."""
    by_class: dict[str, dict[tuple[str, bool], _Use]] = {}
    for test in sorted(tests, key=len):
        for use in _uses_of(test):
            uses = by_class.setdefault(use.cls, {})
            way = use.call.name, use.is_steered
            if way not in uses or len(use.test) < len(uses[way].test):
                uses[way] = use
    for group in zip_longest(*(_of_class([*uses.values()], new) for uses in by_class.values())):
        yield from (test for test in group if test is not None and len(test) <= LONGEST and test.is_valid())


def _uses_of(test: TestCase) -> Iterator[_Use]:
    """For each method that is called on an object that the test makes."""
    if not _FLAT.issuperset(map(type, test.statements)):
        return
    for place, statement in enumerate(test.statements):
        if isinstance(statement, st.MethodCall) and statement.callee is not None:
            until = prune(TestCase(test.statements[: place + 1]))
            for made, one in enumerate(until.statements):
                if isinstance(one, st.Call) and one.variable == statement.receiver and one.callee.kind is CalleeKind.CLASS:
                    yield _Use(until, made, one.callee.address, statement)
                    break


def _of_class(uses: Sequence[_Use], new: Callable[[], Variable]) -> Iterator[TestCase]:
    # Steered ones only where there are no others.
    followed_by = {use.call.name: use for use in sorted(uses, key=lambda use: not use.is_steered)}
    rows = [_after(first, [*followed_by.values()], new) for first in sorted(uses, key=lambda use: (-use.given, len(use.test)))]
    for column in zip_longest(*rows):
        yield from (test for test in column if test is not None)


def _after(first: _Use, uses: Sequence[_Use], new: Callable[[], Variable]) -> Iterator[TestCase]:
    """What begins with a call that succeeds: the same again, with other values, and then each other method."""
    altered = _altered(first, new)
    again = _continued(first.test, first.made, altered, first)
    yield again
    for other in uses:
        if other.call.name != first.call.name and not any(isinstance(one, st.Ambient) for one in other.test.statements):
            rest = _needed_for(other, first.call.name)
            if len(altered) > 1:
                yield _continued(again, first.made, rest, other)
            yield _continued(first.test, first.made, rest, other)
    yield _continued(first.test, first.made, first.test.statements[first.made + 1 :], first)


def _continued(before: TestCase, made: int, rest: Sequence[Statement], use: _Use) -> TestCase:
    """``before``, and then ``rest`` of the test of ``use`` on the object that was made in ``before``."""
    receiver, old = before.statements[made][0], use.call.receiver
    needed = [one for one in use.test.statements[: use.made] if not isinstance(one, st.Ambient)]
    following = [map_used(one, lambda variable: receiver if variable == old else variable) for one in (*needed, *rest)]
    return prune(TestCase((*before.statements, *following)))


def _needed_for(use: _Use, name: str) -> Sequence[Statement]:
    """What the test does with its object; no more than its last call needs where it begins with the method ``name``: that has been
    called by then."""
    rest = use.test.statements[use.made + 1 :]
    if not any(isinstance(one, st.MethodCall) and one.name == name for one in rest[:-1]):
        return rest
    needed = set(used(use.call))
    kept: list[Statement] = [use.call]
    for one in reversed(rest[:-1]):
        if one[0] in needed:
            needed.update(used(one))
            kept.append(one)
    return kept[::-1]


def _altered(use: _Use, new: Callable[[], Variable]) -> list[Statement]:
    """The last call again with other values in place of its own."""
    made = {one[0]: one for one in use.test.statements}
    before: list[Statement] = []
    names: dict[Variable, Variable] = {}
    for variable in (*use.call.arguments.positional, *(variable for _, variable in use.call.arguments.keywords)):
        if variable not in names and variable != use.call.receiver:
            other = _other(made.get(variable), made, new)
            if other:
                before += other
                names[variable] = other[-1][0]
    arguments = map_arguments(use.call.arguments, lambda one: names.get(one, one))
    return [*before, use.call._replace(variable=new(), arguments=arguments)]


def _other(made: Statement | None, all_made: Mapping[Variable, Statement], new: Callable[[], Variable]) -> list[Statement]:
    """What makes another value of the kind; nothing where that is not known."""
    if isinstance(made, st.Literal):
        other = another(made.value)
        return [] if other is None else [st.Literal(new(), other)]
    if isinstance(made, st.Call) and plain_arguments(made.callee.live) and made.arguments.positional:
        *others, last = made.arguments.positional
        changed = _other(all_made.get(last), all_made, new)
        if changed:
            return [
                *changed,
                made._replace(variable=new(), arguments=Arguments((*others, changed[-1][0]), made.arguments.keywords)),
            ]
    return []


def another(value: Value) -> Value:
    """Another value of the kind, that sorts before it if it is a text; None for what has no other."""
    if type(value) is str:
        return f"another_{value}" if value[:1] > "a" else f"A{value}"
    return value + 1 if type(value) is int or type(value) is float else None
