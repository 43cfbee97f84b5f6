"""A subject that is fed with lines before it is asked: one class reads them by a regular expression, one splits them."""

from __future__ import annotations

import re
from collections import defaultdict

READING = re.compile(r"(?P<place>[a-z]+)@(?P<hour>\d\d) (?P<level>\d{1,3})(?: max (?P<peak>\d+))?")
UNITS = {"mm": 1, "cm": 10}


class Gauge:
    def __init__(self):
        self.by_place = defaultdict(list)

    def feed(self, lines):
        for line in lines:
            found = READING.fullmatch(line)
            if found is not None:
                self.by_place[found["place"]].append(peak_of(found))

    def spread(self, place):
        peaks = self.by_place[place]
        return 100 / (peaks[-1] - peaks[0])


def peak_of(found):
    return int(found["level"])


class Ledger:
    def __init__(self):
        self.rows = []

    def read(self, text):
        for line in text.splitlines():
            if line.startswith("unit "):
                self.unit = UNITS[line[5:].strip()]
            else:
                self.rows.append(row_of(line))

    def latest(self):
        return max(row[0] for row in self.rows)


def row_of(line):
    day, amount, *note = [part.strip() for part in line.split("|")]
    return moment(day), float(amount.replace(",", ".")), note


def moment(text):
    year, month = text.split("/")
    return int(year), int(month)
