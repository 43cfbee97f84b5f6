"""Stays of cars, and who keeps them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass
class Stay:
    number: int
    plate: str
    arrived: datetime
    left: datetime | None = None
    tariff: str = "day"


class StayBook:
    """All stays since the service was started."""

    def __init__(self) -> None:
        self._stays: dict[int, Stay] = {}

    def arrive(self, plate: str, at: datetime, tariff: str = "day") -> Stay:
        stay = Stay(len(self._stays) + 1, plate.replace(" ", "").upper(), at, tariff=tariff)
        self._stays[stay.number] = stay
        return stay

    def get(self, number: int) -> Stay | None:
        return self._stays.get(number)

    def leave(self, number: int, at: datetime) -> Stay:
        stay = self._stays[number]
        stay.left = at
        return stay

    def of(self, plate: str) -> list[Stay]:
        return [stay for stay in self._stays.values() if stay.plate == plate]
