"""Runs a test file of any origin where it lies, in a fresh interpreter, and compares what each of its tests raised with a crash.

Unlike a printed file (``finishing.crash.verify``) it keeps its project around it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from crashwright.core.target import CrashTarget
from crashwright.finishing.running.agreement import Agreement, PackageFiles, agreement, nothing_raised
from crashwright.finishing.running.fresh_runner import FreshRunner, ProjectSurroundings
from crashwright.finishing.running.record import Record, RecordedException
from crashwright.supervision.fresh import FreshRun

_OWN_FAILURES = frozenset({"AssertionError", "Failed", "Skipped", "SkipTest", "XFailed", "Exit"})
"""How tests and pytest itself say that something is not as expected."""


@dataclass(frozen=True, slots=True)
class OneTest:
    """One test. ``outcome`` is passed, failed, skipped, error, or "" where it did not end. ``agreement`` is that of the exception
    nearest to the crash; ``crashes``: it is more than a failed expectation of the test itself."""

    name: str
    outcome: str
    agreement: Agreement
    crashes: bool
    kept: str = ""
    """Where the exception is, if it was caught: see ``running.record.Recorded``."""


@dataclass(frozen=True, slots=True)
class ExistingRun:
    """One fresh run of a file. ``problems`` say why it did not run as a whole; ``output`` are its last lines."""

    tests: tuple[OneTest, ...]
    problems: tuple[str, ...] = ()
    output: str = ""
    timed_out: bool = False

    @property
    def best(self) -> OneTest | None:
        """The test that comes nearest to the crash."""
        return max(self.tests, key=lambda one: (*_rank(one.agreement), one.crashes), default=None)


@dataclass(frozen=True, slots=True)
class ExistingTest:
    """A file (or ``FILE::TEST``) to be run from ``folder``."""

    test: str
    folder: Path
    runner: FreshRunner

    def run(self, target: CrashTarget, seconds: float) -> ExistingRun:
        """Run it once, for ``seconds`` at most."""
        run, record = self.runner.run_in_project(self.runner.bench(), self.test, self.folder, seconds)
        return _told(run, record, target, self.test.partition("::")[0], self.runner)


@dataclass(frozen=True, slots=True)
class SuggestedTest:
    """A file that is not written yet, to be called ``name``, as if it lay in a project."""

    text: str
    name: str
    around: ProjectSurroundings
    runner: FreshRunner

    def run(self, target: CrashTarget, seconds: float, deep: bool = False, place: int = 0) -> ExistingRun:
        """Run it once, for ``seconds`` at most; ``deep``: see ``FreshRunner.run_beside_project``, ``place``: see its ``bench``."""
        bench = self.runner.bench(place)
        test = bench.work / self.name
        test.write_text(self.text, encoding="utf-8")
        run, record = self.runner.run_beside_project(bench, test, self.around, seconds, deep)
        return _told(run, record, target, str(test), self.runner)


def _told(run: FreshRun, record: Record, target: CrashTarget, file: str, runner: FreshRunner) -> ExistingRun:
    output = runner.sift(run.output[-4000:])[-2000:]
    names = dict.fromkeys((*(record.tests or ()), *(one.test for one in record.raised if one.test)))
    tests = tuple(_outcome(name, record, target, file) for name in names)
    return ExistingRun(tests, tuple(_problems(record, run.code, output)), output, run.code is None)


def _problems(record: Record, code: int | None, output: str) -> list[str]:
    last = next((line.strip() for line in reversed(output.splitlines()) if line.strip()), "")
    if code is None:
        return ["it ran out of time"]
    if record.problems:
        return [_last_line(text) for text in record.problems]
    if record.tests is None:
        return [last or f"it ended with exit status {code} before a test was run"]
    if not record.tests:
        return ["it has no test"]
    unfinished = [name for name in record.tests if name not in record.outcomes]
    return [f"the interpreter ended (exit status {code}) in {unfinished[0]}"] if unfinished else []


def _outcome(name: str, record: Record, target: CrashTarget, file: str) -> OneTest:
    raised = [one for one in record.raised if one.test == name]
    found = [(agreement(target, one.raised, file), one) for one in raised]
    best = max(found, key=lambda pair: (*_rank(pair[0]), _is_crash(pair[1], target)), default=None)
    outcome = record.outcomes.get(name, "")
    if best is None:
        return OneTest(name, outcome, nothing_raised(target), False)
    return OneTest(name, outcome, best[0], _is_crash(best[1], target), best[1].kept)


def _rank(found: Agreement) -> tuple[int, int, bool, bool, bool]:
    return found.level, found.frames, found.type_agrees, found.message_agrees, found.same_values


def _is_crash(one: RecordedException, target: CrashTarget) -> bool:
    """More than a failed expectation: raised by the package, or by anything but an assertion of the test."""
    package = PackageFiles(target)
    return one.raised.type not in _OWN_FAILURES or any(place.file in package for place in one.raised.frames)


def _last_line(text: str) -> str:
    """What a collection error comes down to: the line that names the exception."""
    lines = [line.removeprefix("E").strip() for line in text.splitlines() if line.strip()]
    marked = [line.removeprefix("E").strip() for line in text.splitlines() if line.startswith("E ")]
    return (marked or lines or ["it cannot be collected"])[-1]
