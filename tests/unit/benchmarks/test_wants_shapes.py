"""What packages' tests pass is held against what the reading wants of it."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import dedent

import pytest
from benchmarks.wants.shapes import Counts, compared, main

BAKERY = """
    class Oven:
        def __init__(self, heat):
            self.heat = heat

    def baked(order, oven):
        first, second = order["parts"]
        return order["bread"]["kind"], order["never"], oven.heat, first

    def unseen(order):
        return order["x"]
"""
TESTS = """
    from bakery.baking import Oven, baked

    def test_baked():
        baked({"bread": {"kind": "rye"}, "parts": (1, 2), "never": 1, "more": 2}, Oven(3))
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "bakery-1.0" / "bakery"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "baking.py").write_text(dedent(BAKERY))
    (folder.parent / "test_baking.py").write_text(dedent(TESTS))
    return folder


def test_keys_attributes_and_lengths_are_counted(package: Path) -> None:
    seen = {
        "baking.py:baked:order": {"types": {"dict": 1}, "keys": ["bread", "bread.kind", "more"], "lengths": [], "names": {}},
        "baking.py:baked:oven": {"types": {"Oven": 1}, "keys": [], "lengths": [], "names": {"Oven": ["heat", "door"], "Box": []}},
        "baking.py:nowhere:x": {"types": {"int": 1}, "keys": [], "lengths": [], "names": {}},
    }
    # Wanted are bread, bread.kind, parts and never.
    assert compared(package, seen) == Counts(parameters=2, seen=3, wanted=4, both=2, asked=2, had=1)


def test_a_package_is_recorded_while_its_tests_run(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    work = package.parents[1] / "work"
    sources = str(package.parents[1])
    assert main(["--sources", sources, "--python", sys.executable, "--work", str(work), "--open", "bakery"]) == 0
    told = capsys.readouterr().out
    assert "bakery: 3 parameters; keys: recall 4/5 = 80.0 %, precision 4/4 = 100.0 %; attributes: precision 1/1 = 100.0 %" in told
    assert "closed, 0 packages: 0 parameters" in told
