"""Dates, plain_ones and other values of the standard library that a test makes, as somebody would write them: ``date(2024, 1, 31)``
and ``Decimal("2.50")`` rather than ``date(1, 1, 1)`` and ``Decimal("1E-30")``."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Container, Iterator, Mapping, Sequence

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.editing.deletion import prune
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.standard_plain import plain_arguments_of
from crashwright.engine.testcase.statements import Arguments, Call, Literal, Statement, Value, Variable
from crashwright.engine.testcase.testcase import TestCase

YEAR = 2024
"""The first one of a test's dates; it has a 29 February."""
_AGO, _AHEAD = 1970, 2100
_DAYS = (datetime.date, datetime.datetime)
Good = Callable[[TestCase], bool]


def standard_plain(test: TestCase, factory: Factory, good: Good, kept: Container[Variable] = ()) -> TestCase:
    """``test``, which is good, with plain dates and amounts where it stays good. What ``kept`` variables hold stays."""
    if any(variable in kept for _, call in _calls(test, _DAYS) for variable in call.arguments.positional):
        return test
    years = _in_our_time(test, factory)
    if years is not None and good(years):
        test = years
    for made in [one.variable for one in reversed(test.statements) if isinstance(one, Call)]:
        test = next(filter(good, _plainer(test, made, factory)), test)
    return test


def _in_our_time(test: TestCase, factory: Factory) -> TestCase | None:
    """All years of dates moved by as many; None where they are of our time."""
    given = _literals(test)
    years = [values[0] for _, call in _calls(test, _DAYS) if (values := _values(call, given)) and type(values[0]) is int]
    if not years or _AGO <= min(years) <= max(years) <= _AHEAD:
        return None
    changes: dict[int, tuple[Value, ...]] = {}
    first = min(years)
    for index, call in _calls(test, _DAYS):
        values = _values(call, given)
        if values is not None and type(values[0]) is int:
            changes[index] = (min(values[0] - first + YEAR, _AHEAD), *values[1:])
    return _with(test, changes, factory)


def _plainer(test: TestCase, made: Variable, factory: Factory) -> Iterator[TestCase]:
    found = ((index, one) for index, one in enumerate(test.statements) if isinstance(one, Call) and one.variable == made)
    index, call = next(found, (0, None))
    plain_ones = () if call is None else plain_arguments_of(call.callee)
    if call is None or not plain_ones:
        return
    values = _values(call, _literals(test))
    if values is None or values in plain_ones or _is_written(values):
        return
    for plain in plain_ones:
        yield _with(test, {index: plain}, factory)


def _is_written(values: Sequence[Value]) -> bool:
    """A number as people write it: few digits."""
    if len(values) != 1 or not isinstance(values[0], str):
        return False
    digits = values[0].lstrip("-").replace(".", "", 1)
    return digits.isascii() and digits.isdigit() and digits.strip("0") != "" and len(digits) <= 6 and values[0].isprintable()


def _calls(test: TestCase, classes: Sequence[type]) -> Iterator[tuple[int, Call]]:
    for index, statement in enumerate(test.statements):
        if isinstance(statement, Call) and any(statement.callee.live is cls for cls in classes):
            yield index, statement


def _literals(test: TestCase) -> dict[Variable, Value]:
    return {one.variable: one.value for one in test.statements if isinstance(one, Literal)}


def _values(call: Call, given: Mapping[Variable, Value]) -> tuple[Value, ...] | None:
    """The literals that are passed, all by position; None where that is not so."""
    positional, keywords, star, double_star = call.arguments
    if keywords or star is not None or double_star is not None or any(one not in given for one in positional):
        return None
    return tuple([given[one] for one in positional])


def _with(test: TestCase, changes: Mapping[int, Sequence[Value]], factory: Factory) -> TestCase:
    """The calls at these places with other arguments."""
    statements: list[Statement] = []
    for index, statement in enumerate(test.statements):
        if index in changes and isinstance(statement, Call):
            literals = [st.Literal(factory.new(), value) for value in changes[index]]
            statements += literals
            statement = statement._replace(arguments=Arguments(tuple(one.variable for one in literals)))
        statements.append(statement)
    return prune(TestCase(tuple(statements)))
