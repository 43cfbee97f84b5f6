"""Which tests of a project have to do with a crash, by reading them."""

from __future__ import annotations

from pathlib import Path

import pytest

from crashwright.core.location import CodeKey
from crashwright.core.report import CrashReport, ReportedException, ReportedFrame
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.workflows.reproduce.proving.reading_tests import tests_on_the_path as chosen_tests

SHOP = """
@app.post("/orders/<int:number>/pay")
def pay(number):
    return Basket().total()


class Basket:
    def total(self):
        raise ValueError


class Rates:
    def __call__(self): ...
"""
TESTS = """
from shop import Basket, pay

def helper():
    return Basket().total()

def test_unrelated():
    assert Basket

def test_by_request(client):
    client.post(f"/orders/{1}/pay")

def test_by_helper():
    helper()

class TestRates:
    def setUp(self):
        self.total = None

    def test_other(self):
        assert 1
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(SHOP)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_shop.py").write_text(TESTS)
    (tmp_path / "tests" / "test_broken.py").write_text("def test_total(:\n")
    return tmp_path


def _target(root: Path, *places: tuple[str, int]) -> CrashTarget:
    file = str(root / "shop.py")
    frames = [TargetFrame(CodeKey("shop", name, line), file, line, "", None, True) for name, line in places]
    return CrashTarget("shop", "ValueError", "", tuple(frames))


def _report(*frames: ReportedFrame) -> CrashReport:
    return CrashReport((ReportedException("ValueError", "", frames),))


def test_those_first_that_name_what_is_nearest_to_the_crash(root: Path) -> None:
    found = chosen_tests(root, _target(root, ("pay", 4), ("Basket.total", 9)), _report())
    names = [one.name for one in found]
    assert set(names[:2]) == {"test_by_helper", "TestRates::test_other"}
    assert names[2:] == ["test_by_request", "test_unrelated"]


def test_the_test_that_the_report_is_of_comes_first(root: Path) -> None:
    frame = ReportedFrame("/srv/tests/test_shop.py", 8, "test_unrelated")
    found = chosen_tests(root, _target(root, ("Basket.total", 9)), _report(frame))
    assert (found[0].name, found[0].reported) == ("test_unrelated", True)
    assert not any(one.reported for one in found[1:])


def test_a_method_that_is_called_without_its_name_goes_by_its_class(root: Path) -> None:
    (root / "tests" / "test_rates.py").write_text("def test_it():\n    Rates()()\n")
    assert chosen_tests(root, _target(root, ("Rates.__call__", 13)), _report())[0].name == "test_it"


def test_without_tests_there_are_none(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(SHOP)
    assert chosen_tests(tmp_path, _target(tmp_path, ("pay", 4)), _report()) == []


def test_what_we_wrote_for_a_crash_is_none_of_the_projects_tests(root: Path) -> None:
    header = '"""ValueError in shop.py:9 (Basket.total).\n\ncrashwright reproduce crash.txt\n"""\n'
    text = header + "def test_total():\n    Basket().total()\n"
    (root / "tests" / "test_crash.py").write_text(text)
    found = chosen_tests(root, _target(root, ("Basket.total", 9)), _report())
    assert "test_crash.py" not in {one.file.name for one in found}
