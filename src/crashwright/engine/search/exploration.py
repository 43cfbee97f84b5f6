"""Before the search: random calls around the entry, only to see which classes results have and which calls make instances.

# Deviation: none of the papers does this; Java has declared return types and constructors that say what they need.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping

from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.evaluator import Runner, Tracer
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.slices import slice_of
from crashwright.engine.testcase.statements import Statement
from crashwright.engine.testcase.testcase import TestCase

LENGTH = 10


def explore(
    factory: Factory,
    runner: Runner,
    tracer: Tracer,
    observed: Mapping[Callee, Iterable[type]],
    meter: BudgetMeter,
    rng: random.Random,
    tests: int,
    share: float = 1.0,
    after_run: Callable[[TestCase], bool] = lambda _test: False,
    quarantine: Quarantine | None = None,
) -> None:
    """Run up to ``tests`` random tests and teach ``factory`` what they show, until ``share`` of the budget is used up.
    ``after_run`` is called with each (see ``search.evaluator``), those in ``quarantine`` are not run."""
    for number in range(tests):
        statements: list[Statement] = []
        while len(statements) < LENGTH:
            factory.random_call(statements, rng)
        test = TestCase(tuple(statements))
        if quarantine is not None and quarantine.holds(test):
            continue
        tracer.reset()
        outcome = runner.run(test)
        if outcome.timed_out:
            tracer.drop_wanted()
        meter.spend()
        learn(factory, test, outcome, observed)
        after_run(test)
        if meter.stopped or (number % 16 == 0 and meter.check()) or (share < 1.0 and meter.share() >= share):
            return


def learn(factory: Factory, test: TestCase, outcome: Outcome, observed: Mapping[Callee, Iterable[type]]) -> None:
    """Note the classes of the results of ``test`` and how its instances were made."""
    for index, statement in enumerate(test.statements[: outcome.executed]):
        if type(statement) is not st.Call and type(statement) is not st.MethodCall:
            continue
        callee = statement.callee
        if callee is None:
            continue
        for cls in observed.get(callee, ()):
            factory.observe(callee, cls)
            if factory.is_own(cls):
                factory.slices.learn(cls, slice_of(test.statements, index))
