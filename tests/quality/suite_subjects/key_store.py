"""Listings 2-4 of paper 003, ported: two interprocedural flags, one behind the other. The paper prints the callees only in part;
their branches are those that its text describes, with numbers that no literal gives away."""

# ruff: noqa: SIM103 - the shape of the branches is what is tested
from __future__ import annotations


def get(keys: list[int], value: int) -> int | None:
    if not check_precondition(keys, value):
        return None
    for index in range(len(keys)):
        if check_value(keys, index, value):
            return keys[index]
    return None


def check_precondition(keys: list[int], value: int) -> bool:
    if check_array_range(keys) or check_value_range(value):
        return True
    return False


def check_array_range(keys: list[int]) -> bool:
    return len(keys) * 3 > 29_999


def check_value_range(value: int) -> bool:
    return 0 <= value * 7 - 9_001 < 14


def check_value(keys: list[int], index: int, value: int) -> bool:
    key = value // 16 + 5
    if keys[index] != 0 and value < 2**index + 100:
        return False
    if abs(keys[index] * 3 - key) < 2:
        return True
    return False
