"""Summaries kept between runs."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from walked import MODULE

from crashwright.symbolic.composition.summaries import Summaries
from crashwright.symbolic.composition.summary_cache import MOST_FILES, SummaryCache
from crashwright.symbolic.execution.limits import Limits
from crashwright.symbolic.execution.sources import SourceProgram
from crashwright.symbolic.solving.solver import Solver
from crashwright.symbolic.solving.z3_terms import Language

SOURCE = """
class Shelf:
    def __init__(self, slots, limit=0.5):
        self.slots = list(slots)
        self.limit = limit if limit > 0 else 1.0
"""
VERSION = (3, 11)


@pytest.fixture(scope="module")
def made() -> Summaries:
    program = SourceProgram({MODULE: SOURCE}, VERSION)
    summaries = Summaries(program, Solver(Language(), time.monotonic), Limits(time.monotonic, time.monotonic() + 20))
    constructor = program.method(f"{MODULE}:Shelf", "__init__")
    assert constructor is not None
    assert len(summaries.of(constructor, frozenset({".slots", ".limit", "size"}))) > 1
    return summaries


def test_they_come_back_as_they_were(tmp_path: Path, made: Summaries) -> None:
    assert made.is_new
    cache = SummaryCache(tmp_path / "summaries", {MODULE: SOURCE}, VERSION)
    assert cache.load() == {}
    cache.save(made.known)
    assert cache.load() == made.known


def test_of_other_sources_there_are_none(tmp_path: Path, made: Summaries) -> None:
    SummaryCache(tmp_path, {MODULE: SOURCE}, VERSION).save(made.known)
    assert SummaryCache(tmp_path, {MODULE: f"{SOURCE}\n"}, VERSION).load() == {}
    assert SummaryCache(tmp_path, {MODULE: SOURCE}, (3, 12)).load() == {}


@pytest.mark.parametrize("text", ["", "{}", "[1", '{"form": 0, "rows": [], "entries": []}'])
def test_what_is_damaged_is_made_anew(tmp_path: Path, made: Summaries, text: str) -> None:
    cache = SummaryCache(tmp_path, {MODULE: SOURCE}, VERSION)
    cache.save(made.known)
    [file] = tmp_path.iterdir()
    file.write_text(text)
    assert cache.load() == {}


def test_old_ones_go(tmp_path: Path) -> None:
    for number in range(MOST_FILES + 3):
        SummaryCache(tmp_path, {MODULE: str(number)}, VERSION).save({})
    assert len(list(tmp_path.iterdir())) == MOST_FILES
