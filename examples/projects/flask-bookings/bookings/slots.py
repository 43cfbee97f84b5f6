"""When rooms are free."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Slot:
    start: int
    end: int

    @property
    def hours(self) -> int:
        return self.end - self.start


def parse_slot(text: str) -> Slot:
    """A slot such as ``9-12``."""
    start, end = text.split("-")
    return Slot(int(start), int(end))


def price(slots: list[Slot], rate: float) -> float:
    """What the slots cost; the longest one is half the price."""
    longest = max(slots, key=lambda slot: slot.hours)
    return sum(slot.hours * rate for slot in slots) - longest.hours * rate / 2
