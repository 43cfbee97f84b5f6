"""Suites run in real fresh interpreters, with a tiny module that does what no test survives."""

from __future__ import annotations

import datetime
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crashwright.core.suite import ModuleTarget, SuiteTest
from crashwright.engine.assertions.assertion import AssertedTest, Assertion, Observed, Raised
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.testcase.statements import Ambient, Arguments, Call, Display, Enter, Literal, MethodCall, Named, Value
from crashwright.engine.testcase.testcase import TestCase
from crashwright.finishing.running.fresh_runner import FreshRunner
from crashwright.finishing.suite.file import SuiteFile, suite_file
from crashwright.finishing.suite.kept import kept_text
from crashwright.finishing.suite.verify import VerifiedSuite, verify_suite
from crashwright.supervision.fresh import FreshRun, run_fresh

pytestmark = pytest.mark.slow  # fresh interpreters

SHOP = """
import datetime
import os
import subprocess
import sys
import time
import unittest

CALLS = []


def double(value):
    if value == "die":
        os._exit(3)
    if value == "hang":
        time.sleep(100)
    if value == "hash":
        return str(sorted(["a", "b", "c", "d", "e"], key=hash))
    if value == "order":
        CALLS.append(value)
        return str(len(CALLS))
    if value == "skip":
        raise unittest.SkipTest("not today")
    if value is None:
        raise ValueError("no value (none at all)")
    return value * 2


def half(value):
    CALLS.append(value)
    return value / 2


def calls(least):
    return len(CALLS)


def first_of(values):
    return next(iter(values))


def version(value):
    try:
        return subprocess.run([sys.executable, "-V"], check=False).returncode
    except OSError:
        return -1


class Kept:
    def __init__(self, value):
        self.value = value

    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        self.value.close()


def surroundings(value):
    if value == "day":
        return str(datetime.date.today())
    if value == "nothing":
        return 7 if "SHOP_LONG" not in os.environ else None
    if value == "minute":
        return datetime.datetime.now(datetime.timezone.utc).minute
    if value == "hour":
        return datetime.datetime.utcnow().hour
    if value == "folder":
        return os.path.basename(os.getcwd())
    if value == "elapsed":
        begin = time.monotonic()
        return round(time.monotonic() - begin, 1)
    if value == "needs":
        return os.environ["SHOP_NEEDS"]
    return os.environ.get("SHOP_" + value.upper(), "missing")


class Request:
    def path(self):
        return "/a"

    def size(self):
        return 3

    def names(self):
        return ["b"]

    def is_safe(self):
        return True


def limited(value):
    begin = time.monotonic()
    raise ValueError(f"retry after {value - (time.monotonic() - begin):.1f} s")


def leader(value):
    CALLS.append("leader")
    if os.environ["PYTHONHASHSEED"] != "0":
        raise ValueError(value)


def follower(value):
    if "leader" not in CALLS:
        raise KeyError(value)
"""


def function(name: str) -> Callee:
    return Callee("shop", name, CalleeKind.FUNCTION, (Parameter("value", ParameterKind.POSITIONAL_OR_KEYWORD),))


def case(name: str, value: Value, *expected: Value, kind: str = "equals") -> tuple[SuiteTest, AssertedTest]:
    test = TestCase((Literal(0, value), Call(1, function(name), Arguments((0,)))))
    checks = tuple(Assertion(1, Observed(1), kind, one) for one in expected)
    return SuiteTest({}, name, (), 1), AssertedTest(test, checks)


def raising(value: Value, exception: Named, message: str | None) -> tuple[SuiteTest, AssertedTest]:
    subject, asserted = case("double", value)
    return subject, asserted._replace(raised=Raised(exception, message))


def file_of(*tests: tuple[SuiteTest, AssertedTest]) -> SuiteFile:
    return suite_file(tests, ModuleTarget("shop"), "crashwright generate shop")


def runner_in(folder: Path, has_pytest: bool) -> FreshRunner:
    (folder / "shop.py").write_text(SHOP)
    return FreshRunner(sys.executable, has_pytest, folder / "scratch", run_fresh, (str(folder),))


@pytest.fixture(params=[True, False], ids=["pytest", "stand-in"])
def runner(request: pytest.FixtureRequest, tmp_path: Path) -> FreshRunner:
    return runner_in(tmp_path, request.param)


@pytest.fixture
def quick_runner(tmp_path: Path) -> FreshRunner:
    return runner_in(tmp_path, has_pytest=False)


def lasting(seconds: float) -> Callable[[], float]:
    end = time.monotonic() + seconds
    return lambda: end - time.monotonic()


def verified(runner: FreshRunner, *tests: tuple[SuiteTest, AssertedTest], seconds: float = 30.0, runs: int = 3) -> VerifiedSuite:
    return verify_suite(file_of(*tests), "test_shop.py", runner, lasting(seconds), runs)


