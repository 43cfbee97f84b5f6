"""Several engines that search for the same crash, each with a seed of its own, seen from the host as one (``--jobs``).

They form a ring: the best tests of each island travel to the next one every ``EPOCH`` evaluations (``engine.worker.exchange``). The
first island that reproduces the crash ends the search of all.

- The others start when the first has shown that its first tests do not solve it, so that an easy crash costs one engine.
- With a budget in evaluations nothing depends on the clock: whoever reproduces the crash after the fewest evaluations has won
  (ties: the island with the lower number), which is known once all others have passed that count, and what the others found later
  does not count. Without one, the first to come wins, and nobody waits.
- An island that has ended, was lost for good, or has been silent for ``SILENCE`` seconds no longer counts: the host tells the next
  one that nobody will come from there.
- An engine that was killed is started again with its last survivors and what is left of its budget, ``LIVES`` times in all.

Only the loss or the silence of an island makes two runs with the same seed and evaluations differ.
"""

from __future__ import annotations

import select
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from crashwright.core.messages import (
    EndReason,
    Failed,
    FailureKind,
    Finished,
    Found,
    Incident,
    IncidentKind,
    Message,
    Migrants,
    Progress,
    Ready,
    Start,
    Survivors,
)
from crashwright.core.settings import Budget
from crashwright.supervision.island import Island, IslandEngine, island_seed

EPOCH = 2000
LIVES = 4
SILENCE = 120.0
"""Seconds."""
LATE = 0.7
"""Seconds that other islands may take to end after the first, where the clock bounds the search."""
OTHERS_AFTER = 1.0
"""Seconds after which the first tests of the first island are no longer waited for."""
_TICK = 0.25
_SURVIVORS = 30

Launch = Callable[[Start], IslandEngine]


