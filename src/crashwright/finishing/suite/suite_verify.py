"""Runs a printed suite in fresh interpreters and leaves out every test that does not pass in each of them.

Only the text that the user gets counts (docs/decisions/0003). The runs have different hash seeds, one the tests in reverse order. A
test that ends or hangs the interpreter costs one process: the others go on in the next. What was never seen passing is left out.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from crashwright.finishing.suite.fresh_runner import Conditions, FileRun, SuiteRunner
from crashwright.finishing.suite.suite_file import SuiteFile

_HASH_SEEDS = (0, 1, 2, 42, 1234)
_LONGEST_TEST = 10.0
_SHORTEST_TEST = 1.0
_MOST_PROCESSES = 25
"""In one pass."""
_MOST_ROUNDS = 2
_MARGIN = 1.2
"""A pass is begun where this often the time of the longest one is left."""
_LONGEST_PROCESS = 300.0
LEAST_SECONDS = 8.0
_LONGEST_OUTPUT = 400
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
    """``file`` has only tests that passed in each of ``runs`` runs; ``runner`` is pytest or stand-in; ``output`` is that of
    the last run, for a bug report."""

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

    def take(self, run: FileRun, only: tuple[str, ...]) -> None:
        self.items = only or run.items or self.items
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
    were left out. The first run takes up to ``LEAST_SECONDS`` in any case: without it all would be lost."""
    state = _Verification(file, name, runner, seconds)
    state.first_round(runs)
    for _ in range(_MOST_ROUNDS):
        if not state.dropped or seconds() <= 0 or not state.again():
            break
    return VerifiedSuite(state.file, tuple(state.dropped), state.runs, runner.name, state.output)


class _Verification:
    """The file as far as it is left, and what was left out."""

    def __init__(self, file: SuiteFile, name: str, runner: SuiteRunner, seconds: Seconds) -> None:
        self.file = file
        self.dropped: list[Dropped] = []
        self.runs = 0
        self.output = ""
        self._name = name
        self._runner = runner
        self._seconds = seconds

    def first_round(self, runs: int) -> None:
        """``runs`` passes over the file; what does not pass in the first, or fails in another, is left out."""
        if not self.file.tests:
            return
        end = time.monotonic() + LEAST_SECONDS
        first = self._pass(0, least=end)
        if first.problem:
            self._leave_out_unimportable(end)
            first = self._pass(0, least=end)
        reasons = dict(first.failed)
        needed = first.seconds
        for number in range(1, runs):
            steady = tuple(item for item in first.items if item in first.passed and item not in reasons)
            if not steady or self._seconds() < needed * _MARGIN:
                break
            done = self._pass(number, steady)
            needed = max(needed, done.seconds)
            reasons.update(done.failed)
            if done.problem or done.rest():
                break
        never = {item: _NO_TIME for item in first.items if item not in first.passed and item not in reasons}
        self._leave_out(first.items, {**never, **reasons}, without_items=True)

    def again(self) -> bool:
        """One pass over the file without what was left out, since that changes it; were more tests left out?"""
        if not self.file.tests:
            return False
        done = self._pass(0)
        # What it did not come to has been seen passing before.
        return self._leave_out(done.items, done.failed, without_items=False)

    def _left(self, least: float) -> float:
        """Seconds for the next process: until ``least`` (on the monotonic clock) in any case."""
        return min(max(self._seconds(), least - time.monotonic()), _LONGEST_PROCESS)

    def _pass(self, number: int, only: tuple[str, ...] = (), least: float = 0.0) -> _Pass:
        begin = time.monotonic()
        done = _Pass()
        seed = _HASH_SEEDS[self.runs % len(_HASH_SEEDS)]
        for _ in range(_MOST_PROCESSES):
            left = self._left(least)
            if left <= 0:
                break
            limit = max(_SHORTEST_TEST, min(_LONGEST_TEST, left / 4))
            conditions = Conditions(tuple(done.rest()) or only, number % 2 == 1, seed, limit)
            run = self._runner.run_file(self.file.text, self._name, conditions, left)
            seen = len(done.passed) + len(done.failed)
            done.take(run, only)
            if run.items is None:
                done.problem = run.problem or run.output[-_LONGEST_OUTPUT:]
            if run.items is None or not done.rest() or len(done.passed) + len(done.failed) == seen:
                break
        self.runs += bool(done.passed) and not done.rest()
        self.output = done.output or self.output
        done.seconds = time.monotonic() - begin
        return done

    def _leave_out_unimportable(self, least: float) -> None:
        """Leave out the tests with which the file cannot be imported: one name that is not there fails them all."""
        bad = self._unimportable([draft.indices[0] for draft in self.file.drafts], least)
        nodes = {index: test.node for test in self.file.tests for index in test.indices}
        self.dropped.extend(Dropped(index, nodes.get(index, ""), reason) for index, reason in sorted(bad.items()))
        self.file = self.file.without(bad)

    def _unimportable(self, places: list[int], least: float) -> dict[int, str]:
        """By halves, with the reasons."""
        problem = self._import_problem(places, least)
        if problem is None:
            return {}
        if len(places) == 1:
            return {places[0]: f"the file cannot be imported with it: {problem.strip()[-_LONGEST_OUTPUT:]}"}
        middle = len(places) // 2
        return {**self._unimportable(places[:middle], least), **self._unimportable(places[middle:], least)}

    def _import_problem(self, places: list[int], least: float) -> str | None:
        """Why a file with only these tests cannot be imported; None where it can, or was not tried."""
        left = self._left(least)
        if left <= 0:
            return None
        part = self.file.without({draft.indices[0] for draft in self.file.drafts} - set(places))
        run = self._runner.run_file(part.text, self._name, Conditions(only=("none of them",)), left)
        return (run.problem or run.output[-_LONGEST_OUTPUT:] or "no output") if run.items is None else None

    def _leave_out(self, items: tuple[str, ...], reasons: dict[str, str], without_items: bool) -> bool:
        """Leave out the tests whose cases have a reason, and on demand those that are none of ``items``."""
        gone: list[Dropped] = []
        for test in self.file.tests:
            whole = f"{self._name}::{test.node}"
            cases = [item for item in items if item == whole or item.startswith(f"{whole}[")]
            for place, index in enumerate(test.indices):
                reason = reasons.get(cases[place]) if len(cases) == len(test.indices) else _NO_TIME if without_items else None
                if reason is not None:
                    gone.append(Dropped(index, test.node, reason))
        self.dropped.extend(gone)
        if gone:
            self.file = self.file.without(one.index for one in gone)
        return bool(gone)
