"""The hunt with a replayed engine and a replayed judge: what is judged when, and what an interrupt leaves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest
from hand_clock import Clock

from crashwright.core.errors import EngineFailure, EnvironmentProblem, ExitCode, NoTime
from crashwright.core.messages import (
    BestTests,
    EndReason,
    Failed,
    FailureKind,
    Finished,
    Found,
    Incident,
    IncidentKind,
    Message,
    Progress,
    Ready,
)
from crashwright.core.settings import Budget, EngineSettings
from crashwright.finishing.crash.after_fix import AfterFix, FixOutcome
from crashwright.finishing.crash.finisher import FinishedTest
from crashwright.finishing.crash.legality import Legality
from crashwright.finishing.crash.verify import Verification
from crashwright.finishing.running.agreement import Agreement
from crashwright.reporting.progress import status
from crashwright.workflows.deadline import Deadline
from crashwright.workflows.events import CandidateRejected, Event, Preparing
from crashwright.workflows.reproduce.hunt import Hunt


@dataclass
class ReplayedEngine:
    """Gives out messages, each after some seconds; a callable among them is called (an interrupt, say)."""

    script: list[Message | Callable[[], None]]
    clock: Clock
    tick: float = 0.1
    stopped: bool = False
    asked: bool = False
    untold: tuple[Message, ...] = ()

    @property
    def running(self) -> bool:
        return bool(self.script)

    def next(self, seconds: float) -> Message | None:
        self.clock.now += self.tick
        step = self.script.pop(0)
        if callable(step):
            step()
            return None
        return step

    def ask_for_results(self) -> None:
        self.asked = True
        self.script[:] = [finished("budget")]

    def stop(self) -> tuple[Message, ...]:
        self.stopped = True
        return self.untold


@dataclass
class World:
    """One hunt with its replayed parts. ``judged`` maps a test's name to the level of its fresh runs (by default the claimed),
    ``fixed`` to what it does on the fixed side."""

    scripts: list[list[Message | Callable[[], None]]]
    judged: dict[str, int] = field(default_factory=dict)
    fixed: dict[str, FixOutcome] = field(default_factory=dict)
    budget: Budget = field(default_factory=lambda: Budget(60.0))
    judging_seconds: float = 1.0
    clock: Clock = field(default_factory=Clock)
    engines: list[ReplayedEngine] = field(default_factory=list)
    settings: list[EngineSettings] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    order: list[str] = field(default_factory=list)
    untold: tuple[Message, ...] = ()

    def start(self, settings: EngineSettings) -> ReplayedEngine:
        self.settings.append(settings)
        self.engines.append(ReplayedEngine(self.scripts[len(self.engines)], self.clock, untold=self.untold))
        return self.engines[-1]

    def finish(self, found: Found, seconds: Callable[[], float]) -> FinishedTest:
        assert seconds() > 0
        self.clock.now += self.judging_seconds
        name = found.test["name"]
        self.order.append(name)
        level = self.judged.get(name, found.level)
        verification = Verification((level,) * 3, Agreement(level, 1, 1), "pytest")
        after = AfterFix(self.fixed[name]) if name in self.fixed else None
        return FinishedTest(name, f"test_{name}.py", verification, Legality(), 1, found, after)

    def hunt(self) -> Hunt:
        settings = EngineSettings(budget=self.budget)
        deadline = Deadline(self.clock, self.clock(), self.budget.seconds)
        return Hunt(settings, self.start, self.finish, deadline, self.events.append)

    def run(self) -> Hunt:
        hunt = self.hunt()
        hunt.run()
        assert all(engine.stopped for engine in self.engines)
        return hunt


def found(name: str, level: int, evaluations: int = 10) -> Found:
    return Found({"name": name}, level, 1, 0.0, evaluations, 1.0)


def finished(reason: str, evaluations: int = 100, hints: tuple[str, ...] = ()) -> Finished:
    return Finished(EndReason(reason), evaluations, 1.0, hints)


def interrupt() -> None:
    raise KeyboardInterrupt


def quiet() -> None:
    """Nothing is said."""


READY = Ready("3.11.7", 0.2, "shop.reserve")


def test_last_test_that_reaches_the_crash_is_judged_first() -> None:
    world = World([[READY, found("low", 2), found("raw", 4), found("small", 4), finished("reproduced")]])
    hunt = world.run()
    assert world.order == ["small"]
    assert hunt.reproduced
    assert hunt.evaluations == 100


@pytest.mark.parametrize(("level", "left"), [(4, 1.75), (3, 1.0)])
def test_with_the_crash_in_hand_the_last_seconds_are_left_to_the_fresh_runs(level: int, left: float) -> None:
    world = World([[READY, found("raw", level), *[Progress(1.0, 5, 1, 2, 0.5, "shop.py:3")] * 1000]], budget=Budget(5.0))
    judged = world.finish
    times: list[float] = []

    def finish(one: Found, seconds: Callable[[], float]) -> FinishedTest:
        times.append(seconds())
        return judged(one, seconds)

    world.finish = finish  # type: ignore[method-assign]
    world.run()
    assert times == pytest.approx([left], abs=0.3)


def test_a_test_that_no_fresh_run_judged_is_told_as_that() -> None:
    world = World([[READY, found("raw", 4), finished("reproduced")]], budget=Budget(None, 100))
    unjudged = Verification((), Agreement(0, 0, 1), "pytest", cut_off=True)
    world.finish = lambda one, _: FinishedTest("raw", "test_raw.py", unjudged, Legality(), 1, one)  # type: ignore[method-assign]
    hunt = world.run()
    assert not hunt.reproduced
    assert hunt.rejected == ["no fresh run finished in the time left"]


def test_a_test_that_the_clock_cut_off_is_judged_again_while_there_is_time() -> None:
    world = World([[READY, found("raw", 4), finished("reproduced")]], budget=Budget(None, 100))
    judged = world.finish
    cut_off = FinishedTest("raw", "test_raw.py", Verification((), Agreement(0, 0, 1), "pytest", cut_off=True), Legality(), 1, None)  # type: ignore[arg-type]
    answers: list[bool] = []

    def finish(one: Found, seconds: Callable[[], float]) -> FinishedTest:
        answers.append(True)
        return replace(cut_off, found=one) if len(answers) == 1 else judged(one, seconds)

    world.finish = finish  # type: ignore[method-assign]
    assert world.run().reproduced
    assert len(answers) == 2


def test_refused_tests_give_way_to_others_and_then_to_another_seed() -> None:
    first: list[Message | Callable[[], None]] = [READY, found("raw", 4), found("small", 4), finished("reproduced")]
    world = World([first, [READY, found("other", 4), finished("reproduced")]], judged={"raw": 0, "small": 1})
    hunt = world.run()
    assert world.order == ["small", "raw", "other"]
    assert hunt.reproduced
    assert hunt.evaluations == 200
    assert [settings.search.seed for settings in world.settings] == [1, 1001]
    assert len([event for event in world.events if isinstance(event, CandidateRejected)]) == 2


def test_a_test_that_turns_green_with_the_fix_is_looked_for_and_preferred() -> None:
    world = World(
        [[READY, found("accident", 4), finished("reproduced")], [READY, found("cause", 4), finished("reproduced")]],
        fixed={"accident": FixOutcome.SAME, "cause": FixOutcome.PASSES},
    )
    hunt = world.run()
    assert (world.order, hunt.best.text) == (["accident", "cause"], "cause")
    assert hunt.is_settled


def test_where_no_test_turns_green_the_search_ends_and_keeps_the_better_one() -> None:
    names = ("same", "error", "again")
    world = World(
        [[READY, found(name, 4), finished("reproduced")] for name in names],
        fixed={"same": FixOutcome.SAME, "error": FixOutcome.OTHER, "again": FixOutcome.SAME},
    )
    hunt = world.run()
    assert (world.order, hunt.best.text, hunt.reproduced) == ([*names], "error", True)


def test_search_keeps_time_for_the_judge() -> None:
    world = World([[READY, finished("budget")]])
    world.run()
    seconds = world.settings[0].budget.seconds
    assert seconds is not None
    assert 57 <= seconds <= 58.5, "for one run, should the crash be found at the end"


def test_engine_that_overruns_is_stopped() -> None:
    progress = Progress(1.0, 5, 1, 2, 0.5, "shop.py:3")
    world = World([[READY, *[progress] * 1000]])
    world.run()
    assert world.clock.now < 60


def test_crash_that_is_never_made_smaller_is_judged_after_a_while() -> None:
    progress = Progress(1.0, 5, 1, 2, 0.5, "shop.py:3")
    world = World([[READY, found("raw", 4), *[progress] * 1000]])
    hunt = world.run()
    assert hunt.reproduced
    assert world.clock.now < 10


def test_near_miss_waits_for_a_better_test_and_is_judged_after_it() -> None:
    progress = Progress(1.0, 5, 1, 2, 0.004, "shop.py:3")
    near = replace(found("near", 4), distance=0.004, settled=False)
    world = World(
        [[READY, near, *[progress] * 100, found("same value", 4), replace(near, test={"name": "late"}), finished("reproduced")]]
    )
    hunt = world.run()
    assert world.order == ["same value"]
    assert hunt.reproduced
    assert world.clock.now > 10


def test_near_miss_is_kept_where_nothing_better_comes() -> None:
    near = replace(found("near", 4), distance=0.004, settled=False)
    world = World([[READY, near, replace(near, test={"name": "small"}, settled=True), finished("reproduced")]])
    assert world.run().reproduced
    assert world.order == ["small"]


def test_best_partial_test_and_the_hints_are_kept() -> None:
    world = World([[READY, found("a", 1), found("b", 2), finished("budget", hints=("never true",))]])
    hunt = world.run()
    assert hunt.best is not None
    assert (hunt.best.text, hunt.best.level) == ("b", 2)
    assert hunt.hints == ("never true",)
    assert not hunt.reproduced


def test_tests_that_reach_nothing_are_not_judged() -> None:
    world = World([[READY, found("a", 0), finished("exhausted")]])
    assert world.run().best is None
    assert world.order == []


def test_interrupt_leaves_what_was_found() -> None:
    world = World([[READY, found("a", 4), interrupt, finished("reproduced")]])
    hunt = world.hunt()
    with pytest.raises(KeyboardInterrupt):
        hunt.run()
    assert world.engines[0].stopped
    hunt.judge_best()
    assert hunt.reproduced


def test_evaluations_are_shared_by_all_engines() -> None:
    scripts: list[list[Message | Callable[[], None]]] = [
        [READY, found("a", 4), finished("reproduced", 70)],
        [READY, finished("budget", 30)],
    ]
    world = World(scripts, judged={"a": 0}, budget=Budget(None, 100))
    hunt = world.run()
    assert [settings.budget for settings in world.settings] == [Budget(None, 100), Budget(None, 30)]
    assert hunt.evaluations == 100


def test_survivors_are_kept_with_the_evaluations_of_all_engines_and_of_a_killed_run() -> None:
    scripts: list[list[Message | Callable[[], None]]] = [
        [READY, found("a", 4), finished("reproduced", 70)],
        [READY, BestTests(5, 1.0, ({"name": "s"},)), finished("budget", 20)],
    ]
    world = World(scripts, judged={"a": 0}, budget=Budget(None, 100))
    hunt = world.hunt()
    kept: list[BestTests] = []
    hunt.keep, hunt.evaluations_before = kept.append, 10
    hunt.run()
    assert [settings.budget for settings in world.settings] == [Budget(None, 90), Budget(None, 20)]
    assert kept == [BestTests(85, 1.0, ({"name": "s"},))]
    assert hunt.evaluations == 100


def test_what_an_engine_had_not_told_is_taken_when_it_is_stopped() -> None:
    world = World([[READY, interrupt]], untold=(found("late", 4),))
    hunt = world.hunt()
    with pytest.raises(KeyboardInterrupt):
        hunt.run()
    hunt.judge_best()
    assert world.order == ["late"]
    assert hunt.reproduced


def test_failure_before_anything_was_found_is_an_error_and_later_a_note() -> None:
    with pytest.raises(EnvironmentProblem, match="no module"):
        World([[Failed(FailureKind.IMPORT, "no module x")]]).run()
    with pytest.raises(EngineFailure):
        World([[READY, Failed(FailureKind.INTERNAL, "oops")]]).run()
    hunt = World(
        [[READY, Incident(IncidentKind.KILLED, "a test was killed"), found("a", 4), Failed(FailureKind.INTERNAL, "oops")]]
    ).run()
    assert hunt.reproduced
    assert hunt.incidents == ["a test was killed", "the engine stopped early: oops"]


def test_slow_import_is_told_as_progress_and_goes_on() -> None:
    world = World([[*[quiet] * 65, READY, found("a", 4), finished("reproduced")]])
    hunt = world.run()
    told = [event.seconds for event in world.events if isinstance(event, Preparing)]
    assert [round(seconds) for seconds in told] == [1, 2, 3, 4, 5, 6]
    assert hunt.reproduced


def test_what_an_engine_does_before_it_has_a_best_test_is_told_from_the_first_second_on() -> None:
    world = World([[READY, *[quiet] * 35, found("a", 4), *[quiet] * 35, finished("reproduced")]])
    world.run()
    told = [(round(event.seconds), event.runs) for event in world.events if isinstance(event, Preparing)]
    assert told == [(1, True), (2, True), (3, True)]
    assert status(Preparing(2.0, runs=True)) == "warming up and running the first tests: 2 s"


def test_import_that_computes_may_take_the_whole_budget_and_one_that_waits_may_not() -> None:
    world = World([[READY]], budget=Budget(60.0))
    world.run()
    limits = world.settings[0].limits
    assert limits.import_seconds == 20.0
    assert 50.0 < limits.longest_import < 60.0
    kinds = (FailureKind.SLOW_IMPORT, "Give it more time"), (FailureKind.WAITING_IMPORT, "Find out what it waits for")
    for kind, advice in kinds:
        late = Failed(kind, "it did not finish")
        with pytest.raises(EnvironmentProblem) as raised:
            World([[late]], budget=Budget(60.0)).run()
        assert raised.value.advice.startswith(advice)


def test_a_budget_that_is_used_up_before_a_search_can_begin_is_no_search() -> None:
    world = World([])
    hunt = world.hunt()
    world.clock.now = 61.0
    with pytest.raises(NoTime, match=r"ended before the first test: .* took 61\.0 s") as caught:
        hunt.run()
    assert caught.value.advice == "Give it more time: --budget 300."
    assert caught.value.exit_code is ExitCode.NOT_FOUND


def test_an_import_that_leaves_no_time_for_a_test_is_no_search() -> None:
    world = World([[*[quiet] * 400, replace(READY, import_seconds=39.0), *[quiet] * 1000]])
    with pytest.raises(NoTime, match=r"ended before the first test: the import alone took 39\.0 s"):
        world.run()


def test_time_kept_for_searches_from_other_frames_goes_to_one_that_has_run_no_test() -> None:
    late = [*[quiet] * 350, Progress(36.0, 40, 1, 1, 0.0, ""), finished("budget", 90)]
    world = World([[READY, *late]])
    hunt = world.hunt()
    hunt.rest = 0.5
    hunt.run()
    assert hunt.evaluations == 90
    early = World([[READY, Progress(1.0, 1, 1, 1, 0.5, ""), *late]])
    hunt = early.hunt()
    hunt.rest = 0.5
    hunt.run()
    assert early.engines[0].asked


def ended_at(world: World) -> float:
    """Seconds after the begin at which the engine was stopped."""
    began = world.clock.now
    ends: list[float] = []

    def watched(settings: EngineSettings, start: Callable[[EngineSettings], ReplayedEngine] = world.start) -> ReplayedEngine:
        engine = start(settings)
        stop = engine.stop
        engine.stop = lambda: (ends.append(world.clock.now - began), stop())[1]  # type: ignore[method-assign]
        return engine

    world.start = watched  # type: ignore[method-assign]
    world.hunt().run()
    return ends[0]


def test_the_time_kept_for_judging_goes_to_the_search_as_long_as_there_is_nothing_to_judge() -> None:
    silent = [Progress(1.0, 5, 1, 2, 0.5, "shop.py:3")] * 2000
    assert ended_at(World([[READY, *silent]], budget=Budget(100.0))) > 98.0
    assert ended_at(World([[READY, found("some", 2), *silent]], budget=Budget(100.0))) == pytest.approx(96.0, abs=0.6)


def test_a_crash_seen_late_leaves_time_to_judge_it_at_least_once() -> None:
    silent: list[Message | Callable[[], None]] = [Progress(1.0, 5, 1, 2, 0.5, "shop.py:3")] * 960
    world = World([[READY, *silent, found("late", 4), *silent]], budget=Budget(100.0))
    assert 96.0 < ended_at(world) < 99.0
    assert world.order == ["late"]


def test_what_falls_far_short_is_judged_after_the_frames_further_in_had_their_turn() -> None:
    world = World([[READY, found("far", 1), finished("budget")]])
    hunt = world.hunt()
    hunt.rest = 0.3
    hunt.run()
    assert world.order == []
    hunt.leave_nothing()
    hunt.judge_best()
    assert world.order == ["far"]


def test_an_engine_that_others_will_need_is_asked_to_come_to_its_end() -> None:
    silent = [Progress(1.0, 5, 1, 2, 0.5, "shop.py:3")] * 2000
    for rest in (0.0, 0.3):
        world = World([[READY, *silent]])
        hunt = world.hunt()
        hunt.rest = rest
        hunt.run()
        assert world.engines[0].asked == bool(rest)
