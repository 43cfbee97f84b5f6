"""Printed files judged in real fresh interpreters, with a tiny package."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

import pytest

from crashwright.core.location import CodeKey
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.finishing.crash.verify import Verifier
from crashwright.finishing.running.fresh_runner import FreshRunner
from crashwright.supervision.fresh import run_fresh

pytestmark = pytest.mark.slow  # fresh interpreters

SHOP = """\
def reserve(items, n):
    return take(items, n)


def take(items, n):
    return items[n]
"""


def frame(folder: Path, function: str, line: int) -> TargetFrame:
    return TargetFrame(CodeKey("shop", function, line - 1), str(folder / "shop.py"), line, "", None, True)


@pytest.fixture(params=[True, False], ids=["pytest", "stand-in"])
def verifier(request: pytest.FixtureRequest, tmp_path: Path) -> Verifier:
    (tmp_path / "shop.py").write_text(SHOP)
    target = CrashTarget(
        "shop", "IndexError", "list index out of range", (frame(tmp_path, "reserve", 2), frame(tmp_path, "take", 6))
    )
    return Verifier(target, FreshRunner(sys.executable, request.param, tmp_path / "scratch", run_fresh, (str(tmp_path),)))


def judge(verifier: Verifier, body: str, runs: int = 1) -> tuple[int, ...]:
    text = f"import pytest\nimport shop\n\n\ndef test_it(tmp_path):\n    {body}\n"
    return verifier.verify(text, "test_it.py", runs, lambda: 30.0).levels


def test_bare_call_is_judged(verifier: Verifier) -> None:
    found = verifier.verify("import shop\n\n\ndef test_it():\n    shop.reserve([], 1)\n", "test_it.py", 1, lambda: 30.0)
    assert (set(found.levels), found.agreement.test_line) == ({4}, 5)
    assert found.runner == verifier.runner.name


def test_what_pytest_raises_swallows_is_judged(verifier: Verifier) -> None:
    assert judge(verifier, "with pytest.raises(IndexError, match='list'): shop.reserve([], 1)") == (4,)


def test_other_way_in_is_partial_and_other_calls_are_nothing(verifier: Verifier) -> None:
    assert judge(verifier, "shop.take([], 1)") == (2,)
    assert judge(verifier, "shop.reserve(None, 1)") == (0,)
    assert judge(verifier, "shop.reserve([1], 0)") == (0,)


def test_file_that_does_not_import_is_nothing(verifier: Verifier) -> None:
    found = verifier.verify("import no_such_module_there\n\n\ndef test_it():\n    pass\n", "test_it.py", 3, lambda: 30.0)
    assert found.levels == (0,)


def test_runs_that_differ_are_unstable_and_worth_the_least(verifier: Verifier, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    text = (
        "import pathlib\n\nimport shop\n\n"
        f"MARK = pathlib.Path({str(mark)!r})\nITEMS = [1] if MARK.exists() else []\nMARK.touch()\n\n\n"
        "def test_it():\n    shop.take(ITEMS, 0)\n"
    )
    open_here = Verifier(verifier.target, dataclasses.replace(verifier.runner, allow=(f"write:{tmp_path}",)))
    found = open_here.verify(text, "test_it.py", 3, lambda: 30.0)
    assert found.levels == (2, 0)
    assert (found.level, len(set(found.levels))) == (0, 2)


def test_no_run_starts_without_time_and_a_hang_is_stopped(verifier: Verifier) -> None:
    text = "import time\n\n\ndef test_it():\n    time.sleep(60)\n"
    assert verifier.verify(text, "test_it.py", 3, lambda: 0.0).levels == ()
    found = verifier.verify(text, "test_it.py", 3, lambda: 0.5)
    assert (found.levels, found.cut_off) == ((), True)


def test_a_run_that_the_clock_cuts_off_is_no_refutation(verifier: Verifier) -> None:
    text = "import shop\n\n\ndef test_it():\n    shop.reserve([], 1)\n"
    times = iter((30.0, 0.01))
    found = verifier.verify(text, "test_it.py", 3, lambda: next(times))
    assert (found.levels, found.level, found.cut_off) == ((4,), 4, True)
    none = verifier.verify(text, "test_it.py", 3, lambda: 0.01)
    assert (none.levels, none.missing) == ((), "no fresh run finished in the time left")
    assert found.followed_by(none).level == 4


def test_a_hang_after_the_crash_does_not_undo_it(verifier: Verifier) -> None:
    text = (
        "import pytest\nimport shop\nimport time\n\n\ndef test_it():\n"
        "    with pytest.raises(IndexError):\n        shop.reserve([], 1)\n    time.sleep(60)\n"
    )
    found = verifier.verify(text, "test_it.py", 1, lambda: 8.0)
    assert (found.levels, found.cut_off) == ((4,), False)


def test_import_of_the_test_file_is_confined_too(verifier: Verifier, tmp_path: Path) -> None:
    text = f"open({str(tmp_path / 'new')!r}, 'w')\n\n\ndef test_it():\n    pass\n"
    verifier.verify(text, "test_it.py", 1, lambda: 30.0)
    assert not (tmp_path / "new").exists()


def test_kernel_confines_what_the_audit_hook_does_not_see(verifier: Verifier, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("x")
    folder = f"os.open({str(tmp_path)!r}, os.O_RDONLY)"
    body = f"os.open('precious', os.O_WRONLY | os.O_TRUNC, dir_fd={folder})"
    found = verifier.verify(f"import os\n\n\ndef test_it():\n    {body}\n", "test_it.py", 1, lambda: 30.0)
    assert precious.read_text() == "x"
    assert found.agreement.raised is not None
    assert "PermissionError" in found.agreement.raised.printed


def test_test_cannot_write_outside_scratch_but_may_use_tmp_path(verifier: Verifier, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("x")
    body = f"(tmp_path / 'a').write_text('b'); os.remove({str(precious)!r})"
    text = f"import os\nimport shop\n\n\ndef test_it(tmp_path):\n    {body}\n"
    found = verifier.verify(text, "test_it.py", 1, lambda: 30.0)
    assert precious.exists()
    assert found.agreement.raised is not None
    assert "PermissionError" in found.agreement.raised.printed
    assert "precious" in found.agreement.raised.refused[0]
