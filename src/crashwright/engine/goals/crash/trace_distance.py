"""How far one stack trace is from another (paper 001, definitions 2 and 3). Traces run from the outermost frame to the crash and
hold the package's frames only; the wanted one begins with the target frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crashwright.core.level import FramePlace
from crashwright.engine.goals.distance import normalise

TraceDistance = Callable[[Sequence[FramePlace], Sequence[FramePlace]], float]
"""From the wanted trace and the one of a run to a distance in [0, 1)."""


def closest(wanted: Sequence[FramePlace], got: Sequence[FramePlace]) -> float:
    """Each wanted frame to the nearest frame that is there, wherever it is: phi of the sum of their differences (definition 3)."""
    return normalise(sum([min([difference(place, other) for other in got], default=3.0) for place in wanted]))


def prefix(wanted: Sequence[FramePlace], got: Sequence[FramePlace]) -> float:
    """Frame by frame from the crash outwards: phi of the sum of phi(difference), and 1 for each frame that only one of them has
    (definition 2, the older)."""
    total = sum([normalise(difference(place, other)) for place, other in zip(reversed(wanted), reversed(got), strict=False)])
    return normalise(total + abs(len(wanted) - len(got)))


def difference(one: FramePlace, other: FramePlace) -> float:
    """3 where the file differs, 2 where the function does, else phi(difference of the lines)."""
    # Deviation: a file where the paper has a class, for a Python traceback names no classes.
    if one.file != other.file:
        return 3.0
    if one.function != other.function:
        return 2.0
    return normalise(abs(one.line - other.line))


TRACE_DISTANCES: dict[str, TraceDistance] = {"closest": closest, "prefix": prefix}
