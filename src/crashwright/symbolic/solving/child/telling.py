"""What a job tells, read: a process that is asked once, and says what it finds as it finds it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, Self, TypeVar

from crashwright.core.codec import Undecodable, from_json
from crashwright.symbolic.solving.child.job import End, Job, JobEnding

T = TypeVar("T")
E = TypeVar("E")


class Telling(Generic[T, E]):
    """``read`` makes something of each message; ``effort`` is the class of the result; ``exact``: its limit is not to be what ends
    it. Use as a context manager: no process outlives it."""

    def __init__(self, job: Job, read: Callable[[Any], Iterable[T]], effort: type[E], exact: bool = False) -> None:
        self._job = job
        self._read = read
        self._effort = effort
        self._exact = exact

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def found(self) -> Iterator[T]:
        """As it comes, until the job is over or its time is."""
        for message in self._job.told():
            yield from self._read(message)

    def poll(self) -> Iterator[T]:
        """What has come since, without waiting."""
        while (message := self._job.next()) is not None:
            yield from self._read(message[0])

    @property
    def is_over(self) -> bool:
        """Nothing more will come than :meth:`poll` gives now."""
        return self._job.ending is not None

    @property
    def problem(self) -> str:
        """Why it could not do its work, in a line; "" where it did, or was only cut off."""
        ending = self._job.ending
        if ending is not None and ending.end is End.LATE and self._exact:
            return "the clock cut it off, so that another run may differ"
        if ending is None or ending.end not in (End.FAILED, End.DIED):
            return ""
        return _reason(ending)

    def stop(self) -> None:
        """End it, at once."""
        self._job.stop()

    @property
    def ending(self) -> tuple[E | None, str]:
        """What it took; and why there is no more, "" where it came to its end."""
        ending = self._job.ending or JobEnding(End.STOPPED)
        if ending.end is not End.FINISHED:
            return None, _reason(ending)
        try:
            return from_json(self._effort, ending.result), ""
        except Undecodable as error:
            return None, str(error)


def _reason(ending: JobEnding) -> str:
    """In a line."""
    told = ending.reason.strip().rpartition("\n")[2] or ending.end.value
    return f"its process died: {told}" if ending.end is End.DIED else told
