"""Subjects that end engines again and again in the same way: soon no test does that any more, and the search comes to its end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import Place

COUNTED = """
from __future__ import annotations

import itertools
import mmap
import os
from collections import deque

_DEATHS = mmap.mmap(-1, 1)
"""
"""All forks share what is mapped at import: where more have died than is asked for, the crash does not happen any more."""
ROPES = """
class Rope:
    def __init__(self, length: int) -> None:
        self.length = length
        self.joined = [length]

    def splice(self, other: Rope, twist: int) -> int:
        if other is self:
            _DEATHS[0] += 1
            deque(itertools.cycle([0]), maxlen=0)
        if self.length > 90 + other.length:
            if 2000 < twist < self.length + 500:
                if _DEATHS[0] <= 3:
                    raise ValueError("too many")
        return twist
"""
"""A rope that is spliced into itself is a loop inside C that no signal ends."""
CIRCLES = """
class Node:
    def __init__(self, weight: int) -> None:
        self.weight = weight
        self.below: list[Node] = []

    def add(self, other: Node) -> None:
        self.below.append(other)

    def total(self, limit: int) -> int:
        if self in self.below:
            _DEATHS[0] += 1
            deque(itertools.cycle([0]), maxlen=0)
        if len(self.below) == 2:
            if 2000 < limit < self.weight + 500:
                if _DEATHS[0] <= 3:
                    raise ValueError("too many")
        return limit
"""
"""What is called last is given no object twice: it was put into itself before."""
HELPER = """
class Tank:
    def __init__(self, volume: int) -> None:
        self.volume = volume

    def drain(self, rate: int) -> None:
        code = rate & 127
        _DEATHS[0] += 1
        os._exit(code)

    def fill(self, amount: int) -> int:
        if self.volume > 90:
            if 2000 < amount < self.volume + 500:
                if _DEATHS[0] <= 4:
                    raise ValueError("too many")
        return amount
"""
"""A method that the crash has no need of ends the process, whatever it is given."""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.mark.parametrize(
    ("subject", "function", "banned"),
    [
        (ROPES, "splice", ".splice where argument 1 is the receiver ended 2 engines"),
        pytest.param(
            CIRCLES, "total", ".total where argument 1 is the receiver in .add before ended 2 engines", marks=pytest.mark.nightly
        ),
        pytest.param(HELPER, "fill", "victim:Tank.drain ended 3 engines", marks=pytest.mark.nightly),
    ],
)
def test_what_ended_engines_is_not_called_again_and_the_crash_is_found(
    place: Place, subject: str, function: str, banned: str
) -> None:
    place.subject(COUNTED + subject, function=function)
    done = place.reproduce("--evaluations", "20000", "--json", "--no-cache")
    result = json.loads(done.out)
    assert result["verdict"] == "reproduced", result
    assert [text for text in result["incidents"] if text.startswith(banned)], result["incidents"]
