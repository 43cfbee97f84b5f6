"""A right test is proved as its author wrote it: with the project's fixtures, by few fresh runs and without a search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import Place

LEDGER = """
class Ledger:
    def __init__(self, limit):
        self.limit = limit
        self.rows = []

    def book(self, row):
        self.rows.append(row)
        return work(self)


def work(ledger):
    if ledger.limit != "seventeen" or len(ledger.rows) != 3:
        return 0
    raise ValueError("too many")
"""
CONFTEST = """
import pytest
from victim import Ledger


@pytest.fixture
def ledger():
    ledger = Ledger("seventeen")
    ledger.rows = ["a", "b"]
    return ledger
"""
TESTS = '''
"""Of the ledger."""
import pytest


@pytest.mark.slow
class TestBooking:
    def test_other(self, ledger):
        assert ledger.limit

    def test_third_row(self, ledger):
        with pytest.raises(ValueError) as caught:
            ledger.book(row="c")  # one more than it takes
        assert "many" in str(caught.value)
'''


@pytest.fixture
def place(tmp_path: Path) -> Place:
    one = Place(tmp_path)
    one.subject(LEDGER)
    (one.work / "pytest.ini").write_text("[pytest]\nmarkers = slow\naddopts = --strict-markers --no-such-option\n")
    (one.work / "tests").mkdir()
    (one.work / "tests" / "conftest.py").write_text(CONFTEST)
    return one


def test_a_test_of_the_project_is_proved_with_its_fixtures(place: Place) -> None:
    """It is told and written before anything is done to it."""
    candidate = place.work / "tests" / "test_ledger.py"
    candidate.write_text(TESTS)
    done = place.reproduce("--candidate", str(candidate), "--evaluations", "5", "--output", "test_out.py", "--json")
    assert done.code == 0, (done.out, done.err)
    assert done.left_nothing
    result = json.loads(done.out)
    assert (result["evaluations"], result["test"]["levels"]) == (0, [4, 4, 4])
    assert (
        '    def test_third_row(self, ledger):\n        ledger.book(row="c")  # one more than it takes\n' in result["test"]["text"]
    )
    assert "test_other" not in result["test"]["text"]
    assert (place.work / "test_out.py").read_text() == result["test"]["text"]
    assert candidate.read_text() == TESTS
    [told] = (json.loads(line)["text"] for line in done.err.splitlines() if "proved: " in line)
    assert told.endswith("reproduces the crash as it is, in 3 of 3 fresh runs; written to test_out.py")


@pytest.mark.nightly
def test_it_stays_as_it_is_where_it_may_expect_the_crash(place: Place) -> None:
    candidate = place.root / "elsewhere.py"
    candidate.write_text(TESTS)
    done = place.reproduce("--candidate", str(candidate), "--evaluations", "5", "--expect", "raises")
    assert done.code == 0, (done.out, done.err)
    assert f"candidate  {candidate}, run as it is: the frame, same message" in done.out
    [written] = (file for file in place.written if file.name.startswith("test_victim"))
    text = written.read_text()
    assert text.count("with pytest.raises(") == 1
    assert 'assert "many" in str(caught.value)' in text


def test_a_script_becomes_a_test_of_the_form_that_is_asked_for(place: Place) -> None:
    candidate = place.root / "tried.py"
    lines = ["from victim import Ledger", "ledger = Ledger('seventeen')", "ledger.rows = ['a', 'b']", "ledger.book('c')"]
    candidate.write_text("\n".join(lines))
    done = place.reproduce("--candidate", str(candidate), "--evaluations", "5", "--expect", "raises")
    assert done.code == 0, (done.out, done.err)
    [written] = (file for file in place.written if file.name.startswith("test_victim"))
    assert "with pytest.raises(ValueError, match=\"too many\"):\n        ledger.book('c')" in written.read_text()


def test_what_comes_near_is_left_to_the_search(place: Place) -> None:
    candidate = place.root / "near.py"
    candidate.write_text("from victim import Ledger\nledger = Ledger('seventeen')\nledger.book('a')\nledger.book('b')\n")
    done = place.reproduce("--candidate", str(candidate), "--evaluations", "400", "--json")
    assert done.code == 0, (done.out, done.err)
    assert json.loads(done.out)["evaluations"] > 0
    assert any("run as it is: nothing is raised" in line for line in done.err.splitlines())


@pytest.mark.nightly
def test_the_written_file_has_the_fixtures_that_its_own_folder_lacks(place: Place) -> None:
    candidate = place.work / "tests" / "test_ledger.py"
    candidate.write_text("def test_third(ledger):\n    ledger.book('c')\n")
    done = place.reproduce("--candidate", str(candidate), "--evaluations", "5", "--json")
    assert done.code == 0, (done.out, done.err)
    test = json.loads(done.out)["test"]
    assert (place.work / test["file"]).is_file()
    assert "from victim import Ledger\n" in test["text"]
    assert "@pytest.fixture\ndef ledger():\n" in test["text"]


KEEPING = """
class Result:
    exception = None


