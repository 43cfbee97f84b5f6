"""Runs a printed suite in fresh interpreters and leaves out what does not hold in each of them: assertions, or else whole tests.

Only the text that the user gets counts (docs/decisions/0003). The runs have different hash seeds, one the tests in reverse order,
and one is as on another machine on another day (``finishing.running.elsewhere``). A test that ends or hangs
the interpreter costs one process: the others go on in the next. What was never seen passing is left out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from crashwright.engine.assertions.assertion import Raised
from crashwright.engine.testcase.statements import Named
from crashwright.finishing.running.fresh_runner import FreshRunner
from crashwright.finishing.suite.file import SuiteFile
from crashwright.finishing.suite.file_run import FileRun, RunConditions, run_file
from crashwright.finishing.suite.hash_order import ordered_by_hash
from crashwright.finishing.suite.weakening import Untrue, weakened

_HASH_SEEDS = (0, 1, 2, 42, 1234, 7, 99)
_MORE_RUNS = 4
"""For tests that hand over sets: each run orders those anew."""
_LEAST_RUNS = 2
"""Whatever the time: what one hash seed shows may not hold under the next."""
_LONGEST_TEST = 10.0
_SHORTEST_TEST = 1.0
_MOST_PROCESSES = 25
"""In one pass."""
_MOST_ROUNDS = 8
"""How often the file is run again because tests were left out: a test may have leant on one of them (caches of classes, say)."""
_MARGIN = 1.2
"""A pass is begun where this often the time of the longest one is left."""
_LONGEST_PROCESS = 300.0
LEAST_SECONDS = 8.0
"""What the first pass may take, however little time is left: without it there would be no file. What must be run once more takes
no longer than that did, or half of it."""
_LEAST_OVERTIME = 1.0
_MOST_LOOKS_ELSEWHERE = 2
_LONGEST_OUTPUT = 400
_NO_TIME = "there was no time to run it"
_UNTRUE = "what it asserts does not hold in each run"
_STUCK = "it ends or hangs the interpreter"
_ELSEWHERE = "it does not hold on another date, in another environment or in another folder"
Seconds = Callable[[], float]
Early = Callable[[SuiteFile], None]


@dataclass(frozen=True, slots=True)
class DroppedTest:
    """A test that is not in the file: its place in what ``suite_file`` was given, its name there, and why."""

    index: int
    node: str
    reason: str


@dataclass(frozen=True, slots=True)
class VerifiedSuite:
    """``file`` has only tests that passed in each of ``runs`` runs; ``runner`` is pytest or stand-in; ``output`` is that of
    the last run, for a bug report."""

    file: SuiteFile
    dropped: tuple[DroppedTest, ...]
    runs: int
    runner: str
    output: str = ""
    weakened_elsewhere: int = 0
    """Tests that assert less, since the rest depends on the date, the environment or the folder."""
    dropped_elsewhere: int = 0
    """Tests of ``dropped`` that depend on these as a whole."""


@dataclass(slots=True)
class _Pass:
    """All tests once, or ``only`` some, in as many processes as that takes."""

    only: frozenset[str] = frozenset()
    items: tuple[str, ...] = ()
    passed: set[str] = field(default_factory=set)
    failed: dict[str, str] = field(default_factory=dict)
    raised: dict[str, tuple[str, str]] = field(default_factory=dict)
    untrue: dict[str, Untrue] = field(default_factory=dict)
    problem: str | None = None
    output: str = ""
    seconds: float = 0.0

    def take(self, run: FileRun) -> None:
        self.items = run.items or self.items
        self.passed |= run.passed
        self.failed.update(run.failed)
        self.raised.update(run.raised)
        self.untrue.update(run.untrue)
        self.output = run.output
        if run.stuck is not None and not run.timed_out:
            self.failed[run.stuck] = _STUCK

    def rest(self) -> list[str]:
        """Those not run yet."""
        wanted = (item for item in self.items if not self.only or item in self.only or item.partition("[")[0] in self.only)
        return [item for item in wanted if item not in self.passed and item not in self.failed]

    @property
    def is_whole(self) -> bool:
        """It came to all of its tests."""
        return bool(self.items) and not self.rest()


def verify_suite(
    file: SuiteFile, name: str, runner: FreshRunner, seconds: Seconds, runs: int = 3, early: Early = lambda _file: None
) -> VerifiedSuite:
    """Run ``file`` as ``name`` up to ``runs`` times, fewer when ``seconds()`` (the time left) is short, and again after tests
    were left out, until none is: only a file that was run as it stands may be written. The first run takes up to
    ``LEAST_SECONDS`` in any case: without it all would be lost. ``early`` is given the tests that have passed it, so that they are
    not lost either should nothing more come of it."""
    state = _Verification(file, name, runner, seconds, early)
    state.first_round(runs)
    for _ in range(_MOST_ROUNDS):
        if not state.changed or not state.again():
            break
    gone = sum(one.reason == _ELSEWHERE for one in state.dropped)
    return VerifiedSuite(state.file, tuple(state.dropped), state.runs, runner.name, state.output, state.weakened_elsewhere, gone)


class _Verification:
    """The file as far as it is left, and what was left out."""

    def __init__(self, file: SuiteFile, name: str, runner: FreshRunner, seconds: Seconds, early: Early) -> None:
        self.file = file
        self._early = early
        self.dropped: list[DroppedTest] = []
        self.runs = 0
        self._passes = 0
        self.output = ""
        self._name = name
        self._runner = runner
        self._seconds = seconds
        self._seen: set[int] = set()
        self._bad: dict[int, str] = {}
        self._untrue: dict[int, Untrue] = {}
        self.longest = 0.0
        """Seconds of the longest pass."""
        self.weakened_elsewhere = 0
        self.changed = False
        """The file is no longer the one that was given."""

    def first_round(self, runs: int) -> None:
        """``runs`` passes over the file; what is not seen passing, or fails once, is left out."""
        if not self.file.tests:
            return
        end = time.monotonic() + LEAST_SECONDS
        done = self._pass(0, least=end)
        if done.problem:
            self._leave_out_unimportable(end)
            done = self._pass(0, least=end)
        while done.problem and len(self.file.drafts) > 1:
            self._leave_out_half(done.problem)
            done = self._pass(0, least=self._overtime())
        self._note(done)
        if self._steady():
            self._early(self.file.without(self._all() - self._steady()))
        if self._amended(done):
            self._note(self._pass(0, self._nodes(self._unseen()), self._overtime()))
        self.runs += done.is_whole
        needed = done.seconds
        self._go_elsewhere()
        for number in range(1, runs):
            self._weaken()
            late = self._seconds() < needed * _MARGIN
            if not self._steady() or (late and number >= _LEAST_RUNS):
                break
            done = self._pass(number, self._nodes(self._steady()), self._overtime() if late else 0.0)
            needed = max(needed, done.seconds)
            self._note(done)
            if not done.is_whole:
                break
            self.runs += 1
        self._shuffle(_MORE_RUNS if runs > 1 else 0)
        if self._weaken() and self._unseen() and self._seconds() > needed:
            self._note(self._pass(0, self._nodes(self._unseen())))
        self._leave_out(never_seen=True)

    def _go_elsewhere(self) -> None:
        """One pass on another day, in another environment and folder, under the hash seed of the first one: what does not hold
        there is left out, and what is then said in its place is looked at once more. If no test at all holds there, the module
        needs what is here, and the pass says nothing. It takes what it needs, however late it is: nothing is written unseen."""
        self._weaken()
        looked = self._steady()
        for number in range(_MOST_LOOKS_ELSEWHERE):
            if not looked:
                return
            late = time.monotonic() + max(LEAST_SECONDS / 2, _MARGIN * self.longest)
            done = self._pass(0, self._nodes(looked), late, elsewhere=True)
            if done.problem is not None or not (done.passed or done.untrue):
                return
            cases = {case: index for index, case in self._cases(done.items).items() if index in looked}
            done.failed = {case: _ELSEWHERE for case in done.failed if case in cases}
            done.untrue = {case: one for case, one in done.untrue.items() if case in cases}
            self.weakened_elsewhere += len(done.untrue) if number == 0 else 0
            self._note(done)
            self._weaken()
            looked = {cases[case] for case in done.untrue}

    def _overtime(self) -> float:
        """Until when a pass may go on though the time is over: no longer than such a one has taken."""
        return time.monotonic() + min(LEAST_SECONDS / 2, max(_LEAST_OVERTIME, _MARGIN * self.longest))

    def _shuffle(self, runs: int) -> None:
        """More passes over the tests that go by the order of a set."""
        for _ in range(runs):
            self._weaken()
            shuffled = {f"{self._name}::{node}" for node in ordered_by_hash(self.file.text)}
            wanted = self._nodes(self._steady()) & shuffled
            if not wanted or self._seconds() <= 0:
                break
            self._note(self._pass(2, wanted))

    def again(self) -> bool:
        """One pass over the file without what was left out, since that changes it; was more left out?"""
        if not self.file.tests:
            return False
        done = self._pass(0, least=self._overtime())
        self._note(done)
        self.runs += done.is_whole
        weaker = self._weaken()
        # What it did not come to has been seen passing before.
        return self._leave_out(never_seen=weaker) or weaker

    def _note(self, done: _Pass) -> None:
        """Which tests passed and failed, by their places: their names change with the file."""
        for index, case in self._cases(done.items).items():
            if case in done.untrue:
                self._untrue[index] = done.untrue[case]
            elif case in done.failed:
                self._bad[index] = done.failed[case]
            elif case in done.passed:
                self._seen.add(index)

    def _amended(self, done: _Pass) -> bool:
        """The file says more, or less, as the first run has shown; are there tests now that have to be seen passing?"""
        bare, cases = self.file.bare(), self._cases(done.items)
        weaker = self._weaken()  # first: it goes by the lines of the file that was run
        expected = self._expect_raised(
            {index: done.raised[cases[index]] for index in bare & set(cases) if cases[index] in done.raised}
        )
        return (expected or weaker) and bool(self._unseen())

    def _weaken(self) -> bool:
        """Leave out the assertions that were untrue. A test of which nothing else was left to be run has passed without them."""
        untrue, self._untrue = self._untrue, {}
        if untrue:
            self.file = weakened(self.file, untrue)
            self._seen -= {index for index, one in untrue.items() if not one.whole}
            self._seen |= {index for index, one in untrue.items() if one.whole}
            self.changed = True
        return bool(untrue)

    def _steady(self) -> set[int]:
        return self._seen - set(self._bad) - set(self._untrue)

    def _unseen(self) -> set[int]:
        """Neither seen passing nor failing."""
        return self._all() - self._seen - set(self._bad)

    def _all(self) -> set[int]:
        return {index for test in self.file.tests for index in test.indices}

    def _nodes(self, places: Iterable[int]) -> frozenset[str]:
        """The names of the test functions for these tests."""
        wanted = set(places)
        return frozenset(f"{self._name}::{test.node}" for test in self.file.tests if not wanted.isdisjoint(test.indices))

    def _left(self, least: float) -> float:
        """Seconds for the next process: until ``least`` (on the monotonic clock) in any case."""
        return min(max(self._seconds(), least - time.monotonic()), _LONGEST_PROCESS)

    def _pass(self, number: int, only: frozenset[str] = frozenset(), least: float = 0.0, elsewhere: bool = False) -> _Pass:
        begin = time.monotonic()
        if not only and not self.file.kept.is_empty:  # what others wrote is not ours to judge
            only = self._nodes(self._all())
        done = _Pass(only)
        seed = _HASH_SEEDS[0 if elsewhere else self._passes % len(_HASH_SEEDS)]
        self._passes += not elsewhere
        package = self.file.target.package if elsewhere else ""
        for _ in range(_MOST_PROCESSES):
            left = self._left(least)
            if left <= 0:
                break
            limit = max(_SHORTEST_TEST, min(_LONGEST_TEST, left / 4))
            conditions = RunConditions(tuple(done.rest()) or tuple(sorted(only)), number % 2 == 1, seed, limit, number > 0, package)
            run = run_file(self._runner, self.file.text, self._name, conditions, left)
            seen = len(done.passed) + len(done.failed)
            done.take(run)
            if run.items is None:
                done.problem = run.problem or run.output[-_LONGEST_OUTPUT:]
            if run.items is None or not done.rest() or len(done.passed) + len(done.failed) == seen:
                break
        self.output = done.output or self.output
        done.seconds = time.monotonic() - begin
        self.longest = max(self.longest, done.seconds)
        return done

    def _expect_raised(self, expected: Mapping[int, tuple[str, str]]) -> bool:
        """Tests that assert nothing, for want of time to examine them, and raise are to raise that; were there any?"""
        if not expected:
            return False
        self.file = self.file.raising({index: Raised(Named(*names)) for index, names in expected.items()})
        self._bad = {index: reason for index, reason in self._bad.items() if index not in expected}
        self.changed = True
        return True

    def _cases(self, items: tuple[str, ...]) -> dict[int, str]:
        """The name in ``items`` of each test, by its place."""
        found: dict[int, str] = {}
        for test in self.file.tests:
            whole = f"{self._name}::{test.node}"
            cases = [item for item in items if item == whole or item.startswith(f"{whole}[")]
            if len(cases) == len(test.indices):
                found.update(zip(test.indices, cases, strict=True))
        return found

    def _leave_out_unimportable(self, least: float) -> None:
        """Leave out the tests with which the file cannot be imported: one name that is not there fails them all."""
        bad = self._unimportable([draft.indices[0] for draft in self.file.drafts], least)
        nodes = {index: test.node for test in self.file.tests for index in test.indices}
        self.dropped.extend(DroppedTest(index, nodes.get(index, ""), reason) for index, reason in sorted(bad.items()))
        self.file = self.file.without(bad)

    def _leave_out_half(self, problem: str) -> None:
        """Each test alone is imported, and all together are not: better some of them than none."""
        drafts = self.file.drafts
        nodes = {index: test.node for test in self.file.tests for index in test.indices}
        gone = {index for draft in drafts[len(drafts) // 2 :] for index in draft.indices}
        reason = f"the file cannot be imported with all of them: {problem.strip()[-_LONGEST_OUTPUT:]}"
        self.dropped.extend(DroppedTest(index, nodes.get(index, ""), reason) for index in sorted(gone))
        self.file = self.file.without(gone)
        self.changed = True

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
        run = run_file(self._runner, part.text, self._name, RunConditions(only=("none of them",)), left)
        return (run.problem or run.output[-_LONGEST_OUTPUT:] or "no output") if run.items is None else None

    def _leave_out(self, never_seen: bool) -> bool:
        """Leave out the tests that failed, and on demand those never seen passing; were there any?"""
        self._bad.update(dict.fromkeys(self._untrue, _UNTRUE))  # found out in the last run, whose lines the file is about to lose
        self._untrue = {}
        gone = [
            DroppedTest(index, test.node, self._bad.get(index, _NO_TIME))
            for test in self.file.tests
            for index in test.indices
            if index in self._bad or (never_seen and index not in self._seen)
        ]
        self.dropped.extend(gone)
        if gone:
            self.file = self.file.without(one.index for one in gone)
            self.changed = True
        return bool(gone)
