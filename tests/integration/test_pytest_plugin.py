"""A session of pytest over a small project with a bug, and the file that the plugin writes of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ORDERS = '''\
"""Orders of a shop."""

from dataclasses import dataclass, field


@dataclass
class Order:
    lines: list[tuple[str, int]] = field(default_factory=list)

    def add(self, name: str, count: int = 1) -> None:
        self.lines.append((name, count))


def dearest(order: Order, prices: dict[str, float]) -> str:
    return _ranked(order, prices)[0]


def _ranked(order: Order, prices: dict[str, float]) -> list[str]:
    return sorted((name for name, _ in order.lines), key=lambda name: -prices[name])
'''
TESTS = """\
import pytest

from shop_of_tests.orders import Order, dearest


@pytest.fixture
def prices():
    return {"bolt": 0.5, "nut": 0.25}


def test_dearest(prices):
    order = Order()
    for name in ("nut", "bolt"):
        order.add(name)
    assert dearest(order, prices) == "bolt"


def test_dearest_of_nothing(prices):
    basket = Order()
    dearest(basket, prices)


def test_what_is_wrong_in_the_test_itself():
    assert dearest(Order([("nut", 1)]), {"nut": 1.0}) == "bolt"
"""


def pytest_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": "src"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_a_bug_that_a_test_meets_becomes_a_test_at_the_boundary_of_the_project(tmp_path: Path) -> None:
    package = tmp_path / "src" / "shop_of_tests"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "orders.py").write_text(ORDERS)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_orders.py").write_text(TESTS)
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\ntestpaths = ['tests']\n")
    done = pytest_in(tmp_path, "-p", "crashwright.pytest_plugin", "--crashwright=write", "--crashwright-budget=300")
    assert done.returncode == 1
    told = done.stdout.partition("crashwright: 1 exception inside the project\n")[2]
    assert "test_dearest_of_nothing: IndexError: list index out of range" in told, done.stdout
    [written] = (tmp_path / "tests").glob("test_shop_*.py")
    assert f"wrote tests/{written.name}" in told
    text = written.read_text()
    assert "fixture" not in text
    assert "dearest(" in text
    again = pytest_in(tmp_path, str(written))
    assert again.returncode == 1
    assert "IndexError: list index out of range" in again.stdout