def test_suite_that_passes_stays_as_it_is(runner: FreshRunner) -> None:
    tests = [
        case("double", 1, 2),
        case("double", 2, 4),
        case("double", 3, 6),
        case("half", 0.2, 0.1, kind="approximately"),
        case("double", Display("list", (1,)), Display("list", (1, 1))),
        raising(None, Named("builtins", "ValueError"), "no value (none at all)"),
    ]
    found = verified(runner, *tests)
    assert found.file.text == file_of(*tests).text
    assert (found.dropped, found.runs, found.runner) == ((), 3, runner.name)


def test_test_that_is_no_python_is_one_test_less() -> None:
    subject, asserted = case("double", 1)
    broken = asserted._replace(assertions=(Assertion(1, Observed(1, (".None",)), "equals", 2),))
    file = file_of((subject, broken), case("double", 2, 4))
    assert (file.unprintable, len(file.tests)) == ((0,), 1)


def test_what_does_not_hold_is_left_out_and_the_rest_is_kept(runner: FreshRunner) -> None:
    found = verified(
        runner,
        case("double", 1, 2),
        case("double", 2, 5),
        case("double", 3, 6),
        raising(None, Named("builtins", "ValueError"), "another message"),
        raising(7, Named("builtins", "ValueError"), None),
        case("half", 1, 0.5),
        case("double", 4, 8),
        runs=1,
    )
    assert [one.index for one in found.dropped] == [4]
    assert all(one.reason for one in found.dropped)
    assert sorted(index for test in found.file.tests for index in test.indices) == [0, 1, 2, 3, 5, 6]
    assert "    assert isinstance(double(2), int)\n" in found.file.text
    assert "    with pytest.raises(ValueError):\n        double(None)\n" in found.file.text
    assert found.file.assertions == 6


def test_untrue_assertions_go_and_true_ones_stay(runner: FreshRunner) -> None:
    test = TestCase((Literal(0, "hash"), Call(1, function("double"), Arguments((0,))), Call(2, function("half"), Arguments((3,)))))
    test = TestCase((Literal(3, 4), *test.statements))
    checks = [(2, 1, "['a', 'b', 'c', 'd', 'e']"), (3, 2, 2.0), (3, 1, "never"), (3, 3, 4), (3, 2, 3.0)]
    asserted = AssertedTest(test, tuple(Assertion(after, Observed(one), "equals", value) for after, one, value in checks))
    found = verified(runner, (SuiteTest({}, "half", (), 1), asserted), case("double", 1, 2))
    assert found.dropped == ()
    assert [line.strip() for line in found.file.text.splitlines() if "assert" in line and "2.0" in line]
    assert "never" not in found.file.text
    assert "3.0" not in found.file.text
    assert "'e'" not in found.file.text


def test_unexamined_test_that_raises_is_expected_to(runner: FreshRunner) -> None:
    found = verified(runner, case("double", None), case("double", 3), case("double", "skip"), runs=1)
    assert "    with pytest.raises(ValueError):\n        double(None)\n" in found.file.text
    assert [test.indices for test in found.file.tests] == [(1,), (0,)]
    assert [one.index for one in found.dropped] == [2]


def test_tests_that_now_raise_do_not_shift_the_lines_of_untrue_assertions(quick_runner: FreshRunner) -> None:
    untrue = case("half", 3, 1.5, 2.0)
    found = verified(quick_runner, case("double", None), untrue, case("half", 8, 4.0), case("calls", 1, 77), seconds=0.0, runs=1)
    assert found.dropped == ()
    assert "(3, 1.5)," in found.file.text
    assert "2.0" not in found.file.text
    assert "77" not in found.file.text
    assert "    with pytest.raises(ValueError):\n        double(None)\n" in found.file.text


def test_tests_that_hang_or_end_the_interpreter_cost_themselves_only(quick_runner: FreshRunner) -> None:
    found = verified(
        quick_runner,
        case("half", 1, 0.5),
        case("double", "die", 1),
        case("double", "hang", 1),
        case("double", "x", "xx"),
        seconds=4.0,
        runs=1,
    )
    assert {one.index: one.reason for one in found.dropped} == {
        1: "it ends or hangs the interpreter",
        2: "it ends or hangs the interpreter",
    }
    assert sorted(index for test in found.file.tests for index in test.indices) == [0, 3]


def test_flaky_and_skipped_tests_are_dropped(quick_runner: FreshRunner) -> None:
    found = verified(
        quick_runner,
        case("half", 1, 0.5),
        case("double", "hash", "['a', 'b', 'c', 'd', 'e']"),
        case("double", "skip", 1),
        raising("skip", Named("builtins", "KeyError"), None),
    )
    assert [one.index for one in found.dropped] == [2, 3]
    assert '    assert isinstance(double("hash"), str)\n' in found.file.text


