"""The watchdog with hosts that are really killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from patience import HANG

from crashwright.supervision.watchdog import Watchdog

HOST = """
import os, subprocess, sys
from crashwright.supervision.scratch import Scratch
from crashwright.supervision.watchdog import Watchdog
watchdog = Watchdog()
kept = Scratch(watchdog)
(kept.path / "folder").mkdir()
(kept.path / "folder" / "file").write_text("x")
(kept.path / "folder").chmod(0)
{more}
print(watchdog.pid, flush=True)
os.read(0, 1)
"""
KILLED = -signal.SIGKILL


class Host:
    """A process with a watchdog, and a temporary folder of its own."""

    def __init__(self, folder: Path, more: str = "") -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-c", HOST.format(more=textwrap.dedent(more))],
            env={**os.environ, "TMPDIR": str(folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.told = [int(word) for word in self.process.stdout.readline().split()]

    def end(self, kill: bool) -> int:
        if kill:
            self.process.kill()
        self.process.communicate("")
        return self.process.returncode


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def soon(condition: Callable[[], bool]) -> bool:
    """Whether ``condition()`` comes true, however long that takes."""
    end = time.monotonic() + HANG
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


@pytest.mark.parametrize("name", ["plain", "with space", 'quote\'s "$HOME" `x`; rm -r *', "-rf", "*"])
def test_folders_of_a_killed_host_are_removed_and_nothing_else(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    (folder / "crashwright-other").mkdir()
    (folder / "precious").write_text("x")
    host = Host(folder, "gone = Scratch(watchdog); gone.remove(); gone.path.mkdir()")
    assert len(os.listdir(folder)) == 4
    assert host.end(kill=True) == KILLED
    assert soon(lambda: not alive(host.told[0]))
    left = set(os.listdir(folder))
    assert len(left) == 3
    assert left > {"crashwright-other", "precious"}


def test_what_is_not_a_scratch_folder_is_left_alone(tmp_path: Path) -> None:
    for name in ("crashwright-x", "deep"):
        (tmp_path / name / "inner").mkdir(parents=True)
    paths = [
        tmp_path / "deep",
        tmp_path / "deep/inner",
        tmp_path / "crashwright-x/inner",
        tmp_path / "crashwright-x/../deep",
        tmp_path,
    ]
    host = Host(tmp_path, "\n".join(f"watchdog.watch_folder({str(path)!r})" for path in paths))
    host.end(kill=True)
    assert soon(lambda: not alive(host.told[0]))
    assert (tmp_path / "deep/inner").exists()
    assert (tmp_path / "crashwright-x/inner").exists()
    assert sorted(os.listdir(tmp_path)) == ["crashwright-x", "deep"]


def test_process_groups_of_a_killed_host_are_killed(tmp_path: Path) -> None:
    more = """
        command = ["/bin/sh", "-c", "trap '' TERM HUP; sleep 60 & wait"]
        one, other = (subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL) for _ in range(2))
        watchdog.watch_group(one.pid)
        watchdog.watch_group(other.pid)
        watchdog.forget_group(other.pid)
        print(one.pid, other.pid, end=" ")
    """
    host = Host(tmp_path, more)
    one, other, watchdog = host.told
    try:
        host.end(kill=True)
        assert soon(lambda: not alive(one))
        assert soon(lambda: not alive(watchdog))
        assert alive(other)
    finally:
        os.killpg(other, signal.SIGKILL)


def test_after_an_orderly_end_nothing_is_left(tmp_path: Path) -> None:
    host = Host(tmp_path)
    assert host.end(kill=False) == 0
    assert not alive(host.told[0])
    assert os.listdir(tmp_path) == []


def test_a_watchdog_that_was_killed_is_replaced(tmp_path: Path) -> None:
    more = """
        import time
        os.kill(watchdog.pid, 9)
        time.sleep(0.1)
        another = Scratch(watchdog)
    """
    host = Host(tmp_path, more)
    assert len(os.listdir(tmp_path)) == 2
    host.end(kill=True)
    assert soon(lambda: os.listdir(tmp_path) == [])
    assert soon(lambda: not alive(host.told[0]))


def test_processes_of_the_host_do_not_keep_it_from_seeing_the_end(tmp_path: Path) -> None:
    more = """
        child = subprocess.Popen(["sleep", "60"], start_new_session=True, stdout=subprocess.DEVNULL, close_fds=False)
        print(child.pid, end=" ")
    """
    host = Host(tmp_path, more)
    child, watchdog = host.told
    try:
        host.end(kill=True)
        assert soon(lambda: not alive(watchdog))
        assert os.listdir(tmp_path) == []
    finally:
        os.kill(child, signal.SIGKILL)


def test_one_that_is_dismissed_ends_and_comes_back_when_it_is_needed() -> None:
    watchdog = Watchdog()
    watchdog.dismiss()
    watchdog.watch_group(os.getpid() + 10_000_000)
    first = watchdog.pid
    assert first is not None
    watchdog.forget_group(os.getpid() + 10_000_000)
    watchdog.dismiss()
    assert watchdog.pid is None
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)
    watchdog.watch_group(os.getpid() + 10_000_000)
    assert watchdog.pid not in (None, first)
    watchdog.forget_group(os.getpid() + 10_000_000)
    watchdog.dismiss()
