"""Tests in which two sides of a comparison are equal, or just not: a number of the test is moved until the gap is closed.

What is compared is often reckoned: a subtotal less a discount against a limit of the module, the minutes of two lines of a file
against those of a day. No value of the test stands in the comparison, but each moves one side by so much: it is moved by one, and
from what became of the gap follows how far it has to go. Numbers within texts and dates are moved as numbers are.

# Deviation: the papers' search closes such a gap by mutation and selection, for goals that are open; a mutant of a limit is no goal
once both sides were taken. The secant method is the field's local search (Korel's alternating variables) with the slope known.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count, zip_longest
from typing import NamedTuple, cast

from crashwright.engine.search.suite.days import day_of, written_day
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.editing.deletion import prune
from crashwright.engine.testcase.statements import Display, Literal, Value, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import map_arguments

MOST_DIALS, IN_TEXT = 16, 6
"""Numbers of a test that are moved, and of one of its texts."""
MOST_SITES = 3
"""Comparisons of one place whose gaps are closed."""
STEPS = 14
"""Of one number towards one gap."""
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
GapsOf = Callable[[TestCase], Sequence[tuple[float, ...]]]
"""The gaps of each comparison at one place in a run of a test."""


class Dial(NamedTuple):
    """A number of a test. ``step`` is its smallest change; ``put`` gives the test with another one, or None if there is none."""

    value: float
    step: float
    put: Callable[[float], TestCase | None]


def closing(test: TestCase, gaps_of: GapsOf, new: Callable[[], Variable]) -> Iterator[TestCase]:
    """Each number of ``test`` in turn. Those that change no gap cost two runs each and bring nothing. Tests that are measured have
    the statements of ``test``, and maybe some that come before them; ``new`` gives their variables."""
    before = gaps_of(test)
    sites = [site for site, gaps in enumerate(before) if gaps][:MOST_SITES]
    ways = [_closed(dial, site, before[site], gaps_of) for dial in [*dials(test, new)][:MOST_DIALS] for site in sites]
    for turn in zip_longest(*ways):
        yield from (prune(one) for one in turn if one is not None and one.is_valid())


def _closed(dial: Dial, site: int, before: Sequence[float], gaps_of: GapsOf) -> Iterator[TestCase]:
    """By the secant method, and then what is next to it on either side."""
    place = min(range(len(before)), key=lambda one: abs(before[one]))
    gaps = {dial.value: before[place]}

    def gap_at(value: float) -> float | None:
        """As of the run with this number; None where it makes no such comparison."""
        moved = None if value in gaps else dial.put(value)
        if moved is not None:
            found = gaps_of(moved)
            if site < len(found) and place < len(found[site]):
                gaps[value] = found[site][place]
        return gaps.get(value)

    last = next((one for one in (dial.value + dial.step, dial.value - dial.step) if gap_at(one) not in (None, before[place])), None)
    if last is None:
        return
    first, slope = dial.value, 0.0
    for _ in range(STEPS):
        slope = (gaps[last] - gaps[first]) / (last - first) or slope
        way = round(gaps[last] / slope / dial.step) * dial.step
        if not way or gap_at(last - way) is None:
            break
        first, last = last, last - way
    best = min(gaps, key=lambda value: abs(gaps[value]))
    if abs(gaps[best]) <= abs(slope) * dial.step:
        unit = max(dial.step, abs(1 / slope))
        for value in dict.fromkeys((best, best + dial.step, best - dial.step, best + unit, best - unit)):
            moved = None if value == dial.value else dial.put(value)
            if moved is not None:
                yield moved


# The numbers of a test


def dials(test: TestCase, new: Callable[[], Variable]) -> Iterator[Dial]:
    """What is passed last comes first, dates before all else: their numbers are none by themselves."""
    made = {one.variable: one for one in test.statements if isinstance(one, Literal | st.Call)}
    in_days = {
        number
        for one in test.statements
        if isinstance(one, st.Call) and day_of(one, made) is not None
        for number in one.arguments.positional
    }
    yield from _days_in(test, new)
    for place in reversed(range(len(test.statements))):
        one = test.statements[place]
        if isinstance(one, Literal) and one.variable not in in_days:
            yield from _in_literal(test, place, one)


def _in_literal(test: TestCase, place: int, literal: Literal) -> Iterator[Dial]:
    before, after = test.statements[:place], test.statements[place + 1 :]

    def written(put: Callable[[float], Value], value: float) -> TestCase:
        return TestCase((*before, literal._replace(value=put(value)), *after))

    for value, step, put in _in_value(literal.value):
        yield Dial(value, step, partial(written, put))


class _Part(NamedTuple):
    value: float
    step: float
    put: Callable[[float], Value]


def _in_value(value: Value) -> Iterator[_Part]:
    """The numbers in it, and what it is with another one."""
    if type(value) is int:
        yield _Part(value, 1, round)
    elif type(value) is float:
        yield _Part(value, 0.01 if round(value, 2) == value and value % 1 else 1.0, lambda other: round(other, 9))
    elif type(value) is str:
        for found in [*_NUMBER.finditer(value)][:IN_TEXT]:
            yield _number_in(value, found)
    elif isinstance(value, Display):
        for place, item in enumerate(value.items):
            yield from _in_item(value, place, item)


def _in_item(value: Display, place: int, item: object) -> Iterator[_Part]:
    """Of a dictionary in what is held under the key."""
    before, after = value.items[:place], value.items[place + 1 :]
    keys = cast("tuple[Value, Value]", item)[:1] if value.kind == "dict" else ()

    def held(put: Callable[[float], Value], other: float) -> Value:
        return value._replace(items=(*before, (*keys, put(other)) if keys else put(other), *after))

    for number, step, put in _in_value(cast("tuple[Value, Value]", item)[1] if keys else cast(Value, item)):
        yield _Part(number, step, partial(held, put))


def _number_in(text: str, found: re.Match[str]) -> _Part:
    """As many digits behind the point as before, and no fewer before it."""
    start, end = found.span()
    behind = found[0].partition(".")[2]

    def put(value: float) -> str:
        return f"{text[:start]}{abs(value):0{len(found[0])}.{len(behind)}f}{text[end:]}"

    return _Part(float(found[0]), 10.0 ** -len(behind), put)


def _days_in(test: TestCase, new: Callable[[], Variable]) -> Iterator[Dial]:
    """Each date that a call is given, in that place alone; hours and what is less stay."""
    made = {one.variable: one for one in test.statements if isinstance(one, Literal | st.Call)}
    for place in reversed(range(len(test.statements))):
        call = test.statements[place]
        if not isinstance(call, st.Call | st.MethodCall):
            continue
        positional, keywords = call.arguments.positional, call.arguments.keywords
        for slot, given in enumerate((*positional, *(variable for _, variable in keywords))):
            one = made.get(given)
            if isinstance(one, st.Call) and (day := day_of(one, made)) is not None:
                yield Dial(day.toordinal(), 1, partial(_on_day, test, place, slot, one, day, new))


def _on_day(
    test: TestCase, place: int, slot: int, made: st.Call, day: datetime.date, new: Callable[[], Variable], value: float
) -> TestCase | None:
    """The new date is made first of all."""
    try:
        other = day + datetime.timedelta(days=round(value) - day.toordinal())
    except OverflowError:
        return None  # there is no such day
    written = written_day(made, other, new)
    call = test.statements[place]
    assert isinstance(call, st.Call | st.MethodCall)
    slots = count()
    instead = map_arguments(call.arguments, lambda one: written[-1][0] if next(slots) == slot else one)
    rest = (*test.statements[:place], call._replace(arguments=instead), *test.statements[place + 1 :])
    return TestCase((*written, *rest))
