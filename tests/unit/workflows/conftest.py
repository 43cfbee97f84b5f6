"""Stories that are not about their fresh runs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crashwright.environment.interpreter import Interpreter, inspect_interpreter
from crashwright.workflows.generate import story as story_of_generate
from crashwright.workflows.reproduce import story as story_of_reproduce


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fresh runs are those of an environment without pytest: real ones all the same, which take a third of the time."""

    def without_pytest(python: str, path: tuple[str, ...]) -> Interpreter:
        return replace(inspect_interpreter(python, path), has_pytest=False)

    for story in (story_of_generate, story_of_reproduce):
        monkeypatch.setattr(story, "inspect_interpreter", without_pytest)
