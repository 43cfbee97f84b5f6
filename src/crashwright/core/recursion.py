"""The cycle of a RecursionError: the sequence of frames that repeats until the stack is full.

Where the stack overflowed is chance: it depends on how deep the caller stood already and on what else takes a frame (a probe does).
So a crash of this kind is judged by its cycle, wherever in it the repetition began, and by the frames that led into it. The frames
behind the last repetition do not decide.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from crashwright.core.level import FramePlace, frames_agreeing
from crashwright.core.level import level as plain_level
from crashwright.core.target import TargetFrame

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
NAME = "RecursionError"
LONGEST_PERIOD = 100
"""Frames of a cycle at most."""
_FEWEST = 2
"""A sequence repeats when it is there so often."""
KEPT = 2
"""Repetitions that a folded stack still has: one step from each frame of the cycle to the next is in it."""


class Cycle(NamedTuple):
    """``covered`` items from ``start`` on repeat with this ``period``; the last repetition may break off."""

    start: int
    period: int
    covered: int


def is_recursion(exception: str) -> bool:
    """Whether an exception of this (printed) type name is judged by its cycle."""
    return exception.rpartition(".")[2] == NAME


def find_cycle(items: Sequence[K], repeated: Mapping[K, int] = MappingProxyType({})) -> Cycle | None:
    """The repetition that covers most of ``items``, of those the shortest; None where nothing repeats. ``repeated`` counts further
    repetitions of an item that are not shown."""
    numbers: dict[K, int] = {}
    stack = [numbers.setdefault(item, len(numbers)) for item in items]
    weights = [1 + repeated.get(item, 0) for item in items]
    best: Cycle | None = None
    most = 0
    for period in range(1, min(LONGEST_PERIOD, len(stack) // _FEWEST) + 1):
        found = _longest(stack, period)
        weight = 0 if found is None else sum(weights[found.start : found.start + found.covered])
        if weight > most:
            best, most = found, weight
    return best


def _longest(stack: Sequence[Hashable], period: int) -> Cycle | None:
    """The longest run of ``stack`` that repeats with this period, the outermost of several."""
    best: Cycle | None = None
    start = 0
    for place in range(period, len(stack) + 1):
        if place < len(stack) and stack[place] == stack[place - period]:
            continue
        covered = place - start
        if covered >= _FEWEST * period and (best is None or covered > best.covered):
            best = Cycle(start, period, covered)
        start = place - period + 1
    return best


def folded(items: Sequence[T], key: Callable[[T], Hashable], merged: Callable[[T, int], T], weight: Callable[[T], int]) -> list[T]:
    """``items`` with only :data:`KEPT` repetitions of their cycle. The last one kept is ``merged`` with the number of those left
    out; ``weight`` counts how often an item repeats by itself already."""
    keys = [key(item) for item in items]
    cycle = find_cycle(keys, {one: weight(item) for one, item in zip(keys, items, strict=True)})
    if cycle is None or cycle.covered < (KEPT + 1) * cycle.period:
        return list(items)
    kept = cycle.start + KEPT * cycle.period
    left_out = cycle.covered // cycle.period - KEPT
    rest = kept + left_out * cycle.period
    hidden = sum(weight(item) for item in items[cycle.start : rest]) if cycle.period == 1 else 0
    head = [*items[: kept - cycle.period], *(merged(item, left_out + hidden) for item in items[kept - cycle.period : kept])]
    return [*head, *items[rest:]]


def leading_frames(exception: str, frames: Sequence[TargetFrame]) -> Sequence[TargetFrame]:
    """Those of ``frames`` that decide: all of them, or for a RecursionError what leads into the cycle and two rounds of it."""
    cycle = _cycle_of(frames) if is_recursion(exception) else None
    return frames if cycle is None else frames[: cycle.start + KEPT * cycle.period]


def cycle_frames(exception: str, frames: Sequence[TargetFrame]) -> Sequence[TargetFrame]:
    """One round of the cycle of a RecursionError; nothing where there is none."""
    cycle = _cycle_of(frames) if is_recursion(exception) else None
    return () if cycle is None else frames[cycle.start : cycle.start + cycle.period]


def _cycle_of(frames: Sequence[TargetFrame]) -> Cycle | None:
    places = [(frame.path, frame.line, frame.key.name) for frame in frames]
    return find_cycle(places, {place: frame.repeated for place, frame in zip(places, frames, strict=True)})


class RecursionVerdict(NamedTuple):
    """``level`` as of ``core.level``; ``frames`` of the report's agree."""

    level: int
    frames: int


@dataclass(frozen=True, slots=True)
class Recursion:
    """What the stack of a RecursionError is compared with: the frames that ``lead`` into the cycle, outermost first, and one
    ``period`` of it. ``want`` is the stack of the report."""

    want: tuple[FramePlace, ...]
    lead: tuple[FramePlace, ...]
    period: tuple[FramePlace, ...]

    @classmethod
    def of(cls, want: Sequence[FramePlace], repeated: Mapping[FramePlace, int]) -> Recursion | None:
        """Of the package's frames of a report; None where nothing repeats among them."""
        cycle = find_cycle(want, repeated)
        if cycle is None:
            return None
        return cls(tuple(want), tuple(want[: cycle.start]), tuple(want[cycle.start : cycle.start + cycle.period]))

    def judge(self, got: Sequence[FramePlace], message_agrees: bool) -> RecursionVerdict:
        """How far the stack ``got`` of another RecursionError agrees, package frames only."""
        period = self.period
        found = _longest(got, len(period))
        here = () if found is None else tuple(got[found.start : found.start + len(period)])
        # What merely occurs twice on the way into another recursion is not what fills the stack.
        if found is None or 2 * found.covered < len(got) or not _is_rotation(here, period):
            return RecursionVerdict(min(2, plain_level(self.want, got, True, message_agrees)), frames_agreeing(self.want, got))
        led = frames_agreeing(self.lead, got[: found.start]) if here == period else 0
        if self.lead and led < len(self.lead):
            return RecursionVerdict(2 if message_agrees else 1, len(self.want) - len(self.lead) + led)
        return RecursionVerdict(4 if message_agrees else 3, len(self.want))


def _is_rotation(one: tuple[FramePlace, ...], other: tuple[FramePlace, ...]) -> bool:
    return any(one == other[turn:] + other[:turn] for turn in range(len(other)))
