"""The nearer a run comes to where it writes what a guard reads, the better."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from crashwright.core.location import CodeKey
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.search.blocker_probes import BlockerProbes
from crashwright.engine.search.evaluator import NOT_RUN
from crashwright.engine.subject.source import Sources

SOURCE = """
class Ledger:
    def __init__(self):
        self.rows = {}

    def book(self, rows):
        for row in rows:
            if row > 40:
                self.rows[row] = True
"""


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    (tmp_path / "bookedrows.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("bookedrows")
    del sys.modules["bookedrows"]


def test_the_distance_falls_to_where_it_is_written(ledger: ModuleType) -> None:
    recorder = Recorder()
    key = CodeKey("bookedrows", "Ledger.book", 6)
    finder = BlockerProbes(recorder, Sources(), "bookedrows", [], writers={key: (9,)})
    assert finder.writers == (key,)
    opened = finder.open(key)
    assert opened is not None
    try:

        def distance(*rows: int) -> float:
            recorder.reset()
            ledger.Ledger().book(rows)
            return opened.distance(NOT_RUN, recorder.trace())

        found = [distance(), distance(3), distance(40), distance(2, 41)]
        assert found == sorted(found, reverse=True)
        assert len(set(found)) == 4
        assert found[-1] == 0
        recorder.reset()
        assert opened.distance(NOT_RUN, recorder.trace()) == 1
    finally:
        opened.close()
