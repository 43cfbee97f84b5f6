"""How islands that search for the same suite become one search: what each has archived is put together."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from crashwright.core.messages import (
    Archived,
    EndReason,
    Failed,
    FailureKind,
    Finished,
    Incident,
    IncidentKind,
    Message,
    Stalled,
    Suite,
    SuiteProgress,
)
from crashwright.supervision.island import Island, Seeds
from crashwright.supervision.islands import Islands

EPOCH = 1000
"""Evaluations between two migrations."""


class Archives:
    """A policy of ``supervision.islands``. All islands begin at once, and the search is over when all of them are."""

    def __init__(self) -> None:
        self._suites: dict[int, Suite] = {}
        self._archives: dict[int, dict[str, dict[str, Any]]] = {}
        self._progress: dict[int, SuiteProgress] = {}

    def hear(self, ring: Islands, island: Island, message: Message) -> None:
        """Progress is that of the best island; a suite of one among several is kept for :meth:`joined`."""
        match message:
            case SuiteProgress():
                island.now = max(island.now, message.evaluations)
                self._progress[island.number] = message
                ring.tell(self._merged_progress(ring))
            case Stalled():
                if ring.jobs == 1:
                    ring.tell(message)
            case Archived():
                island.now = max(island.now, message.evaluations)
                archive = self._archives.setdefault(island.number, {_key(test): test for test in island.kept})
                archive.update((_key(test), test) for test in message.tests)
                island.kept = tuple(archive.values())
                ring.tell(message)
            case Suite():
                island.now = max(island.now, message.evaluations)
                self._suites[island.number] = message
                if ring.jobs == 1:
                    ring.tell(message)

    def others_may_begin(self, _ring: Islands, /) -> bool:
        """At once."""
        return True

    def goes_on(self, island: Island, failed: Failed, /) -> bool:
        """Unless all has been said, or the module itself is the reason."""
        return island.number not in self._suites and (island.ready or island.life > 1) and failed.kind is FailureKind.INTERNAL

    def outcome(self, ring: Islands) -> Sequence[Message] | None:
        """When all have ended; a suite that has come is not lost with its engine."""
        if not ring.all_over:
            return None
        failed = [one.end for one in ring.islands if isinstance(one.end, Failed) and one.number not in self._suites]
        if len(failed) == len(ring.islands):
            return [failed[0]]
        early = [Incident(IncidentKind.ISLAND, f"an engine ended early: {end.text}") for end in failed]
        ends = {one.number: one.end for one in ring.islands if isinstance(one.end, Finished)}
        best = next((ends[number] for number in self._ranked(ring) if number in ends), Finished(EndReason.STOPPED, 0, 0.0))
        return [*early, replace(best, evaluations=ring.evaluations)]

    def untold(self) -> Sequence[Message]:
        """Nothing: what is not told is in :meth:`joined`."""
        return ()

    def joined(self, ring: Islands) -> tuple[Seeds, Suite | None]:
        """The tests of all islands, those of the best first: their suites, or what they had archived; and the best one's suite."""
        ranked = self._ranked(ring)
        parts = (
            [one.test for one in self._suites[number].tests] if number in self._suites else ring.islands[number].kept
            for number in ranked
        )
        return tuple({_key(test): test for part in parts for test in part}.values()), self._suites.get(ranked[0])

    def _ranked(self, ring: Islands) -> list[int]:
        """The numbers of the islands, that which covers most first."""
        return sorted(range(len(ring.islands)), key=lambda number: (-self._covered(number), -ring.islands[number].count, number))

    def _covered(self, number: int) -> int:
        known = self._suites.get(number) or self._progress.get(number)
        return sum(one.covered for one in known.coverage) if known is not None else 0

    def _merged_progress(self, ring: Islands) -> SuiteProgress:
        best = next(self._progress[number] for number in self._ranked(ring) if number in self._progress)
        seconds = max(progress.seconds for progress in self._progress.values())
        return replace(best, evaluations=ring.evaluations, seconds=max(seconds, ring.seconds) if ring.jobs > 1 else seconds)


def _key(test: dict[str, Any]) -> str:
    return json.dumps(test, sort_keys=True)
