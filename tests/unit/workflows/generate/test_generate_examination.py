"""The examination with replayed engines: two of them, and whatever they did not come to."""

from __future__ import annotations

import math
from dataclasses import replace

from hand_clock import Clock
from replayed_suites import READY, Launches, ReplayedSuiteEngine, Step, call, finished

from crashwright.core.messages import EndReason, Examined, Failed, FailureKind, Finished, Mutants, Task, Unfit
from crashwright.core.settings import EngineSettings
from crashwright.core.suite import SuiteTest
from crashwright.supervision.island import Seeds
from crashwright.workflows.generate.examination import ExaminedSuite, Examiner
from crashwright.workflows.generate.time import SuiteTime

TESTS = tuple(SuiteTest(call("halve", number), "halve", (f"branch halve:{number}",)) for number in range(3))


def asserted(number: int, *assertions: object) -> dict[str, object]:
    return {"test": TESTS[number].test, "assertions": list(assertions), "raised": None}


class World:
    """Two engines, replayed."""

    def __init__(
        self,
        first: list[Step],
        second: list[Step],
        seconds: float = 10.0,
        tests: tuple[SuiteTest, ...] = TESTS,
        keeps_all: bool = False,
    ) -> None:
        self.clock = Clock()
        self.launches = Launches([first, second], self.clock)
        self.tasks: list[Task] = []
        self.hash_seeds: list[int] = []
        self.spares: list[tuple[int, ...]] = []
        examiner = Examiner(EngineSettings(), self.start, SuiteTime(self.clock, 0.0, 30.0), lambda: False, keeps_all=keeps_all)
        self.result: ExaminedSuite = examiner.examine(tests, seconds)

    def start(
        self, settings: EngineSettings, seeds: Seeds, task: Task, hash_seed: int, spares: tuple[int, ...]
    ) -> ReplayedSuiteEngine:
        self.tasks.append(task)
        self.spares.append(spares)
        self.hash_seeds.append(hash_seed)
        return self.launches.start(settings, seeds)


def test_second_engine_checks_what_the_first_observed_under_another_hash_seed() -> None:
    first: list[Step] = [READY, *(Examined(n, asserted(n, "a", "b")) for n in range(3)), finished()]
    last = Finished(EndReason.EXHAUSTED, 9, 1.0, mutants=Mutants(5, 7))
    second: list[Step] = [READY, *(Examined(n, asserted(n, word)) for word in "ba" for n in range(3)), last]
    world = World(first, second)
    assert len(set(world.hash_seeds)) == 2
    assert world.launches.seeds == [tuple(one.test for one in TESTS), tuple(asserted(n, "a", "b") for n in range(3))]
    assert [one.asserted["assertions"] for one in world.result.tests] == [["a"]] * 3
    assert world.result.dropped == ()
    assert world.tasks == [Task.OBSERVE, Task.SELECT]
    assert world.result.mutants == Mutants(5, 7)


def test_tests_that_differ_are_dropped_with_the_reason() -> None:
    first: list[Step] = [READY, Examined(0, None, Unfit.TOO_LONG), Examined(1, asserted(1)), Examined(2, asserted(2)), finished()]
    second: list[Step] = [READY, Examined(0, asserted(1)), Examined(1, None, Unfit.FOREIGN, "no halve"), finished()]
    world = World(first, second)
    assert [one.test for one in world.result.tests] == [TESTS[1]]
    assert [(one.test, one.reason) for one in world.result.dropped] == [
        ("a test of halve", "it takes too long"),
        ("a test of halve", "it no longer fits the module (no halve)"),
    ]


def test_what_there_was_no_time_for_is_kept_as_far_as_it_came() -> None:
    idle: list[Step] = [lambda: None] * 1000
    world = World([READY, Examined(0, asserted(0, "a")), *idle], [READY, *idle])
    assert [one.asserted["assertions"] for one in world.result.tests] == [["a"], [], []]
    assert world.launches.seeds[1] == (asserted(0, "a"), TESTS[1].test, TESTS[2].test)
    assert world.result.mutants is None
    assert world.clock.now < 10 + 2
    assert all(engine.stopped for engine in world.launches.engines)


def test_little_time_is_for_one_engine_alone() -> None:
    world = World([READY, Examined(0, asserted(0, "a")), finished()], [], 1.0)
    assert world.tasks == [Task.SELECT]
    assert [one.asserted["assertions"] for one in world.result.tests] == [["a"], [], []]


def test_engine_that_fails_is_told_and_costs_nothing_else() -> None:
    world = World(
        [READY, Examined(0, asserted(0, "a")), Failed(FailureKind.INTERNAL, "oops")], [Failed(FailureKind.INTERNAL, "again")]
    )
    assert len(world.result.tests) == 3
    assert [text.rpartition(": ")[2] for text in world.result.incidents] == ["oops", "again"]


def test_without_a_bound_the_engines_have_none() -> None:
    world = World([READY, finished()], [READY, finished()], math.inf)
    assert [settings.budget.seconds for settings in world.launches.settings] == [None, None]


def test_spare_tests_stay_only_where_the_engine_says_so() -> None:
    tests = (TESTS[0], replace(TESTS[1], spare=True), replace(TESTS[2], spare=True))
    second: list[Step] = [READY, *(Examined(n, asserted(n, "a")) for n in (0, 1)), Examined(2, None, Unfit.SPARE), finished()]
    world = World([READY, Examined(0, None, Unfit.TOO_LONG), finished()], second, tests=tests)
    assert world.spares == [(), (0, 1)]  # the first test is out by then
    world = World(
        [READY, finished()], [READY, Examined(0, asserted(0, "a")), Examined(2, None, Unfit.SPARE), finished()], tests=tests
    )
    assert [one.test for one in world.result.tests] == [tests[0]]
    assert world.result.dropped == ()


def test_all_tests_stay_on_demand() -> None:
    tests = (replace(TESTS[0], spare=True),)
    world = World([READY, finished()], [READY, finished()], tests=tests, keeps_all=True)
    assert world.spares == [(), ()]
    assert [one.test for one in world.result.tests] == [tests[0]]
