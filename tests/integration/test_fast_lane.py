"""``--also lane``: what the forks ahead of a search find is the search's, and what ends them costs nothing else."""

from __future__ import annotations

from pathlib import Path

from hunting import Hunted, hunt, report

from crashwright.core.mechanisms import Mechanism
from crashwright.core.settings import SearchSettings

CHAIN = """
import os


class _Bar:
    def __init__(self, weight):
        self.weight = weight


class _Tube:
    def __init__(self, bar):
        self.bar = bar


class Furnace:
    def pour(self):
        return _Bar(3)
{DEADLY}

class Lathe:
    def drill(self, piece):
        if type(piece) is not _Bar:
            raise TypeError("no bar")
        return _Tube(piece)


class Bench:
    def fit(self, outer, inner):
        if type(outer) is not _Tube or type(inner) is not _Bar:
            raise TypeError("nothing to fit")
        if outer.bar is inner:
            return None
        raise ValueError("too many")
"""
"""What the entry takes has to go through methods of two other classes."""
DEADLY = """
    def die(self):
        os._exit(3)

    def hang(self):
        while True:
            try:
                sum(range(10**9))
            except BaseException:
                pass
"""


LANE = SearchSettings(also=(Mechanism.LANE,))
EVALUATIONS = 6_000


def reproduced(tmp_path: Path, deadly: str) -> Hunted:
    source = CHAIN.replace("{DEADLY}", deadly).lstrip()
    lines = source.splitlines()
    line = next(number for number, text in enumerate(lines, 1) if "too many" in text)
    told = report("main()", (line, "fit", lines[line - 1].strip(), ""), crash="ValueError: too many")
    return hunt(tmp_path, source, told, EVALUATIONS, chosen=LANE)


def test_the_crash_is_found_ahead_and_one_seed_repeats_it(tmp_path: Path) -> None:
    one, other = (reproduced(tmp_path, "") for _ in range(2))
    assert 10 < one.end.evaluations < EVALUATIONS
    assert one.end.evaluations == other.end.evaluations
    assert one.text == other.text
    assert ".fit(" in one.text


def test_calls_that_end_or_hang_a_fork_cost_the_search_nothing(tmp_path: Path) -> None:
    found = reproduced(tmp_path, DEADLY)
    assert found.found.level == 4
    assert "die" not in found.text
