"""What holds for every pass over a found test, on a small shop."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import toy_shop
from conforming import conformance

from crashwright.core.settings import Budget
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.passes.evidence import ValueEvidence
from crashwright.engine.passes.found import FoundTest
from crashwright.engine.passes.ordinary import Ordinary
from crashwright.engine.passes.past_the_crash import PastTheCrash
from crashwright.engine.passes.plain_values import PlainLooks
from crashwright.engine.passes.standard_values import standard_plain
from crashwright.engine.passes.table import PASSES
from crashwright.engine.search.after_crash import Seen
from crashwright.engine.search.behaviour import RunEnding
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.search.operators import TestOperators
from crashwright.engine.sources.values.usual_types import usual_in
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.testcase.codec import encode
from crashwright.engine.testcase.editing import edits
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Literal
from crashwright.engine.testcase.testcase import TestCase

API = ApiModel("toy_shop", ["toy_shop"])
ENTRY = tuple(API.callee_of(function) for function in (toy_shop.stock, toy_shop.count))
CRASH, NONE = CrashScore(0.0, 4, 1, 1), CrashScore(1.0, 0, 0, 0)
CRASHED = RunEnding("KeyError", "f", 1)
MOST = 1000
"""Runs of one pass over one test."""
Run = Callable[[FoundTest, TestCase], TestCase]


class Work:
    """A found test, and the runs of what a pass makes of it. ``crashes`` says which of them crash."""

    def __init__(self, seed: int, crashes: Callable[[TestCase], bool]) -> None:
        self.rng = random.Random(seed)
        pool = SeedPool()
        for token in ("bolt", "nut", "(", "0", "a b\nc"):
            pool.add(token)
        factory = Factory(API, pool, ENTRY, 20)
        operators = TestOperators(factory, 20, Quarantine())
        self.test = operators.sample(self.rng)
        self.crashes = crashes
        self.good: set[int] = set()
        self.runs = 0
        usual = usual_in((), (), NameChain(API, ENTRY), factory.names, lambda _callee, _name: ())
        quoted = {one.variable: "bolt" for one in self.test.statements if type(one) is Literal and type(one.value) is str}
        evidence = ValueEvidence(
            lambda test: not any(type(one) is Literal and one.value is None for one in test.statements),
            dict(itertools.islice(quoted.items(), 1)),
            ordinary=Ordinary(usual, factory, self.rng, {}),
            plain=Ordinary(usual, factory, self.rng, {}, PlainLooks()),
            standard=lambda test, good: standard_plain(test, factory, good),
            past=PastTheCrash(factory, {}, self.rng, lambda _complaint: []),
        )
        meter = BudgetMeter(Budget(None, 10_000), lambda: 0.0)
        self.found = FoundTest(Evaluation(self.test, CRASH), self.measure, operators, evidence, meter, self.rng, self.see)

    def see(self, test: TestCase) -> Seen:
        return Seen(CRASHED, False) if self.measure(test) is CRASH else Seen(RunEnding("ValueError", "f", len(test)), True)

    def measure(self, test: TestCase) -> CrashScore:
        self.runs += 1
        if self.crashes(test):
            self.good.add(test.key())
            return CRASH
        return NONE


def _calls(test: TestCase) -> bool:
    return edits.has_entry(test, frozenset(ENTRY))


def it_returns_what_was_found_good(run: Run) -> None:
    for seed in range(12):
        work = Work(seed, _calls)
        made = run(work.found, work.test)
        assert made is work.test or made.key() in work.good
        assert made.is_valid()


def it_leaves_a_test_alone_of_which_nothing_else_is_good_and_comes_to_an_end(run: Run) -> None:
    for seed in range(6):
        work = Work(seed, lambda _test: False)
        assert run(work.found, work.test) is work.test
        assert work.runs <= MOST


def it_repeats_by_its_seed(run: Run) -> None:
    for seed in range(6):
        first, second = (encode(run(work.found, work.test)) for work in (Work(seed, _calls), Work(seed, _calls)))
        assert first == second


def _unasked(_found: FoundTest, test: TestCase) -> TestCase:
    return TestCase(test.statements[:-1])


def _endless(found: FoundTest, test: TestCase) -> TestCase:
    return next((test for _ in range(2 * MOST) if found.good(test)), test)


_numbers = itertools.count()


def _numbering(_found: FoundTest, test: TestCase) -> TestCase:
    return TestCase((*test.statements, Literal(900, next(_numbers))))


test_conforms, test_broken_ones_are_refused = conformance(
    {row.name: row.run for row in PASSES},
    {
        it_returns_what_was_found_good: _unasked,
        it_leaves_a_test_alone_of_which_nothing_else_is_good_and_comes_to_an_end: _endless,
        it_repeats_by_its_seed: _numbering,
    },
)
