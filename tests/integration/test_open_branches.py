"""Branches that a search for a suite leaves open, with the symbolic engine and without it, as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
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


def test_branches_that_chance_seldom_takes_are_composed(tmp_path: Path) -> None:
    both, text = _generated(tmp_path, "both", "--engine", "portfolio")
    assert both["open_count"] == 0, both["open_branches"]
    assert "--engine portfolio" in text


@pytest.mark.nightly
def test_chance_leaves_them_open_and_composed_ones_are_composed_again(tmp_path: Path) -> None:
    assert _generated(tmp_path, "alone")[0]["open_count"] >= 1
    texts = [_generated(tmp_path, name, "--engine", "portfolio")[1] for name in ("first", "again")]
    assert texts[0] == texts[1]
