"""Work done side by side in threads, interrupted from the main one: the first Ctrl-C asks for an end, the second leaves at once."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

_GLANCE = 0.2
"""How often (seconds) whoever waits looks up."""

Work = TypeVar("Work")
Outcome = TypeVar("Outcome")


class Interruption:
    """Whether the user wants an end: asked by whoever works, set by whoever waits for them."""

    def __init__(self, on_first: Callable[[], None]) -> None:
        self._on_first = on_first
        self._stopping = threading.Event()
        self._leaving = threading.Event()

    def stopping(self) -> bool:
        """Keep what is there, and come to an end."""
        return self._stopping.is_set()

    def leaving(self) -> bool:
        """Nothing matters any more."""
        return self._leaving.is_set()

    def interrupt(self) -> None:
        """Once: an end is wanted. Twice: raises KeyboardInterrupt."""
        if self._stopping.is_set():
            self._leaving.set()
            raise KeyboardInterrupt
        self._stopping.set()
        self._on_first()


def work_off(works: Sequence[Work], do: Callable[[Work], Outcome], jobs: int, interruption: Interruption) -> list[Outcome]:
    """``do`` each of ``works``, ``jobs`` at a time, begun in this order; the outcomes in the same order. What ``do`` raises is
    raised here once nobody works any more.

    Threads, so that an interrupt hits the one that waits and never the middle of somebody's work; daemons, so that leaving need not
    wait for them (what they started ends with this process).
    """
    waiting: queue.SimpleQueue[tuple[int, Work]] = queue.SimpleQueue()
    for pair in enumerate(works):
        waiting.put(pair)
    outcomes: dict[int, Outcome] = {}
    errors: dict[int, BaseException] = {}
    ended: queue.SimpleQueue[int] = queue.SimpleQueue()

    def worker() -> None:
        while True:
            try:
                number, work = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                outcomes[number] = do(work)
            except BaseException as error:  # noqa: BLE001 - raised again by the thread that waits
                errors[number] = error
            ended.put(number)

    idle = [threading.Thread(target=worker, daemon=True) for _ in range(min(jobs, len(works)))]
    while True:
        try:
            while len(outcomes) + len(errors) < len(works):
                while idle:
                    if idle[-1].ident is None:  # an interrupt may have come just after its start
                        idle[-1].start()
                    idle.pop()
                with contextlib.suppress(queue.Empty):  # a signal that another thread was given wakes nobody here
                    ended.get(timeout=_GLANCE)
            break
        except KeyboardInterrupt:
            interruption.interrupt()
    if errors:
        raise errors[min(errors)]
    return [outcomes[number] for number in range(len(works))]
