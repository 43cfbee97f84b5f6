"""The end of a crash search: literals of the report come back, the test becomes smaller, whatever values it holds."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from crashwright.core.mechanisms import Mechanism
from crashwright.core.settings import Budget, SearchSettings
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.instrument.trace import Trace
from crashwright.engine.passes.evidence import ValueEvidence
from crashwright.engine.passes.finishing import Finishing
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.clues import Clues
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.search.crash_search import CrashSearch
from crashwright.engine.search.evaluator import RunSurroundings
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.statements import Literal, Value
from crashwright.engine.testcase.testcase import TestCase


class World:
    """Every test reproduces the crash whose statements still are as many as ``least``."""

    name = "toy"

    def __init__(
        self,
        least: int,
        quoted: dict[int, Value] | None = None,
        lost: Callable[[TestCase], float] = lambda _test: 0.0,
        settings: SearchSettings | None = None,
        repairs: Callable[[Evaluation], list[TestCase]] = lambda _near: [],
    ) -> None:
        self.least = least
        self.alike_from = 0
        self.told: list[Evaluation] = []
        self.hurried, self.cold = True, False
        surroundings = RunSurroundings(self, self, BudgetMeter(Budget(None, 10_000), lambda: 0.0), Quarantine())
        clues = Clues(quoted=quoted or {}, lost=lost, repairs=repairs)
        self.search = CrashSearch(self, settings or SearchSettings(), surroundings, self, random.Random(1), self.better, clues)
        evidence = ValueEvidence(quoted=clues.quoted, repairs=clues.repairs)
        self.finishing = Finishing(self.search.measure, self, evidence, surroundings.meter, random.Random(1), self.search.see)

    @contextmanager
    def patiently(self) -> Iterator[None]:
        self.hurried = False
        yield
        self.hurried = True

    def run(self, test: TestCase) -> Outcome:
        if self.hurried and self.cold:
            return Outcome(0, timed_out=True)
        return Outcome(len(test), ValueError() if len(test) >= self.least else None)

    def drop_wanted(self) -> None: ...

    def reset(self) -> None: ...

    def trace(self) -> Trace:
        return Trace((), [])

    def score(self, outcome: Outcome, _trace: Trace) -> CrashScore:
        alike = outcome.executed >= self.alike_from
        return CrashScore(0.0, 4, 1, 1, ends_alike=alike) if outcome.error is not None else CrashScore(1.0, 0, 0, 0)

    def may_be(self, outcome: Outcome) -> bool:
        return outcome.error is not None

    def better(self, evaluation: Evaluation, minimised: bool) -> None:
        self.told.append(evaluation)

    def chopped(self, test: TestCase, _ran: int) -> TestCase:
        return test

    def sample(self, rng: random.Random) -> TestCase:
        raise NotImplementedError

    def crossover(self, one: TestCase, other: TestCase, rng: random.Random) -> tuple[TestCase, TestCase]:
        raise NotImplementedError

    def mutate(self, individual: TestCase, _rng: random.Random) -> TestCase:
        return individual

    def insist_on_types(self, insist: bool) -> None: ...

    def identity(self, individual: TestCase) -> int:
        return individual.key()


def last(least: int, *values: Value, quoted: dict[int, Value]) -> list[Value]:
    """The values of the test that is told last, where ``values`` reproduce at once."""
    world = World(least, quoted)
    assert world.search.try_first([TestCase(tuple(Literal(index, value) for index, value in enumerate(values)))])
    world.search.finish(world.finishing.made_of)
    return [statement[1] for statement in world.told[-1].test.statements]


def test_a_recursion_that_ends_as_the_report_does_stays_one() -> None:
    for alike_from, size in ((0, 1), (3, 3), (9, 1)):  # the last one never did
        world = World(1)
        world.alike_from = alike_from
        assert world.search.try_first([TestCase(tuple(Literal(index, index) for index in range(4)))])
        world.search.finish(world.finishing.made_of)
        assert len(world.told[-1].test) == size


def test_nan_that_the_report_does_not_quote_is_just_a_value() -> None:
    assert last(1, math.nan, quoted={}) == [0.0]


def test_quoted_nan_comes_back_and_stays() -> None:
    [value] = last(1, 2.0, quoted={0: float("nan")})
    assert isinstance(value, float)
    assert math.isnan(value)


def test_quoted_value_is_put_back_in_its_own_type_too() -> None:
    assert repr(last(1, 1, quoted={0: True})) == "[True]"
    assert repr(last(1, 0.0, quoted={0: -0.0})) == "[-0.0]"


def test_survivors_keep_their_scores_in_a_fork_that_has_everything_to_load() -> None:
    survivor = TestCase((Literal(0, 1), Literal(1, 2)))
    world = World(1)
    world.cold = True
    assert not world.search.try_first([survivor])
    assert world.search.try_each([survivor], world.patiently)
    assert world.told[-1].score.level == 4


def test_of_tests_that_are_as_good_one_that_kept_more_of_the_echoed_call_comes_first() -> None:
    world = World(9, lost=lambda test: len(test) / 10)
    far, kept, lost = (TestCase(tuple(Literal(index, size) for index in range(size))) for size in (4, 1, 2))
    scores = {4: 0.4, 1: 0.5, 2: 0.5}
    world.search.tell([Evaluation(test, CrashScore(scores[len(test)], 0, 0, 0)) for test in (lost, far, kept)])
    assert world.search.algorithm.survivors() == [far, kept, lost]
    world = World(9, lost=lambda test: 1 / len(test))
    world.search.tell([Evaluation(test, CrashScore(scores[len(test)], 0, 0, 0)) for test in (lost, far, kept)])
    assert world.search.algorithm.survivors() == [far, lost, kept]


def test_a_test_that_used_up_its_time_stands_behind_others_of_its_fitness() -> None:
    world = World(9)
    hanging = [Evaluation(TestCase((Literal(0, number),)), CrashScore(0.5, 0, 1, 1), hung=True) for number in range(80)]
    ended = Evaluation(TestCase((Literal(0, 1), Literal(1, "much larger"))), CrashScore(0.5, 0, 1, 1))
    nearer = Evaluation(TestCase((Literal(0, -1),)), CrashScore(0.4, 0, 1, 1), hung=True)
    world.search.tell([*hanging, ended, nearer])
    assert world.search.algorithm.survivors()[:2] == [nearer.test, ended.test]


def test_what_crashes_by_its_own_wrong_value_stands_behind_what_came_near_otherwise() -> None:
    near, far = (Evaluation(TestCase((Literal(0, value),)), CrashScore(value, 0, 1, 1)) for value in (0.1, 0.6))
    stray = Evaluation(TestCase((Literal(0, -1),)), CrashScore(0.0001, 4, 1, 1), handed=True)
    another = Evaluation(TestCase((Literal(0, -3),)), CrashScore(0.002, 4, 1, 1), handed=True)
    for settings, order in (
        (SearchSettings(), [another, near, stray, far]),
        (SearchSettings(without=(Mechanism.GUIDANCE,)), [stray, another, near, far]),
    ):
        world = World(9, settings=settings)
        world.search.tell([far, stray, near, another])
        assert world.search.algorithm.survivors() == [one.test for one in order]


def test_what_hangs_is_no_parent_for_being_new() -> None:
    world = World(9)
    told: list[object] = []
    world.search.algorithm.inject = told.extend  # type: ignore[method-assign]
    for hung in (True, False):
        world.search.tell([Evaluation(TestCase((Literal(0, 1),)), CrashScore(0.5, 0, 1, 1), novel=True, hung=hung)])
    assert [one.novel for one in told] == [False, True]  # type: ignore[attr-defined]


class Worded(World):
    """Tests of two statements say something else than the report, and nothing else differs."""

    def run(self, test: TestCase) -> Outcome:
        return Outcome(len(test), ValueError(len(test)))

    def score(self, outcome: Outcome, _trace: Trace) -> CrashScore:
        return CrashScore(0.0, 4, 1, 1) if outcome.error and outcome.error.args == (1,) else CrashScore(0.02, 3, 1, 1, message="2")


def test_what_the_report_says_is_put_in_where_only_the_message_differs() -> None:
    near, repaired = TestCase((Literal(0, "a"), Literal(1, "b"))), TestCase((Literal(0, "a"),))
    asked: list[str] = []

    def repairs(one: Evaluation) -> list[TestCase]:
        asked.append(one.score.message)
        return [repaired]

    assert Worded(1, repairs=repairs).search.try_first([near])
    assert asked == ["2"]
    unguided = SearchSettings(without=(Mechanism.GUIDANCE,))
    assert not Worded(1, repairs=repairs, settings=unguided).search.try_first([near])


class Other:
    """A fitness by which nothing is the crash."""

    name = "other"

    def score(self, outcome: Outcome, _trace: Trace) -> CrashScore:
        return CrashScore(5.0, 1, 1, 1) if outcome.error is not None else CrashScore(2.0 + outcome.executed, 0, 0, 0)

    def may_be(self, outcome: Outcome) -> bool:
        return outcome.error is not None


def test_another_fitness_measures_all_that_is_kept_anew() -> None:
    world = World(4)
    world.search.try_first([TestCase(tuple(Literal(place, 1) for place in range(size))) for size in (1, 2, 3)])
    assert world.search.scorer.best is not None
    assert world.search.scorer.best.score.fitness == 1.0
    world.search.measure_anew(Other())
    assert (len(world.search.scorer.best.test), world.search.scorer.best.score.fitness) == (1, 3.0)
    assert [len(test) for test in world.search.algorithm.survivors()] == [1, 2, 3]


def test_the_partial_result_outlives_a_budget_that_ends_meanwhile() -> None:
    world = World(2)
    world.search.try_first([TestCase((Literal(0, 1), Literal(1, 1)))])
    before = world.search.scorer.best_exception
    assert before is not None
    world.search.meter.evaluations = 20_000
    world.search.measure_anew(Other())
    assert world.search.scorer.best_exception is not None
