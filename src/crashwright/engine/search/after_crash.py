"""What became of a run, as one sees it who wants to get past the crash."""

from __future__ import annotations

from typing import NamedTuple

from crashwright.engine.search.behaviour import RunEnding
from crashwright.engine.search.complaints import Complaint


class Seen(NamedTuple):
    """What a run came to. ``reached``: it came to the line of the crash, and no crash there. ``raised``: the functions and
    lines of its traceback, outermost first. ``complaint``: what its exception names."""

    ending: RunEnding
    reached: bool
    raised: tuple[tuple[str, int], ...] = ()
    complaint: Complaint | None = None
