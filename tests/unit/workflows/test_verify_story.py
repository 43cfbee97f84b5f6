"""`verify` on tests of any origin, in real fresh interpreters, with a tiny package."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from crashwright.core.codec import to_json
from crashwright.core.errors import ExitCode, UsageError
from crashwright.environment.interpreter import Interpreter, inspect_interpreter
from crashwright.reporting.json_result import verification_document
from crashwright.reporting.verification import verification_rows
from crashwright.supervision.fresh import run_fresh
from crashwright.workflows.inquiries.verification import VerifyAnswer, VerifyResult
from crashwright.workflows.inquiries.verify import VerifyRequest, verify

pytestmark = pytest.mark.slow  # fresh runs of pytest

SHOP = """\
def reserve(items, n):
    return take(items, n)


def take(items, n):
    try:
        return items[n]
    except KeyError as error:
        raise LookupError(n) from error
"""
REPORT = """\
Traceback (most recent call last):
  File "/srv/app/main.py", line 3, in <module>
    shop.reserve([], 7)
  File "/srv/app/shop.py", line 2, in reserve
    return take(items, n)
           ^^^^^^^^^^^^^^
  File "/srv/app/shop.py", line 7, in take
    return items[n]
           ~~~~~^^^
IndexError: list index out of range
"""
CHAINED = """\
Traceback (most recent call last):
  File "/srv/app/shop.py", line 7, in take
    return items[n]
KeyError: 7

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/srv/app/shop.py", line 2, in reserve
    return take(items, n)
  File "/srv/app/shop.py", line 9, in take
    raise LookupError(n) from error
LookupError: 7
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # The plug-ins of this environment take longer to load than the tests to run.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "shop.py").write_text(SHOP)
    (tmp_path / "scratch").mkdir()
    return tmp_path


def judge(place: Path, body: str, report: str = REPORT, test: str = "test_it.py", **chosen: object) -> VerifyResult:
    (place / "test_it.py").write_text("import pytest\nimport shop\n\n\n" + body)
    base = VerifyRequest(
        str(place / test), report, python=sys.executable, path=(str(place / "code"),), folder=str(place), runs=1, seconds=30.0
    )
    request = replace(base, **chosen)  # type: ignore[arg-type]
    result = verify(request, run_fresh, place / "scratch", lambda _level, _run: None)
    assert to_json(verification_document(result))
    assert verification_rows(result)
    return result


def test_every_way_of_expecting_a_crash_reproduces_it(place: Path) -> None:
    (place / "conftest.py").write_text("import pytest\n\n\n@pytest.fixture\ndef items():\n    return []\n")
    body = (
        "class TestShop:\n    @pytest.mark.parametrize('n', [0, 7])\n    def test_fixture(self, items, n):\n"
        "        with pytest.raises(IndexError):\n            shop.reserve(items, n)\n\n\n"
        "@pytest.mark.xfail(strict=True)\ndef test_xfail():\n    shop.reserve([], 1)\n\n\n"
        "def test_old_form():\n    pytest.raises(IndexError, shop.reserve, [], 1)\n\n\n"
        "import unittest\n\n\nclass Old(unittest.TestCase):\n    def test_unittest(self):\n"
        "        with self.assertRaises(IndexError):\n            shop.reserve([], 1)\n\n\n"
        "def test_fine():\n    assert shop.reserve([1], 0) == 1\n"
    )
    found = judge(place, body, runs=3)
    assert (found.answer, found.exit_code, found.levels) == (VerifyAnswer.REPRODUCES, ExitCode.SUCCESS, (4, 4, 4))
    levels = {test.name.partition("::")[2]: test.level for test in found.tests}
    assert levels == {
        "TestShop::test_fixture[0]": 4,
        "TestShop::test_fixture[7]": 4,
        "test_xfail": 4,
        "test_old_form": 4,
        "Old::test_unittest": 4,
        "test_fine": 0,
    }


def test_another_value_in_the_message_is_a_near_miss(place: Path) -> None:
    (place / "code" / "shop.py").write_text(SHOP.replace("except KeyError", "except TypeError"))
    report = CHAINED.partition("following exception:\n\n")[2].replace("LookupError: 7", "KeyError: 7")
    report = report.replace("9, in take\n    raise LookupError(n) from error", "7, in take\n    return items[n]")
    near = judge(place, "def test_a():\n    shop.reserve({}, 0)\n", report)
    assert (near.answer, near.exit_code, near.near_miss) == (VerifyAnswer.REPRODUCES, ExitCode.SUCCESS, "other value (KeyError: 0)")
    assert verification_rows(near)[-1].text.endswith("a near miss: other value (KeyError: 0)")
    assert judge(place, "def test_a():\n    shop.reserve({}, 7)\n", report).near_miss == ""


def test_one_test_of_a_file(place: Path) -> None:
    body = "def test_a():\n    shop.reserve([], 1)\n\n\ndef test_b():\n    pass\n"
    assert judge(place, body, test="test_it.py::test_b").answer is VerifyAnswer.FIXED


def test_partial_says_what_is_missing(place: Path) -> None:
    found = judge(place, "def test_a():\n    shop.take([], 1)\n")
    assert (found.answer, found.exit_code, found.level) == (VerifyAnswer.PARTIAL, ExitCode.PARTIAL, 2)
    assert found.detail == "only 1 of 2 frames match"