def test_sets_are_seen_in_many_orders(quick_runner: FreshRunner) -> None:
    words = Display("set", ("a", "b", "c"))
    cases = [case("first_of", words, word) for word in ("a", "b", "c")]
    found = verified(quick_runner, *cases, case("first_of", Display("set", (1, 2)), 1))
    assert "== 1\n" in found.file.text
    assert not [word for word in ("a", "b", "c") if f'== "{word}"' in found.file.text]
    assert found.file.assertions == 2, "of the other one, its type"


def test_test_that_was_refused_something_is_dropped_though_nothing_of_it_shows(runner: FreshRunner) -> None:
    found = verified(runner, case("version", 1, -1), case("half", 1, 0.5), case("version", 2, -1))
    assert {one.index: one.reason for one in found.dropped} == dict.fromkeys((0, 2), "it does what confinement refuses")
    assert (len(found.file.tests), found.file.assertions) == (1, 1)


def test_manager_that_raises_at_its_end_is_no_untrue_expectation(runner: FreshRunner) -> None:
    kept = Call(1, function("Kept"), Arguments((0,)))
    test = TestCase((Literal(0, "a"), kept, Enter(2, 1), Literal(3, None), Call(4, function("double"), Arguments((3,)))))
    asserted = AssertedTest(test, (), Raised(Named("builtins", "AttributeError"), None))
    found = verified(runner, (SuiteTest({}, "double", (), 1), asserted), case("half", 1, 0.5))
    assert [one.index for one in found.dropped] == [0]
    assert "Kept" not in found.file.text


def test_assertions_that_need_another_test_before_are_left_out(runner: FreshRunner) -> None:
    found = verified(runner, case("double", "order", "1"), case("half", 1, 0.5), case("calls", 0, 2), runs=2)
    assert found.dropped == ()
    assert [line.strip() for line in found.file.text.splitlines() if " == " in line] == ["assert half(1) == 0.5"]


def test_tests_that_lean_on_one_that_is_left_out_go_too(quick_runner: FreshRunner) -> None:
    first = case("leader", None, None, kind="is")  # passes under the first hash seed only
    follower = case("follower", 1, None, kind="is")
    found = verified(quick_runner, case("half", 1, 0.5), first, follower, seconds=30.0, runs=2)
    assert [test.indices for test in found.file.tests] == [(0,)]
    assert sorted(one.index for one in found.dropped) == [1, 2]


def test_test_that_breaks_the_import_is_found_by_halves(quick_runner: FreshRunner) -> None:
    broken = raising(None, Named("shop", "NoSuchError"), None)
    found = verified(quick_runner, case("half", 1, 0.5), case("half", 4, 2.0), broken, case("double", 3, 6), runs=1)
    assert [one.index for one in found.dropped] == [2]
    assert "NoSuchError" in found.dropped[0].reason
    assert "NoSuchError" not in found.file.text


def test_what_has_passed_once_is_handed_over_before_the_next_run(quick_runner: FreshRunner) -> None:
    handed: list[tuple[SuiteFile, int]] = []
    runs: list[str] = []

    def counted(*arguments: Any, **options: Any) -> FreshRun:
        runs.append("")
        return quick_runner.run_fresh(*arguments, **options)

    file = file_of(case("half", 1, 0.5), raising(1, Named("builtins", "ValueError"), None), case("double", 3, 6))
    runner = replace(quick_runner, run_fresh=counted)
    found = verify_suite(file, "test_shop.py", runner, lasting(30.0), early=lambda early: handed.append((early, len(runs))))
    [(early, after)] = handed
    assert after == 1 < len(runs)
    assert early.text == found.file.text
    assert sorted(test.indices for test in early.tests) == [(0,), (2,)]


def test_two_hash_seeds_are_tried_however_late_it_is(quick_runner: FreshRunner) -> None:
    found = verified(quick_runner, case("half", 1, 0.5), raising(1, Named("builtins", "ValueError"), None), seconds=0.0)
    assert [test.indices for test in found.file.tests] == [(0,)]
    assert ([one.index for one in found.dropped], found.runs) == ([1], 3), "and the file that is left was run as it stands"


