"""What calls raised, as far as it says something of a crash: the exception's own traceback is the score.

Each way to end is one sighting, by its frames and its class; the shortest statement that came there stands for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from crashwright.core.level import FramePlace
from crashwright.engine.execution.executor import inner_exceptions, raised_frames
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.goals.crash.score import CrashJudge
from crashwright.engine.testcase.statements import Statement

MOST_WAYS = 3
"""Statements kept that ended alike where the crash is reproduced: not each of them repeats."""


class Rank(NamedTuple):
    """More is better."""

    level: int
    kept: float
    """How many frames of the report were entered, from the outermost on; half of one whose line is another."""
    agreeing: int
    """How many agree, from the crash outwards."""
    alike: bool
    """The exception has the right name."""


class Sighting(NamedTuple):
    """``recipes``: how to come there again, the shortest first."""

    rank: Rank
    size: int
    recipes: list[tuple[Statement, ...]]


class Sightings:
    """``inside``: look at the exceptions within the one that is raised too."""

    def __init__(self, judge: CrashJudge, inside: bool) -> None:
        self._judge = judge
        self._inside = inside
        self._sizes: dict[tuple[object, ...], int] = {}
        self._ways: dict[tuple[object, ...], int] = {}
        self.found: dict[tuple[object, ...], list[Sighting]] = {}

    def worth(self, error: BaseException, size: int) -> tuple[tuple[object, ...], Rank] | None:
        """Its key and rank, where nothing shorter has ended so, and it says something."""
        frames = raised_frames(error)
        key = (type(error), *((frame.code, frame.line) for frame in frames))
        known = self._sizes.get(key)
        if known is not None and (known <= size and self._ways.get(key, MOST_WAYS) >= MOST_WAYS):
            return None
        self._sizes[key] = size if known is None else min(size, known)
        inner = inner_exceptions(error) if self._inside else ()
        judged = self._judge.judge(Outcome(0, error, frames, inner=inner))
        got = self._judge.places(frames)
        rank = Rank(judged.level, _entered(self._judge.want, got), judged.agreeing, judged.kinship == 0.0)
        if not rank.level and not rank.kept:
            return None
        self._ways.setdefault(key, 0 if rank.level == WHOLE else MOST_WAYS)
        return key, rank

    def add(self, key: tuple[object, ...], sighting: Sighting) -> None:
        """Keep it, beside the others of a whole reproduction, or in the place of what was longer."""
        if sighting.rank.level == WHOLE:
            self._ways[key] += 1
            self.found.setdefault(key, []).append(sighting)
        else:
            self.found[key] = [sighting]

    def best(self, most: int) -> list[Sighting]:
        """So many at most, the best first."""
        every = [one for ways in self.found.values() for one in ways]
        return sorted(every, key=lambda one: (*(-part for part in one.rank), one.size))[:most]

    @property
    def is_whole(self) -> bool:
        """Whether the crash was reproduced, as often as is looked for."""
        return any(count >= MOST_WAYS for key, count in self._ways.items() if self.found.get(key, [_NONE])[0].rank.level == WHOLE)


WHOLE = 4
_NONE = Sighting(Rank(0, 0.0, 0, False), 0, [])


def _entered(want: Sequence[FramePlace], got: Sequence[FramePlace]) -> float:
    """How many of ``want`` were entered in order, from the outermost on."""
    count = 0.0
    for wanted, found in zip(want, got, strict=False):
        if wanted == found:
            count += 1.0
            continue
        same = (wanted.file, wanted.function) == (found.file, found.function)
        return count + 0.5 * same
    return count
