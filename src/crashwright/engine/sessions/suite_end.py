"""How long what follows the search for a suite may take, by the clock and by what the host grants (SPEC 9)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol


class Host(Protocol):
    """See ``worker.channel.Channel``."""

    granted: float

    def asked_to_stop(self) -> bool: ...


class TimeLeft:
    """Until ``until`` on the clock ``wall``. Once the host has ended the search, what it grants counts from when it is noticed: it
    may end a search before its time, on a busy machine, and values still need to be made plain then."""

    def __init__(self, host: Host, wall: Callable[[], float], until: float) -> None:
        self._host = host
        self._wall = wall
        self._granted = math.inf
        self.until = until

    def __call__(self) -> float:
        """Seconds left; 0 or less: none."""
        if self._host.asked_to_stop() and self._host.granted < self._granted:
            self._granted = self._host.granted
            self.until = min(self.until, self._wall() + self._granted)
        return self.until - self._wall()
