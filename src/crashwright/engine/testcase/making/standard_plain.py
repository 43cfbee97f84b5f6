"""What one passes to classes of the standard library for plain values: dates in their order, amounts of money, spans of time."""

from __future__ import annotations

import datetime
import decimal
import fractions

from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase.statements import Value

_DATES: tuple[tuple[Value, ...], ...] = ((2024, 1, 1), (2024, 1, 2), (2024, 1, 31), (2024, 2, 1), (2024, 3, 1), (2024, 12, 31))
_PLAIN: dict[int, tuple[tuple[Value, ...], ...]] = {
    id(datetime.date): _DATES,
    id(datetime.datetime): _DATES,
    id(decimal.Decimal): (("1",), ("2.50",), ("10",), ("100",), ("0.5",), ("-1",)),
    id(fractions.Fraction): ((1, 2), (1, 3), (3,)),
    id(datetime.timedelta): ((1,), (30,), (0, 60)),
    id(datetime.time): ((12, 30),),
}

_BY_ADDRESS: dict[str, tuple[tuple[Value, ...], ...]] = {"sqlite3:connect": ((":memory:",),)}
"""Of modules that most subjects never load."""


def plain_arguments_of(callee: Callee) -> tuple[tuple[Value, ...], ...]:
    """What one passes to a class or function of the standard library for a plain value, the earlier ones first; nothing where that
    is not known."""
    return plain_arguments(callee.live) or _BY_ADDRESS.get(callee.address, ())


def plain_arguments(cls: object) -> tuple[tuple[Value, ...], ...]:
    """What one passes to ``cls`` for a plain value, the earlier ones first; nothing where that is not known."""
    return _PLAIN.get(id(cls), ())
