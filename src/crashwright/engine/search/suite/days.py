"""The dates that a test makes of plain numbers: which day one is, and how another one is written in its place."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from crashwright.engine.subject.introspection import identities
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Arguments, Literal, Statement, Variable

DATES = identities(datetime.date, datetime.datetime)
"""Classes of dates."""


def date_class(call: st.Call | st.MethodCall) -> type[datetime.date] | None:
    """Of a call that makes a date or a time of a day of plain numbers."""
    live = call.callee.live if isinstance(call, st.Call) else None
    if id(live) not in DATES or call.arguments.keywords or call.arguments.star or call.arguments.double_star:
        return None
    return cast("type[datetime.date]", live)


def day_of(call: st.Call, made: Mapping[Variable, Statement]) -> datetime.date | None:
    """The day, or moment, that it makes; None for what is none."""
    cls = date_class(call)
    given = [one.value if isinstance(one := made.get(variable), Literal) else None for variable in call.arguments.positional]
    return None if cls is None else made_day(cls, given)


def made_day(cls: type[datetime.date], given: Sequence[object]) -> datetime.date | None:
    """Of these numbers."""
    if not all(type(one) is int for one in given):
        return None
    try:
        return cls(*cast("Sequence[int]", given))
    except (ValueError, TypeError, OverflowError):
        return None  # there is no such day


def written_day(call: st.Call, day: datetime.date, new: Callable[[], Variable]) -> list[Statement]:
    """What makes ``day`` as ``call`` makes another one; the last statement defines it."""
    numbers = [day.year, day.month, day.day]
    if date_class(call) is datetime.datetime:
        moment = cast(datetime.datetime, day)
        times = [moment.hour, moment.minute, moment.second, moment.microsecond]
        while times and not times[-1]:
            times.pop()
        numbers += times
    literals = [Literal(new(), number) for number in numbers]
    return [*literals, call._replace(variable=new(), arguments=Arguments(tuple(one.variable for one in literals)))]
