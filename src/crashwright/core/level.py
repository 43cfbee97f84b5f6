"""How much of a crash an exception reproduces: the score 0-4 of DESIGN, on plain data, for the engine and the finishing alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from crashwright.core.comprehensions import COMPREHENSIONS

WHOLE = 4
"""The level of a reproduction."""


class FramePlace(NamedTuple):
    """A frame as a traceback shows it."""

    file: str
    line: int
    function: str


def is_source(path: str) -> bool:
    """Is it a file of Python? Templates are compiled under their own file names: their lines are no frames of a package, in a
    report as in a run, though they lie in its folder."""
    return path.lower().endswith((".py", ".pyw", ".pyc"))


def without_comprehensions(places: Sequence[FramePlace]) -> list[FramePlace]:
    """Python 3.12 inlined comprehensions: their frames are dropped on both sides where report and interpreter differ."""
    return [place for place in places if place.function not in COMPREHENSIONS]


def with_inlined_comprehensions(places: Sequence[FramePlace]) -> list[FramePlace]:
    """The frames as Python 3.12 and later have them: a function stands on the line of its comprehension that runs."""
    kept: list[FramePlace] = []
    for place in places:
        if place.function not in COMPREHENSIONS:
            kept.append(place)
        elif kept and kept[-1].file == place.file:
            kept[-1] = kept[-1]._replace(line=place.line)
    return kept


def deciding(places: Sequence[FramePlace], own: Sequence[bool]) -> list[FramePlace]:
    """The package's own places, and what is further in than the last of them: there a library crashed. What a library does between
    two frames of the package does not decide."""
    last = max((index for index, mine in enumerate(own) if mine), default=-1)
    return [place for index, place in enumerate(places) if own[index] or index > last]


def frames_agreeing(want: Sequence[FramePlace], got: Sequence[FramePlace]) -> int:
    """How many frames agree, counted from the crash outwards. Both run from the outermost frame to the crash, package frames
    only."""
    count = 0
    for wanted, found in zip(reversed(want), reversed(got), strict=False):
        if wanted != found:
            break
        count += 1
    return count


def level(
    want: Sequence[FramePlace], got: Sequence[FramePlace], same_type: bool, message_agrees: bool, recursion: bool = False
) -> int:
    """0 nothing; 1 type and line of the crash frame; 2 and the message; 3 type and all package frames; 4 frames and message.

    With ``recursion`` (a RecursionError, whose depth differs from run to run) all wanted places must occur, in whatever number.
    """
    agreeing = frames_agreeing(want, got)
    if not same_type or agreeing == 0:
        return 0
    if agreeing == len(want) or (recursion and set(want) <= set(got)):
        return WHOLE if message_agrees else 3
    return 2 if message_agrees else 1
