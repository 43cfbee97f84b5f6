"""A module as a problem of a search run (SPEC 5): what is tried first, what is archived, when every goal is covered."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from functools import partial
from random import Random

from crashwright.core.mechanisms import Mechanism
from crashwright.core.messages import (
    Archived,
    EndReason,
    Finished,
    Message,
    Phase,
    Suite,
    SuiteProgress,
)
from crashwright.core.portions import (
    LOOKED_ROUND_PART,
    MENDING_PART,
    QUIET_EVALUATIONS,
    REDUCTION_PART,
    SURVIVORS_PART,
)
from crashwright.core.suite import PossibleDefect, SuiteTest
from crashwright.engine.assertions.mutants import LiveModule
from crashwright.engine.assertions.noticing import Noticing
from crashwright.engine.assertions.values import Present, ValueNames
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.goals.coverage.callables import facts_of
from crashwright.engine.goals.coverage.catalogue import Catalogue
from crashwright.engine.goals.coverage.coverage import Nearness, coverage_of, never_returned, open_branches, taken_branches
from crashwright.engine.goals.coverage.existing import Remaining, known_goals
from crashwright.engine.goals.coverage.footprint import Footprint, footprint
from crashwright.engine.goals.coverage.goal import Goals, as_goals, numbers
from crashwright.engine.goals.coverage.integer_operands import IntegerOperands
from crashwright.engine.goals.coverage.output import output_classes
from crashwright.engine.goals.coverage.selection import goal_policy
from crashwright.engine.passes.suite_dressing import Dressing
from crashwright.engine.search.complaints import Complaints
from crashwright.engine.search.evaluator import LONGEST_HELD, MOST_HELD, Evaluator, RunSurroundings
from crashwright.engine.search.suite.accidents import Accidents
from crashwright.engine.search.suite.algorithms import ALGORITHMS
from crashwright.engine.search.suite.archive import Placed
from crashwright.engine.search.suite.facts import RaisePlaces, RunFacts
from crashwright.engine.search.suite.mock_answers import MockAnswers
from crashwright.engine.search.suite.operators import SuiteOperators
from crashwright.engine.search.suite.possible_defects import PossibleDefects
from crashwright.engine.search.suite.problem import Ran
from crashwright.engine.search.suite.reduction import ReducedTest, Reduction, as_found, covered_by, without_redundant
from crashwright.engine.search.suite.scorer import SuiteRan, SuiteScorer
from crashwright.engine.search.suite.standstill import Standstill
from crashwright.engine.sessions.search_run import Setup
from crashwright.engine.sessions.suite_collaborators import SuiteCollaborators
from crashwright.engine.sessions.suite_commands import SuiteCommands
from crashwright.engine.sessions.suite_end import TimeLeft
from crashwright.engine.sessions.suite_insights import SuiteInsights
from crashwright.engine.sessions.suite_mending import SuiteMending
from crashwright.engine.sessions.suite_mishaps import MishapMeasure, Mishaps
from crashwright.engine.sessions.suite_stages import Stages
from crashwright.engine.sessions.suite_survivors import LEAST_TRIED, RUNS_OF_ONE, Survivors
from crashwright.engine.sessions.suite_telling import SuiteTelling
from crashwright.engine.sources.runner import SourceRun
from crashwright.engine.sources.suite_so_far import SuiteSoFar
from crashwright.engine.sources.suite_subject import SuiteSubject
from crashwright.engine.sources.table import suite_sources
from crashwright.engine.subject.api.callee import MOCKS
from crashwright.engine.subject.api.module_api import private_callables_of
from crashwright.engine.teaching.taught import taught_for_suite
from crashwright.engine.testcase.codec import encode
from crashwright.engine.testcase.testcase import TestCase

EXPLORED = 100
"""Random tests that are run before the search to learn from ..."""
FEW_HELD = 10
"""Tests that wait to be scored once a test has ended an engine: they would be lost with the next one."""
MANY_DEATHS = 3
"""Forks after which each test is scored at once."""
NOTED = 8
"""Tests of a generation that are looked at for how near they came to open branches."""


class SuiteProblem:
    """See ``sessions.search_run.Problem``. In the end it makes the suite small."""

    def __init__(self, subject: SuiteSubject, setup: Setup, live: LiveModule | None = None) -> None:
        start, callables, bench, resume, rng = subject.start, subject.callables, setup.bench, setup.resume, setup.rng
        settings = start.settings.search
        self._subject = subject
        self._setup = setup
        self._live = live
        mutated = "weak-mutation" in start.target.criteria  # who asks for none asks for no tests of theirs
        self._seeks_survivors = mutated and live is not None and settings.uses(Mechanism.SURVIVORS)
        commands = SuiteCommands(subject.programs, subject.api)
        plain = commands.without(callables)
        self._private = private_callables_of(subject.api, start.target.module, start.target.names)
        self.factory = taught_for_suite(subject, callables or self._private, rng)
        self._collaborators = SuiteCollaborators(subject, setup, self.factory)
        self._operators = SuiteOperators(self.factory, settings.length, setup.quarantine)
        self._late = setup.meter.share() >= 1.0
        watched = tuple(dict.fromkeys((*callables, *self._private)))
        mutants = subject.instrumentation.mutants
        self._catalogue = Catalogue(
            subject.recorder.functions,
            subject.sources,
            start.target,
            facts_of(plain, subject.api),
            mutants,
            footprint(subject.at_import),
        )
        integers = IntegerOperands(subject.source.tree, start.target.module)
        self._catalogue.know(known_goals(self._catalogue, start.target.known))
        self._policy = Remaining(goal_policy(self._catalogue, settings.algorithm, mutants, integers), self._catalogue)
        self._nearness = Nearness(self._catalogue)
        facts = RunFacts(commands.without(watched), output_classes, RaisePlaces(subject.source.path, subject.source.tree))
        self._answers = answers = MockAnswers(lambda: bench.executor.note_results(answers.beside(facts.note)))
        bench.executor.note_results(facts.note)
        surroundings = RunSurroundings(
            bench.executor,
            subject.recorder,
            setup.meter,
            setup.quarantine,
            setup.warm_up.after_run,
            bench.guard.take_last,
            # No clock decides anything without seconds, not even what the next fork begins with where a test has killed this one.
            attempts=1 if setup.is_timed else 2,
            longest_held=LONGEST_HELD if setup.is_timed else math.inf,
            most_held=MOST_HELD if not resume.generation else FEW_HELD if resume.generation < MANY_DEATHS else 0,
        )
        self._accidents = accidents = Accidents(start.target.package, subject.sources)
        self._defects = PossibleDefects(subject.source.path, accidents.meant)
        self._complaints = Complaints()
        self._scorer = SuiteScorer(
            facts, self._catalogue, accidents.caused, accidents.meant, self._is_silent, commands.bypassed, self._heard
        )
        self.evaluator = Evaluator(surroundings, self._scorer, self._scored)
        self._mending = SuiteMending(subject, bench, self.evaluator, commands, self.factory.new)
        self._mishaps = Mishaps(self._catalogue, self.evaluator, self._nearness)
        self._algorithm = ALGORITHMS[settings.algorithm](
            self._catalogue, self._operators, settings.suite, rng, self._policy.objectives, settings.secondary == "bbc"
        )
        archive = self._algorithm.archive
        self._stages = Stages(
            subject,
            bench.guard,
            self._catalogue,
            setup.meter,
            lambda: self._policy.objectives() & ~archive.covered,
            lambda: archive.covered,
            self._algorithm.measure_again,
        )
        self._stages.plan(self._private, self.factory, self._operators)
        self._insights = SuiteInsights(
            subject,
            setup,
            self._catalogue,
            self._nearness,
            lambda: self._catalogue.unlocked(archive.covered) & self._policy.objectives() & ~archive.covered,
            lambda: archive.covered,
        )
        self._so_far = SuiteSoFar(
            factory=self.factory,
            operators=self._operators,
            meter=setup.meter,
            evaluator=self.evaluator,
            archive=archive,
            catalogue=self._catalogue,
            bench=bench,
            quarantine=setup.quarantine,
            warm=setup.warm_up,
            compete=lambda scores: self.tell(scores, False),
            composed=self._insights.take,
            doubled=self._doubled,
            stood_in=self._stood_in,
            explore=self._explore,
            resume=self._resume,
            rng=setup.draws("warming up"),
            deaths=resume.generation,
            resumes=bool(setup.saved),
            plain=self._scorer.plain,
            complaints=self._complaints,
            answers=self._answers,
        )
        self._sources = SourceRun(suite_sources(settings), subject, self._so_far, setup.draws)
        self._lines = {one.address: one.line for one in facts_of(watched, subject.api)}
        self._telling = SuiteTelling(self._catalogue, subject.source, self._lines, self.factory, commands.run_by)
        self._last_first = 0
        self._standstill = Standstill(setup.meter)
        self._newest: list[TestCase] = []

    # See Problem

    @property
    def population_size(self) -> int:
        """Of the algorithm."""
        return self._algorithm.population_size

    def begin(self) -> list[TestCase] | None:
        """What the sources bring."""
        return self._sources.begin() or None

    def ask(self) -> list[TestCase]:
        """Of the algorithm."""
        self._operators.spare(self._scorer.costs.spared(self._setup.rng))
        return [self._collaborators.equipped(test) for test in self._algorithm.ask()]

    def tell(self, scores: Sequence[SuiteRan], asked: bool) -> None:
        """To the archive and the population."""
        algorithm = self._algorithm
        placed = algorithm.tell(scores) if asked else algorithm.inject(scores)
        if asked:
            self._nearness.note([one.footprint for one in scores[:NOTED]], algorithm.archive.covered)
        self._archived(placed)
        begun = self._mishaps.take(scores, algorithm.archive.covered)
        if begun:
            self._archived(algorithm.inject(begun))

    def is_over(self) -> bool:
        """Every goal is covered, and no new exception or output has been seen for long; or what is left is for the survivors."""
        if self._seeks_survivors and self._gives_way():
            return True
        done = not self._catalogue.asked & ~(self._algorithm.archive.covered | self._catalogue.given_up)
        return done and self._setup.meter.evaluations - self._last_first > QUIET_EVALUATIONS

    def _gives_way(self) -> bool:
        """Whether what is left of the budget is for the survivors: at a standstill, and a last part of the time in any case. Where
        flags are measured from inside, the search comes nearer for long before a branch is taken."""
        if self._setup.is_timed and self._setup.meter.share() >= 1.0 - SURVIVORS_PART:
            return True
        left = self._catalogue.asked & self._catalogue.essential & ~(self._algorithm.archive.covered | self._catalogue.given_up)
        return self._standstill.is_reached(left) and not (left and self._stages.measures_inside)

    def advance(self) -> None:
        """Probes and entries may change; tests may have been composed."""
        self._standstill.note(self._algorithm.archive.covered & self._catalogue.essential)
        self._stages.advance()
        self._sources.between()

    def worth_keeping(self) -> list[TestCase]:
        """The archive and the population."""
        archived = [ran.individual for ran in self._algorithm.archive.tests()]
        return self._setup.quarantine.admitted({id(test): test for test in (*archived, *self._algorithm.survivors())}.values())

    def emigrants(self) -> list[TestCase]:
        """Those that were the first ones for some goal since the last time, the newest first."""
        leaving, self._newest = self._newest[::-1], []
        return leaving

    def progress(self, phase: Phase = Phase.SEARCH) -> SuiteProgress:
        """What is covered."""
        algorithm, meter = self._algorithm, self._setup.meter
        return SuiteProgress(
            seconds=meter.seconds,
            evaluations=meter.evaluations,
            coverage=coverage_of(self._catalogue, algorithm.archive.covered),
            aimed_at=algorithm.aimed_at.bit_count(),
            tests=len(algorithm.archive),
            population=algorithm.population_size,
            phase=phase,
            warm_up=self._setup.warm_up.spent,
        )

    def finish(self) -> list[Message]:
        """The suite, made small."""
        meter = self._setup.meter
        return [self._reduced(), Finished(EndReason.BUDGET, meter.evaluations, meter.seconds)]

    # In the course of it

    def _explore(self) -> None:
        """Tests that hang take no more than a part of the time."""
        setup = self._setup
        if not setup.saved and setup.resume.generation < MANY_DEATHS:
            setup.explore(self.factory, self._subject.recorder, EXPLORED, LOOKED_ROUND_PART)

    def _doubled(self) -> Iterator[TestCase]:
        """Tests with doubles for what no test can call."""
        if self._collaborators.is_due():
            archive = self._algorithm.archive
            archived = [ran.individual for ran in archive.tests()]
            for tests in self._collaborators.tests(self.factory.entry, self._catalogue, archive.covered, archived):
                yield from tests

    def _stood_in(self, rng: Random) -> Iterator[TestCase]:
        """Tests with doubles for what decides open branches."""
        return self._collaborators.stand_ins(self.factory.entry, self._catalogue, self._algorithm.archive, rng)

    def _is_silent(self, test: TestCase) -> bool:
        """Whether a mock of the test that was just run has given no answer where the code looks at one."""
        return self._collaborators.is_silent(test) or self._answers.lack()

    def _heard(self, test: TestCase, outcome: Outcome) -> None:
        """How a run ended."""
        self._defects.note(test, outcome)
        self._complaints.hear(test, outcome)

    def _resume(self) -> None:
        """What is known already is run again whatever is left of the budget, so that nothing of it is lost."""
        setup = self._setup
        known = [*setup.foreign(setup.saved), *setup.foreign(self._subject.start.seeds)]
        rans = []
        for test in known:
            with setup.warm_up.unhurried():  # in a fork that has everything to load, it would run out of time and be lost
                rans.append(self.evaluator.measure(test))
        self.tell(rans, False)

    def _scored(self, rans: Sequence[SuiteRan]) -> None:
        """Where tests end engines, the rest of a generation may never be: what each part of it covers is kept at once."""
        if not self._setup.resume.generation:
            return
        placed = self._algorithm.archive.add_all(rans)
        self._archived(placed)
        if placed:
            self._setup.safe.keep(self.worth_keeping())

    def _archived(self, placed: Sequence[Placed[TestCase, Footprint]]) -> None:
        """Tell the host, so that nothing of it is lost with this process."""
        if placed:
            tests = tuple([encode(one.ran.individual) for one in placed])
            self._setup.bench.channel.send(Archived(tests, self._setup.meter.evaluations))
        first = [one.ran.individual for one in placed if one.first]
        if first:
            self._last_first = self._setup.meter.evaluations
            if self._subject.start.settings.migration:
                self._newest += first

    def _reduced(self) -> Suite:
        """The suite that the host gets."""
        setup, algorithm, meter = self._setup, self._algorithm, self._setup.meter
        archive = algorithm.archive
        seconds = self._subject.start.settings.budget.seconds
        # A fork that takes over from one that was killed here has what is left. Without a clock it leaves tests as they are: each
        # of the many that are tried might kill one more.
        if seconds is None:
            until = -math.inf if self._late else math.inf
        else:
            until = setup.bench.clocks.wall() + REDUCTION_PART * seconds - max(0.0, meter.seconds - seconds)
        setup.safe.keep(self.worth_keeping())
        setup.bench.channel.send(self.progress(Phase.MINIMISE))
        # First what there is, so that a host that has no more time for us has a suite.
        best = self._best()
        setup.bench.channel.send(self._suite(as_found(best, self._catalogue.goals), best))
        self._stages.widen()
        if self._subject.start.target.selection != "all":
            # Goals that the policy left out had no probes: now they are added again (paper 004).
            algorithm.inject([self.evaluator.measure(ran.individual) for ran in archive.tests()])

        seconds_left = TimeLeft(setup.bench.channel, setup.bench.clocks.wall, until)
        mending = 0.0 if seconds is None else MENDING_PART * REDUCTION_PART * seconds
        catalogue, best = self._catalogue, self._best()
        dress = Dressing(self._subject, self.factory, setup.rng)
        reduction = Reduction(self.evaluator, catalogue.goals, lambda: seconds_left() - mending, dress)
        kept = reduction.run(best)
        if setup.warm_up.adopted:
            kept += self._only_cold(as_goals(best) & ~covered_by(kept))
        kept = self._mending.mended(kept, seconds_left)
        doubtful = {id(one) for one in kept if self._mending.is_doubtful(one, seconds_left)}
        kept.sort(key=lambda one: id(one) in doubtful)  # what stands last is asked first whether it is needed
        more: list[SuiteTest] = []
        if self._subject.start.target.accidents:
            lost = catalogue.essential & ~(covered_by(kept) | catalogue.known)
            accidents = Reduction(MishapMeasure(self.evaluator), catalogue.goals, seconds_left, dress)
            more += [self._telling.of(one, accident=True) for one in accidents.run(self._mishaps.best(lost))]
        defects = self._defects.found(self.evaluator.measure, lambda: seconds_left() > 0)
        setup.bench.channel.send(self._suite(kept, best, doubtful, more, defects))
        core = self._core(kept, best)
        more += self._noticing([one for one in kept if id(one) in core or id(one) not in doubtful], dress)
        return self._suite(kept, best, doubtful, more, defects)

    def _noticing(self, kept: Sequence[ReducedTest], dress: Dressing) -> list[SuiteTest]:
        """Tests for mutants that all others leave alive. Last of all: what mutants do may be the end of this process."""
        setup = self._setup
        if self._live is None or not self._seeks_survivors or self._late:
            return []
        bench, wall, evaluations = setup.bench, setup.bench.clocks.wall, setup.budget.evaluations
        seconds = setup.budget.seconds
        until = math.inf if seconds is None else wall() + (1 + REDUCTION_PART) * seconds - setup.meter.seconds

        def left() -> float:
            return 0.0 if bench.channel.asked_to_stop() else until - wall()

        notice = Noticing(
            self._live,
            bench,
            ValueNames(self._subject.api.address_of),
            Present(setup.scratch, bench.clocks.day(), wall()),
            setup.resume.quarantine,
            self._accidents.caused,
            self._accidents.meant,
            known=self._subject.start.target.known.lines,
        )
        survivors = Survivors(
            notice,
            self.evaluator,
            self._operators,
            dress,
            self.factory.new,
            setup.draws("survivors"),
            seconds_left=left,
            stories=self._so_far.stories,
            package=self._subject.start.target.package,
            error=self._subject.api.builtin("RuntimeError"),
            mock=partial(self._subject.api.standard, MOCKS, "Mock"),
        )
        most = None
        if evaluations is not None:
            unspent = SURVIVORS_PART * evaluations + evaluations - setup.meter.evaluations
            most = max(LEAST_TRIED, int(unspent) // RUNS_OF_ONE)
        found = self._mending.mended(survivors.tests(kept, most), left)
        return [replace(self._telling.of(one, spare=True), decisions=()) for one in found]

    def _best(self) -> dict[int, Ran[TestCase, None]]:
        """The archived test of each goal that the suite is to cover."""
        archive, catalogue = self._algorithm.archive, self._catalogue
        return {number: archive.best(number) for number in numbers(archive.covered & catalogue.asked & ~catalogue.known)}

    def _suite(
        self,
        kept: Sequence[ReducedTest],
        wanted: Iterable[int],
        doubtful: Set[int] = frozenset(),
        more: Sequence[SuiteTest] = (),
        defects: tuple[PossibleDefect, ...] = (),
    ) -> Suite:
        """As the host gets it."""
        meter, covered = self._setup.meter, covered_by(kept)
        core = self._core(kept, wanted)
        told = [self._telling.of(one, spare=id(one) not in core, doubtful=id(one) in doubtful) for one in kept]
        tests = [*told, *more]
        return Suite(
            tests=tuple(tests),
            coverage=coverage_of(self._catalogue, covered),
            open_branches=open_branches(self._catalogue, covered, self._nearness, self._subject.sources),
            evaluations=meter.evaluations,
            seconds=meter.seconds,
            taken=taken_branches(self._catalogue, [one.covered for one in kept], self._subject.sources),
            never_returned=never_returned(self._catalogue, covered),
            defects=defects,
        )

    def _core(self, kept: Sequence[ReducedTest], wanted: Iterable[int]) -> set[int]:
        """Those that are kept for their branches, by identity; the others are spare, and out where they are doubtful."""
        return {id(one) for one in without_redundant(kept, as_goals(wanted) & self._catalogue.essential)}

    def _only_cold(self, goals: Goals) -> list[ReducedTest]:
        """Tests for what only runs as long as the subject is cold, as they were found: fresh interpreters are cold too."""
        chosen: list[ReducedTest] = []
        for number in numbers(goals):
            if not covered_by(chosen) >> number & 1:
                ran = self._algorithm.archive.best(number)
                chosen.append(ReducedTest(ran.individual, (self._catalogue.goals[number],), ran.covered & goals))
        return chosen
