"""The tests that a project has: one that crashes in the way of the report is the result, others help the search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import Place
from test_as_written import LEDGER

FIXTURE = """
import pytest
from victim import Ledger


@pytest.fixture
def ledger():
    ledger = Ledger("seventeen")
    ledger.rows = ["a"]
    return ledger


"""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    one = Place(tmp_path)
    one.subject(LEDGER)
    (one.code / "pytest.ini").write_text("[pytest]\n")
    (one.code / "tests").mkdir()
    return one


def test_one_that_shows_the_crash_is_the_result(place: Place) -> None:
    (place.code / "tests" / "test_ledger.py").write_text(
        FIXTURE + "def test_two(ledger):\n    ledger.book(1)\n\n\ndef test_three(ledger):\n    ledger.book(1)\n    ledger.book(2)\n"
    )
    (place.code / "tests" / "test_broken.py").write_text("import nothing_of_that_name\n\n\ndef test_book():\n    book()\n")
    done = place.reproduce("--evaluations", "5", "--json")
    assert done.code == 0, (done.out, done.err)
    assert done.left_nothing
    result = json.loads(done.out)
    assert (result["evaluations"], result["test"]["levels"]) == (0, [4, 4, 4])
    assert result["test"]["as_written"].endswith("test_ledger.py::test_three")
    assert "def test_two" not in result["test"]["text"]
    assert any("already shows the crash" in line for line in done.err.splitlines())


def test_one_that_comes_near_is_given_to_the_search(place: Place) -> None:
    (place.code / "tests" / "test_ledger.py").write_text(FIXTURE + "def test_two(ledger):\n    ledger.book(1)\n")
    done = place.reproduce("--evaluations", "400", "--json")
    assert done.code == 0, (done.out, done.err)
    result = json.loads(done.out)
    assert [one["name"].rpartition("::")[2] for one in result["candidates"]] == ["test_two"]
    assert result["evaluations"] > 0
    assert any("comes nearest to the crash" in line for line in done.err.splitlines())


@pytest.mark.nightly
def test_they_can_be_left_out(place: Place) -> None:
    (place.code / "tests" / "test_ledger.py").write_text(FIXTURE + "def test_two(ledger):\n    ledger.book(1)\n")
    done = place.reproduce("--evaluations", "5", "--json", "--without", "own-tests")
    assert not json.loads(done.out)["candidates"]
