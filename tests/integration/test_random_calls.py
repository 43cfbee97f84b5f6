"""Random calls into os, shutil, pathlib, subprocess and socket: nothing outside the scratch folder changes.

More than 20,000 are made here, 10^5 by benchmarks/random_calls.py. Each layer is tried alone too: what it holds then, and that the
look at the bystanders notices what it does not hold.
"""

from __future__ import annotations

import json

import pytest
from bystanders import Bystanders, kernel_confines

from crashwright.core.messages import Found
from crashwright.core.settings import LimitSettings

pytestmark = pytest.mark.skipif(not kernel_confines(), reason="this system has no Landlock or no seccomp")


def test_engine_lets_nothing_out(engine, tmp_path, monkeypatch):
    batches, size = 300, 40
    with Bystanders(tmp_path) as bystanders:
        monkeypatch.setenv("WILD", bystanders.token)
        plan = [("calls", bystanders.spec(seed, size)) for seed in range(batches)]
        story = engine("wild", plan, limits=LimitSettings(test_seconds=0.3, memory_mib=512, import_seconds=15.0))
        assert story.finished
        counts = [json.loads(found.test["message"]) for found in story.of(Found) if found.test["error"] == "Made"]
        assert sum(sum(count.values()) for count in counts) > 0.9 * batches * size
        assert sum(count.get("refused", 0) for count in counts) > 300
        assert sum(count.get("done", 0) for count in counts) > 300
        assert bystanders.changes() == []


@pytest.mark.parametrize("layers", [("Landlock", "seccomp", "hook"), ("Landlock", "seccomp")])
def test_all_layers_let_nothing_out(tmp_path, layers):
    calls = 6000
    with Bystanders(tmp_path) as bystanders:
        told = bystanders.run(2, calls, layers)
        assert told["made"] == calls
        assert told["refused"] > 300
        assert bystanders.changes() == []


def until_seen(bystanders, layers, changes):
    """Make calls until the look at the bystanders sees the changes that ``layers`` do not keep off: it is not blind."""
    for seed in range(20):
        bystanders.run(seed, 400, layers)
        if changes():
            return
    pytest.fail("nothing was changed")


@pytest.mark.nightly
def test_landlock_alone_keeps_contents_and_processes(tmp_path):
    with Bystanders(tmp_path, contained=True) as bystanders:
        bystanders.run(3, 2000, ("Landlock",))
        until_seen(bystanders, ("Landlock",), bystanders.attributes_changed)
        assert bystanders.contents_changed() == []
        assert bystanders.strays() == []


@pytest.mark.nightly
def test_seccomp_alone_keeps_processes(tmp_path):
    with Bystanders(tmp_path, contained=True) as bystanders:
        until_seen(bystanders, ("seccomp",), bystanders.contents_changed)
        assert bystanders.strays() == []


@pytest.mark.nightly
def test_audit_hook_alone_keeps_contents_that_were_there(tmp_path):
    with Bystanders(tmp_path, contained=True) as bystanders:
        bystanders.run(5, 2500, ("hook",))
        # It is not told of everything: mkfifo and folder descriptors make new files.
        assert not any("precious" in change for change in bystanders.contents_changed())
        assert bystanders.strays() == []
