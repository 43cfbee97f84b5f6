"""`verify` with a fixed side: another interpreter, another folder, another commit."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from patience import HANG

from crashwright.core.codec import to_json
from crashwright.core.errors import EnvironmentProblem, ExitCode, UsageError
from crashwright.finishing.crash.after_fix import FixOutcome
from crashwright.reporting.json_result import verification_document
from crashwright.reporting.verification import verification_rows
from crashwright.supervision.fresh import run_fresh
from crashwright.workflows.fixed_side import Fixed
from crashwright.workflows.inquiries.verification import FixVerdict, VerifyAnswer, VerifyResult
from crashwright.workflows.inquiries.verify import VerifyRequest, verify

pytestmark = pytest.mark.slow  # fresh runs of pytest

BROKEN = "def take(items, n):\n    return items[n]\n"
FIXED = "# now with a check\n\n\ndef take(items, n):\n    return items[n] if n < len(items) else None\n"
REFUSES = "def take(items, n):\n    if n >= len(items):\n        raise LookupError('there is no item')\n    return items[n]\n"
MOVED = "# moved, not fixed\n\n\ndef take(items, n):\n    return items[n]\n"
REPORT = """\
Traceback (most recent call last):
  File "/srv/app/store.py", line 2, in take
    return items[n]
           ~~~~~^^^
IndexError: list index out of range
"""
TEST = "import store\n\n\ndef test_it():\n    store.take([], 7)\n"
EXPECTS = "import pytest\nimport store\n\n\ndef test_it():\n    with pytest.raises(IndexError):\n        store.take([], 7)\n"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    for folder in ("code", "fixed", "scratch", "tests"):
        (tmp_path / folder).mkdir()
    (tmp_path / "code" / "store.py").write_text(BROKEN)
    return tmp_path


def judge(place: Path, fixed: Fixed, text: str = TEST, path: str = "code", runs: int = 1) -> VerifyResult:
    (place / "tests" / "test_it.py").write_text(text)
    request = VerifyRequest(
        str(place / "tests" / "test_it.py"),
        REPORT,
        python=sys.executable,
        path=(str(place / path),),
        folder=str(place),
        seconds=HANG,
        runs=runs,
        fixed=fixed,
    )
    result = verify(request, run_fresh, place / "scratch", lambda _level, _run: None)
    document = verification_document(result)
    assert to_json(document)
    assert document["verdict"] == verification_rows(result)[-1].text or result.fixed is None
    return result


@pytest.mark.parametrize(
    ("code", "text", "verdict", "exit_code", "detail"),
    [
        (FIXED, TEST, FixVerdict.FAIL_TO_PASS, ExitCode.SUCCESS, ""),
        (FIXED, EXPECTS, FixVerdict.FAIL_TO_PASS, ExitCode.SUCCESS, "the crash that it expects is gone"),
        (REFUSES, TEST, FixVerdict.FAIL_TO_OTHER, ExitCode.PARTIAL, "LookupError: there is no item"),
        (MOVED, TEST, FixVerdict.STILL_CRASHES, ExitCode.NOT_FOUND, "IndexError: list index out of range"),
        (MOVED, EXPECTS, FixVerdict.STILL_CRASHES, ExitCode.NOT_FOUND, "IndexError: list index out of range"),
    ],
)
def test_a_folder_with_the_fix(place: Path, code: str, text: str, verdict: FixVerdict, exit_code: ExitCode, detail: str) -> None:
    (place / "fixed" / "store.py").write_text(code)
    result = judge(place, Fixed(path=str(place / "fixed")), text)
    assert result.fixed is not None
    assert (result.verdict, result.exit_code, result.fixed.detail) == (verdict, exit_code, detail)


def test_a_commit_with_the_fix_leaves_the_project_alone(place: Path) -> None:
    project = place / "project"
    (project / "src").mkdir(parents=True)

    def git(*words: str) -> str:
        settings = ("-c", "user.name=a", "-c", "user.email=a@b")
        return subprocess.run(["git", "-C", str(project), *settings, *words], check=True, capture_output=True, text=True).stdout

    git("init", "-q")
    (project / "src" / "store.py").write_text(FIXED)
    git("add", ".")
    git("commit", "-qm", "fixed")
    git("tag", "repaired")
    (project / "src" / "store.py").write_text(BROKEN)
    before = git("status", "--porcelain"), git("worktree", "list")
    result = judge(place, Fixed(ref="repaired"), path="project/src")
    assert result.verdict is FixVerdict.FAIL_TO_PASS
    assert (git("status", "--porcelain"), git("worktree", "list")) == before
    with pytest.raises(EnvironmentProblem, match="no such commit"):
        judge(place, Fixed(ref="--all"), path="project/src")


def test_what_is_no_fixed_side(place: Path) -> None:
    with pytest.raises(UsageError):
        Fixed(python="a", ref="b")
    with pytest.raises(EnvironmentProblem, match="has no store in it"):
        judge(place, Fixed(path=str(place / "fixed")))
    with pytest.raises(EnvironmentProblem, match="not a git repository"):
        judge(place, Fixed(ref="main"))
    same = judge(place, Fixed(path=str(place / "code")))
    assert same.verdict is FixVerdict.NOT_RUN
    assert same.fixed is not None
    assert "the code with the bug was imported there too" in same.fixed.detail


def test_no_crash_before_needs_no_fix(place: Path) -> None:
    (place / "fixed" / "store.py").write_text(FIXED)
    result = judge(place, Fixed(path=str(place / "fixed")), "import store\n\n\ndef test_it():\n    store.take([1], 0)\n")
    assert (result.answer, result.verdict, result.fixed) == (VerifyAnswer.FIXED, VerifyAnswer.FIXED, None)


def test_the_folder_of_the_test_does_not_come_before_the_fixed_code(place: Path) -> None:
    """Code, test and where one stands are one folder: what stands there has the bug."""
    (place / "fixed" / "store.py").write_text(FIXED)
    (place / "tests" / "store.py").write_text(BROKEN)
    result = judge(place, Fixed(path=str(place / "fixed")), path="tests")
    assert result.fixed is not None
    assert result.fixed.outcome is FixOutcome.PASSES, result.fixed.detail
