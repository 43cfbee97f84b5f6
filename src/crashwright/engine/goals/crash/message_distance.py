"""How far one exception message is from another, once what may differ is masked: a tie-break, never a success criterion (SPEC
2)."""

from __future__ import annotations

import re

_WORDS = re.compile(r"\w+|[^\w\s]")


def message_distance(wanted: str, got: str) -> float:
    """0 for equal messages, else the share of words (with order) that differ, in (0, 1]."""
    if wanted == got:
        return 0.0
    one, other = _WORDS.findall(wanted), _WORDS.findall(got)
    common = _common_prefix(one, other)
    rest_one, rest_other = one[common:], other[common:]
    common += _common_prefix(rest_one[::-1], rest_other[::-1])
    longest = max(len(one), len(other), 1)
    return max(1.0 - common / longest, 1.0 / (2 * longest))


def _common_prefix(one: list[str], other: list[str]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count
