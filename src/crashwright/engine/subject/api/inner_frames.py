"""Which frames further in than the target frame a test can enter by, and which of them are searched from."""

from __future__ import annotations

from collections.abc import Sequence

from crashwright.core.recursion import is_recursion
from crashwright.core.target import CrashTarget, belongs
from crashwright.engine.subject.api.addresses import is_private

MOST_FRAMES = 4
"""How many of them are searched from, each with the same share: the outermost, the innermost, and some between."""


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
