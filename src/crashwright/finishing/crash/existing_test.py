"""Runs a test file of any origin where it lies, in a fresh interpreter, and compares what each of its tests raised with a crash.

Unlike a printed file (``finishing.crash.verify``) it keeps its project around it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from crashwright.core.target import CrashTarget
from crashwright.finishing.running.agreement import Agreement, PackageFiles, agreement, nothing_raised
from crashwright.finishing.running.fresh_runner import AS_IT_IS, Bench, FreshRunner, Looking, ProjectSurroundings
from crashwright.finishing.running.record import ReachedFrame, Record, RecordedException
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
    """Where the exception is, if it was caught: see ``running.record.RecordedException``."""
    reached: ReachedFrame | None = None
    """How far it came along the frames, where these were watched."""
    failed: int = 0
    """Its line at which it failed; 0: none."""


@dataclass(frozen=True, slots=True)
class ExistingRun:
    """One fresh run of a file. ``problems`` say why it did not run as a whole; ``output`` are its last lines; ``refused`` what was
    refused to its tests, in words. ``record`` and ``file`` are what the rest was read from."""

    tests: tuple[OneTest, ...]
    problems: tuple[str, ...] = ()
    output: str = ""
    timed_out: bool = False
    refused: tuple[str, ...] = ()
    record: Record = field(default_factory=Record)
    file: str = ""

    @property
    def best(self) -> OneTest | None:
        """The test that comes nearest to the crash."""
        return max(self.tests, key=lambda one: (*_rank(one.agreement), one.crashes), default=None)

    def compared(self, target: CrashTarget) -> ExistingRun:
        """The same run, compared with another crash."""
        return replace(self, tests=_tests(self.record, target, self.file))


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
    """A file of ``text`` that is run in a project: ``file`` where it lies (with ``test`` only that one of it); None if it is not
    written yet, and to be called ``name``. ``in_scratch``: it does not stand in the folder of the project, where nothing may be
    written, but in one that has all of it but its code."""

    text: str
    name: str
    around: ProjectSurroundings
    runner: FreshRunner
    file: Path | None = None
    test: str = ""
    in_scratch: bool = False

    def run(self, target: CrashTarget, seconds: float, looking: Looking = AS_IT_IS, place: int = 0) -> ExistingRun:
        """Run it once, for ``seconds`` at most; ``place``: see ``FreshRunner.bench``."""
        bench = self.runner.bench(place)
        file = self.file
        if file is None:
            file = bench.work / self.name
            file.write_text(self.text, encoding="utf-8")
        test = f"{file}::{self.test}" if self.file is not None and self.test else str(file)
        around = _moved(self.around, bench) if self.in_scratch else self.around
        # Those above the file pytest finds itself.
        around = replace(around, conftests=tuple(one for one in around.conftests if not file.is_relative_to(one.parent)))
        run, record = self.runner.run_beside_project(bench, [test], around, seconds, looking)
        return _told(run, record, target, str(file), self.runner)


@dataclass(frozen=True, slots=True)
class OwnSuite:
    """Files of tests of a project, run where they lie."""

    files: tuple[str, ...]
    around: ProjectSurroundings
    runner: FreshRunner

    def run(self, target: CrashTarget, seconds: float, looking: Looking) -> ExistingRun:
        """Run them once, in one interpreter, for ``seconds`` at most: what ran until then counts."""
        # pytest finds the conftest files around its own arguments.
        around = replace(self.around, conftests=())
        run, record = self.runner.run_beside_project(self.runner.bench(), self.files, around, seconds, looking)
        return _told(run, record, target, "", self.runner)


def _moved(around: ProjectSurroundings, bench: Bench) -> ProjectSurroundings:
    """To a folder within that of the run, with links to what else is in that of the project."""
    folder = bench.work / "project"
    folder.mkdir()
    for one in sorted(around.folder.iterdir()):
        if not one.name.startswith(".") and not _has_code(one):
            (folder / one.name).symlink_to(one)
    return replace(around, folder=folder, path=(*around.path, str(around.folder)))


def _has_code(path: Path) -> bool:
    if path.is_dir():
        return any(path.glob("*.py")) or any(path.glob("*/*.py"))
    return path.suffix == ".py"


def _told(run: FreshRun, record: Record, target: CrashTarget, file: str, runner: FreshRunner) -> ExistingRun:
    output = runner.sift(run.output[-4000:])[-2000:]
    refused = tuple(dict.fromkeys(text for one in record.raised for text in one.raised.refused))
    problems = tuple(_problems(record, run.code, output))
    return ExistingRun(_tests(record, target, file), problems, output, run.code is None, refused, record, file)


def _tests(record: Record, target: CrashTarget, file: str) -> tuple[OneTest, ...]:
    names = dict.fromkeys((*(record.tests or ()), *(one.test for one in record.raised if one.test)))
    return tuple(_outcome(name, record, target, file) for name in names)


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
    best = max(found, key=lambda pair: (*_rank(pair[0]), _is_crash(pair[1], target), not pair[1].kept), default=None)
    outcome, reached = record.outcomes.get(name, ""), record.reached.get(name)
    if best is None:
        return OneTest(name, outcome, nothing_raised(target), False, reached=reached)
    failed = max((agreed.test_line for agreed, one in found if not one.kept), default=0)
    return OneTest(name, outcome, best[0], _is_crash(best[1], target), best[1].kept, reached, failed)


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
