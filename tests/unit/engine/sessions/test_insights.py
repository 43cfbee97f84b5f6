"""Preconditions that runs have refuted are done without."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import cast

from shelf_crash import FUNCTIONS, TARGET

from crashwright.core.messages import Incident, Message, Start
from crashwright.core.settings import EngineSettings
from crashwright.engine.sessions.crash_parts import Parts
from crashwright.engine.sessions.insights import REFUTED, Insights
from crashwright.engine.sessions.search_run import Setup


def test_lines_that_are_reached_without_what_is_said_to_lead_there_refute_it() -> None:
    sent: list[Message] = []
    parts = SimpleNamespace(start=Start(EngineSettings(), TARGET), recorder=SimpleNamespace(functions=FUNCTIONS))
    setup = SimpleNamespace(bench=SimpleNamespace(channel=SimpleNamespace(send=sent.append)))
    insights = Insights(cast(Parts, parts), cast(Setup, setup))
    led = Counter({(1, False): REFUTED - 1, (2, False): REFUTED, (2, True): 1})
    assert not insights.is_refuted(led)
    led[1, False] += 1
    assert insights.is_refuted(led)
    [incident] = sent
    assert isinstance(incident, Incident)
    assert FUNCTIONS[1].key.qualname in incident.text
    assert not insights.is_refuted(led)
