"""Where the chosen frame is not reproduced, what is left of the budget goes inwards, frame by frame: which frames, and how much.

A test of a frame further in is a partial result: the crash of the report, but not the way to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crashwright.core.messages import Found
from crashwright.core.settings import Budget
from crashwright.workflows.reproduce.hunt import Hunt

REST = 0.15
"""The share of the budget that is left to the frames further in, where there are such. Of the crashes that are reproduced within a
minute hardly any take more than what remains."""
_FROM_INSIDE = 2
"""The level of tests that raise the exception where the report does, but not along its whole way."""
MOST_JUDGED = 2
LITTLE = 0.05
"""Where so little of the whole is left the innermost gets it all."""


@dataclass(frozen=True, slots=True)
class InnerSearch:
    """The search from ``frame``, counted from the crash, ``name``. ``problem`` is why it could not be made."""

    frame: int
    name: str
    hunt: Hunt
    problem: str = ""


def next_frame(frames: Sequence[int], used: float) -> tuple[int, float]:
    """Which of ``frames`` is searched from next, and the share of what is left of the budget that stays for others."""
    if len(frames) == 1 or 1.0 - used < LITTLE:
        return frames[-1], 0.0
    return frames[0], 1.0 - 1.0 / len(frames)


def found_inside(candidates: Sequence[Found], frames: Sequence[int]) -> list[tuple[int, Found]]:
    """What the search from the chosen frame found that makes the crash from one of ``frames``, the outermost first, of each the
    last one: if no search from there comes to a result, because each would have to prepare first, these are judged as they are."""
    known: dict[int, Found] = {}
    for one in candidates:
        entered = [number for number in frames if number <= one.frames]
        if one.level == _FROM_INSIDE and entered:
            known[max(entered)] = one
    return [(number, known[number]) for number in sorted(known, reverse=True)][:MOST_JUDGED]


def share_of(budget: Budget, rest: float, used: int = 0) -> Budget:
    """``budget`` with all but ``rest`` of the evaluations that are left after ``used``. Seconds are the deadline's."""
    if budget.evaluations is None:
        return budget
    left = max(0, budget.evaluations - used)
    return Budget(budget.seconds, left - int(left * rest))
