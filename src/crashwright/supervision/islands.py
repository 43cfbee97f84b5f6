"""Several engines that search for the same, each with a seed of its own, seen from the host as one (``--jobs``).

They form a ring: the best tests of each island travel to the next one every ``epoch`` evaluations (``engine.sessions.exchange``).
How what they find becomes one result is for a policy to say (:class:`Merge`): of tests for a crash the first wins, archives of
suites are merged.

- With a budget in evaluations nothing depends on the clock. The islands share them.
- An island that has ended, was lost for good, or has been silent for ``SILENCE`` seconds no longer counts: the host tells the next
  one that nobody will come from there.
- An engine that died is started again with what its island has kept and what is left of its budget, ``LIVES`` times in all.

Only the loss or the silence of an island makes two runs with the same seed and evaluations differ.
"""

from __future__ import annotations

import select
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from crashwright.core.errors import EnvironmentProblem
from crashwright.core.messages import (
    EndReason,
    Failed,
    FailureKind,
    Finished,
    Incident,
    IncidentKind,
    Message,
    Migrants,
    Ready,
    Stop,
)
from crashwright.core.settings import Budget, EngineSettings
from crashwright.supervision.island import Island, IslandEngine, Seeds, island_seed

LIVES = 4
SILENCE = 120.0
"""Seconds."""
_LEAST = 0.2
"""Seconds of budget below which no other engine is started."""
_TICK = 0.25

Launch = Callable[[EngineSettings, Seeds], IslandEngine]


class Merge(Protocol):
    """How what the islands of a ring find becomes one result; one object for one run."""

    def hear(self, ring: Islands, island: Island, message: Message) -> None:
        """A message of one island: keep what is in it, tell (:meth:`Islands.tell`) what all of them know now."""

    def others_may_begin(self, ring: Islands, /) -> bool:
        """Whether more islands than the first are worth it, asked until they are there."""

    def goes_on(self, island: Island, failed: Failed, /) -> bool:
        """Whether another engine may do better than the one that has ``failed``."""

    def outcome(self, ring: Islands) -> Sequence[Message] | None:
        """What is told last, Finished or Failed at its end; None while the search goes on."""

    def untold(self) -> Sequence[Message]:
        """What was found and not told yet, where the search is stopped."""


