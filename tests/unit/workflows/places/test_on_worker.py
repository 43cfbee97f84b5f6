"""What a worker does while, and as long as, somebody waits for it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("distributed")

from crashwright.workflows.places.on_worker import while_wanted


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crashwright.workflows.places.on_worker.LOOK_SECONDS", 0.01)


async def work(seconds: float, ended: list[str]) -> dict[str, Any]:
    try:
        await asyncio.sleep(seconds)
    finally:
        ended.append("ended")
    return {"verdict": "reproduced"}


def test_what_is_wanted_comes_to_its_end() -> None:
    assert asyncio.run(while_wanted(work(0.05, []), lambda: True)) == {"verdict": "reproduced"}


def test_what_nobody_waits_for_is_ended() -> None:
    ended: list[str] = []
    assert asyncio.run(while_wanted(work(60.0, ended), lambda: False)) == {}
    assert ended == ["ended"]
