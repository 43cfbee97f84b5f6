"""What present tests cover, found by running them."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from patience import HANG

from crashwright.core.errors import UsageError
from crashwright.finishing.running.fresh_runner import FreshRunner
from crashwright.finishing.suite.existing import covered_by_existing, existing_test_files
from crashwright.supervision.fresh import run_fresh

SHOP = """\
def sign(value):
    if value < 0:
        return -1
    for _ in range(value):
        pass
    return 1


class Tree:
    def size(self):
        return 0
"""
ARCS = {(-1, 2), (2, 3), (3, -1), (2, 4), (4, 5), (5, 4), (4, 6), (6, -1)}


@pytest.fixture(params=[True, False], ids=["pytest", "stand-in"])
def runner(request: pytest.FixtureRequest, tmp_path: Path) -> FreshRunner:
    (tmp_path / "shop.py").write_text(SHOP)
    (tmp_path / "tests").mkdir()
    return FreshRunner(sys.executable, request.param, tmp_path / "scratch", run_fresh, (str(tmp_path),))


def test_lines_and_arcs_of_the_functions_that_tests_run(runner: FreshRunner, tmp_path: Path) -> None:
    tests = tmp_path / "tests"
    (tests / "test_shop.py").write_text(
        "import os\n\nfrom shop import sign\n\n\ndef test_minus():\n    assert sign(-1) == -1\n\n\n"
        "def test_wrong():\n    assert sign(2) == 5\n\n\ndef test_deadly():\n    os._exit(1)\n"
    )
    (tests / "test_broken.py").write_text("import shop\nimport no_such_module_there\n")
    end = time.monotonic() + HANG
    found = covered_by_existing(tests, "shop", runner, lambda: end - time.monotonic())
    assert found.lines == {2, 3, 4, 5, 6}
    assert found.arcs == ARCS
    assert found.qualnames == {"sign"}
    assert [path.name for path in found.files] == ["test_broken.py", "test_shop.py"]


def test_no_time_covers_nothing(runner: FreshRunner, tmp_path: Path) -> None:
    (tmp_path / "tests" / "test_shop.py").write_text("import shop\n")
    found = covered_by_existing(tmp_path / "tests", "shop", runner, lambda: 0.0)
    assert (found.lines, [path.name for path in found.skipped]) == (frozenset(), ["test_shop.py"])


def test_files_that_name_the_module_come_first(tmp_path: Path) -> None:
    (tmp_path / "venv").mkdir()
    (tmp_path / "inner").mkdir()
    files = {
        "venv/test_stock.py": "import shop.stock",
        "a_test.py": "import shop",
        "inner/test_b.py": "from shop.stock import Shelf",
        "test_stock.py": "import shop",
        "test_other.py": "import another",
        "helper.py": "import shop.stock",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    found = existing_test_files(tmp_path, "shop.stock")
    assert [path.relative_to(tmp_path).as_posix() for path in found] == ["inner/test_b.py", "test_stock.py", "a_test.py"]
    with pytest.raises(UsageError):
        existing_test_files(tmp_path / "none", "shop")
