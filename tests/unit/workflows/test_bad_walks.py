"""A child of the symbolic engine that dies, hangs or eats memory costs its limit at most, and one line; nothing of it is left."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest
from patience import HANG
from shelf_crash import TARGET

from crashwright.core.messages import Insight
from crashwright.core.precondition import WrittenPreconditions
from crashwright.core.settings import Budget
from crashwright.symbolic.composition import composition_job
from crashwright.symbolic.composition.composition_job import Composition
from crashwright.symbolic.execution import search_job
from crashwright.workflows.hunting.foresight import NOTHING, foresight_of
from crashwright.workflows.inquiries.conditions import conditions_of

KINDS = {
    "dies": "its process died: SIGKILL",
    "eats": "out of memory",
    "has_no_solver": "ModuleNotFoundError: No module named 'z3'",
}


@pytest.fixture(autouse=True)
def sources(monkeypatch: pytest.MonkeyPatch) -> None:
    """The crash's file is nowhere."""
    monkeypatch.setattr("crashwright.workflows.hunting.foresight.with_imported", lambda paths: dict.fromkeys(paths, ""))
    monkeypatch.setattr("crashwright.workflows.inquiries.conditions.sources_of", lambda target: {"shelf": ""})


@pytest.mark.parametrize("kind", KINDS)
def test_the_search_goes_on_and_the_reason_is_a_line(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(composition_job, "ENTRY", f"bad_walks:{kind}")
    with foresight_of(TARGET, (3, 11), Budget(20.0, 100), Composition, time.monotonic) as foresight:
        assert foresight.at_start().more
        foresight.ask()
        end = time.monotonic() + HANG
        while (news := foresight.news()) is None and time.monotonic() < end:
            time.sleep(0.02)
        assert news == Insight(WrittenPreconditions())
        assert foresight.problem == KINDS[kind]
        assert foresight.at_start() == NOTHING


def test_what_hangs_costs_its_limit_and_100_ms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(composition_job, "ENTRY", "bad_walks:hangs")
    began = time.monotonic()
    with foresight_of(TARGET, (3, 11), Budget(12.0), Composition, time.monotonic) as foresight:
        foresight.ask()
        assert foresight.news() is None  # it is not waited for
        assert time.monotonic() - began < 3.0  # its limit
        foresight.waits = True
        foresight.at_start()
    assert 3.0 < time.monotonic() - began < HANG


@pytest.mark.parametrize(
    ("entry", "seconds", "reason"),
    [
        ("bad_walks:dies", 20.0, "its process died: SIGKILL"),
        ("bad_walks:hangs", 0.3, "it was killed at its limit"),
        (search_job.ENTRY, 20.0, "LookupError: shelf:check is not in the source that is installed: another one crashed"),
    ],
)
def test_conditions_that_cannot_be_looked_for_have_a_reason(
    entry: str, seconds: float, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_job, "ENTRY", entry)
    found = conditions_of(TARGET, (3, 11), seconds)
    assert found.frames == ()
    assert found.reason == reason


def test_an_interrupt_leaves_no_walk_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(composition_job, "ENTRY", "bad_walks:hangs")
    children = Path(f"/proc/self/task/{threading.get_native_id()}/children")
    before = children.read_text()
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)  # where the tests run in the background, it is ignored
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        with (
            pytest.raises(KeyboardInterrupt),
            foresight_of(TARGET, (3, 11), Budget(None, 100), Composition, time.monotonic, alone=True) as foresight,
        ):
            foresight.at_start()
    finally:
        signal.signal(signal.SIGINT, usual)
    assert children.read_text() == before
