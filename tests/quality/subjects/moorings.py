"""Nights that boats stay at a mooring, from a log in which each line is dated."""

from __future__ import annotations

import datetime
import re

STAY = re.compile(r"(?P<berth>[A-Z]) (?P<year>[0-9]{4})/(?P<month>[0-9][0-9])/(?P<day>[0-9][0-9]) (?P<nights>[0-9]+)")


class Log:
    def __init__(self) -> None:
        self.until: dict[str, datetime.date] = {}

    def add(self, line: str) -> None:
        stay = STAY.fullmatch(line)
        if stay is None:
            return
        begins = datetime.date(int(stay["year"]), int(stay["month"]), int(stay["day"]))
        self.until[stay["berth"]] = begins + datetime.timedelta(days=int(stay["nights"]))


def free_from(text: str) -> dict[str, datetime.date]:
    log = Log()
    for line in text.splitlines():
        log.add(line)
    return log.until
