"""Running a plan of calls in a real engine process."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import pytest
from engine_story import SESSION, Story, make_start
from patience import HANG

from crashwright.supervision.engine_process import EngineProcess


@pytest.fixture
def engine() -> Callable[..., Story]:
    def run(module: str, plan: list[Any], python: str = sys.executable, session: str = SESSION, **options: Any) -> Story:
        story = Story()
        begin = time.monotonic()
        with EngineProcess(python, make_start(module, plan, **options), session) as process:
            # Nothing is measured by it: it ends what hangs, on a busy machine too.
            story.messages.extend(process.messages(time.monotonic() + 2 * HANG))
        story.seconds = time.monotonic() - begin
        return story

    return run
