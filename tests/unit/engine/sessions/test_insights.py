"""Preconditions that runs have refuted are done without."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import cast

from shelf_crash import FUNCTIONS, TARGET

from crashwright.core.messages import Incident, Insight, Message, StandsStill, Start
from crashwright.core.portions import STILL_EVALUATIONS, STILL_PART
from crashwright.core.precondition import WrittenPreconditions
from crashwright.core.settings import Budget, EngineSettings
from crashwright.engine.sessions.insights import LONGEST_WAIT, REFUTED, Insights
from crashwright.engine.sessions.search_run import Setup
from crashwright.engine.sources.crash_subject import CrashSubject

BUDGET = 10 * STILL_EVALUATIONS


def test_lines_that_are_reached_without_what_is_said_to_lead_there_refute_it() -> None:
    sent: list[Message] = []
    parts = SimpleNamespace(start=Start(EngineSettings(), TARGET), recorder=SimpleNamespace(functions=FUNCTIONS))
    setup = SimpleNamespace(bench=SimpleNamespace(channel=SimpleNamespace(send=sent.append)))
    insights = Insights(cast(CrashSubject, parts), cast(Setup, setup))
    led = Counter({(1, False): REFUTED - 1, (2, False): REFUTED, (2, True): 1})
    assert not insights.is_refuted(led)
    led[1, False] += 1
    assert insights.is_refuted(led)
    [incident] = sent
    assert isinstance(incident, Incident)
    assert FUNCTIONS[1].key.qualname in incident.text
    assert not insights.is_refuted(led)


class Host:
    """Says what it has ``found`` at the third time that it is asked."""

    def __init__(self, found: bool) -> None:
        self.found, self.asked, self.time = found, 0, 0.0
        self.waits: list[bool] = []
        self.noted: list[Message] = []
        self.sent: list[Message] = []
        self.meter = SimpleNamespace(evaluations=0, check=lambda: False, share=lambda: self.meter.evaluations / BUDGET)
        start = Start(EngineSettings(budget=Budget(None, BUDGET)), TARGET, insights=True)
        parts = SimpleNamespace(start=start, recorder=SimpleNamespace(functions=FUNCTIONS))
        bench = SimpleNamespace(channel=self, clocks=SimpleNamespace(wall=lambda: self.time), waiting=self.waits.append)
        safe = SimpleNamespace(note=self.noted.append, keep=lambda _tests: None)
        setup = SimpleNamespace(bench=bench, safe=safe, meter=self.meter)
        self.insights = Insights(cast(CrashSubject, parts), cast(Setup, setup))

    def send(self, message: Message) -> None:
        self.sent.append(message)

    def receive(self, _kind: type[Insight], seconds: float = 0.0) -> list[Insight]:
        self.asked += 1
        self.time += seconds
        return [Insight(WrittenPreconditions(), ({"a": 1},))] if self.found and self.asked > 2 else []

    def take(self, evaluations: int, best: float) -> None:
        self.meter.evaluations = evaluations
        assert not self.insights.take(best)


def test_a_search_is_alone_as_long_as_it_gets_better() -> None:
    host = Host(found=True)
    for evaluations in range(0, 10 * STILL_EVALUATIONS, STILL_EVALUATIONS // 2):
        host.take(evaluations, 1.0 - evaluations / BUDGET)
    assert (host.sent, host.asked, host.waits) == ([], 0, [])


def test_a_run_that_is_to_repeat_asks_when_it_stands_still_and_waits_for_all() -> None:
    host = Host(found=True)
    host.take(100, 0.5)
    host.take(99 + STILL_EVALUATIONS, 0.5)
    assert host.sent == []
    host.take(100 + STILL_EVALUATIONS, 0.5)
    assert host.sent == [StandsStill(100 + STILL_EVALUATIONS)]
    assert (host.asked, host.waits, len(host.noted)) == (3, [True, False], 1)
    host.take(9000, 0.5)
    assert (len(host.sent), host.asked) == (1, 3)


def test_of_a_large_budget_a_part_has_to_pass_too() -> None:
    host = Host(found=True)
    host.take(0, 0.5)
    host.meter.share = lambda: STILL_PART / 2
    host.take(2 * STILL_EVALUATIONS, 0.5)
    assert host.sent == []
    host.meter.share = lambda: STILL_PART
    host.take(2 * STILL_EVALUATIONS, 0.5)
    assert len(host.sent) == 1


def test_what_never_comes_is_not_waited_for_any_longer() -> None:
    host = Host(found=False)
    host.take(0, 0.5)
    host.take(STILL_EVALUATIONS, 0.5)
    assert LONGEST_WAIT <= host.time < LONGEST_WAIT + 1
    assert (host.waits, host.noted) == ([True, False], [])
