"""Many things worked off at some place, as many at a time as it is wide. Each runs in a process of its own; one thread plans and
takes the answers, and whoever waits for them hears what each worker does.
"""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from crashwright.core.errors import EnvironmentProblem, ExitCode
from crashwright.core.settings import Budget
from crashwright.workflows.batch.events import BatchTold, Begun, Working
from crashwright.workflows.places.place import Asked, Place, PlaceGone

LOOK_SECONDS = 2.0
"""How often it is looked whether there is room for more."""
ATTEMPTS = 2
"""How often something is tried whose process was killed."""
Item = TypeVar("Item")
Contra = TypeVar("Contra", contravariant=True)


class Waiting(NamedTuple):
    """``items`` wait for their turn, and ``width`` are worked on at a time."""

    items: int
    width: int


class Work(Protocol[Contra]):
    """What is to be done with each of many."""

    def title(self, item: Contra, /) -> str:
        """What the user calls it."""

    def share(self, item: Contra, waiting: Waiting, /) -> Budget | None:
        """What it may use, now that its turn has come; None where there is no time for it, nor for those after it."""

    def request_for(self, item: Contra, budget: Budget, /) -> Asked:
        """What the place is asked."""

    def answered(self, item: Contra, document: dict[str, Any] | None, worker: int, waiting: Waiting, /) -> None:
        """Write down what came of it; None: its process was killed, each time."""


@dataclass(slots=True)
class WorkedOff(Generic[Item]):
    """The way through all items. ``listen`` hears of workers and of the place."""

    work: Work[Item]
    place: Place
    listen: Callable[[Begun | Working | BatchTold], None]
    problems: dict[str, None]
    """What the user has to mend before the rest can be done: the place is not fit."""
    _queue: deque[tuple[Item, int]] = field(default_factory=deque)

    async def all(self, items: Iterable[Item]) -> int:
        """Work off ``items``, in this order; how many there was no time for. Cancelled, it ends what is under way first, as the
        place does that."""
        self._queue = deque((item, 1) for item in items)
        working: dict[int, asyncio.Task[None]] = {}
        try:
            await self.place.open(self._told)
            self._begin(working)
            while working:
                done, _ = await asyncio.wait(working.values(), timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                for number in [number for number, task in working.items() if task in done]:
                    working.pop(number).result()
                self._begin(working)
        finally:
            for task in working.values():
                task.cancel()
            await asyncio.gather(*working.values(), return_exceptions=True)
            await self.place.close()
        return len(self._queue)

    def _begin(self, working: dict[int, asyncio.Task[None]]) -> None:
        """With as many as there is room for now, and time."""
        while self._queue and len(working) < self._waiting.width:
            item, attempt = self._queue[0]
            budget = self.work.share(item, self._waiting)
            if budget is None:
                return
            self._queue.popleft()
            number = next(number for number in itertools.count(1) if number not in working)
            working[number] = asyncio.create_task(self._do(item, attempt, budget, number))

    async def _told(self, text: str) -> None:
        self.listen(BatchTold(text))

    async def _do(self, item: Item, attempt: int, budget: Budget, worker: int) -> None:
        async def told(text: str) -> None:
            self.listen(Working(worker, text))

        self.listen(Begun(worker, self.work.title(item), budget.seconds))
        try:
            document = await self.place.run(self.work.request_for(item, budget), told)
        except EnvironmentProblem as error:
            self.problems[f"{error.message} {error.advice}".rstrip()] = None
            if isinstance(error, PlaceGone):
                self._queue.clear()
            return
        if _ended(document):
            self.work.answered(item, document, worker, self._waiting)
        elif _cancelled():
            return
        elif attempt == ATTEMPTS:
            self.work.answered(item, None, worker, self._waiting)
        else:
            self._queue.append((item, attempt + 1))

    @property
    def _waiting(self) -> Waiting:
        # Where nobody is left the place says so when it is asked.
        return Waiting(len(self._queue), max(1, self.place.width()))


def _ended(document: dict[str, Any]) -> bool:
    """It has come to an end by itself, or because this one has to."""
    return "verdict" in document and (_cancelled() or document.get("exit_code") != ExitCode.INTERRUPTED)


def _cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
