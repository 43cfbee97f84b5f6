"""Preconditions that runs have refuted are done without."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import cast

from shelf_crash import FUNCTIONS, TARGET

from crashwright.core.messages import Incident, Insight, Message, Start
from crashwright.core.precondition import WrittenPreconditions
from crashwright.core.settings import Budget, EngineSettings
from crashwright.engine.sessions.insights import LONGEST_WAIT, REFUTED, TAKEN_AFTER, Insights
from crashwright.engine.sessions.search_run import Setup
from crashwright.engine.sources.crash_subject import CrashSubject


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

    def receive(self, _kind: type[Insight], seconds: float = 0.0) -> list[Insight]:
        self.asked += 1
        self.time += seconds
        return [Insight(WrittenPreconditions(), ({"a": 1},))] if self.found and self.asked > 2 else []

    def insights(self, evaluations: int) -> Insights:
        start = Start(EngineSettings(budget=Budget(None, 1000)), TARGET, insights=True)
        parts = SimpleNamespace(start=start, recorder=SimpleNamespace(functions=FUNCTIONS))
        bench = SimpleNamespace(channel=self, clocks=SimpleNamespace(wall=lambda: self.time), waiting=self.waits.append)
        safe = SimpleNamespace(note=self.noted.append, keep=lambda _tests: None)
        meter = SimpleNamespace(evaluations=evaluations, check=lambda: False)
        return Insights(cast(CrashSubject, parts), cast(Setup, SimpleNamespace(bench=bench, safe=safe, meter=meter)))


def test_a_run_that_is_to_repeat_takes_what_was_found_at_one_count_of_evaluations() -> None:
    host = Host(found=True)
    assert not host.insights(TAKEN_AFTER - 1).take()
    assert (host.asked, host.waits) == (0, [])
    insights = host.insights(TAKEN_AFTER)
    insights.take()
    assert (host.asked, host.waits, len(host.noted)) == (3, [True, False], 1)
    insights.take()
    assert host.asked == 3


def test_what_never_comes_is_not_waited_for_any_longer() -> None:
    host = Host(found=False)
    assert not host.insights(TAKEN_AFTER).take()
    assert LONGEST_WAIT <= host.time < LONGEST_WAIT + 1
    assert (host.waits, host.noted) == ([True, False], [])
