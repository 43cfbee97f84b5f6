"""Durations as people write them."""

from __future__ import annotations

import re

_PART = re.compile(r"(\d+)\s*(h|m)")


def minutes(text: str) -> int:
    """Minutes of a duration such as ``1h 30m``, ``45m`` or ``1:30``."""
    if ":" in text:
        hours, rest = text.split(":")
        return int(hours) * 60 + int(rest)
    parts = {unit: int(number) for number, unit in _PART.findall(text.lower())}
    return parts["h"] * 60 + parts.get("m", 0)


def clock(total: int) -> str:
    return f"{total // 60}:{total % 60:02d}"
