"""Which frames of a traceback are calls of each other. What a handler raises again has the frames of both ways: those that led to
the handler's ``raise``, then those of the ``try`` body that it was first raised in, which the handler did not call."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from crashwright.core.target import TargetFrame

_AGAIN = re.compile(r"raise(?:\s+[\w.]+(?:\[[^\[\]()]*\])?(?:\.with_traceback\([^()]*\))?)?(?:\s+from\s+\w+)?\s*(?:#.*)?")
"""A ``raise`` that calls nothing, so that what follows in the traceback was there before."""
_MAKING = frozenset({"__init__", "__new__", "__call__"})
"""Functions that ``raise Error`` calls all the same."""


class Linked(NamedTuple):
    """``anew``: the frame was called by none of those before it."""

    frame: TargetFrame
    anew: bool = False


def linked(frames: Sequence[TargetFrame]) -> list[Linked]:
    """The frames that called each other, outermost first: of an activation that occurs twice, in its handler and in its ``try``
    body, the second time only, without what the handler called."""
    found: list[Linked] = []
    anew = False
    for frame, inner in zip(frames, [*frames, None][1:], strict=True):
        found.append(Linked(frame, anew))
        anew = False
        if inner is None or not _raises_again(frame, inner):
            continue
        before = next((place for place in range(len(found) - 1, -1, -1) if found[place].frame.key == inner.key), None)
        if before is None:
            anew = True
        else:
            anew = found[before].anew
            del found[before:]
    return found


def _raises_again(frame: TargetFrame, inner: TargetFrame) -> bool:
    if inner.key == frame.key:  # it may also call itself there, which is rare
        return frame.source.split(maxsplit=1)[:1] == ["raise"]
    return _AGAIN.fullmatch(frame.source.strip()) is not None and inner.key.name not in _MAKING
