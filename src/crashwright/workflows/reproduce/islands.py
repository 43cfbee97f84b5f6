"""How islands that search for the same crash become one search: the first test that reproduces it wins.

- The others start when the first has shown that its first tests do not solve it, so that an easy crash costs one engine.
- With a budget in evaluations whoever reproduces the crash after the fewest evaluations has won (ties: the island with the lower
  number), which is known once all others have passed that count, and what the others found later does not count. Without one, the
  first to come wins, and nobody waits.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

from crashwright.core.messages import (
    BestTests,
    CandidateTried,
    EndReason,
    Failed,
    Finished,
    Found,
    Incident,
    IncidentKind,
    Message,
    Progress,
    StandsStill,
)
from crashwright.supervision.island import Island, Seeds
from crashwright.supervision.islands import Islands

EPOCH = 2000
"""Evaluations between two migrations."""
LATE = 0.7
"""Seconds that other islands may take to end after the first, where the clock bounds the search."""
OTHERS_AFTER = 1.0
"""Seconds after which the first tests of the first island are no longer waited for."""
_SURVIVORS = 30


class FirstWins:
    """A policy of ``supervision.islands``."""

    def __init__(self) -> None:
        self._held: list[tuple[int, int, Found]] = []
        self._progress: dict[int, Progress] = {}
        self._survivors: dict[int, Seeds] = {}

    def hear(self, ring: Islands, island: Island, message: Message) -> None:
        """Progress and survivors are those of all islands; a test is held back where another island may still win."""
        match message:
            case Progress():
                island.now = message.evaluations
                self._progress[island.number] = message
                ring.tell(self._merged_progress(ring))
            case Found():
                found = replace(message, evaluations=island.before + message.evaluations)
                if ring.exact and ring.jobs > 1:
                    self._held.append((found.evaluations, island.number, found))
                else:
                    ring.tell(found)
            case CandidateTried() | StandsStill():
                ring.tell(message)
            case BestTests():
                island.kept = message.tests or island.kept
                self._survivors[island.number] = message.tests
                ring.tell(self._merged_survivors(ring))

    def others_may_begin(self, ring: Islands, /) -> bool:
        """Once they are worth it."""
        first = ring.islands[0]
        if first.end is None:
            late = ring.ready_at is not None and ring.clock() - ring.ready_at >= OTHERS_AFTER
            return first.begun or late
        # A first island that was fast must not make another run of one that was not.
        reason = first.end.reason if isinstance(first.end, Finished) else None
        return ring.exact and (reason is EndReason.BUDGET or (reason is EndReason.REPRODUCED and first.begun))

    def goes_on(self, island: Island, _failed: Failed, /) -> bool:
        """Where it was killed."""
        return island.engine.was_killed

    def outcome(self, ring: Islands) -> Sequence[Message] | None:
        """Once somebody has won, or nobody will."""
        winner = self._winner(ring)
        if winner is not None:
            return self._last(ring, winner) if self._has_won(ring, winner) else None
        return self._last(ring, None) if ring.all_over or self._is_late(ring) else None

    def untold(self) -> Sequence[Message]:
        """What was held back."""
        held, self._held = sorted(self._held, key=_order), []
        return [found for _, _, found in held]

    def _distance(self, island: Island) -> float:
        """The least distance it has told of."""
        progress = self._progress.get(island.number)
        return progress.distance if progress is not None else float("inf")

    def _merged_progress(self, ring: Islands) -> Progress:
        number = min(self._progress, key=lambda number: (self._progress[number].distance, number))
        seconds = max(progress.seconds for progress in self._progress.values())
        return replace(self._progress[number], seconds=max(seconds, ring.seconds), evaluations=ring.evaluations)

    def _merged_survivors(self, ring: Islands) -> BestTests:
        """The best of all islands in turn."""
        columns = [self._survivors.get(island.number, ()) for island in ring.islands]
        ranks = range(max(map(len, columns)))
        tests = [column[rank] for rank in ranks for column in columns if rank < len(column)]
        return BestTests(ring.evaluations, ring.seconds, tuple(tests[:_SURVIVORS]))

    def _is_late(self, ring: Islands) -> bool:
        """The clock has ended an island, and the others should have followed."""
        used_up = [one.ended for one in ring.islands if isinstance(one.end, Finished) and one.end.reason is EndReason.BUDGET]
        if not used_up or ring.clock() - min(used_up) <= LATE:
            return False
        return ring.budget.seconds is not None and ring.seconds >= ring.budget.seconds

    def _winner(self, ring: Islands) -> Island | None:
        """The island that has reproduced the crash after the fewest evaluations."""
        reproduced = [one for one in ring.islands if isinstance(one.end, Finished) and one.end.reason is EndReason.REPRODUCED]
        return min(reproduced, key=lambda one: (not _needed_no_others(ring, one), one.count, one.number), default=None)

    def _has_won(self, ring: Islands, winner: Island) -> bool:
        """Whether no other island can still come before ``winner``."""
        if not ring.exact or _needed_no_others(ring, winner):
            return True
        if len(ring.islands) < ring.jobs:
            return False
        first = ring.islands[0]
        return (first.begun or first.end is not None or first.silent) and all(
            island.end is not None or island.silent or island.count >= winner.count for island in ring.islands
        )

    def _last(self, ring: Islands, winner: Island | None) -> list[Message]:
        """What counts, and the end."""
        counting = [winner] if winner is not None and _needed_no_others(ring, winner) else ring.islands
        last = (winner.count, winner.number) if winner is not None else (sys.maxsize, 0)
        held, self._held = sorted(self._held, key=_order), []
        told: list[Message] = [found for count, number, found in held if (count, number) <= last and number < len(counting)]
        failed = [island.end for island in counting if isinstance(island.end, Failed)]
        finished = [(island, island.end) for island in counting if isinstance(island.end, Finished)]
        if not finished:
            return [*told, failed[0]]
        told += [Incident(IncidentKind.ISLAND, f"an engine stopped early: {end.text}") for end in failed]
        _, best = min(finished, key=lambda pair: (pair[0] is not winner, self._distance(pair[0]), pair[0].number))
        counts = [min(island.count, last[0]) if ring.exact else island.count for island in counting]
        return [*told, replace(best, evaluations=sum(counts), seconds=max(end.seconds for _, end in finished))]


def _needed_no_others(ring: Islands, winner: Island) -> bool:
    """The first tests of the first island have solved it. What others did meanwhile does not count: whether they had been
    started already was a matter of time."""
    return ring.exact and winner.number == 0 and not winner.begun


def _order(held: tuple[int, int, Found]) -> tuple[int, int]:
    return held[:2]
