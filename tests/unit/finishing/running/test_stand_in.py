"""The stand-in says of a file what pytest says: the same tests run under both."""

from __future__ import annotations

import ast
import math
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as some

from crashwright.finishing.running.fresh_runner import FreshRunner, Manner
from crashwright.finishing.running.record import Record
from crashwright.finishing.running.recorder_files import SUITE_WATCH
from crashwright.finishing.running.stand_in import Approx
from crashwright.supervision.fresh import run_fresh

NUMBERS = some.one_of(some.integers(-(10**6), 10**6), some.floats(), some.sampled_from([0.0, 1.0, 1.0 + 5e-7, 1e-13, math.inf]))

CONFORMANCE = """\
import logging
import os
import pickle
import sys
import time
import unittest

import pytest

READY = []


class Local:
    pass


@pytest.fixture(autouse=True)
def set_up():
    if os.environ.pop("setup", None) is not None:
        [][0]
    READY.append(1)


@pytest.fixture(autouse=True)
def context():
    READY.append(2)
    yield
    READY.clear()
    assert os.environ.pop("teardown", None) is None


@pytest.fixture
def shelf(tmp_path):
    shelf = [tmp_path.is_dir()]
    yield shelf
    shelf.clear()


@pytest.fixture()
def two_shelves(shelf):
    return shelf, shelf


class TestShelf:
    def test_fixture_of_the_file(self, shelf):
        assert shelf == [True]

    def test_fixtures_of_fixtures(self, two_shelves, shelf):
        assert two_shelves[0] is shelf

    def test_fixture_of_nobody_else(self, shelf):
        shelf.append(1)
        assert shelf == [True, 1]


def test_fixtures_are_set_up_in_the_order_of_their_names():
    assert READY == [2, 1]

def test_assertion_fails():
    x = 1
    assert x == 2

def test_crash():
    [][0]

def test_end_of_the_program():
    sys.exit(3)

def test_raises():
    with pytest.raises(IndexError):
        [][0]

def test_raises_one_of_many():
    with pytest.raises((KeyError, IndexError)):
        [][0]

def test_raises_nothing():
    with pytest.raises(IndexError):
        [1][0]

def test_raises_nothing_of_many():
    with pytest.raises((KeyError, IndexError)):
        [1][0]

def test_raises_something_else():
    with pytest.raises(KeyError):
        [][0]

def test_message_matches():
    with pytest.raises(IndexError, match="index out"):
        [][0]

def test_message_does_not_match():
    with pytest.raises(IndexError, match="^index out"):
        [][0]

def test_note_matches():
    error = ValueError("a")
    error.__notes__ = ["b"]
    with pytest.raises(ValueError, match="b"):
        raise error

def test_what_was_raised_is_looked_at():
    with pytest.raises(IndexError) as caught:
        [][0]
    assert "range" in str(caught.value)

def test_near():
    assert 0.1 + 0.2 == pytest.approx(0.3)

def test_not_near():
    assert [0.1] == pytest.approx([0.3])

@pytest.mark.parametrize(("a", "b"), [(1, 1), (1, 2), pytest.param(3, 3, id="x")])
def test_cases(a, b):
    assert a == b

@pytest.mark.parametrize("a", [(1, 1), pytest.param(2, id="x")])
def test_cases_of_one(a):
    assert a == (1, 1)

@pytest.mark.xfail(strict=True, raises=IndexError)
def test_expected_to_fail():
    [][0]

@pytest.mark.lengthy
def test_mark_of_their_own():
    pass

@pytest.mark.timeout(5)
def test_mark_with_arguments():
    pass

def test_folder(tmp_path):
    (tmp_path / "a").write_text("b")
    assert os.listdir(tmp_path) == ["a"]

def test_no_sleep(monkeypatch):
    monkeypatch.setattr("time.sleep", lambda seconds: seconds)
    assert time.sleep(5) == 5

def test_sleep_is_given_back():
    assert time.sleep(0) is None

def test_environment(monkeypatch):
    monkeypatch.setenv("HOME", "elsewhere")
    monkeypatch.setenv("SHIP_REGION", "eu")
    assert (os.environ["HOME"], os.environ["SHIP_REGION"]) == ("elsewhere", "eu")

def test_environment_is_given_back():
    assert os.environ["HOME"] != "elsewhere" and "SHIP_REGION" not in os.environ

FOLDERS = [os.getcwd()]
HELD = {"a": 1}

def test_other_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert os.path.samefile(os.getcwd(), tmp_path)

def test_folder_is_given_back():
    assert os.getcwd() == FOLDERS[0]

def test_attributes(monkeypatch):
    monkeypatch.setattr("os.nothing", 1, raising=False)
    monkeypatch.setattr(time, "sleep", len)
    monkeypatch.delattr("os.linesep")
    monkeypatch.setattr(Local, "held", staticmethod(len), raising=False)
    assert (os.nothing, time.sleep, hasattr(os, "linesep"), Local().held([])) == (1, len, False, 0)

def test_attributes_are_given_back():
    assert not hasattr(os, "nothing") and hasattr(os, "linesep") and not hasattr(Local, "held")

def test_attribute_that_is_not_there(monkeypatch):
    with pytest.raises(AttributeError):
        monkeypatch.setattr("os.nothing", 1)

def test_items(monkeypatch):
    monkeypatch.setitem(HELD, "b", 2)
    monkeypatch.delitem(HELD, "a")
    monkeypatch.delitem(HELD, "c", raising=False)
    monkeypatch.setenv("PATH", "first", prepend=":")
    assert HELD == {"b": 2} and os.environ["PATH"].startswith("first:")

def test_items_are_given_back():
    assert HELD == {"a": 1} and not os.environ["PATH"].startswith("first")

def test_item_that_is_not_there(monkeypatch):
    monkeypatch.delitem(HELD, "c")

def test_modules_of_another_folder(monkeypatch, tmp_path):
    (tmp_path / "elsewhere_only.py").write_text("A = 1")
    monkeypatch.syspath_prepend(tmp_path)
    import elsewhere_only
    assert elsewhere_only.A == 1

def test_printed(capsys):
    print("a")
    print("b", file=sys.stderr)
    assert capsys.readouterr() == ("a\\n", "b\\n")
    assert capsys.readouterr().out == ""

def test_logged(caplog):
    caplog.set_level("DEBUG")
    logging.getLogger("ship").debug("sails %d", 1)
    assert caplog.messages == ["sails 1"]
    caplog.clear()
    assert caplog.records == []

def test_level_is_given_back(caplog):
    logging.getLogger("ship").debug("not told")
    assert caplog.messages == []

def test_skipped():
    raise unittest.SkipTest("not today")

def testing_without_underscore():
    assert False

class TestClass:
    def test_a(self):
        pass

    def test_b(self, tmp_path):
        assert tmp_path.is_dir()

    @pytest.mark.parametrize("a", [1, 2])
    def test_c(self, a):
        assert a == 1

    def helps(self):
        [][0]

class TestMadeWithArguments:
    def __init__(self, a):
        pass

    def test_a(self):
        [][0]

def test_class_is_found_by_its_module():
    assert type(pickle.loads(pickle.dumps(Local()))) is Local

def test_folder_of_the_file():
    import beside
    assert beside.HERE

def test_before_a_failing_end():
    os.environ["teardown"] = ""

def test_before_a_failing_fixture():
    os.environ["setup"] = ""

def test_failing_fixture():
    pass
"""
NAMES = [node.name for node in ast.parse(CONFORMANCE).body if getattr(node, "name", "").lower().startswith("test")]  # type: ignore[attr-defined]
EXPECTATIONS = frozenset({"AssertionError", "Failed", "Skipped", "SkipTest"})
"""How a test says that something is not as expected: the class differs between versions of pytest."""


