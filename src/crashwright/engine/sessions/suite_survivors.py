"""The second phase of the search for a suite: mutants that its tests leave alive are the goals (SPEC 9).

A test of a branch need not notice what the branch does. So all tests are looked at as the examination will look at them, and each
mutant of the module is tried. Around tests that run a mutated line others are made, until one shows by what can be asserted that
the mutant is not the original. Three ways take turns: what goes on with one object where another test has ended; the stories that
were told before the search; and values that the mutated place suggests, that the tests have shown, or with which what is compared
there is equal. Then comes what is near, and chance.
Each is made small and plain as long as it tells the mutant, and offered as a spare test: the examination has the last word. There
are never more of them than tests that there were.

# Deviation: the papers' search ends with weak mutation, which asks for a state that differs and not for a test that shows it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice, zip_longest
from random import Random
from typing import NamedTuple, Protocol

from crashwright.engine.assertions.cases import Case
from crashwright.engine.execution.executor import Spoiled
from crashwright.engine.goals.coverage.goal import Goal
from crashwright.engine.instrument.gap_probes import GapsByLine
from crashwright.engine.search.suite.boundaries import boundaries, leaves
from crashwright.engine.search.suite.closing import closing
from crashwright.engine.search.suite.directed import directed
from crashwright.engine.search.suite.handed_clocks import clocks_in, timed
from crashwright.engine.search.suite.reduction import Dress, ReducedTest, TestMeasure
from crashwright.engine.search.suite.scenarios import scenarios
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.introspection import same_package
from crashwright.engine.subject.mutants.clues import Clue
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.editing.minimise import minimise
from crashwright.engine.testcase.editing.record_steps import record_steps
from crashwright.engine.testcase.legality import takes_what_is_declared
from crashwright.engine.testcase.shape import shape_of
from crashwright.engine.testcase.statements import Variable
from crashwright.engine.testcase.testcase import TestCase

LEAST_TRIED, LEAST_OFFERED = 100, 6
"""Tests that are tried where tests are counted, however few the search had; tests that may be offered to any suite."""
RUNS_OF_ONE = 4
"""How often one is run at least: what it covers, what it shows, whether that stays, and under a mutant."""
STORIES, SCENARIOS = 120, 400
"""Of the tests that are tried, how many were told before the search, and how many go on with an object, at most."""
PARENTS_OF_ONE, CHANGES = 3, 30
"""Tests whose values are changed for one mutant, and how often each."""
REPEATED = 10
"""Proposals for each test that may be tried, those that were made before included."""
QUIET = 300
"""Tests without a find, and as many as it took to the last one, after which those that are alive are taken to be equivalent."""
STEPS = 30
"""Tests that are one step from another."""
NEAR = 0.4
"""How often a test is one step from another; else it is a mutation of the search."""
PARENTS = 60
"""Tests around which others are made; the latest are kept."""
CUTS = 20
"""How many smaller tests are run for one that tells a mutant."""


class Notice(Protocol):
    """See ``assertions.noticing.Noticing``."""

    def seen(self, test: TestCase) -> Case | None: ...
    def alive(self, cases: Sequence[Case], over: Callable[[], bool]) -> dict[int, Collection[int]]: ...
    def told(self, case: Case, numbers: Iterable[int]) -> frozenset[int]: ...
    def lines_of(self, case: Case) -> frozenset[int]: ...
    def clue(self, number: int) -> Clue: ...
    def gaps(self, test: TestCase, like: Case) -> GapsByLine: ...


class SurvivorOperators(Protocol):
    """See ``search.suite.operators.SuiteOperators``."""

    def mutate(self, individual: TestCase, rng: Random) -> TestCase: ...


class Proposal(NamedTuple):
    """A test, and the mutant that it was made for, if there is one. ``alike``: it is not worth looking at where another one has
    covered the same by the same last call."""

    test: TestCase
    target: int | None = None
    alike: bool = False


class Parent(NamedTuple):
    """A test with what it shows, what is near, and the values in what its assertions expect."""

    case: Case
    near: Iterator[TestCase]
    shown: tuple[object, ...]

    @property
    def test(self) -> TestCase:
        """The test alone."""
        return self.case.test

    @property
    def lines(self) -> frozenset[int]:
        """Those of the module that it runs."""
        return self.case.lines


class Survivors:
    """Use once. ``measure`` tells what a test covers, ``dress`` gives it plain values, ``new`` gives variables."""

    def __init__(
        self,
        notice: Notice,
        measure: TestMeasure,
        operators: SurvivorOperators,
        dress: Dress,
        new: Callable[[], Variable],
        rng: Random,
        seconds_left: Callable[[], float] = lambda: math.inf,
        stories: Sequence[TestCase] = (),
        package: str = "",
        error: Callee | None = None,
        mock: Callable[[], Callee] | None = None,
    ) -> None:
        """``package`` is that of the module; options of what other ones have are left alone. Functions that tests hand over fail
        with an ``error``; ``mock`` is asked for what makes one."""
        self._notice = notice
        self._measure = measure
        self._operators = operators
        self._dress = dress
        self._new = new
        self._rng = rng
        self._left = seconds_left
        self._stories = stories
        self._package = package
        self._error = error
        self._mock = mock
        self._alive: dict[int, Collection[int]] = {}
        """The lines of the mutants that no test tells, by number."""
        self._parents: list[Parent] = []
        self._succeeding: list[TestCase] = []
        """What was there before, as far as its calls return."""
        self._seen: set[tuple[int, int | None]] = set()
        """What was tried, and for which mutant."""
        self._looked_at: dict[int, Case | None] = {}
        """What tests show that were made for one mutant: they are often made for the next one as well."""
        self._courses: set[tuple[int, str]] = set()
        self._begun: dict[int, set[int]] = {}
        """The tests whose values were changed for a mutant."""
        self._gaps_of: dict[int, GapsByLine] = {}

    def tests(self, kept: Sequence[ReducedTest], most: int | None) -> Iterator[ReducedTest]:
        """Further tests, each of which tells a mutant that neither ``kept`` nor those before it tell, after ``most`` tries at most
        (None: as long as there is time). Spoiled ends it: nothing can be run after that."""
        try:
            self._begin(kept)
            offered = last = 0
            for number, proposal in enumerate(self._tried(most)):
                if offered >= max(LEAST_OFFERED, len(kept)) or not self._alive or self._left() <= 0:
                    break
                if number - last > max(QUIET, last):
                    break
                found = self._telling(proposal)
                if found is not None:
                    offered, last = offered + 1, number
                    yield ReducedTest(found, _goals_of(found, kept), self._measure.measure(found).covered)
        except Spoiled:
            return

    def _begin(self, kept: Sequence[ReducedTest]) -> None:
        """Which mutants are alive."""
        cases = [case for one in kept if self._left() > 0 and (case := self._notice.seen(one.test)) is not None]
        half = self._left() / 2
        self._alive = self._notice.alive(cases, lambda: self._left() < half)
        for case in cases:
            self._seen.add((shape_of(case.test), None))
            self._succeeding.append(case.test if case.raised is None else TestCase(case.test.statements[:-1]))
            if case.raised is None:
                self._bear(case)

    def _bear(self, case: Case) -> None:
        near = iter(record_steps(case.test, (), self._new, STEPS))
        shown = tuple(leaves(one.expected for one in case.assertions))
        self._parents = [*self._parents[-PARENTS + 1 :], Parent(case, near, shown)]

    # What is tried

    def _tried(self, most: int | None) -> Iterator[Proposal]:
        tried = 0
        for number, one in enumerate(self._proposed()):
            # What was tried already counts in the end, too: else nothing might end it.
            if most is not None and (tried >= most or number >= REPEATED * most):
                return
            shape = shape_of(one.test), one.target
            if shape not in self._seen:
                self._seen.add(shape)
                tried += 1
                yield one
            elif self._left() <= 0:
                return

    def _proposed(self) -> Iterator[Proposal]:
        yield from self._timed()
        gone_on = (Proposal(test) for test in islice(scenarios(self._succeeding, self._new), SCENARIOS))
        told = (Proposal(test, alike=True) for test in sorted(self._stories, key=len, reverse=True)[:STORIES])
        for turn in zip_longest(gone_on, told, self._directed()):
            yield from (one for one in turn if one is not None)
        yield from self._directed()  # from what scenarios and stories have brought since it came to its end
        while self._parents:
            parent = self._parent()
            near = next(parent.near, None) if self._rng.random() < NEAR else None
            yield Proposal(self._operators.mutate(parent.test, self._rng) if near is None else near)

    def _timed(self) -> Iterator[Proposal]:
        """What there was before, by a clock that stands still: what is reckoned from it shows, and others begin with that."""
        if self._mock is not None:
            for test in self._succeeding:
                found = timed(test, self._mock, self._new)
                if found is not None:
                    yield Proposal(found)

    def _directed(self) -> Iterator[Proposal]:
        """For each mutant that is alive one in turn, and again as long as there are other tests to begin with."""
        begun_with: list[Parent] | None = None
        while begun_with is not self._parents:
            begun_with = self._parents
            ways = {number: self._directed_at(number) for number in [*self._alive]}
            while ways:
                for number in [*ways]:
                    test = next(ways[number], None) if number in self._alive else None
                    if test is None:
                        del ways[number]
                    else:
                        yield Proposal(test, number)

    def _directed_at(self, number: int) -> Iterator[TestCase]:
        """Around those tests that run its line, and the most besides: in them most is there to be changed."""
        clue = self._notice.clue(number)
        lines = self._alive[number]
        begun = self._begun.setdefault(number, set())
        near = [one for one in self._parents if not one.lines.isdisjoint(lines) and shape_of(one.test) not in begun]
        near.sort(key=lambda one: (-len(one.lines), not clocks_in(one.test), len(one.test)))
        begun.update(shape_of(one.test) for one in near[:PARENTS_OF_ONE])
        steps = tuple(dict.fromkeys((*clue.numbers, *clue.around)))
        telling = sorted(near, key=lambda one: (-len(one.shown), len(one.test)))
        turns = zip_longest(
            *(directed(one.test, clue, self._new, self._is_own, self._error) for one in near[:PARENTS_OF_ONE]),
            *(boundaries(one.test, one.shown, steps, self._new) for one in telling[:PARENTS_OF_ONE]),
            *(closing(one.test, partial(self._gaps, one.case, lines, clue), self._new) for one in near[:PARENTS_OF_ONE]),
        )
        for turn in islice(turns, CHANGES):
            yield from (test for test in turn if test is not None)

    def _gaps(self, like: Case, lines: Collection[int], clue: Clue, test: TestCase) -> Sequence[tuple[float, ...]]:
        """Of what is compared in one of the ``lines``, or else in the function, in a run of ``test``. One run tells of all."""
        shape = shape_of(test)
        if shape not in self._gaps_of and self._left() > 0:
            self._gaps_of[shape] = self._notice.gaps(test, like)
        by_line = self._gaps_of.get(shape, {})
        here, around = ([gaps for line in some for gaps in by_line.get(line, ())] for some in (sorted(lines), clue.within))
        return here or around

    def _is_own(self, callee: Callee) -> bool:
        return same_package(callee.module, self._package)

    def _parent(self) -> Parent:
        """One that runs the line of a mutant that is alive, where there is one."""
        lines = self._rng.choice([*self._alive.values()]) if self._alive else ()
        near = [one for one in self._parents if not one.lines.isdisjoint(lines)]
        return self._rng.choice(near or self._parents)

    # What becomes of it

    def _telling(self, proposal: Proposal) -> TestCase | None:
        """The test, made small and plain, if it tells a mutant: that which it was made for, if there is one."""
        target = proposal.target
        case = self._shown(proposal)
        if case is None or (target is not None and not self._notice.told(case, (target,))):
            return None
        case.lines = self._notice.lines_of(case)
        told = self._notice.told(case, [number for number, lines in self._alive.items() if not case.lines.isdisjoint(lines)])
        if told:
            self._alive = {number: lines for number, lines in self._alive.items() if number not in told}
            return self._small(case, told)
        if case.raised is None and any(not case.lines.isdisjoint(lines) for lines in self._alive.values()):
            self._bear(case)
        return None

    def _shown(self, proposal: Proposal) -> Case | None:
        """What the test shows; None for what is none of a suite, or goes the way of another one."""
        test, target, alike = proposal
        shape = shape_of(test)
        if target is not None and shape in self._looked_at:
            return self._looked_at[shape]
        ran = self._measure.measure(test)
        if ran.timed_out or ran.hindered or ran.unmeant or not takes_what_is_declared(test):
            case = None
        else:
            course = ran.covered, last_called(test)
            is_known = alike and course in self._courses
            self._courses.add(course)
            case = None if is_known else self._notice.seen(test)
        if target is not None:
            self._looked_at[shape] = case
        return case

    def _small(self, case: Case, told: frozenset[int]) -> TestCase:
        def as_good(candidate: TestCase) -> bool:
            if self._left() <= 0 or not candidate.statements or not takes_what_is_declared(candidate):
                return False
            shown = self._notice.seen(candidate)
            ends_alike = shown is not None and (shown.raised is None or case.raised is not None)
            return shown is not None and ends_alike and self._notice.told(shown, told) == told

        small = minimise(case.test, as_good, CUTS, self._dress.plain(case.test), values=False)
        return self._dress.made_of(small, as_good, lambda: self._left() > 0)


def _goals_of(test: TestCase, kept: Iterable[ReducedTest]) -> tuple[Goal, ...]:
    """Those of a test that ends with the same call, for the words about it."""
    callee = _last_callee(test)
    alike = [one for one in kept if _last_callee(one.test) == callee]
    return next((one.goals[:1] for one in (*alike, *kept)), ())


def last_called(test: TestCase) -> str:
    """The address of what it calls last; "" for what has none."""
    callee = _last_callee(test)
    return "" if callee is None else callee.address


def _last_callee(test: TestCase) -> Callee | None:
    last = test.statements[-1]
    return last.callee if isinstance(last, st.Call | st.MethodCall | st.CallValue) else None
