"""Who has a turn, how long, and where what is found goes: with searches that only count."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from crashwright.core.mechanisms import Mechanism
from crashwright.core.portions import INNER_AFTER
from crashwright.core.settings import Budget, SearchSettings
from crashwright.engine.search.budget import BudgetMeter, TurnMeter
from crashwright.engine.sessions import inner_turns
from crashwright.engine.sessions.inner_turns import InnerTurns
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.statements import Arguments, Call, Literal
from crashwright.engine.testcase.testcase import TestCase

TAKE = Callee("shop", "take", CalleeKind.FUNCTION)


def taking(value: int) -> TestCase:
    return TestCase((Literal(0, value), Call(1, TAKE, Arguments((0,)))))


class Counting:
    """A search that finds the crash after so many evaluations, or as soon as something that was found is carried into it."""

    def __init__(self, meter: BudgetMeter, finds_after: float, by_carrying: bool = False) -> None:
        self.meter, self.finds_after, self.by_carrying = meter, finds_after, by_carrying
        self.evaluations = 0
        self.carried: list[list[TestCase]] = []
        self.mentioned: list[TestCase] = []
        self.looked_around: list[TestCase] = []
        self.crashing = taking(5)
        self.nearest = 1.0
        self.factory = cast(Any, SimpleNamespace(new=itertools.count(50).__next__, observed={}, observe=print))
        self.factory.pool = SimpleNamespace(structured=True, add_dynamic=print)
        self.evaluator = cast(Any, SimpleNamespace(evaluate_all=self.run))

    def run(self, tests: Sequence[TestCase]) -> list[object]:
        for _ in tests:
            self.meter.spend()
            self.evaluations += 1
        return []

    def begin(self) -> list[TestCase]:
        return []

    def ask(self) -> list[TestCase]:
        return [taking(1)] * 10

    def tell(self, scores: Sequence[object], asked: bool) -> None:
        pass

    def advance(self) -> None:
        pass

    def is_over(self) -> bool:
        return self.found is not None

    def carry(self, tests: Sequence[TestCase]) -> None:
        self.carried.append(list(tests))

    def mention(self, test: TestCase) -> None:
        self.mentioned.append(test)

    def around(self, test: TestCase, most: int) -> None:
        assert most > 0
        self.looked_around.append(test)

    def handing(self, test: TestCase, frame: object) -> list[object]:
        return []

    def bases(self) -> list[TestCase]:
        return [taking(7)]

    @property
    def found(self) -> TestCase | None:
        here = self.evaluations >= self.finds_after or (self.by_carrying and bool(self.carried))
        return self.crashing if here else None


DEFAULT = SearchSettings()


class World:
    """Frames by number with what finds their crash; ``turns`` are the numbers of those that had one, in order."""

    def __init__(
        self, budget: int, monkeypatch: pytest.MonkeyPatch, settings: SearchSettings = DEFAULT, **searches: dict[str, Any]
    ) -> None:
        self.meter = BudgetMeter(Budget(None, budget), lambda: 0.0)
        self.turns: list[int] = []
        quiet = SimpleNamespace(note_wanted=print, note_answers=print, take_wanted=tuple, answers=tuple)
        executor = SimpleNamespace(observe=lambda _runs: None, observing=False, observed={})
        setup = SimpleNamespace(meter=self.meter, budget=Budget(None, budget), bench=SimpleNamespace(executor=executor), scratch="")
        silent = {"note_wanted": lambda _on: None, "note_answers": lambda _on: None}
        start = SimpleNamespace(
            settings=SimpleNamespace(search=settings), target=SimpleNamespace(package_frames=[None] * (len(searches) + 1))
        )
        parts = SimpleNamespace(start=start, recorder=SimpleNamespace(**{**vars(quiet), **silent}))

        def opened(_: InnerTurns) -> list[inner_turns._Inner]:
            found = []
            for name in searches:
                meter = TurnMeter(self.meter, lambda: 0.0)
                own = SimpleNamespace(**vars(parts), number=int(name[1:]))
                found.append(inner_turns._Inner(int(name[1:]), cast(Any, own), cast(Any, setup), meter))
            return found

        self.problems: dict[int, Counting] = {}

        def made(own: Any, _setup: Any) -> Counting:
            inner = next(one for one in self.inner._inner or () if one.number == own.number)
            self.problems[own.number] = Counting(inner.meter, **searches[f"f{own.number}"])
            return self.problems[own.number]

        monkeypatch.setattr(InnerTurns, "_open", opened)
        self.inner = InnerTurns(cast(Any, parts), cast(Any, setup), cast(Any, made))
        self.outer = Counting(self.meter, float("inf"))

    def advance(self) -> bool:
        before = {number: problem.evaluations for number, problem in self.problems.items()}
        had = self.inner.advance(cast(Any, self.outer))
        self.turns += [number for number, one in self.problems.items() if one.evaluations > before.get(number, 0)]
        return had


NEVER = {"finds_after": float("inf")}


def test_the_innermost_has_two_turns_before_the_next_one_out(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(40_000, monkeypatch, f3=NEVER, f2=NEVER, f1=NEVER)
    while world.advance():
        pass
    assert world.turns[:3] == [1, 1, 2]
    assert sum(one.evaluations for one in world.problems.values()) <= 0.12 * 40_000 + 2400, "the outer search keeps the most"


def test_what_is_found_goes_outwards_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(20_000, monkeypatch, f3=NEVER, f2={"finds_after": float("inf"), "by_carrying": True}, f1={"finds_after": 100})
    assert world.advance()
    assert len(world.inner.found) == 2
    assert [problem.found is not None for _, problem in sorted(world.problems.items())] == [True, True, False]
    carried = [test.statements[0][1] for test in world.problems[2].carried[0]]
    assert 5 in carried, "the value of the inner test is in one that starts further out"
    assert len(world.outer.carried) == 2, "and in the outer search, for each that was found"
    assert world.outer.mentioned == world.inner.found
    assert not any(one in world.outer.mentioned for tests in world.outer.carried for one in tests), "they start somewhere else"


def test_frames_have_short_turns_at_once_and_then_when_the_outer_search_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(20_000, monkeypatch, f1=NEVER)
    world.inner.go_on(cast(Any, world.outer))
    before = world.problems[1].evaluations
    assert 0 < before < 20_000 * 0.12 + 2400
    for _ in range(INNER_AFTER - 1):
        world.meter.spend()
    world.inner.go_on(cast(Any, world.outer))
    assert world.problems[1].evaluations == before
    for _ in range(20_000 // 2):
        world.meter.spend()
    world.inner.go_on(cast(Any, world.outer))
    assert world.problems[1].evaluations > before


def test_no_further_one_is_searched_from_once_the_outer_search_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(20_000, monkeypatch, f2=NEVER, f1={"finds_after": 50})
    world.outer.by_carrying = True
    assert world.advance()
    assert world.outer.found is not None
    assert set(world.problems) == {1}


@pytest.mark.parametrize(("without", "times"), [((), 1), ((Mechanism.AROUND,), 0)])
def test_what_is_around_the_best_test_is_tried_where_it_is_another(
    without: tuple[Mechanism, ...], times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(20_000, monkeypatch, SearchSettings(without=without), f1=NEVER)
    assert world.advance()
    assert len(world.problems[1].looked_around) == times, "it has come no nearer since"
    world.problems[1].nearest = 0.5
    world.advance()
    assert len(world.problems[1].looked_around) == 2 * times


def test_a_turn_goes_on_where_it_has_come_nearer(monkeypatch: pytest.MonkeyPatch) -> None:
    still = World(20_000, monkeypatch, f1=NEVER)
    still.advance()

    class Nearing(Counting):
        @property
        def nearest(self) -> float:  # type: ignore[override]
            return 1 / (1 + self.evaluations)

        @nearest.setter
        def nearest(self, _: float) -> None:
            pass

    monkeypatch.setattr("test_inner_turns.Counting", Nearing)
    nearing = World(20_000, monkeypatch, f1=NEVER)
    nearing.advance()
    assert nearing.problems[1].evaluations > 2 * still.problems[1].evaluations


def test_no_turn_without_evaluations_left(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(50, monkeypatch, f1=NEVER)
    for _ in range(50):
        world.meter.spend()
    assert not world.advance()