def said(runner: FreshRunner, text: str) -> Record:
    """The record of a file with this text."""
    bench = runner.bench()
    (bench.work / "beside.py").write_text("HERE = True\n")
    file = bench.work / "test_it.py"
    file.write_text(text)
    manner = Manner(("--tb=no", "--runxfail", "-W", "ignore"), (SUITE_WATCH,))
    return runner.run_alone(bench, file, manner, 60.0)[1]


def facts(record: Record) -> object:
    """What is to be the same; ids of cases aside, which the stand-in numbers."""
    numbered = {test: place for place, test in enumerate(record.items or ())}
    return (
        [test.partition("[")[0] for test in record.items or ()],
        {numbered[test]: outcome for test, outcome in record.outcomes.items()},
        [
            (numbered.get(one.test), one.raised.type, one.raised.message)
            for one in record.raised
            if one.raised.type not in EXPECTATIONS
        ],
        {numbered[test]: found for test, found in record.classes.items() if found[1] not in EXPECTATIONS},
        {numbered[test]: found for test, found in record.untrue.items()},
        len(record.problems),
    )


@pytest.fixture(scope="module")
def runners(tmp_path_factory: pytest.TempPathFactory) -> tuple[FreshRunner, FreshRunner]:
    scratch = tmp_path_factory.mktemp("scratch")
    return FreshRunner(sys.executable, True, scratch, run_fresh), FreshRunner(sys.executable, False, scratch, run_fresh)


def part(record: Record, name: str) -> Record:
    """What a record says of one function or class."""

    def its(test: str) -> bool:
        return test.split("::")[1].partition("[")[0] == name

    return Record(
        raised=[one for one in record.raised if its(one.test)],
        outcomes={test: outcome for test, outcome in record.outcomes.items() if its(test)},
        items=tuple(test for test in record.items or () if its(test)),
        classes={test: found for test, found in record.classes.items() if its(test)},
        untrue={test: found for test, found in record.untrue.items() if its(test)},
    )


@pytest.fixture(scope="module")
def records(runners: tuple[FreshRunner, FreshRunner]) -> tuple[Record, Record]:
    with_pytest, without = (said(runner, CONFORMANCE) for runner in runners)
    return with_pytest, without


@pytest.mark.parametrize("name", NAMES)
def test_of_one_test_the_stand_in_says_what_pytest_says(name: str, records: tuple[Record, Record]) -> None:
    with_pytest, without = (part(record, name) for record in records)
    assert facts(without) == facts(with_pytest)
    assert len(with_pytest.outcomes) == len(with_pytest.items or ())


def test_a_file_that_cannot_be_imported_is_told(runners: tuple[FreshRunner, FreshRunner]) -> None:
    with_pytest, without = (said(runner, "import no_such_module_there\n\n\ndef test(): pass") for runner in runners)
    assert facts(without) == facts(with_pytest)
    assert "no_such_module_there" in without.problems[0]


@given(NUMBERS, NUMBERS)
def test_numbers_are_near_as_in_pytest(actual: float, expected: float) -> None:
    assert (actual == Approx(expected)) == (actual == pytest.approx(expected))
    assert ([actual] == Approx([expected])) == ([actual] == pytest.approx([expected]))
    assert ({"a": actual} == Approx({"a": expected})) == ({"a": actual} == pytest.approx({"a": expected}))


@pytest.mark.parametrize(("actual", "expected"), [([1.0], [1.0, 2.0]), ({"a": 1.0}, {"b": 1.0}), (None, [1.0]), ("a", 1.0)])
def test_other_shapes_are_not_near(actual: object, expected: object) -> None:
    assert actual != Approx(expected)
