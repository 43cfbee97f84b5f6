"""What blocks the way to the crash: a function off the report's chain in which most tests end that came as far as any, or one that
no test brings to write what a guard of the way reads.

While the search stands still, such a function becomes a goal of its own (``goals.crash.blocker``), which decides between tests of
equal fitness. Few are open at a time, and few in all; one that tests do not come nearer to passing is given up, and all are when
the crash itself comes nearer: what blocked there is behind.

# Deviation: not in the papers on crash reproduction; Korel's chaining approach aims at such nodes on its way to a goal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from crashwright.core.location import CodeKey
from crashwright.engine.execution.outcome import Outcome, RaisedFrame
from crashwright.engine.goals.crash.blocker import BlockerDistance
from crashwright.engine.goals.crash.frame_goal import Standing
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.instrument.trace import Trace

STANDSTILL = 600
"""Tests without a better fitness after which what blocks them is looked for."""
MOST = 0.4
"""The share of the tests that came as far as any that must end in a function."""
PATIENCE, LONGEST = 2000, 8000
"""Tests for which a goal is kept that none came nearer to; and for which one is kept while the crash comes no nearer."""
CROWDED, CROWDING = 1500, 50
"""Activations of a run among which those of the chain may be lost; such a run counts as so many that came no nearer."""
OPEN_AT_ONCE, IN_ALL = 2, 6
_MOST_ENDS = 60
"""Different ends that are counted."""
_Frames = tuple[RaisedFrame, ...]


class OpenBlocker(NamedTuple):
    """A function with probes. ``close`` takes them out again."""

    distance: BlockerDistance
    close: Callable[[], None]


class Finder(Protocol):
    """Which functions can be opened, and how (see ``blocker_probes``)."""

    def find(self, frames: Sequence[RaisedFrame], within_chain: bool) -> CodeKey | None:
        """The function off the chain in which a run with this traceback ended. ``within_chain``: called by the chain."""

    def open(self, key: CodeKey) -> OpenBlocker | None:
        """Give it probes; None where it cannot have them. The goal is to come to where one of :attr:`writers` writes, and to come
        past any other."""

    @property
    def writers(self) -> Sequence[CodeKey]:
        """The functions that write what a guard of the way reads, the most promising first."""


class Blockers:
    """``revise`` tells the algorithm how the distances have changed that decide between tests of equal fitness."""

    def __init__(self, finder: Finder, revise: Callable[[Callable[[float], float]], None]) -> None:
        self._finder = finder
        self._revise = revise
        self._fitness = float("inf")
        self._depth = 0
        self._standing_still = 0
        self._give_up_at = LONGEST
        self._tests = 0
        self._ends: Counter[tuple[int, int]] = Counter()
        self._examples: dict[tuple[int, int], _Frames] = {}
        self._open: dict[CodeKey, OpenBlocker] = {}
        self._nearest: dict[CodeKey, float] = {}
        self._fruitless: dict[CodeKey, int] = {}
        self._tried: set[CodeKey] = set()

    def distance(self, outcome: Outcome, trace: Trace, score: CrashScore) -> float:
        """Note one run. How far it was from passing what is open: the sum of their distances."""
        if score.fitness < self._fitness:
            self._fitness, self._standing_still = score.fitness, 0
            self._close_all()
        else:
            self._standing_still += 1
        if score.frames >= self._depth:
            self._count(outcome, score)
        if not self._open:
            return 0.0
        total = 0.0
        cost = CROWDING if len(trace.activations) > CROWDED else 1
        for key, blocker in self._open.items():
            found = blocker.distance(outcome, trace)
            if found < self._nearest[key]:
                self._nearest[key], self._fruitless[key] = found, 0
            elif found or cost > 1:
                self._fruitless[key] += cost
            total += found
        return total

    def advance(self) -> None:
        """Between two generations: give up what brings nothing, open what blocks."""
        if self._standing_still > self._give_up_at:
            self._close_all()
        for key in [key for key, tests in self._fruitless.items() if tests > PATIENCE]:
            self._close(key)
        if self._standing_still < STANDSTILL or self._tests < STANDSTILL // 2 or len(self._open) >= OPEN_AT_ONCE:
            return
        writer = next((key for key in self._finder.writers if key not in self._tried), None)
        blocking = writer or self._blocking()
        self._forget_ends()
        if blocking is None or len(self._tried) >= IN_ALL:
            return
        self._tried.add(blocking)
        opened = self._finder.open(blocking)
        if opened is not None:
            self._open[blocking] = opened
            self._nearest[blocking], self._fruitless[blocking] = float("inf"), 0
            self._give_up_at = self._standing_still + LONGEST
            self._revise(lambda distance: distance + 1.0)

    def _count(self, outcome: Outcome, score: CrashScore) -> None:
        if score.frames > self._depth:
            self._depth = score.frames
            self._forget_ends()
        self._tests += 1
        if outcome.frames and not score.level and (score.frames == 0 or score.standing is not Standing.WRONG_SIDE):
            code, line, _ = outcome.frames[-1]
            end = (id(code), line)
            if end in self._examples or len(self._examples) < _MOST_ENDS:
                self._ends[end] += 1
                self._examples.setdefault(end, outcome.frames)  # keeps the code, so that its identity stays its own

    def _blocking(self) -> CodeKey | None:
        """The function in which most of them ended, unless it was tried."""
        found: Counter[CodeKey] = Counter()
        for end, count in self._ends.items():
            key = self._finder.find(self._examples[end], self._depth > 0)
            if key is not None and key not in self._tried:
                found[key] += count
        most = found.most_common(1)
        return most[0][0] if most and most[0][1] >= MOST * self._tests else None

    def _forget_ends(self) -> None:
        self._tests = 0
        self._ends.clear()
        self._examples.clear()

    def _close(self, key: CodeKey) -> None:
        self._open.pop(key).close()
        del self._nearest[key], self._fruitless[key]
        if not self._open:
            self._revise(lambda _distance: 0.0)

    def _close_all(self) -> None:
        for key in list(self._open):
            self._close(key)
