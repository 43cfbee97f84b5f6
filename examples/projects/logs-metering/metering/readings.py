"""Readings as meters send them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Reading:
    meter: str
    at: datetime
    kwh: float


def parse_reading(line: str) -> Reading:
    """``meter;2024-05-01T10:00;17.5``."""
    meter, at, value = line.split(";")
    return Reading(meter, datetime.fromisoformat(at), float(value))


def rate(earlier: Reading, later: Reading) -> float:
    """Kilowatts between two readings."""
    hours = (later.at - earlier.at).total_seconds() / 3600
    return (later.kwh - earlier.kwh) / hours
