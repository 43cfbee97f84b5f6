"""Which exception of a report is taken for the crash."""

from __future__ import annotations

from pathlib import Path

import pytest

from crashwright.core.report import CrashReport, ReportedException, ReportedFrame
from crashwright.crash.candidates import choose_crash
from crashwright.environment.interpreter import Interpreter

SHOP = "def reserve(n):\n    return take(n)\n\n\ndef take(n):\n    return [][n]\n"


@pytest.fixture
def here(tmp_path: Path) -> Interpreter:
    site = tmp_path / "venv" / "site-packages"
    (site / "grove").mkdir(parents=True)
    (site / "grove" / "__init__.py").write_text(SHOP)
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "shop.py").write_text(SHOP)
    return Interpreter("python", (3, 11, 7), (str(tmp_path / "code"), str(site)), (str(tmp_path / "lib"),), True)


def mine(line: int = 6, function: str = "take", source: str = "return [][n]") -> ReportedFrame:
    return ReportedFrame("/srv/app/shop.py", line, function, source)


INSTALLED = ReportedFrame("/v/lib/python3.11/site-packages/grove/__init__.py", 6, "take", "return [][n]")
RAISES = ReportedFrame("/usr/lib/python3.11/asyncio/taskgroups.py", 145, "__aexit__", "raise me from None")


def one(kind: str, *frames: ReportedFrame, link: object = None, group: tuple[CrashReport, ...] = ()) -> ReportedException:
    return ReportedException(kind, "no", frames, link=link, group=group)  # type: ignore[arg-type]


def taken(here: Interpreter, *chain: ReportedException, index: str | None = None, package: str | None = None) -> tuple[str, str]:
    found = choose_crash((CrashReport(chain),), index, here, package)
    return found.index, found.report.crash.type


def test_member_of_the_users_own_code_is_the_crash_and_not_the_group(here: Interpreter) -> None:
    members = (CrashReport((one("OSError", INSTALLED),)), CrashReport((one("IndexError", mine()),)))
    group = one("ExceptionGroup", mine(2, "reserve", "return take(n)"), RAISES, group=members)
    assert taken(here, group) == ("1.2", "IndexError")
    assert taken(here, group, index="1-0") == ("1-0", "ExceptionGroup")
    assert taken(here, group, index="1.1") == ("1.1", "OSError")
    assert taken(here, group, package="grove") == ("1.1", "OSError")


def test_cause_is_the_crash_and_not_what_it_was_wrapped_in(here: Interpreter) -> None:
    wrapped = mine(2, "reserve", "raise StockError(n) from error")
    assert taken(here, one("IndexError", mine(), link="cause"), one("StockError", wrapped)) == ("1-1", "IndexError")
    assert taken(here, one("IndexError", mine(), link="context"), one("StockError", wrapped)) == ("1-1", "IndexError")


def test_what_python_itself_makes_of_an_exception_was_handled_by_nobody(here: Interpreter) -> None:
    inner = one("StopIteration", mine(), link="cause")
    outer = ReportedException("RuntimeError", "generator raised StopIteration", (mine(2, "reserve", "return take(n)"),))
    assert taken(here, inner, outer) == ("1", "RuntimeError")


def test_what_goes_wrong_while_another_is_handled_is_a_crash_of_its_own(here: Interpreter) -> None:
    handler = mine(2, "reserve", "return take(n)")
    assert taken(here, one("KeyError", mine(), link="context"), one("IndexError", handler)) == ("1", "IndexError")


def test_without_code_of_the_users_it_is_the_last_exception(here: Interpreter) -> None:
    assert taken(here, one("IndexError", INSTALLED, link="cause"), one("StockError", INSTALLED)) == ("1", "StockError")
    group = one("ExceptionGroup", INSTALLED, group=(CrashReport((one("IndexError", INSTALLED),)),))
    assert taken(here, group) == ("1", "ExceptionGroup")


def test_what_was_taken_and_how_to_take_another_is_said(here: Interpreter) -> None:
    chain = (one("IndexError", mine(), link="cause"), one("StockError", mine(2, "reserve", "raise StockError")))
    note = choose_crash((CrashReport(chain),), None, here).note
    assert "IndexError, the cause of the StockError (--report-number 1-1)" in note
    assert "--report-number 1-0 takes the StockError itself, explain lists all 2" in note
    assert choose_crash((CrashReport(chain[:1]),), None, here).note == ""
