"""Runs candidates as they are before anything is searched, and in the course of a search.

They run under pytest with the fixtures and settings of the project around them, confined, in fresh interpreters. What can be
translated for the search, or made smaller, has no part in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from crashwright.core.level import WHOLE
from crashwright.core.messages import CandidateTried
from crashwright.core.portions import LEAST_SUGGESTED_PART, ONE_SUGGESTED_PART, SUGGESTED_PART
from crashwright.core.suggested import SuggestedCode
from crashwright.core.target import CrashTarget
from crashwright.crash.fingerprint import fingerprint
from crashwright.crash.resolve import ResolvedCrash
from crashwright.finishing.crash.existing_test import ExistingRun, SuggestedTest
from crashwright.finishing.crash.header import Header
from crashwright.finishing.crash.suggested_file import headed
from crashwright.finishing.crash.verify import LONGEST_RUN
from crashwright.finishing.naming import file_name, function_name, function_title
from crashwright.finishing.running.at_once import in_order
from crashwright.finishing.running.fresh_runner import FreshRunner
from crashwright.workflows.deadline import Deadline
from crashwright.workflows.reproduce.proving.proved import INSIDE, OTHER_WAY, Proved, has_own_frames, tried
from crashwright.workflows.reproduce.proving.surroundings import surroundings
from crashwright.workflows.reproduce.proving.ways import RETRIES, RunPlan, checked, first_ways
from crashwright.workflows.reproduce.request import Request

RUNS = 3
_LEAST = 10.0
"""Seconds that one run has in any case, if the whole time is not too short for that."""
_MOST = 12
"""Candidates, where there is no time to go by."""
_MANY = 3
"""Of more candidates than these the first run decides whether there are others; of fewer all begin at once."""


@dataclass(slots=True)
class Prover:
    """``best`` is what was proved so far. ``tell`` hears what became of each; ``on_run`` is told the level and number of each run
    that counts."""

    request: Request
    resolved: ResolvedCrash
    runner: FreshRunner
    deadline: Deadline
    tell: Callable[[str], None]
    on_run: Callable[[int, int], None]
    inner: Callable[[int], CrashTarget]
    """The crash as it is seen from a frame further in, counted from the crash."""
    best: Proved | None = None

    def try_all(self, suggested: Iterable[SuggestedCode], own: bool = False) -> None:
        """Run them in order until one reproduces the crash from the chosen frame; else the outermost one counts. ``own``: they are
        tests of the project."""
        until = self.deadline.elapsed() + SUGGESTED_PART * self.deadline.left()
        chosen = list(islice(suggested, _MOST))
        for number, one in enumerate(chosen):
            if self.is_whole:
                return
            if number and self.deadline.elapsed() >= until:
                self.tell(f"candidate {one.name} and those after it go to the search: they take too long to run as they are")
                return
            found = self._proved(one, len(chosen))
            if found is not None and (self.best is None or len(found.target.package_frames) > len(self.best.target.package_frames)):
                self.best = found._replace(own=own)
                if not self.is_enough:
                    inside, frames = len(found.target.package_frames), len(self.resolved.target.package_frames)
                    self.tell(f"{one.name} reproduces the crash with {inside} of {frames} frames; now searching for the others")

    @property
    def is_whole(self) -> bool:
        """The crash is reproduced from the chosen frame."""
        return self.best is not None and self.best.target is self.resolved.target

    @property
    def is_enough(self) -> bool:
        """Nothing is searched beside it: it enters by the chosen frame, has most of the frames, or all but some of a library. The
        author knows why not all."""
        best, frames = self.best, len(self.resolved.target.package_frames)
        return best is not None and (2 * len(best.target.package_frames) >= frames or has_own_frames(best, self.resolved.target))

    @property
    def tried(self) -> CandidateTried:
        """What became of the best one, as engines tell it."""
        assert self.best is not None
        return tried(self.best, self.resolved)

    def run(self, way: RunPlan, target: CrashTarget, most: float = 1.0, place: int = 0) -> ExistingRun:
        """One fresh run. It takes ``most`` of the time left: a candidate that hangs must leave time for others, and for the search;
        one that ended before will end again."""
        whole = self.deadline.seconds
        least = _LEAST if whole is None else min(_LEAST, LEAST_SUGGESTED_PART * whole)
        seconds = min(max(least, most * self.deadline.left()), LONGEST_RUN)
        test = SuggestedTest(way.text, self.file_name, way.around, self.runner, way.file, way.test, way.in_scratch)
        return test.run(target, seconds, way.looking, place)

    @property
    def file_name(self) -> str:
        """What the written file is called."""
        return file_name(self.resolved.target, fingerprint(self.resolved.target))

    def headed(self, text: str, found: Proved) -> str:
        """``text`` under the header of the crash."""
        short_of = "" if found.target is self.resolved.target else function_name(self.resolved.target.package_frames[0])
        otherwise = OTHER_WAY if short_of and has_own_frames(found, self.resolved.target) else ""
        header = Header(found.target, found.agreement, self.request.expect, self.request.command, short_of, otherwise=otherwise)
        return checked(headed(text, header.lines()), text)

    def _proved(self, code: SuggestedCode, count: int) -> Proved | None:
        found = self._nearest(code, count)
        if found is None:
            return None
        way, runs = found
        best = runs[0].best
        if best is None or best.agreement.level not in (INSIDE, WHOLE) or not best.agreement.frames:
            self.tell(f"candidate {code.name}, run as it is: {_came_to(runs[0])}")
            return None
        target = self.resolved.target if best.agreement.level == WHOLE else self.inner(best.agreement.frames)
        levels = self._levels(way, [run.compared(target) for run in runs], target)
        best = runs[0].compared(target).best
        if best is None or min(levels, default=0) < WHOLE:
            self.tell(f"candidate {code.name} crashes this way in {levels.count(WHOLE)} of {len(levels)} runs")
            return None
        made = Proved(code.name, way, way.text, levels, best, target, code.source)
        return made._replace(text=self.headed(way.text, made))

    def _nearest(self, code: SuggestedCode, count: int) -> tuple[RunPlan, list[ExistingRun]] | None:
        """The way in which it comes nearest to the crash, and its runs."""
        target, best = self.resolved.target, None
        around = surroundings(code.name, self.request)
        title = function_title(target)
        for way in first_ways(code, around, target, self.resolved.preparation, title):
            best = _better(best, (way, self._first_runs(way, count)))
            if _level(best) == WHOLE:
                return best
        for retry in RETRIES:
            if best is None or _level(best) >= INSIDE:
                break
            other = retry.way(best[0], best[1][0], target)
            if other is not None:
                best = _better(best, (other, [self.run(other, target, ONE_SUGGESTED_PART)]))
        return best

    def _first_runs(self, way: RunPlan, count: int) -> list[ExistingRun]:
        """One run, or all that a proof takes: with processors to spare these take no longer."""
        target = self.resolved.target
        if count > _MANY or self.runner.at_once < RUNS:
            return [self.run(way, target, ONE_SUGGESTED_PART)]
        runs = in_order(lambda place: self.run(way, target, ONE_SUGGESTED_PART, place), RUNS, self.runner.at_once)
        first = next(runs)
        if _level_of(first) >= INSIDE:
            return [first, *runs]
        runs.close()
        return [first]

    def _levels(self, way: RunPlan, known: list[ExistingRun], target: CrashTarget) -> tuple[int, ...]:
        """The levels of the fresh runs: of those ``known``, and of as many more as a proof takes."""
        levels: list[int] = []
        for run in self._with_others(way, known, target):
            if run.timed_out and levels:
                break  # it reproduced the crash before: on a busy machine the time ends, and nothing speaks against it
            levels.append(_level_of(run))
            self.on_run(levels[-1], len(levels))
            if levels[-1] < WHOLE:
                break
        return tuple(levels)

    def _with_others(self, way: RunPlan, known: list[ExistingRun], target: CrashTarget) -> Iterator[ExistingRun]:
        yield from known

        yield from in_order(lambda place: self.run(way, target, place=place), RUNS - len(known), self.runner.at_once)


def _better(
    best: tuple[RunPlan, list[ExistingRun]] | None, other: tuple[RunPlan, list[ExistingRun]]
) -> tuple[RunPlan, list[ExistingRun]]:
    """A run that had tests is better than one that did not come so far."""
    if best is None:
        return other
    ranks = [(_level(one), bool(one[1][0].tests)) for one in (best, other)]
    return other if ranks[1] > ranks[0] else best


def _level(one: tuple[RunPlan, list[ExistingRun]]) -> int:
    return _level_of(one[1][0])


def _level_of(run: ExistingRun) -> int:
    return run.best.agreement.level if run.best is not None else 0


def _came_to(run: ExistingRun) -> str:
    best = run.best
    if run.problems and (best is None or not best.agreement.level):
        return run.problems[0]
    if best is None:
        return "it has no test"
    return best.agreement.missing or f"it {best.outcome or 'does not end'}"
