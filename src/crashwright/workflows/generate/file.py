"""From examined tests to the file: printed, verified in fresh interpreters, written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from crashwright.core.errors import CrashwrightError
from crashwright.core.suite import ModuleTarget
from crashwright.engine.assertions.codec import decode_asserted
from crashwright.finishing.running.fresh_runner import FreshRunner
from crashwright.finishing.suite.file import SuiteFile, suite_file
from crashwright.finishing.suite.parameters import MOST_TESTS
from crashwright.finishing.suite.verify import verify_suite
from crashwright.finishing.suite.writer import kept_of, write_suite
from crashwright.workflows.generate.examination import ExaminedTest
from crashwright.workflows.generate.result import Dropped, Elsewhere
from crashwright.workflows.generate.time import SuiteTime

LONGEST_VERIFICATION = 600.0
"""Seconds for one run of the whole file where the budget has no end."""
_RUNS = 3


@dataclass(frozen=True, slots=True)
class FinishedSuite:
    """A file that may be written: it has ``tests`` functions with ``assertions``, each of which passed in ``runs`` fresh runs."""

    file: SuiteFile
    tests: int
    assertions: int
    runs: int
    dropped: tuple[Dropped, ...] = ()
    elsewhere: Elsewhere = field(default_factory=Elsewhere)


@dataclass(frozen=True, slots=True)
class SuiteFinisher:
    """``path`` is the file; with ``update`` what is there and not ours stays in it. ``command`` repeats the run."""

    target: ModuleTarget
    command: str
    path: Path
    update: bool
    runner: FreshRunner
    most_tests: int = MOST_TESTS
    force: bool = False
    """Nothing that is there stays."""

    def finish(self, tests: Sequence[ExaminedTest], time: SuiteTime) -> FinishedSuite:
        """Print ``tests`` and leave out what does not pass. Raises CrashwrightError where the present file cannot be read."""
        pairs = [(one.test, decode_asserted(one.asserted)) for one in tests]
        kept = kept_of(self.path, self.update, self.force)
        printed = suite_file(pairs, self.target, self.command, kept, self.most_tests)
        left = time.verification()
        before = self.path.read_bytes() if self.path.exists() else None
        verified = verify_suite(
            printed, self.path.name, self.runner, lambda: min(left(), LONGEST_VERIFICATION), _RUNS, self._write_early
        )
        if not verified.file.tests:
            self._put_back(before)
        dropped = [Dropped(tests[place].label, "it cannot be written down") for place in printed.unprintable]
        dropped += [Dropped(one.node or tests[one.index].label, one.reason.partition("\n")[0]) for one in verified.dropped]
        elsewhere = Elsewhere(verified.weakened_elsewhere, verified.dropped_elsewhere)
        file = verified.file
        return FinishedSuite(file, len(file.tests), file.assertions, verified.runs, tuple(dropped), elsewhere)

    def _write_early(self, file: SuiteFile) -> None:
        """What has passed once is on disk, whatever becomes of this process; the verified file takes its place."""
        try:
            write_suite(file, self.path, self.update, self.force)
        except CrashwrightError:
            return  # the verified file will not be written either, and the user is told why then

    def _put_back(self, before: bytes | None) -> None:
        """What was there before, after all."""
        if before is not None and self.path.read_bytes() != before:
            self.path.write_bytes(before)
        elif before is None:
            self.path.unlink(missing_ok=True)

    def write(self, finished: FinishedSuite) -> None:
        """Raises CrashwrightError where that cannot be done."""
        write_suite(finished.file, self.path, self.update, self.force)
