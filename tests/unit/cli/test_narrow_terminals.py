"""Forty columns and ``NO_COLOR``: help keeps within the terminal, results keep their lines whole and have no colour."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys

import pytest
from rich.console import Console

from crashwright.cli.main import build_app
from crashwright.reporting.story import StoryRow
from crashwright.reporting.terminal import print_rows

COMMANDS = [name for name in build_app() if not name.startswith("-")]
COLOUR = re.compile(r"\x1b\[[0-9;]*(?:3[0-9]|4[0-9]|9[0-7])[;m]")


ALL = """
import sys
from crashwright.cli.main import run
for name in sys.argv[1:]:
    run([*name.split(), "--help"])
    print("=====")
"""


def test_help_fits_into_forty_columns() -> None:
    # In one process of its own: help keeps the width that it was first shown in.
    line = [sys.executable, "-c", ALL, "", *COMMANDS]
    done = subprocess.run(line, capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "40"})
    pages = done.stdout.split("=====\n")[:-1]
    assert len(pages) == 1 + len(COMMANDS)
    assert all(len(page.splitlines()) > 5 for page in pages)
    assert [line for line in done.stdout.splitlines() if len(line) > 40] == []
    assert "[ARGS" not in done.stdout, "usage lines say what is to be given"


def printed(monkeypatch: pytest.MonkeyPatch, colour: bool) -> str:
    if colour:
        monkeypatch.delenv("NO_COLOR", raising=False)
    else:
        monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    console = Console(file=io.StringIO(), force_terminal=True, width=40)
    print_rows(console, [StoryRow("wrote", PATH, "good"), StoryRow("", "nothing", "bad"), StoryRow("confined", "Landlock", "dim")])
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


PATH = "test_something.py      try it:  pytest tests/of/a/long/path/test_something.py"


def test_colours_go_where_nobody_wants_them(monkeypatch: pytest.MonkeyPatch) -> None:
    assert COLOUR.search(printed(monkeypatch, colour=True))
    assert not COLOUR.search(printed(monkeypatch, colour=False))


def test_what_is_to_be_copied_stays_on_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    assert any(PATH in line for line in printed(monkeypatch, colour=False).splitlines())


def test_labels_alone_are_bold(monkeypatch: pytest.MonkeyPatch) -> None:
    told = printed(monkeypatch, colour=False)
    assert "\x1b[1mwrote" in told
    assert f"\x1b[1m{PATH}" not in told
