"""A search for a suite that has come no further is answered, and nothing is left of what looked for the answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hand_clock import Clock
from replayed_suites import READY, Launches, call, finished, suite

from crashwright.core.location import CodeKey, Position
from crashwright.core.messages import Insight, Stalled
from crashwright.core.precondition import Precondition, WrittenPreconditions
from crashwright.core.settings import Budget, EngineSettings
from crashwright.core.suite import WantedBranch
from crashwright.symbolic.composition.branch_job import BranchOrder
from crashwright.symbolic.composition.composition_job import ComposedTest
from crashwright.workflows.generate.advice import Advice, advice_of
from crashwright.workflows.generate.hunt import SuiteHunt
from crashwright.workflows.generate.time import SuiteTime

BRANCH = WantedBranch(CodeKey("tiny_shop", "halve", 1), Position(2, 7, 2, 12), True)


class Work:
    """Gives one test at the second time that it is asked."""

    def __init__(self, order: BranchOrder) -> None:
        self.order = order
        self.polled = 0
        self.stopped = False
        self.problem = ""

    def poll(self) -> Iterator[Precondition | ComposedTest]:
        self.polled += 1
        if self.polled == 2:
            yield ComposedTest(call("halve", 7), 1, False)

    def found(self) -> Iterator[Precondition | ComposedTest]:
        return iter(())

    def stop(self) -> None:
        self.stopped = True

    @property
    def is_over(self) -> bool:
        return self.polled > 2


def _asked(tmp_path: Path) -> Stalled:
    (tmp_path / "tiny_shop.py").write_text("def halve(number):\n    return number / 2\n")
    return Stalled(str(tmp_path / "tiny_shop.py"), (BRANCH,), 200)


def test_the_engine_that_asked_is_told_what_was_composed(tmp_path: Path) -> None:
    works: list[Work] = []

    def begin(order: BranchOrder) -> Work:
        works.append(Work(order))
        return works[-1]

    clock, budget = Clock(), Budget(None, 1000)
    launches = Launches([[READY, _asked(tmp_path), *[lambda: None] * 4, suite(call("halve", 1)), finished()]], clock)
    with advice_of("tiny_shop", budget, begin, clock) as advice:
        time = SuiteTime(clock, 0.0, None)
        SuiteHunt("tiny_shop", EngineSettings(budget=budget), launches.start, time, lambda _event: None, bool, advice=advice).run()
    [work] = works
    assert work.stopped
    assert (work.order.branches, work.order.exact, list(work.order.sources)) == ((BRANCH,), True, ["tiny_shop"])
    assert [(one.composed, one.asked_at) for one in launches.engines[0].told if isinstance(one, Insight)] == [
        ((call("halve", 7),), 200)
    ]


def test_who_asks_waits_for_no_answer_that_cannot_come(tmp_path: Path) -> None:
    def begin(_order: BranchOrder) -> Work:
        raise OSError("no more processes")

    advice = Advice("tiny_shop", Budget(None, 1000), begin, Clock())
    advice.ask(_asked(tmp_path))
    assert advice.news() == Insight(WrittenPreconditions(), asked_at=200)
    assert advice.news() is None
    assert advice.problem == "no more processes"


def test_a_question_that_is_asked_again_gives_up_the_first(tmp_path: Path) -> None:
    works: list[Work] = []

    def begin(order: BranchOrder) -> Work:
        works.append(Work(order))
        return works[-1]

    advice = Advice("tiny_shop", Budget(20.0), begin, Clock())
    advice.ask(_asked(tmp_path))
    advice.ask(_asked(tmp_path))
    assert [work.stopped for work in works] == [True, False]
    assert works[1].order.seconds < 20.0
    advice.stop()
    assert works[1].stopped
