"""When runs of a suite are scored."""

from __future__ import annotations

import ast
import itertools
import math
from typing import cast

from crashwright.core.settings import Budget
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.goals.suite.catalogue import Catalogue
from crashwright.engine.instrument.trace import Trace
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.suite.evaluator import SuiteEvaluator
from crashwright.engine.search.suite.facts import Facts, RaisePlaces
from crashwright.engine.testcase.statements import Literal
from crashwright.engine.testcase.testcase import TestCase


class Idle:
    """Runs, records and covers nothing."""

    def run(self, test: TestCase) -> Outcome:
        return Outcome(len(test.statements))

    def reset(self) -> None:
        pass

    def trace(self) -> Trace:
        return Trace((), [])

    def footprint(self, trace: Trace) -> Trace:
        return trace

    def covered(self, left: Trace) -> int:
        return 0


def batches(longest_held: float) -> list[int]:
    """How many of ten tests are scored at a time, where a second goes by at each look at the clock."""
    idle, ticks = Idle(), itertools.count()
    facts = Facts((), lambda _value: (), RaisePlaces("m.py", ast.parse("")))
    meter = BudgetMeter(Budget(None, 100), lambda: float(next(ticks)))
    evaluator = SuiteEvaluator(idle, idle, facts, cast(Catalogue, idle), meter)
    evaluator.longest_held = longest_held
    scored: list[int] = []
    evaluator.on_scored = lambda rans: scored.append(len(rans))
    evaluator.evaluate_all([TestCase((Literal(0, number),)) for number in range(10)])
    return scored


def test_where_seconds_count_runs_do_not_wait_long_to_be_scored() -> None:
    assert batches(0.5) == [1] * 10


def test_where_evaluations_alone_count_no_clock_decides_when_runs_are_scored() -> None:
    assert batches(math.inf) == [10]
