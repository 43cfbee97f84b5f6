"""Fresh runs of one file beside each other: people wait for them, and each has an interpreter and folders of its own."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator
from itertools import islice
from typing import Generic, TypeVar

T = TypeVar("T")


class _Begun(Generic[T]):
    """One run, in a thread, so that Ctrl-C hits who waits for it. A daemon: leaving need not wait for it, and what it has started
    ends with this process."""

    def __init__(self, run: Callable[[int], T], place: int) -> None:
        self._ended: list[T] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._work, args=(run, place), name="crashwright-fresh-run", daemon=True)
        self._thread.start()

    def _work(self, run: Callable[[int], T], place: int) -> None:
        try:
            self._ended.append(run(place))
        except BaseException as error:  # noqa: BLE001 - raised again by whoever asks for the result
            self._error = error

    def wait(self) -> None:
        self._thread.join()

    def result(self) -> T:
        self.wait()
        if self._error is not None:
            raise self._error
        return self._ended[0]


def in_order(run: Callable[[int], T], count: int, at_once: int) -> Generator[T, None, None]:
    """What ``run`` gives for the places 0, 1, ... ``count`` - 1, in this order. ``at_once`` of them work at a time, begun before
    they are asked for; with one, each is begun when it is asked for. Whoever stops asking waits until those that have begun are
    over."""
    if at_once < 2:
        yield from map(run, range(count))
        return
    places = iter(range(count))
    begun = deque(_Begun(run, place) for place in islice(places, at_once))
    try:
        while begun:
            yield begun.popleft().result()
            begun.extend(_Begun(run, place) for place in islice(places, 1))
    except GeneratorExit:
        for one in begun:
            one.wait()
