"""The ring on which tests travel between the engines that search for one suite: each sends to the next, by way of the host."""

from __future__ import annotations

import queue
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from crashwright.core.messages import Migrants


@dataclass(frozen=True, slots=True)
class Crossing:
    """One island's ways. ``leave`` sends to the next one; ``arrivals()`` is what has come from the one before since the last call.
    Several threads may use a ring."""

    leave: Callable[[Migrants], None]
    arrivals: Callable[[], list[Migrants]]


NO_OTHERS = Crossing(lambda _: None, list)


def ring(count: int) -> tuple[Crossing, ...]:
    """The ways of ``count`` islands."""
    boxes: list[queue.SimpleQueue[Migrants]] = [queue.SimpleQueue() for _ in range(count)]
    return tuple(Crossing(boxes[(number + 1) % count].put, partial(_emptied, box)) for number, box in enumerate(boxes))


def _emptied(box: queue.SimpleQueue[Migrants]) -> list[Migrants]:
    found = []
    while not box.empty():  # only one island takes from it
        found.append(box.get_nowait())
    return found
