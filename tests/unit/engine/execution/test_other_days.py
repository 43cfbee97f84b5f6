"""Clocks that are moved ahead, and told the truth again."""

from __future__ import annotations

import datetime
import time
from collections.abc import Iterator

import pytest

from crashwright.engine.execution.other_days import OtherDays

DAY = 86_400.0


@pytest.fixture
def days() -> Iterator[OtherDays]:
    made = OtherDays()
    real = datetime.datetime.now, time.time, time.strftime
    assert made.install()
    yield made
    made.remove()
    assert (datetime.datetime.now, time.time, time.strftime) == real


def test_all_clocks_tell_another_day(days: OtherDays) -> None:
    today, year = datetime.date.today(), datetime.datetime.now().year
    seconds = time.time()
    with days.moved(800 * DAY):
        assert datetime.date.today() - today in (datetime.timedelta(days=800), datetime.timedelta(days=801))
        assert datetime.datetime.now(datetime.UTC).year > year
        assert time.time() - seconds >= 800 * DAY
        assert time.time_ns() - seconds * 1e9 >= 800 * DAY * 1e9
        assert time.localtime().tm_year > year
        assert time.gmtime(0).tm_year == 1970
        assert int(time.strftime("%Y")) > year
        assert time.strftime("%Y", time.gmtime(0)) == "1970"
        assert time.ctime(0)[-4:] in ("1970", "1969")
        assert int(time.ctime()[-4:]) > year
        assert int(time.asctime()[-4:]) > year
    assert datetime.date.today() in (today, today + datetime.timedelta(days=1))
    assert abs(time.time() - seconds) < DAY


def test_who_asks_for_the_time_is_noticed(days: OtherDays) -> None:
    days.asked = False
    time.gmtime(0)
    datetime.datetime(2024, 1, 1)
    assert not days.asked
    datetime.datetime.now()
    assert days.asked
    days.asked = False
    datetime.date.today()
    assert days.asked


def test_subclasses_are_of_their_own_class(days: OtherDays) -> None:
    class Moment(datetime.datetime): ...

    with days.moved(DAY):
        assert type(Moment.now()) is Moment
