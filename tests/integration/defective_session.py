"""A toy session with a defect: after three tests of a fork it raises an error of its own, in the first forks or in all of them."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from toy_session import ToySession

from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.protocol import Resume, Workbench

TESTS = 3
FORKS = 2
"""So many forks have the defect, where the plan has fewer than 60 steps."""


class Counting:
    """Runs tests until the defect shows."""

    def __init__(self, executor: Any) -> None:
        self._executor = executor
        self._left = TESTS

    def run(self, test: TestCase) -> Outcome:
        if not self._left:
            raise LookupError("mislaid")
        self._left -= 1
        return self._executor.run(test)  # type: ignore[no-any-return]


class DefectiveSession(ToySession):
    def run(self, bench: Workbench, resume: Resume) -> None:
        if resume.generation < FORKS or len(self._plan) >= 60:
            bench = replace(bench, executor=Counting(bench.executor))  # type: ignore[arg-type]
        super().run(bench, resume)


def session() -> ToySession:
    return DefectiveSession()