class Islands:
    """``launch`` starts an engine; OSError goes through where it is the first. ``settings`` are for one engine: its budget of
    evaluations is shared, its seed is that of the first island; ``seeds`` are tests to begin with. Merged messages come out of
    :meth:`next`; the last one is Finished or Failed. ``epoch`` is how many evaluations lie between two migrations."""

    def __init__(
        self,
        launch: Launch,
        settings: EngineSettings,
        merge: Merge,
        epoch: int,
        jobs: int = 1,
        seeds: Seeds = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._launch = launch
        self._settings = settings
        self._merge = merge
        self._epoch = epoch
        self._seeds = seeds
        self._waiting: deque[Message] = deque()
        self._told: dict[str, int] = {}
        self._mail: dict[int, list[Migrants]] = {}
        self._told_all: list[Message] = []
        self._over = False
        self._stopping = False
        self._began = clock()
        self.clock = clock
        self.jobs = jobs
        self.exact = settings.budget.evaluations is not None
        self.ready_at: float | None = None
        """When the first engine was ready, on the clock."""
        self.islands: list[Island] = []
        self._found_island(0)

    @property
    def running(self) -> bool:
        """Messages may still come."""
        return bool(self._waiting) or not self._over

    @property
    def evaluations(self) -> int:
        """Of all islands."""
        return sum(island.count for island in self.islands)

    @property
    def seconds(self) -> float:
        """Since the search began."""
        return self.clock() - self._began

    @property
    def budget(self) -> Budget:
        """Of all islands."""
        return self._settings.budget

    def next(self, seconds: float) -> Message | None:
        """The next message, or None where none came within ``seconds``."""
        until = self.clock() + seconds
        while not self._waiting and not self._over:
            for island in list(self.islands):
                self._attend(island)
            self._settle()
            self._conclude()
            left = until - self.clock()
            if self._waiting or self._over:
                break
            if left <= 0:
                return None
            pipes = [island.engine for island in self.islands if island.engine.running]
            select.select(pipes, [], [], min(left, _TICK))
        return self._waiting.popleft() if self._waiting else None

    def tell(self, message: Message) -> None:
        """To whoever listens to all of them."""
        self._waiting.append(message)

    def inform(self, message: Message) -> None:
        """Tell all engines something that holds, those that come later too."""
        self._told_all.append(message)
        self.answer(message)

    def answer(self, message: Message) -> None:
        """Tell the engines that there are now."""
        for island in self.islands:
            if island.ready and island.end is None:
                island.engine.send(message)

    def ask_for_results(self, seconds: float = 0.0) -> None:
        """No more searching: each engine sends what it has, made small within ``seconds``; one that is not ready has nothing."""
        self._stopping = True
        for island in self.islands:
            if island.end is None and island.ready:
                island.engine.send(Stop(seconds))
            elif island.end is None:
                self._end(island, Finished(EndReason.STOPPED, island.now, 0.0))

    def stop(self) -> tuple[Message, ...]:
        """End all, now. Returns what had been found and not told yet."""
        for island in self.islands:
            island.engine.ask_to_stop()
        for island in self.islands:
            island.engine.stop()
        self._over = True
        left = (*self._waiting, *self._merge.untold())
        self._waiting.clear()
        return left

    # Islands come and go

    def _found_island(self, number: int) -> None:
        share = self.budget.evaluations
        if share is not None:
            share = share // self.jobs + (number < share % self.jobs)
        engine = self._launch(self._settings_of(number, 1, share), self._seeds)
        self.islands.append(Island(number, share, engine, self.clock(), inbox=self._mail.pop(number, []), kept=self._seeds))

    def _settings_of(self, number: int, life: int, evaluations: int | None) -> EngineSettings:
        seconds = self._seconds_left()
        search = replace(self._settings.search, seed=island_seed(self._settings.search.seed, number, life))
        budget = Budget(None if seconds is None else max(0.1, seconds), evaluations)
        return replace(self._settings, search=search, budget=budget, migration=self._epoch if self.jobs > 1 else 0)

    def _seconds_left(self) -> float | None:
        """The engine does not count its import: that of the first one is a measure of it."""
        seconds = self.budget.seconds
        return seconds if seconds is None or self.ready_at is None else seconds - self.seconds

    def _settle(self) -> None:
        """Found the other islands, once they are worth it."""
        if self._stopping or len(self.islands) == self.jobs or not self._merge.others_may_begin(self):
            return
        for number in range(1, self.jobs):
            try:
                self._found_island(number)
            except (OSError, EnvironmentProblem) as error:
                self.tell(Incident(IncidentKind.ISLAND, f"only {number} of {self.jobs} engines could be started: {error}"))
                self.jobs = number
                return

    def _go_on(self, island: Island, failed: Failed) -> bool:
        """Start the engine of ``island`` again, where that is worth it."""
        goes_on = island.life < LIVES and not self._stopping and self._merge.goes_on(island, failed)
        island.before, island.now = island.count, 0
        island.offset = island.before // self._epoch
        left, seconds = island.left(), self._seconds_left()
        if not goes_on or (left is not None and left <= 0) or (seconds is not None and seconds <= _LEAST):
            return False
        island.engine.stop(0.0)
        try:
            island.engine = self._launch(self._settings_of(island.number, island.life + 1, left), island.kept)
        except (OSError, EnvironmentProblem):
            return False
        island.life += 1
        island.ready = False
        island.inbox = list(island.recent)
        island.heard = self.clock()
        self.tell(Incident(IncidentKind.DIED, f"{failed.text}; another engine was started in its place"))
        return True

    # Messages

    def _attend(self, island: Island) -> None:
        while island.end is None:
            message = island.engine.next(0.0)
            if message is None:
                if not island.engine.running:
                    self._end(island, Failed(FailureKind.INTERNAL, "the engine ended without a result"))
                break
            island.heard, island.silent = self.clock(), False
            self._hear(island, message)
        if island.end is None and not island.silent and self.clock() - island.heard > SILENCE:
            island.silent = True
            self._say_last_word(island)

    def _hear(self, island: Island, message: Message) -> None:
        match message:
            case Ready():
                self._welcome(island, message)
            case Migrants():
                island.begun = True
                if message.epoch + island.offset > 0:
                    self._follower(island, replace(message, epoch=message.epoch + island.offset))
            case Incident():
                if self._told.setdefault(message.text, island.number) == island.number:
                    self.tell(message)
            case Finished():
                island.now = max(island.now, message.evaluations)
                self._end(island, message)
            case Failed():
                if not self._go_on(island, message):
                    self._end(island, message)
            case _:
                self._merge.hear(self, island, message)

    def _welcome(self, island: Island, ready: Ready) -> None:
        island.ready = True
        if self.ready_at is None:
            self.ready_at = self._began = self.clock()
            self.tell(ready)
        for message in self._told_all:
            island.engine.send(message)
        inbox, island.inbox = island.inbox, []
        for migrants in inbox:
            island.deliver(migrants)

    def _end(self, island: Island, how: Finished | Failed) -> None:
        island.end, island.ended = how, self.clock()
        self._say_last_word(island)

    def _say_last_word(self, island: Island) -> None:
        self._follower(island, Migrants(island.count // self._epoch, last=True))

    def _follower(self, island: Island, migrants: Migrants) -> None:
        """Pass ``migrants`` on to the next island of the ring."""
        number = (island.number + 1) % self.jobs
        if number >= len(self.islands):
            self._mail.setdefault(number, []).append(migrants)
        elif number != island.number and self.islands[number].end is None:
            self.islands[number].deliver(migrants)

    def _conclude(self) -> None:
        """See whether the search is over, and tell the result."""
        last = self._merge.outcome(self)
        if last is not None:
            self._over = True
            self._waiting.extend(last)

    @property
    def all_over(self) -> bool:
        """No engine is left, and none will come."""
        ended = all(island.end is not None for island in self.islands)
        return ended and (self._stopping or len(self.islands) == self.jobs or not self._merge.others_may_begin(self))
