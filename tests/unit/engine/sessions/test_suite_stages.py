"""When the stages of a search for a suite begin."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from crashwright.core.messages import StartSuite
from crashwright.core.settings import EngineSettings, SearchSettings, SuiteSettings
from crashwright.core.suite import ModuleTarget
from crashwright.engine.sessions import suite_stages
from crashwright.engine.sessions.suite_stages import PRIVATE_AFTER, PRIVATE_OPEN_AFTER, Stages


class Told:
    """Stands in for flag goals and private functions: remembers when it was asked."""

    def __init__(self) -> None:
        self.share = 0.0
        self.asked: list[tuple[str, float]] = []

    def wanted(self, _goals: int) -> int:
        self.asked.append(("flags", self.share))
        return 0

    def __iter__(self):
        self.asked.append(("private", self.share))
        return iter(())


def stages(told: Told, monkeypatch: pytest.MonkeyPatch, after: float | None) -> Stages:
    suite = SuiteSettings() if after is None else SuiteSettings(flags_after=after)
    start = StartSuite(EngineSettings(SearchSettings(suite=suite)), ModuleTarget("m"))
    nothing = SimpleNamespace(want=lambda _wanted: None)
    recorder = SimpleNamespace(infections=nothing, note_wanted=lambda _noting: None)
    parts = SimpleNamespace(start=start, sources=None, recorder=recorder, api=None)
    monkeypatch.setattr(suite_stages, "FlagGoals", lambda *_: told)
    monkeypatch.setattr(suite_stages, "FlagAnalysis", lambda *_: None)
    catalogue = SimpleNamespace(of=lambda _criterion: 0, goals=[], known=0, given_up=0)
    meter = SimpleNamespace(share=lambda: told.share, evaluations=50)
    found = Stages(parts, None, catalogue, meter, lambda: 0, lambda: 0, lambda: None)
    found.plan(told, None, None)
    return found


@pytest.mark.parametrize(
    ("after", "order"),
    [
        (None, [("private", PRIVATE_AFTER), ("private", PRIVATE_OPEN_AFTER), ("flags", SuiteSettings().flags_after)]),
        (0.0, [("flags", 0.0), ("private", PRIVATE_AFTER), ("private", PRIVATE_OPEN_AFTER)]),
    ],
)
def test_flags_begin_when_they_are_asked_for(monkeypatch: pytest.MonkeyPatch, after: float | None, order: list[object]) -> None:
    told = Told()
    found = stages(told, monkeypatch, after)
    for told.share in (0.0, 0.1, PRIVATE_AFTER, PRIVATE_OPEN_AFTER, SuiteSettings().flags_after, 0.9):
        found.advance()
    assert told.asked == order
