"""Nothing that the subject holds breaks the engine: lazy and hostile objects of every kind in one module, and both commands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from command import PROGRAM
from hostile_objects import NAME, PARTS, write_package


def crashwright(folder: Path, *arguments: str) -> str:
    """The command succeeds; what it says."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments, "--path", str(folder), "--seed", "1"],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_crash_is_found_among_them(tmp_path: Path) -> None:
    write_package(tmp_path, PARTS)
    told = crashwright(tmp_path, "reproduce", "crash.txt", "--evaluations", "1500", "--no-cache")
    assert "all frames, same message" in told or "the frame, same message" in told
    assert "verified 3 of 3" in told


def test_a_suite_is_written_for_what_stands_among_them(tmp_path: Path) -> None:
    write_package(tmp_path, PARTS)
    told = crashwright(tmp_path, "generate", f"{NAME}.core", "--target", "divide", "--evaluations", "100", "--output", ".")
    assert "branch 2/2" in told
