"""Runs wait to be scored, but not those that may be the crash; budgets, quarantine and reproductions end or spare runs as they
should."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from crashwright.core.settings import Budget
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.instrument.trace import Activation, Trace
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.crash_scorer import CrashScorer, Evaluation
from crashwright.engine.search.evaluator import HANGING, Evaluator, Run, RunSurroundings
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.statements import Literal
from crashwright.engine.testcase.testcase import TestCase


class World:
    """Runs, traces and scores: the first literal of a test is its fitness; what happened is in ``story``."""

    name = "toy"

    def __init__(self, budget: int | None = None) -> None:
        self.story: list[str] = []
        self.slow: set[float] = set()
        self.activations = 0
        self.meter = BudgetMeter(Budget(None, budget), lambda: 0.0)
        self.value = 0.0
        self.forms: list[int] = []
        self.scorer = CrashScorer(self, self.meter, self.told, self.form)

    def evaluator(self, quarantine: frozenset[int] = frozenset(), most_held: int = 2000) -> Evaluator[Evaluation]:
        surroundings = RunSurroundings(self, self, self.meter, Quarantine(quarantine), self.warmer, most_held=most_held)
        return Evaluator(surroundings, self.scorer)

    def form(self, test: TestCase, handed: bool) -> float:
        assert not handed
        self.forms.append(len(test.statements))
        return 0.0

    def warmer(self, _test: TestCase) -> bool:
        return False

    def told(self, evaluation: Evaluation) -> None:
        self.story.append(f"told {evaluation.score.fitness:g}")

    def run(self, test: TestCase) -> Outcome:
        value = test.statements[0][1]
        assert isinstance(value, float)
        self.value = value
        self.story.append(f"run {value:g}")
        return Outcome(len(test.statements), ValueError(value) if value < 1 else None, timed_out=value in self.slow)

    def drop_wanted(self) -> None:
        self.story.append("drop")

    def reset(self) -> None:
        self.value = -1.0

    def trace(self) -> Trace:
        return Trace((), [Activation(0, 1) for _ in range(self.activations)])

    def score(self, outcome: Outcome, trace: Trace) -> CrashScore:
        value = outcome.error.args[0] if outcome.error is not None else 1.0
        self.story.append(f"score {value:g}")
        return CrashScore(value, 4 if value == 0 else 0, 0, 0)

    def may_be(self, outcome: Outcome) -> bool:
        return outcome.error is not None and outcome.error.args[0] < 0.2


def test(value: float) -> TestCase:
    return TestCase((Literal(0, value), Literal(1, "x")))


test.__test__ = False  # type: ignore[attr-defined]


def test_many_are_run_before_they_are_scored() -> None:
    world = World()
    evaluations = world.evaluator().evaluate_all([test(0.9), test(0.5), test(0.7)])
    assert world.story == ["run 0.9", "run 0.5", "run 0.7", "score 0.9", "score 0.5", "score 0.7", "told 0.9", "told 0.5"]
    assert [evaluation.score.fitness for evaluation in evaluations] == [0.9, 0.5, 0.7]
    assert [evaluation.ran for evaluation in evaluations] == [3, 3, 3]
    assert world.meter.evaluations == 3


def test_what_may_be_the_crash_is_told_before_the_next_run() -> None:
    world = World()
    world.evaluator().evaluate_all([test(0.9), test(0.1), test(0.7)])
    assert world.story == ["run 0.9", "run 0.1", "score 0.9", "score 0.1", "told 0.9", "told 0.1", "run 0.7", "score 0.7"]


def test_nothing_is_run_after_a_reproduction() -> None:
    world = World()
    evaluations = world.evaluator().evaluate_all([test(0.9), test(0.0), test(0.7)])
    assert [evaluation.score.fitness for evaluation in evaluations] == [0.9, 0.0]
    assert world.meter.evaluations == 2


def test_the_budget_ends_it() -> None:
    world = World(2)
    assert len(world.evaluator().evaluate_all([test(0.9), test(0.8), test(0.7)])) == 2
    assert world.meter.stopped


def test_quarantined_tests_are_never_run() -> None:
    world = World()
    killer = test(0.4)
    evaluator = world.evaluator(frozenset({killer.key()}))
    [first, second] = evaluator.evaluate_all([killer, test(0.6)])
    assert first.score.fitness == float("inf")
    assert first.ran >= len(killer)
    assert second.score.fitness == 0.6
    assert "run 0.4" not in world.story
    assert world.scorer.best is second
    assert evaluator.measure(killer).score.fitness == math.inf


def test_a_timeout_is_run_once_more() -> None:
    world = World()
    world.slow.add(0.5)
    evaluator = world.evaluator()
    assert evaluator.measure(test(0.5)).score.fitness == 0.5
    assert world.story == ["run 0.5", "drop", "run 0.5", "drop", "score 0.5"]
    assert evaluator.timeouts == 1
    assert world.meter.evaluations == 0


def test_where_no_other_run_ever_ended_there_is_none() -> None:
    world = World()
    hanging = [0.5 + number / 100 for number in range(20)]
    world.slow.update(hanging)
    evaluator = world.evaluator()
    for value in hanging:
        evaluator.measure(test(value))
    assert evaluator.timeouts == 20
    assert world.story.count("drop") == 20 + HANGING


def test_another_run_goes_on_where_one_ended() -> None:
    world = World()
    world.warmer = lambda one: bool(world.slow) and world.slow.discard(one.statements[0][1]) is None  # type: ignore
    hanging = [0.5 + number / 100 for number in range(2 * HANGING)]
    world.slow.update(hanging)
    evaluator = world.evaluator()
    for value in hanging:
        evaluator.measure(test(value))
    assert world.story.count("drop") == len(hanging)
    assert sum(entry.startswith("run") for entry in world.story) == 2 * len(hanging)


def test_large_traces_do_not_pile_up() -> None:
    world = World()
    world.activations = 6
    world.evaluator(most_held=10).evaluate_all([test(0.9), test(0.8), test(0.7)])
    assert world.story[:5] == ["run 0.9", "run 0.8", "score 0.9", "score 0.8", "told 0.9"]


def test_a_test_that_had_all_the_time_is_not_run_again() -> None:
    world = World()
    evaluator = world.evaluator()
    world.slow.add(0.5)
    evaluator.evaluate_all([test(0.5)], once=True)
    assert world.story.count("run 0.5") == 1
    evaluator.evaluate_all([test(0.5)])
    assert world.story.count("run 0.5") == 3


def test_who_listens_to_runs_may_run_tests_before_a_slow_one_is_repeated() -> None:
    world = World()
    world.slow.add(0.5)

    def warmer(_test: TestCase) -> bool:
        world.story.append("looked at")
        world.slow.clear()
        return True

    world.warmer = warmer  # type: ignore[method-assign]
    assert world.evaluator().measure(test(0.5)).score.fitness == 0.5
    assert world.story[:4] == ["run 0.5", "drop", "looked at", "run 0.5"]


def test_the_form_is_that_of_what_ran() -> None:
    world = World()
    crashed = TestCase((Literal(0, 0.0), Literal(1, "x"), Literal(2, "never reached")))
    world.run = lambda test: Outcome(1, ValueError(0.0))  # type: ignore[method-assign]
    assert world.evaluator().evaluate_all([crashed])[0].score.level == 4
    assert world.forms == [2]


class Lengths:
    """Scores how many statements ran, and asks for nothing at once."""

    def begin(self) -> None: ...

    def kept(self, run: Run) -> Run:
        return run

    def is_pressing(self, _run: Run) -> bool:
        return False

    def ends(self, _score: int) -> bool:
        return False

    def measured(self, run: Run) -> int:
        return run.outcome.executed

    def scored(self, runs: Sequence[Run]) -> list[int]:
        return [self.measured(run) for run in runs]


def batches(longest_held: float) -> list[int]:
    """How many of ten tests are scored at a time, where a second goes by at each look at the clock."""
    world, ticks = World(), itertools.count()
    meter = BudgetMeter(Budget(None, 100), lambda: float(next(ticks)))
    scored: list[int] = []
    surroundings = RunSurroundings(world, world, meter, Quarantine(), longest_held=longest_held)
    evaluator = Evaluator(surroundings, Lengths(), lambda scores: scored.append(len(scores)))
    assert evaluator.evaluate_all([test(float(number)) for number in range(10)]) == [2] * 10
    return scored


def test_where_seconds_count_runs_do_not_wait_long_to_be_scored() -> None:
    assert batches(0.5) == [1] * 10


def test_where_evaluations_alone_count_no_clock_decides_when_runs_are_scored() -> None:
    assert batches(math.inf) == [10]


def test_what_is_given_more_time_is_run_with_it_and_counts_as_run():
    class Generous:
        def __init__(self, world: World) -> None:
            self.world = world
            self.ended: list[bool] = []

        def is_worth_more(self, test: TestCase, outcome: Outcome) -> bool:
            assert outcome.timed_out
            self.world.slow.clear()
            return True

        def end(self, outcome: Outcome) -> None:
            self.ended.append(outcome.timed_out)

    world = World()
    world.slow.add(3.0)
    patience = Generous(world)
    surroundings = RunSurroundings(world, world, world.meter, Quarantine(), world.warmer, attempts=1, patience=patience)
    [evaluation] = Evaluator(surroundings, world.scorer).evaluate_all([TestCase((Literal(0, 3.0),))], once=True)
    assert not evaluation.hung
    assert patience.ended == [True, False]
    assert world.story.count("run 3") == 2
