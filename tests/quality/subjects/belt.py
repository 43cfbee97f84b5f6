"""A belt of parcels, laid out as a ring. It jams in one state only, of which the function that crashes sees a flag."""

from __future__ import annotations


class Belt:
    def __init__(self) -> None:
        self.slots: list[int] = [0] * 9
        self.head = 0
        self.tail = 0
        self.load = 0

    def put(self, weight: int) -> None:
        if (self.tail + 1) % len(self.slots) == self.head:
            return
        self.slots[self.tail] = weight
        self.tail = (self.tail + 1) % len(self.slots)
        self.load += weight

    def take(self) -> int:
        if self.head == self.tail:
            return 0
        weight = self.slots[self.head]
        self.head = (self.head + 1) % len(self.slots)
        self.load -= weight
        return weight

    def reverse(self) -> None:
        jammed = self._jams()
        if jammed:
            raise RuntimeError("the belt is jammed")
        self.head, self.tail = self.tail, self.head

    def _jams(self) -> bool:
        return self.head == 2 and self.tail == 6 and self.slots[3] > 900