def test_what_was_never_seen_passing_is_not_in_the_file(quick_runner: FreshRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crashwright.finishing.suite.verify.LEAST_SECONDS", 0.0)
    found = verified(quick_runner, case("half", 1, 0.5), seconds=0.0)
    assert found.file.tests == ()
    assert [one.reason for one in found.dropped] == ["there was no time to run it"]


def test_twin_of_a_dropped_test_does_not_take_its_place(quick_runner: FreshRunner) -> None:
    bad = raising(1, Named("builtins", "ValueError"), None)
    found = verified(quick_runner, bad, bad, case("double", 2, 4), seconds=0.0)
    assert [test.indices for test in found.file.tests] == [(2,)]


def test_tests_of_others_in_the_file_are_not_run(quick_runner: FreshRunner) -> None:
    kept = kept_text("import os\n\n\ndef test_mine():\n    os._exit(1)\n")
    bad = raising(1, Named("builtins", "ValueError"), None)
    file = suite_file([case("half", 1, 0.5), bad], ModuleTarget("shop"), "crashwright generate shop", kept)
    found = verify_suite(file, "test_shop.py", quick_runner, lambda: 10.0, runs=1)
    assert [one.index for one in found.dropped] == [1]
    assert "def test_mine():\n    os._exit(1)" in found.file.text


def test_suite_without_tests_is_no_run(quick_runner: FreshRunner) -> None:
    assert verified(quick_runner).file.tests == ()


def test_what_depends_on_the_date_the_environment_or_the_folder_is_left_out_and_counted(
    runner: FreshRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_NEEDS", "bread")
    now = datetime.datetime.now(datetime.UTC)
    today, waiting = str(datetime.date.today()), Raised(Named("builtins", "ValueError"), "retry after 1.0 s")
    subject, asserted = case("limited", 1)
    found = verified(
        runner,
        case("surroundings", "day", today),
        case("surroundings", "hour", now.hour),
        case("surroundings", "folder", "work"),
        case("surroundings", "elapsed", 0.0, kind="approximately"),
        case("surroundings", "unset", "missing"),
        (subject, asserted._replace(raised=waiting)),
        case("surroundings", "needs", "bread"),
        case("half", 1, 0.5),
        runs=1,
    )
    assert "retry after" not in found.file.text
    assert "    with pytest.raises(ValueError):\n        limited(1)\n" in found.file.text
    assert today not in found.file.text
    assert found.file.text.count("isinstance(") >= 1
    assert "== " not in found.file.text.replace("assert half(1) == 0.5", "")
    assert found.weakened_elsewhere + found.dropped_elsewhere == 7


def test_the_time_of_day_is_another_one_elsewhere(quick_runner: FreshRunner) -> None:
    said = case("surroundings", "minute", datetime.datetime.now(datetime.UTC).minute)
    found = verified(quick_runner, said, case("half", 1, 0.5), runs=1)
    assert 'assert isinstance(surroundings("minute"), int)' in found.file.text
    assert found.weakened_elsewhere == 1


def test_what_is_said_in_place_of_a_value_holds_elsewhere_too(quick_runner: FreshRunner) -> None:
    found = verified(quick_runner, case("surroundings", "nothing", 7), case("half", 1, 0.5), runs=1)
    assert "isinstance" not in found.file.text
    assert "== 7" not in found.file.text
    assert found.weakened_elsewhere == 1


def test_a_variable_that_the_test_deletes_is_missing_elsewhere_too(quick_runner: FreshRunner) -> None:
    subject, asserted = case("surroundings", "unset", "missing")
    test = TestCase((Ambient(5, "environ", "SHOP_UNSET", None), *asserted.test.statements))
    found = verified(quick_runner, (subject, AssertedTest(test, (Assertion(2, Observed(1), "equals", "missing"),))), runs=1)
    assert 'monkeypatch.delenv("SHOP_UNSET", raising=False)' in found.file.text
    assert (found.file.assertions, found.weakened_elsewhere) == (1, 0)


def test_what_is_imported_by_parts_and_not_as_a_whole_is_written_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """pytest takes no fixture called ``request``, which three tests of a class of that name would share."""
    monkeypatch.setattr("crashwright.finishing.suite.fixtures.OF_PYTEST", frozenset())
    maker = Callee("shop", "Request", CalleeKind.CLASS)
    answers: dict[str, Value] = {"path": "/a", "size": 3, "names": Display("list", ("b",)), "is_safe": True}
    tests = []
    for name, answer in answers.items():
        method = Callee("shop", f"Request.{name}", CalleeKind.METHOD)
        test = TestCase((Call(0, maker, Arguments()), MethodCall(1, 0, name, Arguments(), method)))
        check = Assertion(1, Observed(1), "is" if answer is True else "equals", answer)
        tests.append((SuiteTest({}, f"Request.{name}", (), 1), AssertedTest(test, (check,))))
    calls = [case("double", 1, 2), case("half", 4, 2.0)]
    found = verified(runner_in(tmp_path, has_pytest=True), *tests, *calls)
    kept = found.file.text
    assert found.file.tests
    assert "def request(" not in kept
    assert all("cannot be imported with all of them: 'request' is a reserved word" in one.reason for one in found.dropped)
    assert found.dropped