def test_fixed_package_makes_expecting_tests_fail_without_a_crash(place: Path) -> None:
    # The lines stay, so that they can be compared.
    (place / "code" / "shop.py").write_text(SHOP.replace("        return items[n]", "        return items[n] if items else None"))
    report = REPORT.replace("    return items[n]\n           ~~~~~^^^\n", "")
    found = judge(place, "def test_a():\n    with pytest.raises(IndexError):\n        shop.reserve([], 1)\n", report)
    assert (found.answer, found.exit_code) == (VerifyAnswer.FIXED, ExitCode.NOT_FOUND)
    assert "1 failed" in found.detail


def test_source_that_has_no_such_line_any_more_is_still_judged(place: Path) -> None:
    body = "def test_a():\n    shop.reserve([], 1)\n"
    (place / "code" / "shop.py").write_text(SHOP.replace("return items[n]", "return items[n] if items else None"))
    fixed = judge(place, body)
    assert (fixed.answer, fixed.compared) == (VerifyAnswer.FIXED, False)
    (place / "code" / "shop.py").write_text(SHOP.replace("return items[n]", "n += 0\n        return list(items)[n]"))
    same = judge(place, body)
    assert (same.answer, same.exit_code) == (VerifyAnswer.PARTIAL, ExitCode.PARTIAL)
    assert "same function" in same.detail


def test_other_crashes_are_told_from_failed_expectations(place: Path) -> None:
    otherwise = judge(place, "def test_a():\n    shop.reserve(None, 1)\n")
    assert (otherwise.answer, otherwise.exit_code) == (VerifyAnswer.OTHERWISE, ExitCode.NOT_FOUND)
    assert otherwise.detail == "TypeError: 'NoneType' object is not subscriptable at shop.py:7 in take"
    assert judge(place, "def test_a():\n    assert shop.reserve([1], 0) == 2\n").answer is VerifyAnswer.FIXED


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("import no_such_module_there\n", "no_such_module_there"),
        ("def test_a(:\n", "SyntaxError"),
        ("def helper():\n    pass\n", "it has no test"),
        ("import os\n\n\ndef test_a():\n    os._exit(3)\n", "ended (exit status 3) in"),
        ("@pytest.mark.skip\ndef test_a():\n    pass\n", "skipped"),
        ("def test_a(no_such_fixture):\n    pass\n", "no_such_fixture"),
    ],
)
def test_what_does_not_run_is_said(place: Path, body: str, words: str) -> None:
    found = judge(place, body)
    if "fixture" in body:
        assert found.answer in (VerifyAnswer.NOT_RUN, VerifyAnswer.OTHERWISE)
    else:
        assert (found.answer, found.exit_code) == (VerifyAnswer.NOT_RUN, ExitCode.ENVIRONMENT)
    assert words in found.detail


def test_hanging_test_is_stopped(place: Path) -> None:
    found = judge(place, "def test_a():\n    import time\n    time.sleep(60)\n", seconds=2.0)
    assert (found.answer, found.detail) == (VerifyAnswer.NOT_RUN, "it ran out of time")


def test_chain_is_told(place: Path) -> None:
    agrees = judge(place, "def test_a():\n    shop.reserve({}, 1)\n", CHAINED)
    assert (agrees.answer, agrees.chain) == (VerifyAnswer.REPRODUCES, "within LookupError, as in the report")
    itself = judge(place, "def test_a():\n    shop.reserve({}, 1)\n", CHAINED, index="1-0")
    assert (itself.answer, itself.chain) == (VerifyAnswer.REPRODUCES, "the exceptions before it match as well")


def test_unstable_reproduction_is_no_reproduction(place: Path) -> None:
    mark = place / "mark"
    body = (
        f"import pathlib\n\nMARK = pathlib.Path({str(mark)!r})\nITEMS = [1] if MARK.exists() else []\nMARK.touch()\n\n\n"
        "def test_a():\n    shop.reserve(ITEMS, 0)\n"
    )
    found = judge(place, body, runs=3, allow=(f"write:{place}",))
    assert (found.answer, found.exit_code, found.levels) == (VerifyAnswer.UNSTABLE, ExitCode.PARTIAL, (4, 0))


def test_no_such_file_is_wrong_usage(place: Path) -> None:
    with pytest.raises(UsageError, match="no file"):
        judge(place, "", test="none.py")


def test_test_writes_nothing_outside_scratch(place: Path) -> None:
    body = f"def test_a():\n    open({str(place / 'made')!r}, 'w')\n"
    assert judge(place, body).answer is VerifyAnswer.OTHERWISE
    assert not (place / "made").exists()
    assert not (place / ".pytest_cache").exists()


def test_without_pytest_plain_tests_run_and_others_are_named(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_pytest(exe: str, path: tuple[str, ...] = ()) -> Interpreter:
        return replace(inspect_interpreter(exe, path), has_pytest=False)

    monkeypatch.setattr("crashwright.workflows.inquiries.verify.inspect_interpreter", without_pytest)
    body = "class TestShop:\n    def test_a(self):\n        with pytest.raises(IndexError):\n            shop.reserve([], 1)\n"
    found = judge(place, body)
    assert (found.answer, found.runner) == (VerifyAnswer.REPRODUCES, "stand-in")
    assert found.test.endswith("TestShop::test_a")
    fixture = judge(place, "def test_a(request):\n    pass\n")
    assert fixture.answer is VerifyAnswer.NOT_RUN
    assert "request" in fixture.detail
