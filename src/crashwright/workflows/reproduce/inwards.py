"""Where the chosen frame is not reproduced, what is left of the budget goes inwards, frame by frame: which frames, and how much.

A test of a frame further in is a partial result: the crash of the report, but not the way to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crashwright.core.recursion import is_recursion
from crashwright.core.settings import Budget
from crashwright.core.target import CrashTarget, belongs
from crashwright.engine.subject.api.addresses import is_private
from crashwright.workflows.reproduce.hunt import Hunt

REST = 0.3
"""The share of the budget that is left to the frames further in, where there are such. Of the crashes that are reproduced within a
minute hardly any take more than what remains."""
MOST_FRAMES = 4
"""How many of them are searched from, each with the same share: the outermost, the innermost, and some between."""
LITTLE = 0.05
"""Where so little of the whole is left the innermost gets it all."""


@dataclass(frozen=True, slots=True)
class InnerSearch:
    """The search from ``frame``, counted from the crash, ``name``. ``problem`` is why it could not be made."""

    frame: int
    name: str
    hunt: Hunt
    problem: str = ""


def inner_frames(target: CrashTarget, agreeing: int = 0) -> tuple[int, ...]:
    """The frames further in than the target frame that a test can enter by, counted from the crash, the outermost first: the
    package's own functions, public ones where there are any. A test that agrees in ``agreeing`` frames need not be looked for
    again with fewer. None for a recursion: what is further in is the same once more."""
    if is_recursion(target.exception):
        return ()
    frames = target.package_frames
    numbered = [(len(frames) - index, frame.key) for index, frame in enumerate(frames) if index > 0]
    callable_ones = [
        (number, key)
        for number, key in numbered
        if belongs(key.module, target.package) and "<" not in key.qualname and number >= agreeing
    ]
    public = [number for number, key in callable_ones if not is_private(key.qualname)]
    return tuple(public or (number for number, _ in callable_ones))


def in_turn(frames: Sequence[int]) -> tuple[int, ...]:
    """Those of ``frames`` that are searched from, the outermost first: with more of them none would have time for more than to
    prepare."""
    if len(frames) <= MOST_FRAMES:
        return tuple(frames)
    last = len(frames) - 1
    return tuple(frames[place * last // (MOST_FRAMES - 1)] for place in range(MOST_FRAMES))


def next_frame(frames: Sequence[int], used: float) -> tuple[int, float]:
    """Which of ``frames`` is searched from next, and the share of what is left of the budget that stays for others."""
    if len(frames) == 1 or 1.0 - used < LITTLE:
        return frames[-1], 0.0
    return frames[0], 1.0 - 1.0 / len(frames)


def share_of(budget: Budget, rest: float, used: int = 0) -> Budget:
    """``budget`` with all but ``rest`` of the evaluations that are left after ``used``. Seconds are the deadline's."""
    if budget.evaluations is None:
        return budget
    left = max(0, budget.evaluations - used)
    return Budget(budget.seconds, left - int(left * rest))
