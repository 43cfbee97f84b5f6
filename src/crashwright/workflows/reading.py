"""What is told while a long text is looked through: that takes seconds for a large log."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from crashwright.workflows.events import Event, ReadingReport

EVERY = 1.0
"""Seconds after which, and between which, it is told."""


@contextmanager
def telling(characters: int, listen: Callable[[Event], None], every: float = EVERY) -> Iterator[None]:
    """Tell ``listen`` that so many characters are being read, as long as that takes. From a thread: the readers are to know nothing
    of it."""
    done = threading.Event()

    def tell() -> None:
        times = 0
        while not done.wait(every):
            times += 1
            listen(ReadingReport(characters, times * every))

    thread = threading.Thread(target=tell, name="crashwright-reading", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
