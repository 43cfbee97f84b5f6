"""What a test does once the bug is fixed: the last word on it. Nothing is compared by line here, since a fix moves lines.

A crash is the same after the fix where its type, its message and the function that it comes from are.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from crashwright.core.message_rule import messages_agree
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.finishing.crash.verify import manner_of
from crashwright.finishing.running.agreement import RaisedException
from crashwright.finishing.running.fresh_runner import FreshRunner
from crashwright.finishing.running.record import Record

MODULES = "CRASHWRIGHT_MODULES"
"""The variable that names, line by line, the modules whose files the recorder is to tell."""


class FixOutcome(StrEnum):
    """What the test does on the fixed side."""

    PASSES = "passes"
    OTHER = "raises another error"
    SAME = "still crashes so"
    NOT_RUN = "does not run"


@dataclass(frozen=True, slots=True)
class AfterFix:
    """One run on the fixed side. ``detail`` is what was raised, or why it did not run."""

    outcome: FixOutcome
    detail: str = ""

    @property
    def worth(self) -> int:
        """Of two tests the one with more is to be preferred: a clear error is often the fix."""
        return {FixOutcome.PASSES: 3, FixOutcome.OTHER: 2, FixOutcome.SAME: 1, FixOutcome.NOT_RUN: 0}[self.outcome]


@dataclass(frozen=True, slots=True)
class FixedJudge:
    """Runs tests of ``target`` where ``runner`` imports the fixed code. ``side`` says in words which that is. Tests that lie in
    ``project`` are run in ``counterpart``, the same project with the fix, where there is one; others where they lie, unless the
    package with the bug would be found there first."""

    target: CrashTarget
    runner: FreshRunner
    side: str
    project: Path | None = None
    counterpart: Path | None = None

    def judge_text(self, text: str, name: str, seconds: float) -> AfterFix:
        """What a printed file does there."""
        bench = self.runner.bench()
        test = bench.work / name
        test.write_text(text, encoding="utf-8")
        run, record = self.runner.run_alone(bench, test, replace(manner_of(text), environment=self._environment()), seconds)
        return self._judged(record, run.code)

    def judge_file(self, test: str, folder: Path, name: str, seconds: float) -> AfterFix:
        """What the test ``name`` of a file of any origin (``FILE`` or ``FILE::TEST``) does there."""
        bench = self.runner.bench()
        file, separator, chosen = test.partition("::")
        place, stand = self._placed(Path(file).resolve(), folder, bench.work)
        # The folder that one stands in is not to come before the fixed code.
        environment = {**self._environment(), "PYTHONSAFEPATH": "1"}
        run, record = self.runner.run_in_project(bench, f"{place}{separator}{chosen}", stand, seconds, environment)
        return self._judged(record, run.code, name.partition("::")[2])

    def _placed(self, file: Path, folder: Path, work: Path) -> tuple[Path, Path]:
        """Where the test is run, and the folder to stand in."""
        if self.project is not None and self.counterpart is not None and file.is_relative_to(self.project):
            place = self.counterpart / file.relative_to(self.project)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, place)
            stand = self.counterpart / folder.relative_to(self.project) if folder.is_relative_to(self.project) else self.counterpart
            return place, stand if stand.is_dir() else self.counterpart
        if not holds_package(_import_root(file), self.target.package):
            return file, folder
        place = work / file.name
        shutil.copyfile(file, place)
        return place, work

    def _environment(self) -> Mapping[str, str]:
        return {MODULES: "\n".join(dict.fromkeys(frame.key.module for frame in self.target.own_frames))}

    def _judged(self, record: Record, code: int | None, name: str = "") -> AfterFix:
        unfixed = self._unfixed(record)
        if unfixed:
            return AfterFix(FixOutcome.NOT_RUN, f"the code with the bug was imported there too: {unfixed}")
        names = [one for one in record.tests or () if not name or one.partition("::")[2] == name]
        if not names:
            problem = record.problems[-1].strip().splitlines()[-1].removeprefix("E").strip() if record.problems else ""
            return AfterFix(FixOutcome.NOT_RUN, problem or "the test was not found there")
        raised = [one.raised for one in record.raised if not one.test or one.test in names]
        if any(same_crash(self.target, one) for one in raised):
            return AfterFix(FixOutcome.SAME, next(one.printed for one in raised if same_crash(self.target, one)))
        open_ones = [one for one in names if one not in record.outcomes]
        if open_ones:
            return AfterFix(
                FixOutcome.NOT_RUN, "it ran out of time" if code is None else f"the interpreter ended (exit status {code})"
            )
        failed = [one for one in names if record.outcomes[one] in ("failed", "error")]
        if not failed:
            return AfterFix(FixOutcome.PASSES)
        if raised and not _expected_it(raised[-1]):
            return AfterFix(FixOutcome.OTHER, raised[-1].printed)
        # A test that passed because of the crash (pytest.raises) is red without it: that is what it was written for.
        return AfterFix(FixOutcome.PASSES, "the crash that it expects is gone") if raised else AfterFix(FixOutcome.NOT_RUN)

    def _unfixed(self, record: Record) -> str:
        """The file of a module on the path that is the very one with the bug; "" where there is none."""
        before = {frame.key.module: os.path.realpath(frame.path) for frame in self.target.own_frames}
        return next((file for name, file in record.modules.items() if before.get(name) == os.path.realpath(file)), "")


def same_crash(target: CrashTarget, raised: RaisedException) -> bool:
    """Whether it is the crash of the report, wherever its lines are now."""
    exception = target.exception.rpartition(".")[2]
    if raised.type.rpartition(".")[2] != exception or not messages_agree(target.exception, target.message, raised.message):
        return False
    crash = target.crash_frame
    return any(place.function == crash.key.name and _same_module(place.file, crash) for place in raised.frames)


def holds_package(folder: Path, package: str) -> bool:
    """Whether ``package`` would be imported from ``folder``."""
    place = folder.joinpath(*package.split("."))
    return place.is_dir() or place.with_name(f"{place.name}.py").is_file()


def _same_module(file: str, frame: TargetFrame) -> bool:
    parts = frame.key.module.split(".")
    names = Path(file).with_suffix("").parts
    names = names[:-1] if names and names[-1] == "__init__" else names
    if frame.key.module in ("", "__main__"):
        return os.path.basename(file) == os.path.basename(frame.path)
    return list(names[-len(parts) :]) == parts


def _expected_it(raised: RaisedException) -> bool:
    """Whether it is the failure of a test that expected an exception and met none."""
    if raised.type == "AssertionError":
        return raised.message.endswith(" not raised")
    return raised.type == "Failed" and raised.message.startswith("DID NOT RAISE")


def _import_root(file: Path) -> Path:
    """The folder that pytest imports a test file from."""
    return next((folder for folder in file.parents if not (folder / "__init__.py").exists()), file.parent)
