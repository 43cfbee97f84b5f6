"""A coverage goal, and sets of goals as the bits of an int."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

Goals = int
"""A set of goals: bit n stands for goal n. Unions and sizes of sets of thousands of goals take less than a microsecond."""


class Goal(NamedTuple):
    """A goal of a criterion of ``core.suite.CRITERIA``. ``number`` is its place in the catalogue; goals found on the way
    (exceptions, outputs) are appended. ``label`` is unique and the same in each process: ``branch Tree.insert:88:11 true``."""

    number: int
    criterion: str
    qualname: str
    """The function that it lies in, or the callable that it is about."""
    line: int
    label: str


def numbers(goals: Goals) -> Iterator[int]:
    """The numbers of the goals, least first."""
    while goals:
        low = goals & -goals
        yield low.bit_length() - 1
        goals ^= low


def as_goals(members: Iterable[int]) -> Goals:
    """The set of these numbers."""
    bits = 0
    for number in members:
        bits |= 1 << number
    return bits
