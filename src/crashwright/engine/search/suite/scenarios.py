"""Tests made of two: what a method changed shows in what another one answers, so the calls of one test go on where those of another
have ended, on the same object. ``remove`` says nothing by itself, and neither does ``list`` of what is empty.

Nobody asked for them to cover a branch. They tell mutants that tests of one call each cannot: effects left out, orders, defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from crashwright.engine.subject.api.callee import CalleeKind
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.editing.deletion import prune
from crashwright.engine.testcase.statements import Arguments, Statement, Value, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import map_used

LONGEST = 14
"""Statements of one."""
_FLAT = frozenset({st.Literal, st.Reference, st.Call, st.MethodCall, st.Ambient, st.FileFixture, st.GetAttribute, st.SetAttribute})


class _Use(NamedTuple):
    """A test whose last call is of a method, and the place where the object was made that it is called on."""

    test: TestCase
    made: int
    call: st.MethodCall


def scenarios(tests: Sequence[TestCase], new: Callable[[], Variable]) -> Iterator[TestCase]:
    """Of ``tests``, in which the last call succeeds: each command again with other arguments, each followed by each other method of
    its class. A pair of each class in turn."""
    by_class: dict[str, dict[str, _Use]] = {}
    for test in sorted(tests, key=len):
        use = _use_of(test)
        if use is not None:
            maker = test.statements[use.made]
            by_class.setdefault(maker.callee.address, {}).setdefault(use.call.name, use)  # type: ignore[union-attr]
    for group in zip_longest(*(_of_class([*uses.values()], new) for uses in by_class.values())):
        yield from (test for test in group if test is not None and len(test) <= LONGEST and test.is_valid())


def _use_of(test: TestCase) -> _Use | None:
    last = test.statements[-1] if test.statements else None
    if not isinstance(last, st.MethodCall) or last.callee is None or not _FLAT.issuperset(map(type, test.statements)):
        return None
    for place, statement in enumerate(test.statements[:-1]):
        if isinstance(statement, st.Call) and statement.variable == last.receiver and statement.callee.kind is CalleeKind.CLASS:
            return _Use(test, place, last)
    return None


def _of_class(uses: Sequence[_Use], new: Callable[[], Variable]) -> Iterator[TestCase]:
    for first in uses:
        again = _continued(first.test, first.made, _altered(first, new), first)
        yield _continued(first.test, first.made, first.test.statements[first.made + 1 :], first)
        yield again
        for other in uses:
            if other is not first and not any(isinstance(one, st.Ambient) for one in other.test.statements):
                rest = other.test.statements[other.made + 1 :]
                yield _continued(first.test, first.made, rest, other)
                yield _continued(again, first.made, rest, other)


def _continued(before: TestCase, made: int, rest: Sequence[Statement], use: _Use) -> TestCase:
    """``before``, and then ``rest`` of the test of ``use`` on the object that was made in ``before``."""
    receiver, old = before.statements[made][0], use.call.receiver
    needed = [one for one in use.test.statements[: use.made] if not isinstance(one, st.Ambient)]
    following = [map_used(one, lambda variable: receiver if variable == old else variable) for one in (*needed, *rest)]
    return prune(TestCase((*before.statements, *following)))


def _altered(use: _Use, new: Callable[[], Variable]) -> list[Statement]:
    """The last call again with other values in place of its literals."""
    literals = {one.variable: one.value for one in use.test.statements if isinstance(one, st.Literal)}
    before: list[Statement] = []
    names: dict[Variable, Variable] = {}
    for variable in (*use.call.arguments.positional, *(variable for _, variable in use.call.arguments.keywords)):
        other = another(literals.get(variable))
        if other is not None and variable not in names:
            names[variable] = new()
            before.append(st.Literal(names[variable], other))
    positional, keywords, star, double_star = use.call.arguments
    arguments = Arguments(
        tuple(names.get(one, one) for one in positional),
        tuple((name, names.get(one, one)) for name, one in keywords),
        star,
        double_star,
    )
    return [*before, use.call._replace(variable=new(), arguments=arguments)]


def another(value: Value) -> Value:
    """Another value of the kind, that sorts before it if it is a text; None for what has no other."""
    if type(value) is str:
        return f"a{value}" if value[:1] > "a" else f"A{value}"
    return value + 1 if type(value) is int or type(value) is float else None