class Islands:
    """``launch`` starts an engine; OSError goes through where it is the first. ``start`` is for one engine: its budget of
    evaluations is shared, its seed is that of the first island. Merged messages come out of :meth:`next`; the last one is
    Finished or Failed. ``epoch`` is how many evaluations lie between two migrations."""

    def __init__(
        self, launch: Launch, start: Start, jobs: int = 1, epoch: int = EPOCH, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._launch = launch
        self._epoch = epoch
        self._start = start
        self._jobs = jobs
        self._clock = clock
        self._exact = start.settings.budget.evaluations is not None
        self._waiting: deque[Message] = deque()
        self._held: list[tuple[int, int, Found]] = []
        self._told: dict[str, int] = {}
        self._mail: dict[int, list[Migrants]] = {}
        self._over = False
        self._began = clock()
        self._ready_at: float | None = None
        self._used_up: float | None = None
        self._islands: list[Island] = []
        self._found_island(0)

    @property
    def running(self) -> bool:
        """Messages may still come."""
        return bool(self._waiting) or not self._over

    def next(self, seconds: float) -> Message | None:
        """The next message, or None where none came within ``seconds``."""
        until = self._clock() + seconds
        while not self._waiting and not self._over:
            for island in list(self._islands):
                self._attend(island)
            self._settle()
            self._conclude()
            left = until - self._clock()
            if self._waiting or self._over:
                break
            if left <= 0:
                return None
            pipes = [island.engine for island in self._islands if island.engine.running]
            select.select(pipes, [], [], min(left, _TICK))
        return self._waiting.popleft() if self._waiting else None

    def stop(self) -> tuple[Message, ...]:
        """End all, now. Returns what had been found and not told yet."""
        for island in self._islands:
            island.engine.ask_to_stop()
        for island in self._islands:
            island.engine.stop()
        self._over = True
        left = (*self._waiting, *(found for _, _, found in sorted(self._held, key=_order)))
        self._waiting.clear()
        self._held.clear()
        return left

    # Islands come and go

    def _found_island(self, number: int) -> None:
        share = self._start.settings.budget.evaluations
        if share is not None:
            share = share // self._jobs + (number < share % self._jobs)
        engine = self._launch(self._start_of(number, 1, share, self._start.seeds))
        self._islands.append(Island(number, share, engine, self._clock(), inbox=self._mail.pop(number, [])))

    def _start_of(self, number: int, life: int, evaluations: int | None, seeds: tuple[dict[str, Any], ...]) -> Start:
        settings = self._start.settings
        seconds = settings.budget.seconds
        if seconds is not None and self._ready_at is not None:
            # The engine does not count its import: that of the first one is a measure of it.
            seconds = max(0.1, seconds - (self._clock() - self._began))
        search = replace(settings.search, seed=island_seed(settings.search.seed, number, life))
        migration = self._epoch if self._jobs > 1 else 0
        budget = Budget(seconds, evaluations)
        return replace(self._start, settings=replace(settings, search=search, budget=budget, migration=migration), seeds=seeds)

    def _settle(self) -> None:
        """Found the other islands, once they are worth it."""
        if len(self._islands) == self._jobs or not self._is_time_for_others():
            return
        for number in range(1, self._jobs):
            try:
                self._found_island(number)
            except OSError as error:
                self._tell(
                    Incident(IncidentKind.ISLAND, f"only {number} of {self._jobs} engines could be started: {error.strerror}")
                )
                self._jobs = number
                return

    def _is_time_for_others(self) -> bool:
        first = self._islands[0]
        if first.end is None:
            late = self._ready_at is not None and self._clock() - self._ready_at >= OTHERS_AFTER
            return first.begun or late
        # A first island that was fast must not make another run of one that was not.
        reason = first.end.reason if isinstance(first.end, Finished) else None
        return self._exact and (reason is EndReason.BUDGET or (reason is EndReason.REPRODUCED and first.begun))

    def _go_on(self, island: Island, failed: Failed) -> bool:
        """Start the engine of ``island`` again, where it was killed and that is worth it."""
        island.before, island.now = island.count, 0
        island.offset = island.before // self._epoch
        left = island.left()
        if not island.engine.was_killed or island.life >= LIVES or (left is not None and left <= 0):
            return False
        island.engine.stop(0.0)
        seeds = island.survivors or self._start.seeds
        try:
            island.engine = self._launch(self._start_of(island.number, island.life + 1, left, seeds))
        except OSError:
            return False
        island.life += 1
        island.ready = False
        island.inbox = list(island.recent)
        island.heard = self._clock()
        self._tell(Incident(IncidentKind.DIED, f"{failed.text}; another engine was started in its place"))
        return True

    # Messages

    def _attend(self, island: Island) -> None:
        while island.end is None:
            message = island.engine.next(0.0)
            if message is None:
                if not island.engine.running:
                    self._end(island, Failed(FailureKind.INTERNAL, "the engine ended without a result"))
                break
            island.heard, island.silent = self._clock(), False
            self._hear(island, message)
        if island.end is None and not island.silent and self._clock() - island.heard > SILENCE:
            island.silent = True
            self._say_last_word(island)

    def _hear(self, island: Island, message: Message) -> None:
        match message:
            case Ready():
                self._welcome(island, message)
            case Progress():
                island.now, island.progress = message.evaluations, message
                self._tell(self._merged_progress())
            case Found():
                found = replace(message, evaluations=island.before + message.evaluations)
                if self._exact and self._jobs > 1:
                    self._held.append((found.evaluations, island.number, found))
                else:
                    self._tell(found)
            case Survivors():
                island.survivors = message.tests
                self._tell(self._merged_survivors())
            case Migrants():
                island.begun = True
                if message.epoch + island.offset > 0:
                    self._follower(island, replace(message, epoch=message.epoch + island.offset))
            case Incident():
                if self._told.setdefault(message.text, island.number) == island.number:
                    self._tell(message)
            case Finished():
                island.now = message.evaluations
                self._end(island, message)
            case Failed():
                if not self._go_on(island, message):
                    self._end(island, message)

    def _welcome(self, island: Island, ready: Ready) -> None:
        island.ready = True
        if self._ready_at is None:
            self._ready_at = self._clock()
            self._began = self._ready_at
            self._tell(ready)
        inbox, island.inbox = island.inbox, []
        for migrants in inbox:
            island.deliver(migrants)

    def _end(self, island: Island, how: Finished | Failed) -> None:
        island.end = how
        if self._used_up is None and isinstance(how, Finished) and how.reason is EndReason.BUDGET:
            self._used_up = self._clock()
        self._say_last_word(island)

    def _say_last_word(self, island: Island) -> None:
        self._follower(island, Migrants(island.count // self._epoch, last=True))

    def _follower(self, island: Island, migrants: Migrants) -> None:
        """Pass ``migrants`` on to the next island of the ring."""
        number = (island.number + 1) % self._jobs
        if number >= len(self._islands):
            self._mail.setdefault(number, []).append(migrants)
        elif number != island.number and self._islands[number].end is None:
            self._islands[number].deliver(migrants)

    def _tell(self, message: Message) -> None:
        self._waiting.append(message)

    def _merged_progress(self) -> Progress:
        known = [island for island in self._islands if island.progress is not None]
        best = min(known, key=lambda island: (island.distance, island.number)).progress
        assert best is not None
        seconds = max(island.progress.seconds for island in known if island.progress is not None)
        return replace(best, seconds=max(seconds, self._clock() - self._began), evaluations=self._evaluations())

    def _merged_survivors(self) -> Survivors:
        """The best of all islands in turn."""
        columns = [island.survivors for island in self._islands]
        ranks = range(max(map(len, columns)))
        tests = [column[rank] for rank in ranks for column in columns if rank < len(column)]
        return Survivors(self._evaluations(), self._clock() - self._began, tuple(tests[:_SURVIVORS]))

    def _evaluations(self) -> int:
        return sum(island.count for island in self._islands)

    # The end

    def _conclude(self) -> None:
        """See whether the search is over, and tell the result."""
        winner = self._winner()
        if winner is not None:
            if self._has_won(winner):
                self._close(winner)
            return
        all_over = all(island.end is not None for island in self._islands)
        if all_over and len(self._islands) < self._jobs and self._is_time_for_others():
            return
        if all_over or self._is_late():
            self._close(None)

    def _is_late(self) -> bool:
        """The clock has ended an island, and the others should have followed."""
        if self._used_up is None or self._clock() - self._used_up <= LATE:
            return False
        seconds = self._start.settings.budget.seconds
        return seconds is not None and self._clock() - self._began >= seconds

    def _winner(self) -> Island | None:
        """The island that has reproduced the crash after the fewest evaluations."""
        reproduced = [one for one in self._islands if isinstance(one.end, Finished) and one.end.reason is EndReason.REPRODUCED]
        return min(reproduced, key=lambda one: (not self._needed_no_others(one), one.count, one.number), default=None)

    def _has_won(self, winner: Island) -> bool:
        """Whether no other island can still come before ``winner``."""
        if not self._exact or self._needed_no_others(winner):
            return True
        if len(self._islands) < self._jobs:
            return False
        first = self._islands[0]
        return (first.begun or first.end is not None or first.silent) and all(
            island.end is not None or island.silent or island.count >= winner.count for island in self._islands
        )

    def _needed_no_others(self, winner: Island) -> bool:
        """The first tests of the first island have solved it. What others did meanwhile does not count: whether they had been
        started already was a matter of time."""
        return self._exact and winner.number == 0 and not winner.begun

    def _close(self, winner: Island | None) -> None:
        """Tell what counts, and the end."""
        self._over = True
        counting = self._islands
        if winner is not None and self._needed_no_others(winner):
            counting = [winner]
        last = (winner.count, winner.number) if winner is not None else (sys.maxsize, 0)
        for count, number, found in sorted(self._held, key=_order):
            if (count, number) <= last and number < len(counting):
                self._tell(found)
        self._held.clear()
        failed = [island.end for island in counting if isinstance(island.end, Failed)]
        finished = [(island, island.end) for island in counting if isinstance(island.end, Finished)]
        if not finished:
            self._tell(failed[0])
            return
        for end in failed:
            self._tell(Incident(IncidentKind.ISLAND, f"an engine stopped early: {end.text}"))
        _, best = min(finished, key=lambda pair: (pair[0] is not winner, pair[0].distance, pair[0].number))
        counts = [min(island.count, last[0]) if self._exact else island.count for island in counting]
        self._tell(replace(best, evaluations=sum(counts), seconds=max(end.seconds for _, end in finished)))


def _order(held: tuple[int, int, Found]) -> tuple[int, int]:
    return held[:2]
