"""On a processor that two others keep busy: budgets hold, and what was found is there when the time is over."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import slowness

pytestmark = pytest.mark.nightly

BUDGET = 8.0
KILLED_AFTER = 5.0
"""Seconds after the end of what is promised."""


@pytest.fixture
def _busy() -> Iterator[None]:
    processors = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(processors)})  # what is started here stays there, and the others are left to other tests
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()
        os.sched_setaffinity(0, processors)


@pytest.mark.usefixtures("_busy")
def test_suite_is_on_disk_where_the_command_is_killed_after_its_time(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "crashwright", "generate", "fnmatch", "--budget", str(BUDGET)]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait((1.5 * BUDGET + KILLED_AFTER) * slowness())
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    text = (tmp_path / "test_fnmatch.py").read_text()
    assert "def test_" in text
    compile(text, "test_fnmatch.py", "exec")


@pytest.mark.usefixtures("_busy")
def test_time_of_a_reproduction_counts_from_its_start(tmp_path: Path) -> None:
    report = Path(__file__).parents[2] / "examples" / "tabulate-empty-table" / "crash.txt"
    budget = 8.0
    begin = time.monotonic()
    command = [sys.executable, "-m", "crashwright", "reproduce", str(report), "--no-cache", "--budget", str(budget)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - begin
    # The end of processes is not in the budget's hands: it takes as long here as that of a command which does nothing else.
    begin = time.monotonic()
    subprocess.run([sys.executable, "-m", "crashwright", "--version"], cwd=tmp_path, capture_output=True, check=True)
    assert seconds < budget + max(2.0 * slowness(), 3.0 * (time.monotonic() - begin)), done.stdout
