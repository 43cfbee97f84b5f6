"""Tests at a boundary: an argument becomes a value that the test itself has shown, or one next to it.

Where code compares two things, most tests are far from where they are equal: a date that the object reckoned out, the stock that is
left, a sum. No constant of the module says it, but the test does: what it asserts is what was reckoned. So that value is passed,
and what is one more and one less, and what lies away from it by a number of the function (ninety days, the limit).

# Deviation: the papers' search finds such values by the distance of a comparison, if any goal asks for it; whether a mutant of a
limit shows is asked of no goal once both branches are covered.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import cast

from crashwright.engine.search.suite.days import DATES, date_class, day_of, made_day, written_day
from crashwright.engine.subject.introspection import identities
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Display, Literal, Made, Statement, Value, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import map_arguments

MOST_SHOWN = 12
"""Values of one kind."""
_NUMBERS = identities(int, float)
_DEEPEST = 4


def boundaries(
    test: TestCase, values: Sequence[object], steps: Sequence[int | float], new: Callable[[], Variable]
) -> Iterator[TestCase]:
    """``values`` are in what the assertions of the test expect (``leaves``), ``steps`` numbers of the code. Arguments of the last
    call first, and one of each in turn."""
    made = {one.variable: one for one in test.statements if isinstance(one, Literal | st.Call)}
    ways = [
        _passed_instead(test, place, variable, made, values, steps, new)
        for place in reversed(range(len(test.statements)))
        for variable in _arguments(test.statements[place])
    ]
    for turn in zip_longest(*ways):
        yield from (one for one in turn if one is not None and one.is_valid())


def _arguments(statement: Statement) -> tuple[Variable, ...]:
    """What a call is given; nothing for one that makes a date."""
    if not isinstance(statement, st.Call | st.MethodCall) or date_class(statement) is not None:
        return ()
    return tuple(dict.fromkeys((*statement.arguments.positional, *(variable for _, variable in statement.arguments.keywords))))


def _passed_instead(
    test: TestCase,
    place: int,
    variable: Variable,
    made: Mapping[Variable, Statement],
    values: Sequence[object],
    steps: Sequence[int | float],
    new: Callable[[], Variable],
) -> Iterator[TestCase]:
    """Other values of this argument, in this call alone."""
    one = made.get(variable)
    if isinstance(one, Literal):
        others: Iterator[Sequence[Statement]] = ([Literal(new(), other)] for other in _like(one.value, values))
    elif isinstance(one, st.Call) and date_class(one) is not None:
        others = (written_day(one, other, new) for other in _days(one, made, values, steps))
    else:
        return
    call = test.statements[place]
    assert isinstance(call, st.Call | st.MethodCall)
    for written in others:
        put = written[-1][0]
        arguments = map_arguments(call.arguments, partial(_instead_of, variable, put))
        yield TestCase((*test.statements[:place], *written, call._replace(arguments=arguments), *test.statements[place + 1 :]))


def _instead_of(old: Variable, put: Variable, given: Variable) -> Variable:
    return put if given == old else given


def _like(value: object, values: Sequence[object]) -> Iterator[int | float | str]:
    """What was shown of the type of ``value``, and what is next to that."""
    found: dict[int | float | str, None] = {}
    for other in values:
        if type(other) is not type(value):
            continue
        if type(other) is int or type(other) is float:
            found.update(dict.fromkeys((other, other + 1, other - 1)))
        elif type(other) is str:
            found[other] = None
    yield from (one for one in [*found][: 3 * MOST_SHOWN] if one != value)


# Dates


def _days(
    call: st.Call, made: Mapping[Variable, Statement], values: Sequence[object], steps: Sequence[int | float]
) -> Iterator[datetime.date]:
    """Days that the test names or shows, the next ones, and those that lie a number of the code away."""
    cls = date_class(call)
    own = day_of(call, made)
    known: dict[datetime.date, None] = {}
    for value in (*values, *(day_of(one, made) for one in made.values() if isinstance(one, st.Call))):
        if type(value) is cls:
            known[value] = None
    moved: dict[datetime.date, None] = {}
    for step in (0, 1, -1, *(sign * (step + more) for step in steps for more in (0, 1) for sign in (1, -1))):
        for day in [*known][:MOST_SHOWN]:
            try:
                moved[day + datetime.timedelta(days=step)] = None
            except OverflowError:
                continue  # there is no such day
    yield from (day for day in moved if day != own)


# What was shown


def leaves(shown: Iterable[object]) -> list[object]:
    """Different numbers, texts and dates in expected values."""
    return list({(type(one), repr(one)): one for one in _leaves(shown, 0)}.values())


def _leaves(shown: Iterable[object], depth: int) -> Iterator[object]:
    for value in shown:
        if type(value) is str or id(type(value)) in _NUMBERS:
            yield value
        elif depth < _DEEPEST and isinstance(value, Display):
            pairs = value.kind == "dict"
            items = (part for one in value.items for part in (cast("tuple[Value, Value]", one) if pairs else (one,)))
            yield from _leaves(items, depth + 1)
        elif depth < _DEEPEST and isinstance(value, Made):
            if id(value.named.live) in DATES and not value.keywords:
                day = made_day(cast("type[datetime.date]", value.named.live), value.positional)
                yield from () if day is None else (day,)
            else:
                yield from _leaves((*value.positional, *(one for _, one in value.keywords)), depth + 1)
