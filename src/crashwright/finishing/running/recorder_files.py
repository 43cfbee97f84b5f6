"""What a fresh run needs beside it: copies of the recorder, of the other plugins and of what confines them, for an interpreter that
has nothing of ours."""

from __future__ import annotations

import shutil
from pathlib import Path

from crashwright.engine.execution import confinement
from crashwright.finishing.running import (
    async_tests,
    coverage_watch,
    elsewhere,
    frames_watch,
    project_conftests,
    recorder,
    stand_in,
    suite_watch,
)

RECORDER = stand_in.RECORDER
STAND_IN, SUITE_WATCH, COVERAGE_WATCH = "crashwright_stand_in", "crashwright_suite_watch", "crashwright_coverage_watch"
ELSEWHERE, PROJECT_CONFTESTS = "crashwright_elsewhere", "crashwright_project_conftests"
ASYNC_TESTS, FRAMES_WATCH = "crashwright_async_tests", "crashwright_frames_watch"
_COPIED = {
    RECORDER: recorder,
    STAND_IN: stand_in,
    SUITE_WATCH: suite_watch,
    COVERAGE_WATCH: coverage_watch,
    ELSEWHERE: elsewhere,
    PROJECT_CONFTESTS: project_conftests,
    ASYNC_TESTS: async_tests,
    FRAMES_WATCH: frames_watch,
}


def lay_out(folder: Path) -> None:
    """Put the copies into ``folder``, which is made."""
    kernel = folder / recorder.CONFINEMENT
    kernel.mkdir(parents=True)
    for name, module in _COPIED.items():
        shutil.copyfile(str(module.__file__), folder / f"{name}.py")
    for part in Path(confinement.__file__).parent.glob("*.py"):
        shutil.copyfile(part, kernel / part.name)
