"""What a search for a crash knows before it begins."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from crashwright.core.location import CodeKey
from crashwright.core.messages import Start
from crashwright.core.settings import Budget, EngineSettings
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.sessions.crash_problem import CrashProblem
from crashwright.engine.sessions.search_run import Setup
from crashwright.engine.sources.crash_subject import crash_subject
from crashwright.engine.sources.operand_probes import OperandProbes
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.entry import Entry, entries
from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.subject.source import Sources
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.worker.protocol import Resume

SOURCE = """
class Basket:
    def __init__(self, stock):
        self.pears = stock["pears"] + 1

    def add(self, things):
        for thing in things.splitlines():
            raise ValueError(thing)
"""


def problem(folder: Path) -> CrashProblem:
    path = folder / "pearware.py"
    path.write_text(SOURCE)
    __import__("pearware")
    key = CodeKey("pearware", "Basket.add", 6)
    target = CrashTarget("pearware", "ValueError", "x", (TargetFrame(key, str(path), 8, "", None, True),), ())
    api, sources = ApiModel("pearware", ["pearware"]), Sources()
    entry = entries(api, target, sources)
    assert isinstance(entry, Entry)
    bench: Any = SimpleNamespace(
        executor=SimpleNamespace(observed={}),
        guard=SimpleNamespace(redefined=set(), take_last=lambda: None),
        clock=SimpleNamespace(limit=0.1),
        clocks=SimpleNamespace(cpu=lambda: 0.0),
    )
    setup: Any = SimpleNamespace(
        bench=bench,
        rng=random.Random(1),
        quarantine=Quarantine(),
        meter=BudgetMeter(Budget(None, 10), lambda: 0.0),
        warm_up=SimpleNamespace(after_run=lambda _test: False),
        is_timed=False,
        resume=Resume(),
        draws=random.Random,
        foreign=lambda _encoded: [],
        safe=SimpleNamespace(note=print),
        saved=[],
        scouted=SimpleNamespace(tests=[]),
        operand_probes=OperandProbes("pearware", lambda: None),
    )
    parts = crash_subject(Start(EngineSettings(), target), Recorder(), api, entry, sources, None)
    return CrashProblem(parts, cast(Setup, setup))


def test_untyped_parameters_take_what_their_functions_use_them_as(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(sys.modules, "pearware", None)
    del sys.modules["pearware"]
    factory = problem(tmp_path).factory
    rng = random.Random(1)
    [add] = factory.entry
    [basket] = factory.constructors_of(ClassHint(add.owner)) if add.owner is not None else ()
    texts = [factory.suggestions.draw(add, "things", rng) for _ in range(50)]
    stocks = [factory.suggestions.draw(basket, "stock", rng) for _ in range(50)]
    assert texts.count(ClassHint(str)) > 20
    assert sum(isinstance(hint, ClassHint) and hint.cls is dict for hint in stocks) > 20
