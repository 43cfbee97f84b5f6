"""What a test showed, compared with the crash of the report. Pure: no process is started here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from benchmarks.pack.cases import PASSES
from benchmarks.pack.traces import Crash, essence, short

REPRODUCED = 4


@dataclass(frozen=True, slots=True)
class Verdict:
    """How near a test came. Score: 1 crashed in the same line, 2 with the same message, 3 through the same frames, 4 both."""

    score: int = 0
    frames: int = 0
    total: int = 0

    @property
    def reproduced(self) -> bool:
        """Less is partial, and is never counted as if it were whole."""
        return self.score == REPRODUCED


def verdict(wanted: Crash, seen: Iterable[Crash]) -> Verdict:
    """The best that any of the exceptions seen deserves."""
    return max(
        (_compared(wanted, crash) for crash in seen),
        key=lambda it: (it.score, it.frames),
        default=Verdict(total=len(wanted.frames)),
    )


def _compared(wanted: Crash, crash: Crash) -> Verdict:
    total = len(wanted.frames)
    if short(wanted.kind) != short(crash.kind):
        return Verdict(total=total)
    same = 0
    for one, other in zip(reversed(wanted.frames), reversed(crash.frames), strict=False):
        if one != other:
            break
        same += 1
    if not same:
        return Verdict(total=total)
    whole = same == total
    if short(wanted.kind) == "RecursionError":  # How often the cycle was run through depends on who called.
        whole = set(wanted.frames) <= set(crash.frames)
    agrees = essence(wanted.kind, wanted.message) == essence(crash.kind, crash.message)
    return Verdict(1 + agrees + 2 * whole, same, total)


def agrees_with_fix(on_fixed: str | None, outcome: str) -> bool | None:
    """Whether the test does on the fixed version what the trigger does there. None: there is nothing to compare with."""
    if on_fixed is None:
        return None
    return outcome == PASSES if on_fixed == PASSES else short(outcome) == short(on_fixed)
