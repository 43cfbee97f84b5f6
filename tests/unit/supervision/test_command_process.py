"""A command of ours in a process of its own: its document, its progress, and how it ends where nobody waits any more."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from crashwright.supervision.command_process import run_command
from crashwright.supervision.watchdog import Watchdog

COMMAND = """
import json, signal, sys, time
def leave(*_):
    print(json.dumps({"verdict": "interrupted", "exit_code": 130}))
    sys.exit(130)
signal.signal(signal.SIGINT, leave)
print(json.dumps({"text": "begun"}), file=sys.stderr, flush=True)
time.sleep(30)
"""


@pytest.fixture
def _commands_are_scripts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """``crashwright WORDS`` is a script that waits for its end."""
    (tmp_path / "crashwright.py").write_text(COMMAND)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("_commands_are_scripts")
@pytest.mark.parametrize("farewell", [0.0, 10.0])
def test_a_command_that_is_cancelled_tells_what_it_has_where_it_may(farewell: float) -> None:
    async def cancelled() -> dict[str, object] | None:
        begun = asyncio.Event()

        async def told(_text: str) -> None:
            begun.set()

        task = asyncio.create_task(run_command(["task"], "", told, Watchdog(), farewell))
        await begun.wait()
        task.cancel()
        try:
            return await task
        except asyncio.CancelledError:
            return None

    assert asyncio.run(cancelled()) == ({"verdict": "interrupted", "exit_code": 130} if farewell else None)
