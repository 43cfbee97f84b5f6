"""Runs a printed suite in fresh interpreters and leaves out every test that does not pass in each of them.

Only the text that the user gets counts (docs/decisions/0003). The runs have different hash seeds, one the tests in reverse order. A
test that ends or hangs the interpreter costs one process: the others go on in the next. Without time for more, what was never seen
passing is left out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from crashwright.finishing.suite.fresh_runner import Conditions, FileRun, SuiteRunner
from crashwright.finishing.suite.suite_file import SuiteFile

_HASH_SEEDS = (0, 1, 2, 42, 1234)
_LONGEST_TEST = 10.0
_SHORTEST_TEST = 1.0
_MOST_PROCESSES = 25
"""In one pass."""
_MOST_ROUNDS = 3
_NO_TIME = "there was no time to run it"
_STUCK = "it ends or hangs the interpreter"
Seconds = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Dropped:
    """A test that is not in the file: its place in what ``suite_file`` was given, its name there, and why."""

    index: int
    node: str
    reason: str


@dataclass(frozen=True, slots=True)
class VerifiedSuite:
    """``file`` has only tests that passed in each of ``runs`` runs; ``runner`` is pytest or stand-in; ``output`` is that of the last
    run, for a bug report."""

    file: SuiteFile
    dropped: tuple[Dropped, ...]
    runs: int
    runner: str
    output: str = ""


@dataclass(slots=True)
class _Pass:
    """All tests once, in as many processes as that takes."""

    items: tuple[str, ...] = ()
    passed: set[str] = field(default_factory=set)
    failed: dict[str, str] = field(default_factory=dict)
    problem: str | None = None
    output: str = ""
    seconds: float = 0.0

    def take(self, run: FileRun) -> None:
        self.items = run.items or self.items
        self.passed |= run.passed
        self.failed.update(run.failed)
        self.output = run.output
        if run.stuck is not None and not run.timed_out:
            self.failed[run.stuck] = _STUCK

    def rest(self) -> list[str]:
        """Those not run yet."""
        return [item for item in self.items if item not in self.passed and item not in self.failed]


def verify_suite(file: SuiteFile, name: str, runner: SuiteRunner, seconds: Seconds, runs: int = 3) -> VerifiedSuite:
    """Run ``file`` as ``name`` up to ``runs`` times, fewer when ``seconds()`` (the time left) is short, and once more after tests
    were left out."""
    state = _Verification(file, name, runner, seconds, runs)
    for number in range(_MOST_ROUNDS):
        before = state.file
        state.round(runs if number == 0 else 1)
        if state.file is before or not state.file.tests:
            break
    return VerifiedSuite(state.file, tuple(state.dropped), state.runs, runner.name, state.output)


class _Verification:
    """The file as far as it is left, and what was left out."""

    def __init__(self, file: SuiteFile, name: str, runner: SuiteRunner, seconds: Seconds, runs: int) -> None:
        self.file = file
        self.dropped: list[Dropped] = []
        self.runs = 0
        self.output = ""
        self._name = name
        self._runner = runner
        self._seconds = seconds

    def round(self, runs: int) -> None:
        """``runs`` passes over the file; what fails in one of them is left out."""
        if not self.file.tests:
            return
        self._importable()
        reasons: dict[str, str] = {}
        steady: set[str] | None = None
        needed = 0.0
        for number in range(runs):
            if number and self._seconds() < needed:
                break
            done = self._pass(self.file, tuple(sorted(steady)) if steady is not None else (), number)
            if number and done.rest() and self._seconds() <= 0:
                break  # an unfinished pass says nothing of the tests that it did not come to
            self.runs += 1
            self.output = done.output or self.output
            needed = max(needed, done.seconds * 1.2)
            reasons.update(done.failed)
            steady = {item for item in done.passed if steady is None or item in steady}
            if not steady:
                break
        self._keep(steady or set(), reasons)

    def _pass(self, file: SuiteFile, only: tuple[str, ...], number: int) -> _Pass:
        begin = time.monotonic()
        done = _Pass()
        for _ in range(_MOST_PROCESSES):
            left = self._seconds()
            if left <= 0:
                break
            conditions = Conditions(
                tuple(item for item in (done.rest() or only)),
                number % 2 == 1,
                _HASH_SEEDS[(self.runs + number) % len(_HASH_SEEDS)],
                max(_SHORTEST_TEST, min(_LONGEST_TEST, left / 4)),
            )
            run = self._runner.run_file(file.text, self._name, conditions, left)
            seen = len(done.passed) + len(done.failed)
            done.take(run)
            if run.items is None:
                done.problem = run.problem or run.output[-400:]
                break
            if only:
                done.items = only
            if run.finished or not done.rest() or len(done.passed) + len(done.failed) == seen:
                break
        done.seconds = time.monotonic() - begin
        return done

    def _importable(self) -> None:
        """Leave out the tests without which the file can be imported: by halves, for one name that is not there fails all."""
        places = [draft.indices[0] for draft in self.file.drafts]
        good, bad = self._halved(places)
        if bad:
            names = self._names()
            self.dropped.extend(Dropped(index, names.get(index, ""), reason) for index, reason in sorted(bad.items()))
            self.file = self.file.without(bad)

    def _halved(self, places: list[int]) -> tuple[list[int], dict[int, str]]:
        problem = self._import_problem(places)
        if problem is None:
            return places, {}
        if len(places) == 1 or self._seconds() <= 0:
            return [], dict.fromkeys(places, f"the file cannot be imported with it: {problem.strip().splitlines()[-1:]}")
        middle = len(places) // 2
        first, second = self._halved(places[:middle]), self._halved(places[middle:])
        return first[0] + second[0], {**first[1], **second[1]}

    def _import_problem(self, places: list[int]) -> str | None:
        """Why a file with only these tests cannot be imported; None where it can, or was not tried."""
        left = self._seconds()
        if left <= 0:
            return None
        part = self.file.without({draft.indices[0] for draft in self.file.drafts} - set(places))
        run = self._runner.run_file(part.text, self._name, Conditions(only=("none of them",)), left)
        return (run.problem or run.output[-400:] or "no output") if run.items is None else None

    def _keep(self, steady: set[str], reasons: dict[str, str]) -> None:
        """Leave out the tests whose cases are not ``steady``."""
        gone: list[Dropped] = []
        for index, (node, case) in self._cases(sorted(steady | set(reasons))).items():
            if case not in steady:
                gone.append(Dropped(index, node, reasons.get(case, _NO_TIME)))
        if gone:
            self.dropped.extend(gone)
            self.file = self.file.without(one.index for one in gone)

    def _names(self) -> dict[int, str]:
        return {index: test.node for test in self.file.tests for index in test.indices}

    def _cases(self, known: Iterable[str]) -> dict[int, tuple[str, str]]:
        raise NotImplementedError
