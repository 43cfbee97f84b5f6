"""Nothing that the subject holds breaks the engine: lazy and hostile objects of each kind, a few at a time and all together."""

from __future__ import annotations

from pathlib import Path

import pytest
from forked_engine import in_small_process, messages_of
from hostile_objects import NAME, PARTS, write_package
from patience import HANG
from warm_program import run_program

from crashwright.core.location import CodeKey
from crashwright.core.messages import Examined, Failed, Finished, Start, StartSuite, Suite, Task
from crashwright.core.settings import Budget, EngineSettings, LimitSettings, SearchSettings
from crashwright.core.suite import ModuleTarget
from crashwright.core.target import CallSite, CrashTarget, TargetFrame

MODULE = f"{NAME}.core"
SESSIONS = "crashwright.engine.sessions"
HANGING = "special methods that hang"
"""Each look that a test itself takes at these costs it all its time."""
OTHERS = tuple(part for part in PARTS if part != HANGING)
GROUPS = [OTHERS[start : start + 4] for start in range(0, len(OTHERS), 4)] + [(HANGING,)]


def settings(folder: Path, evaluations: int, algorithm: str = "guided") -> EngineSettings:
    scratch = folder / f"scratch-{evaluations}"
    scratch.mkdir()
    limits = LimitSettings(test_seconds=0.03)
    search = SearchSettings(algorithm=algorithm)
    return EngineSettings(search, Budget(None, evaluations), limits, (str(folder),), str(scratch))


@pytest.mark.parametrize("parts", GROUPS, ids=lambda parts: parts[0])
def test_a_crash_beside_a_few_kinds_of_them(tmp_path: Path, parts: tuple[str, ...]) -> None:
    write_package(tmp_path, parts)
    frame = TargetFrame(CodeKey(MODULE, "divide", 4), str(tmp_path / NAME / "core.py"), 6, "return 1 / x", None, True)
    target = CrashTarget(MODULE, "ZeroDivisionError", "division by zero", (frame,), (CallSite("divide(0, 1)", "main", {}),))
    said = in_small_process(messages_of, Start(settings(tmp_path, 400), target), f"{SESSIONS}.crash")
    assert [message.detail or message.text for message in said if isinstance(message, Failed)] == []
    assert [message.reason for message in said if isinstance(message, Finished)] == ["reproduced"]


@pytest.mark.nightly
@pytest.mark.parametrize("parts", GROUPS, ids=lambda parts: parts[0])
def test_a_suite_for_a_few_kinds_of_them(tmp_path: Path, parts: tuple[str, ...]) -> None:
    write_package(tmp_path, parts)
    evaluations = 40 if HANGING in parts else 300
    start = StartSuite(settings(tmp_path, evaluations, "dynamosa"), ModuleTarget(MODULE))
    said = in_small_process(messages_of, start, f"{SESSIONS}.suite")
    assert [message.detail or message.text for message in said if isinstance(message, Failed)] == []
    *_, suite = [message for message in said if isinstance(message, Suite)]  # the first is what there was before it was made small
    tests = [one.test for one in suite.tests]
    assert tests
    assert HANGING in parts or "divide" in str(tests)
    start = StartSuite(settings(tmp_path, 1000), ModuleTarget(MODULE), seeds=tuple(tests), task=Task.OBSERVE)
    said = in_small_process(messages_of, start, f"{SESSIONS}.examination")
    assert [message.detail or message.text for message in said if isinstance(message, Failed)] == []
    assert {message.index for message in said if isinstance(message, Examined)} == set(range(len(tests)))


def crashwright(folder: Path, *arguments: str) -> str:
    """The command succeeds; what it says."""
    done = run_program([*arguments, "--path", str(folder), "--seed", "1"], folder, HANG, {"TMPDIR": str(folder)})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.nightly
def test_a_crash_is_found_among_them(tmp_path: Path) -> None:
    write_package(tmp_path, OTHERS)
    told = crashwright(tmp_path, "reproduce", "crash.txt", "--evaluations", "1500", "--no-cache")
    assert "all frames, same message" in told or "the frame, same message" in told
    assert "verified 3 of 3" in told


def test_a_suite_is_written_for_what_stands_among_them(tmp_path: Path) -> None:
    write_package(tmp_path, OTHERS)
    told = crashwright(tmp_path, "generate", MODULE, "--target", "divide", "--evaluations", "100", "--output", ".")
    assert "branch 2/2" in told
