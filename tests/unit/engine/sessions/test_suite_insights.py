"""When a search for a suite asks for a way to branches, for which, and when it takes the answer in."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from crashwright.core.location import CodeKey, Position
from crashwright.core.mechanisms import Mechanism
from crashwright.core.messages import Insight, Message, Stalled, StartSuite
from crashwright.core.portions import ASKED_FROM_PART, ASKED_STALLED_PART, TAKEN_AFTER
from crashwright.core.precondition import WrittenPreconditions
from crashwright.core.settings import Budget, EngineSettings, SearchSettings
from crashwright.core.suite import ModuleTarget
from crashwright.engine.goals.coverage.approach import FunctionFlow
from crashwright.engine.goals.coverage.catalogue import Catalogue
from crashwright.engine.goals.coverage.coverage import Nearness
from crashwright.engine.goals.coverage.measures import BranchDistance, EntryDistance
from crashwright.engine.instrument.trace import Predicate, ProbedFunction
from crashwright.engine.sessions.search_run import Setup
from crashwright.engine.sessions.suite_insights import SuiteInsights
from crashwright.engine.sources.suite_subject import SuiteSubject

KEY = CodeKey("shop", "price", 3)
PREDICATES = tuple([Predicate(Position(line, 7, line, 12), kind) for line, kind in ((4, "lt"), (6, "except"), (8, "eq"))])
FLOW = FunctionFlow(0, ProbedFunction(KEY, PREDICATES, (Position(4, 4, 9, 9),)), None)
MEASURES = [BranchDistance(FLOW, (0, True)), BranchDistance(FLOW, (1, True)), BranchDistance(FLOW, (2, False)), EntryDistance(0)]
ALL = 0b1111
EVALUATIONS = 1000


class Search:
    """Nothing is covered; goal 2 has come nearest, goal 0 was never come to."""

    def __init__(self, budget: Budget | None = None, without: tuple[Mechanism, ...] = ()) -> None:
        self.evaluations, self.covered, self.open = 0, 0, ALL
        self.sent: list[Message] = []
        self.answers: list[Insight] = []
        settings = EngineSettings(SearchSettings(without=without), budget or Budget(None, EVALUATIONS))
        start = StartSuite(settings, ModuleTarget("shop"), insights=True)
        channel = SimpleNamespace(send=self.sent.append, receive=self._receive)
        bench = SimpleNamespace(channel=channel, clocks=SimpleNamespace(wall=lambda: 0.0), waiting=lambda _waits: None)
        catalogue = SimpleNamespace(of=lambda _criterion: ALL, measure_of=MEASURES.__getitem__)
        self.insights = SuiteInsights(
            cast(SuiteSubject, SimpleNamespace(start=start, source=SimpleNamespace(path="shop.py"))),
            cast(Setup, SimpleNamespace(bench=bench, meter=self, foreign=list)),
            cast(Catalogue, catalogue),
            cast(Nearness, SimpleNamespace(distance=lambda goal: {2: 0.5}.get(goal))),
            lambda: self.open & ~self.covered,
            lambda: self.covered,
        )

    def share(self) -> float:
        return self.evaluations / EVALUATIONS

    def check(self) -> bool:
        return False

    def _receive(self, _kind: type[Insight], _seconds: float = 0.0) -> list[Insight]:
        answers, self.answers = self.answers, []
        return answers

    def at(self, share: float) -> list[object]:
        self.evaluations = round(share * EVALUATIONS)
        return list(self.insights.take())


def test_once_nothing_new_comes_it_asks_for_conditions_the_nearest_first() -> None:
    search = Search()
    search.at(ASKED_FROM_PART - 0.01)
    search.covered = 1
    search.at(ASKED_FROM_PART)
    search.at(ASKED_FROM_PART + ASKED_STALLED_PART / 2)
    assert search.sent == []
    search.covered = 0b1001
    search.at(ASKED_FROM_PART + 2 * ASKED_STALLED_PART)
    assert search.sent == [], "a branch has just been covered"
    search.at(ASKED_FROM_PART + 3.5 * ASKED_STALLED_PART)
    [question] = search.sent
    assert isinstance(question, Stalled)
    assert [(one.place.line, one.outcome) for one in question.branches] == [(8, False)]
    assert question.path == "shop.py"


def test_a_run_that_is_to_repeat_takes_the_answer_in_at_one_count() -> None:
    search = Search()
    search.at(ASKED_FROM_PART)
    [question] = search.sent
    assert isinstance(question, Stalled)
    assert [one.place.line for one in question.branches] == [8, 4]
    search.answers = [Insight(WrittenPreconditions(), ({"a": 1},), 200)]
    assert search.at(ASKED_FROM_PART + (TAKEN_AFTER - 1) / EVALUATIONS) == []
    assert search.at(ASKED_FROM_PART + TAKEN_AFTER / EVALUATIONS) == [{"a": 1}]
    assert search.at(0.8) == []
    assert len(search.sent) == 1, "the same goals are not asked for again"


def test_it_asks_again_only_where_the_last_answer_has_helped() -> None:
    for covered, questions in ((0, 1), (0b0100, 2)):
        search = Search()
        search.open = 0b0100
        search.at(ASKED_FROM_PART)
        search.answers = [Insight(WrittenPreconditions(), ({"a": 1},), 200)]
        search.at(0.5)
        search.covered, search.open = covered, 0b0001
        search.at(0.51)
        search.at(0.6)
        assert len(search.sent) == questions


def test_with_seconds_it_is_taken_in_as_it_comes() -> None:
    search = Search(Budget(10.0))
    search.at(ASKED_FROM_PART)
    search.answers = [Insight(WrittenPreconditions(), ({"b": 1},), 150)]
    assert search.at(0.6) == [], "a fork that is gone has asked for that"
    search.answers = [Insight(WrittenPreconditions(), ({"a": 1},), 200)]
    assert search.at(0.61) == [{"a": 1}]


def test_it_can_be_switched_off() -> None:
    search = Search(without=(Mechanism.COMPOSITION,))
    search.at(0.5)
    assert search.sent == []
