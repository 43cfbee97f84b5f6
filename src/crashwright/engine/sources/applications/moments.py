"""Moments and days that are sent as texts: others that are near, and the same in another form."""

from __future__ import annotations

import datetime

from crashwright.engine.subject.usage.shapes import Plain

_DAY, _HOUR, _DATE = datetime.timedelta(days=1), datetime.timedelta(hours=1), len("2026-01-01")


def moments_beside(value: Plain | None) -> list[Plain]:
    """Of a moment one a little later, the same one in a time zone or in none, the next day, and one before; of a day the next one,
    and the one before."""
    moment = _moment(value)
    if moment is None:
        return []
    try:
        if len(str(value)) <= _DATE:
            return [str(moment.date() + step) for step in (_DAY, -_DAY)]
        return [(moment + _HOUR).isoformat(), otherwise_zoned(value), *((moment + step).isoformat() for step in (_DAY, -_HOUR))]
    except OverflowError:
        return []  # the last that there is


def otherwise_zoned(value: Plain | None) -> str:
    """The same moment in a time zone, or without one; "" of what is none."""
    moment = _moment(value)
    if moment is None or len(str(value)) <= _DATE:
        return ""
    return moment.replace(tzinfo=datetime.UTC if moment.tzinfo is None else None).isoformat()


def _moment(value: Plain | None) -> datetime.datetime | None:
    try:
        return datetime.datetime.fromisoformat(value) if type(value) is str else None
    except ValueError:
        return None  # it is another text
