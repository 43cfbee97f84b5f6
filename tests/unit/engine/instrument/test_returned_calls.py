"""Calls that are returned and say yes or no: suites measure them, crash goals leave them alone."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from crashwright.engine.goals.coverage.flags import FlagDistances
from crashwright.engine.instrument.hook import Instrumentation
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.subject.flags.branches import FlagAnalysis
from crashwright.engine.subject.source import Sources

NAME = "cwreturned"
SOURCE = """
import re


class Odd:
    def match(self):
        return []

    def startswith(self, prefix):
        raise ValueError(prefix)


def is_number(value):
    return isinstance(value, (int, float))


def digits(text):
    return text.isdigit()


def begins(text, prefix):
    return text.startswith(
        prefix)


def found(pattern, text):
    return re.match(pattern, text)


def odd():
    return Odd().match()


def in_comprehension(texts):
    return [text for text in texts if digits(text)]


def chooses(text):
    if digits(text):
        return 1
    if found("ab+", text):
        return 2
    return 0
"""


class Bench:
    def __init__(self) -> None:
        self.recorder = Recorder()
        hook = Instrumentation(self.recorder, {NAME: None})
        hook.install()
        try:
            self.module: ModuleType = importlib.import_module(NAME)
        finally:
            hook.uninstall()

    def number(self, qualname: str) -> int:
        return next(number for number, one in enumerate(self.recorder.functions) if one.key.qualname == qualname)

    def kinds(self, qualname: str) -> list[str]:
        return [predicate.kind for predicate in self.recorder.functions[self.number(qualname)].predicates]

    def distances(self, qualname: str, *arguments: object) -> tuple[object, float | None, float | None]:
        """The result, and how far the one predicate was from true and from false."""
        self.recorder.reset()
        result = getattr(self.module, qualname)(*arguments)
        activation = self.recorder.trace().activations[0]
        return result, activation.distance_to(0, True), activation.distance_to(0, False)

    def flag(self, predicate: int, *arguments: object) -> float | None:
        self.recorder.reset()
        self.module.chooses(*arguments)
        trace = self.recorder.trace()
        flags = FlagDistances(FlagAnalysis(Sources(), [NAME])).of(trace.functions, trace.activations)
        return flags.nearest(self.number("chooses"), predicate, True)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    (tmp_path / f"{NAME}.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop(NAME, None)
    yield Bench()
    sys.modules.pop(NAME, None)


def test_the_value_is_the_calls_own(bench: Bench) -> None:
    assert bench.module.is_number(1) is True
    assert bench.module.digits("a") is False
    assert bench.module.odd() == []
    assert bench.module.found("a", "abc").group() == "a"
    assert bench.module.found("a", "bc") is None
    assert bench.module.in_comprehension(["1", "x"]) == ["1"]


def test_distances(bench: Bench) -> None:
    _, near, _ = bench.distances("digits", "12x")
    _, far, _ = bench.distances("digits", "xxx")
    assert near is not None
    assert far is not None
    assert 0 < near < far
    assert bench.distances("digits", "12") == (True, 0.0, 1.0)
    _, near, _ = bench.distances("begins", "ab", "abc")
    _, far, _ = bench.distances("begins", "zz", "abc")
    assert near is not None
    assert far is not None
    assert 0 < near < far
    assert bench.distances("found", "a", "b") == (None, 1.0, 0.0)
    assert bench.distances("found", "a", "a")[1] == 0.0
    assert bench.distances("odd")[1:] == (1.0, 0.0)


def test_the_flags_of_callers_have_a_gradient(bench: Bench) -> None:
    near, far = bench.flag(0, "12x"), bench.flag(0, "xxx")
    assert near is not None
    assert far is not None
    assert near < far


def test_tracebacks_agree(bench: Bench) -> None:
    with pytest.raises(ValueError, match="a") as caught:
        bench.module.begins(bench.module.Odd(), "a")
    frames = list(caught.traceback)
    assert [frame.name for frame in frames[-2:]] == ["begins", "startswith"]
    assert frames[-2].lineno == SOURCE.splitlines().index("    return text.startswith(")
    positions = list(frames[-2]._rawentry.tb_frame.f_code.co_positions())
    line, end_line, column, end_column = positions[frames[-2]._rawentry.tb_lasti // 2]
    assert end_line == (line or 0) + 1
    assert (column, end_column) == (11, 15)
