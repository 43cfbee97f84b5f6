"""A crash behind two answers that other functions compute of numbers: by themselves they are true or false, and lead nowhere."""

from __future__ import annotations

KEPT: dict[int, str] = {}


def owner(code: int, hour: int) -> str:
    if not is_issued(code):
        return "nobody"
    if is_night(hour, code):
        return KEPT[code]
    return "the porter"


# ruff: noqa: SIM103 - the shape of the branches is what is tested
def is_issued(code: int) -> bool:
    if in_series(code):
        return True
    return False


def in_series(code: int) -> bool:
    return 0 <= code * 7 - 9_001 < 14


def is_night(hour: int, code: int) -> bool:
    late = hour * 3 - code
    if late < 4_000:
        return False
    return late < 4_100