def invoked(function, *arguments):
    result = Result()
    try:
        function(*arguments)
    except Exception as error:
        result.exception = error
    return result


def test_third(ledger):
    result = invoked(ledger.book, "c")
    assert result.exception is None
"""
LOGGING = """
import logging


def test_third(ledger):
    status = 200
    try:
        ledger.book("c")
    except Exception:
        logging.getLogger("server").exception("Internal Server Error")
        status = 500
    assert status == 200
"""


@pytest.mark.parametrize(
    ("source", "line"),
    [(KEEPING, "    raise result.exception\n"), pytest.param(LOGGING, "raise record.exc_info[1]\n", marks=pytest.mark.nightly)],
)
def test_a_crash_that_somebody_catches_is_let_through(place: Place, source: str, line: str) -> None:
    candidate = place.work / "tests" / "test_ledger.py"
    candidate.write_text(source)
    done = place.reproduce("--candidate", str(candidate), "--evaluations", "5", "--json")
    assert done.code == 0, (done.out, done.err)
    test = json.loads(done.out)["test"]
    assert test["as_written"]
    assert line in test["text"]


SWALLOWING = """
def server(function, *arguments, raise_exceptions=True):
    try:
        function(*arguments)
    except Exception:
        if raise_exceptions:
            raise
        return 500
    return 200


def test_third(ledger):
    assert server(ledger.book, "c", raise_exceptions=False) == 200
"""


@pytest.mark.nightly
def test_a_crash_that_nobody_shows_is_seen_on_its_way(place: Place) -> None:
    candidate = place.work / "tests" / "test_ledger.py"
    candidate.write_text(SWALLOWING)
    done = place.reproduce("--candidate", str(candidate), "--evaluations", "5", "--json")
    assert done.code == 0, (done.out, done.err)
    test = json.loads(done.out)["test"]
    assert test["levels"] == [4, 4, 4]
    assert 'ledger.book, "c", raise_exceptions=True)' in test["text"]


COROUTINE = """
import pytest


@pytest.fixture
async def booked(ledger):
    yield ledger


@pytest.mark.asyncio
async def test_third({fixture}):
    {fixture}.book("c")
"""


@pytest.mark.nightly
def test_a_coroutine_runs_without_a_plugin_and_is_written_as_a_plain_function(place: Place) -> None:
    candidate = place.root / "test_candidate.py"
    candidate.write_text(COROUTINE.format(fixture="ledger"))
    done = place.reproduce("--candidate", str(candidate), "--evaluations", "5", "--json")
    assert done.code == 0, (done.out, done.err)
    assert "def test_third(ledger):\n    async def scenario():\n" in json.loads(done.out)["test"]["text"]


@pytest.mark.nightly
def test_fixtures_may_be_coroutines_too(place: Place) -> None:
    candidate = place.root / "test_candidate.py"
    candidate.write_text(COROUTINE.format(fixture="booked"))
    done = place.reproduce("--candidate", str(candidate), "--evaluations", "5", "--json")
    assert done.code == 0, (done.out, done.err)
    assert json.loads(done.out)["test"]["levels"] == [4, 4, 4]


@pytest.mark.nightly
def test_a_conftest_that_fails_does_not_stop_it(place: Place) -> None:
    (place.work / "tests" / "conftest.py").write_text("raise RuntimeError('set LEDGER_ENV')\n")
    candidate = place.root / "test_candidate.py"
    candidate.write_text(
        "from victim import Ledger\n\n\ndef test_it():\n    ledger = Ledger('seventeen')\n" + "    ledger.book(1)\n" * 3
    )
    done = place.reproduce("--candidate", str(candidate), "--evaluations", "5", "--json")
    assert done.code == 0, (done.out, done.err)
    assert "run without conftest.py" in json.loads(done.out)["test"]["legality"]


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("from helpers import booked", marks=pytest.mark.nightly),
        pytest.param("from .helpers import booked", marks=pytest.mark.nightly),
        "open('log.txt', 'w').close(); from tests.helpers import booked",
    ],
)
def test_it_may_use_what_lies_beside_it_and_write_files(place: Place, line: str) -> None:
    relative = "tests" in line or "from ." in line
    (place.work / "tests" / "helpers.py").write_text("def booked(ledger):\n    ledger.book(3)\n")
    if relative:
        (place.work / "tests" / "__init__.py").write_text("")
    candidate = place.work / "tests" / "test_ledger.py"
    candidate.write_text(f"def test_it(ledger):\n    {line}\n    booked(ledger)\n")
    done = place.reproduce("--candidate", str(candidate), "--evaluations", "5", "--json")
    assert done.code == 0, (done.out, done.err)
    assert json.loads(done.out)["test"]["levels"] == [4, 4, 4]
