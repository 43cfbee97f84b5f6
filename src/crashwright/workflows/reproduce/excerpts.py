"""The source around the line of each frame, for whoever reads the result where the source is not."""

from __future__ import annotations

import tokenize
from collections.abc import Callable

from crashwright.core.target import TargetFrame
from crashwright.workflows.reproduce.result import Excerpt

_BEFORE = 10
_AFTER = 4
_LONGEST = 400
"""Characters of a line."""
_MOST_FRAMES = 60
"""Of the frames of a deep recursion, those that have an excerpt."""


def excerpts(frames: tuple[TargetFrame, ...], clean: Callable[[str], str]) -> tuple[Excerpt, ...]:
    """One for each of ``frames``, each line made ``clean``; without lines where the file cannot be read."""
    files: dict[str, tuple[str, ...]] = {}
    made = []
    for number, frame in enumerate(frames):
        if frame.path not in files:
            files[frame.path] = _lines(frame.path)
        shown = number < _MOST_FRAMES // 2 or number >= len(frames) - _MOST_FRAMES // 2
        made.append(_excerpt(frame, files[frame.path], clean) if shown else Excerpt(frame.line))
    return tuple(made)


def _excerpt(frame: TargetFrame, lines: tuple[str, ...], clean: Callable[[str], str]) -> Excerpt:
    """From the head of the function, where that is near."""
    head = frame.key.first_line if frame.key.first_line <= frame.line else 1
    first = max(1, head, frame.line - _BEFORE)
    return Excerpt(first, tuple(clean(line[:_LONGEST]) for line in lines[first - 1 : frame.line + _AFTER]))


def _lines(path: str) -> tuple[str, ...]:
    """Of a file that was read before: where that cannot be done again there is nothing to show."""
    try:
        with tokenize.open(path) as file:
            return tuple(file.read().split("\n"))
    except (OSError, SyntaxError, ValueError):
        return ()
