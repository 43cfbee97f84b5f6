"""Suites for a module whose functions leave traces: in the folder where they run, at home, in their process, in their module."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from patience import HANG
from warm_program import run_program

UNTIDY = '''\
"""Functions that leave traces."""

import asyncio
import os
import pathlib
import shutil
import sys

SEEN = []
_default = "en"


def leave_folder(count: int) -> int:
    shutil.rmtree(os.getcwd())
    return count + 1 if count > 3 else 0


def forget_home(count: int) -> int:
    shutil.rmtree(os.path.expanduser("~"))
    os.umask(0o777)
    return count + 2 if count > 3 else 0


def trace(count: int) -> int:
    sys.settrace(lambda frame, event, argument: None)
    return count + 3 if count > 3 else 0


def arguments() -> str:
    if len(sys.argv) > 2:
        return "many"
    return "one" if sys.argv[1:] else "none"


def save(text: str) -> int:
    pathlib.Path("saved.txt").write_text(text)
    pathlib.Path("~/.untidy").expanduser().write_text(text)
    return 1 if text == "quick" else 2


def see(name: str) -> str:
    if name in SEEN:
        return "again"
    SEEN.append(name)
    return "first" if len(SEEN) == 1 else "another"


def set_default(name: str) -> str:
    global _default
    before, _default = _default, name
    return before


def ask() -> str:
    return sys.stdin.readline().strip() or "nothing"


def loop(wanted: bool) -> bool:
    return asyncio.get_event_loop().is_running() == wanted


async def wait(count: int) -> int:
    await asyncio.sleep(0)
    return count + 4 if count > 3 else 0
'''
NAMES = ("leave_folder", "forget_home", "trace", "arguments", "save", "see", "set_default", "ask", "loop", "wait")


class Written:
    """A suite, and where it is."""

    def __init__(self, folder: Path, document: Mapping[str, Any]) -> None:
        self.folder = folder
        self.document = document
        self.text = (folder / "test_untidy.py").read_text()

    def run(self, *arguments: str, more: str = "") -> subprocess.CompletedProcess[str]:
        """As a user runs it, with a file of tests after it."""
        (self.folder / "test_zz_after.py").write_text(more or "def test_nothing():\n    pass\n")
        environment = {**os.environ, "PYTHONPATH": str(self.folder.parent), "HOME": str(self.folder.parent / "home")}
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:cov", *arguments]
        return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False, timeout=HANG)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    root = tmp_path_factory.mktemp("untidy")
    (root / "untidy.py").write_text(UNTIDY)
    folder, home = root / "work", root / "home"
    folder.mkdir()
    home.mkdir()
    (home / "precious").write_text("mine")
    command = ["generate", "untidy", "--path", str(root), "--evaluations", "600", "--json", "--output", str(folder)]
    done = run_program(command, root, HANG)
    assert done.stdout, done.stderr
    return Written(folder, json.loads(done.stdout)["modules"][0])


def test_each_function_has_its_tests_and_none_was_lost(written: Written) -> None:
    assert [name for name in NAMES if f"{name}(" not in written.text] == []
    assert written.document["dropped"] == []
    assert not [text for text in written.document["incidents"] if "defect" in text]


def test_other_arguments_change_nothing_and_nothing_is_left(written: Written) -> None:
    untidy = written.folder.parent / "untidy.py"
    for arguments in (["test_untidy.py"], [], ["-q", "-x", "."], ["test_untidy.py", "--durations=1", "--tb=no"]):
        done = written.run(*arguments)
        assert done.returncode == 0, done.stdout[-2000:]
        assert {one.name for one in written.folder.iterdir()} - {"__pycache__"} == {"test_untidy.py", "test_zz_after.py"}
        assert [one.name for one in (written.folder.parent / "home").iterdir()] == ["precious"]
    assert untidy.exists()


def test_tests_after_them_find_their_process_as_it_was(written: Written) -> None:
    after = (
        "import os, sys, untidy\n\n\ndef test_after():\n    assert untidy.SEEN == [] and untidy._default == 'en'\n"
        "    assert sys.gettrace() is None and os.umask(0o022) != 0o777\n"
    )
    done = written.run("test_untidy.py", "test_zz_after.py", more=after)
    assert done.returncode == 0, done.stdout[-2000:]


def test_what_restores_is_written_where_it_is_needed_alone(written: Written) -> None:
    tests = written.text.split("\ndef ")
    for line, name in (
        ("monkeypatch.chdir(tmp_path)", "leave_folder"),
        ('monkeypatch.setenv("HOME", str(tmp_path))', "save"),
        ('monkeypatch.setattr("sys.argv", ["program"', "arguments"),
        ('monkeypatch.setattr("untidy.SEEN", [])', "see("),
        ('monkeypatch.setattr("untidy._default", "en")', "set_default"),
        ("sys.gettrace()", "trace("),
        ("asyncio.set_event_loop(asyncio.new_event_loop())", "loop("),
    ):
        assert any(line in test and name in test for test in tests), (line, written.text)
    assert not any("SEEN" in test and "see(" not in test for test in tests[1:])
