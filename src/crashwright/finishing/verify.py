"""Judges the printed file: it is run in fresh interpreters without instrumentation, and the crash it raises is compared with the
report.

Only the text that the user gets counts (docs/decisions/0003). The file runs under the subject's own pytest, or under the stand-in
of ``recorder`` where its environment has none.
"""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from crashwright.core.target import CrashTarget
from crashwright.finishing.agreement import Agreement, agreement, nothing_raised
from crashwright.finishing.record import read_record
from crashwright.finishing.recorder_files import lay_out
from crashwright.supervision.fresh import FreshRun

LONGEST_RUN = 60.0
"""Seconds that one fresh run may take where the budget has no end."""
UNJUDGED = "no fresh run came to its end in the time that was left"
_MORE_ATTEMPTS = 2
PLUGIN = "crashwright_recorder"
"""The module name of the copy of ``recorder``."""


class RunFresh(Protocol):
    """Runs a command in a new process, confined, in ``folder``, for ``seconds`` at most: ``supervision.fresh.run_fresh``."""

    def __call__(self, arguments: list[str], folder: Path, environment: dict[str, str], seconds: float, /) -> FreshRun: ...


@dataclass(frozen=True, slots=True)
class Verification:
    """What the fresh runs of a printed file came to. ``levels`` has one level for each run that came to its end or to the crash: a
    run that the clock cut off before (``cut_off``) says nothing of the test. ``runner`` is ``pytest`` or ``stand-in``; ``output``
    the last lines of the last run, for a bug report."""

    levels: tuple[int, ...]
    agreement: Agreement
    runner: str
    output: str = ""
    cut_off: bool = False

    @property
    def level(self) -> int:
        """The least level of all runs: an unstable test is worth its worst run."""
        return min(self.levels, default=0)

    def followed_by(self, other: Verification) -> Verification:
        """This one and further runs of the same text as one."""
        worse = other if other.levels and other.level < self.level else self
        output, cut_off = other.output or self.output, self.cut_off or other.cut_off
        return Verification(self.levels + other.levels, worse.agreement, self.runner, output, cut_off)

    @property
    def missing(self) -> str:
        """What is missing to a reproduction, in words; empty where nothing is."""
        return self.agreement.missing if self.levels else UNJUDGED

    @property
    def stable(self) -> bool:
        """Every run came to the same level."""
        return len(set(self.levels)) <= 1


@dataclass(frozen=True, slots=True)
class Verifier:
    """Runs printed files. ``python`` is the subject's interpreter, ``path`` goes first on its ``sys.path``, ``allow`` is what the
    guard lets pass."""

    target: CrashTarget
    python: str
    has_pytest: bool
    scratch: Path
    run_fresh: RunFresh
    path: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    on_run: Callable[[int, int], None] = field(default=lambda _level, _run: None)
    sift: Callable[[str], str] = str
    """Passed by what the subject says."""

    def verify(self, text: str, name: str, runs: int, seconds: Callable[[], float], before: int = 0) -> Verification:
        """Run ``text`` as a file called ``name`` ``runs`` times, after ``before`` earlier runs of it. ``seconds()`` is the time
        left: each run takes no more, and none starts once it is used up. It stops at the first run below the level of the first,
        which cannot rise again."""
        levels: list[int] = []
        worst: Agreement | None = None
        output, cut_off = "", False
        for number in range(1, runs + 1):
            left = seconds()
            if left <= 0:
                break
            found, run = self._run(text, name, min(left, LONGEST_RUN))
            output = run.output
            cut_off = run.code is None and found.level < (levels[0] if levels else 1)
            if cut_off:
                break
            if worst is None or found.level < worst.level:
                worst = found
            levels.append(found.level)
            self.on_run(found.level, before + number)
            if found.level < levels[0] or found.level == 0:
                break
        runner = "pytest" if self.has_pytest else "stand-in"
        return Verification(tuple(levels), worst or nothing_raised(self.target), runner, self.sift(output[-4000:])[-1000:], cut_off)

    def _run(self, text: str, name: str, seconds: float) -> tuple[Agreement, FreshRun]:
        """One run. Where the interpreter is killed from outside, that says nothing of the test: it is run again."""
        begin = time.monotonic()
        best, run = self._attempt(text, name, seconds)
        for _ in range(_MORE_ATTEMPTS):
            left = seconds - (time.monotonic() - begin)
            if run.code != -signal.SIGKILL or left <= 0:
                break
            best, run = self._attempt(text, name, left)
        return best, run

    def _attempt(self, text: str, name: str, seconds: float) -> tuple[Agreement, FreshRun]:
        folder = self.scratch / "verify"
        shutil.rmtree(folder, ignore_errors=True)
        support, work = folder / "support", folder / "work"
        lay_out(support, PLUGIN)
        work.mkdir()
        record = work / "raised.jsonl"
        test = work / name
        test.write_text(text, encoding="utf-8")
        # An ini file of our own keeps that of a project around the scratch folder out.
        (work / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        run = self.run_fresh(self._command(support, test), work, self._environment(support, record), seconds)
        best = max(
            (agreement(self.target, one.raised, name) for one in read_record(record, self.sift).raised),
            key=lambda one: (one.level, one.frames, one.type_agrees, one.same_values),
            default=nothing_raised(self.target),
        )
        return best, run

    def _command(self, support: Path, test: Path) -> list[str]:
        if not self.has_pytest:
            return [self.python, str(support / f"{PLUGIN}.py"), str(test)]
        options = ["-q", "--tb=no", "-p", PLUGIN, "-p", "no:cacheprovider", "--runxfail", "-c", str(test.parent / "pytest.ini")]
        return [self.python, "-m", "pytest", *options, str(test)]

    def _environment(self, support: Path, record: Path) -> dict[str, str]:
        # The plug-ins of the user's environment have no say in whether the crash happens, but can fail on their own.
        return {
            "PYTHONPATH": os.pathsep.join([*self.path, str(support), *filter(None, [os.environ.get("PYTHONPATH")])]),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTEST_ADDOPTS": "",
            "CRASHWRIGHT_RECORD": str(record),
            "CRASHWRIGHT_SCRATCH": str(record.parent),
            "CRASHWRIGHT_ALLOW": "\n".join(self.allow),
        }
