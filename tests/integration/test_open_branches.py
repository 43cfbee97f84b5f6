"""Branches that a search for a suite leaves open, with the symbolic engine and without it, as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from patience import HANG
from warm_program import run_program

MODULE = '''\
"""Crates in a depot."""


class Depot:
    def __init__(self, room: int):
        self.room = room

    def store(self, weight: int, mark: str):
        if self.room * 3 == weight + 1000 and mark.endswith("-n"):
            return "stored"
        return self._fee(weight)

    def _fee(self, weight):
        if weight % 89 == 7 and weight > 4000:
            return 5
        return 0
'''


def _generated(folder: Path, name: str, *options: str) -> tuple[dict[str, Any], str]:
    out = folder / name
    out.mkdir()
    (folder / "depot.py").write_text(MODULE)
    command = ["generate", "depot", "--path", str(folder), "--output", str(out), "--json", "--evaluations", "1000", *options]
    ran = run_program(command, folder, HANG)
    assert ran.returncode == 0, ran.stderr
    [module] = json.loads(ran.stdout)["modules"]
    assert module["incidents"] == []
    return module, (out / "test_depot.py").read_text()


def test_branches_that_chance_seldom_takes_are_composed_and_the_run_repeats(tmp_path: Path) -> None:
    alone, _ = _generated(tmp_path, "alone")
    assert alone["open_count"] >= 1
    both, text = _generated(tmp_path, "both", "--engine", "portfolio")
    assert both["open_count"] == 0, both["open_branches"]
    assert "--engine portfolio" in text
    again = _generated(tmp_path, "again", "--engine", "portfolio")[1]
    assert again == text
