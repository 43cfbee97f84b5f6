"""A search for one crash: what an algorithm is told of tests that were run, and what is made of the best one in the end.

It knows neither processes nor messages; ``sessions.crash_problem`` connects it to both.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager

from crashwright.core.mechanisms import Mechanism
from crashwright.core.settings import SearchSettings
from crashwright.engine.goals.crash import block_coverage
from crashwright.engine.goals.crash.fitness import CrashFitness
from crashwright.engine.goals.crash.frame_goal import Standing
from crashwright.engine.goals.crash.score import MESSAGE_DIFFERS, NEAR_MISS, CrashScore
from crashwright.engine.search.after_crash import Seen
from crashwright.engine.search.algorithm import Algorithm, Compare, Scored
from crashwright.engine.search.behaviour import behaviour_of, ending_of
from crashwright.engine.search.blockers import Blockers, Finder
from crashwright.engine.search.clues import Clues
from crashwright.engine.search.complaints import Complaints
from crashwright.engine.search.crash_scorer import CrashScorer, Evaluation
from crashwright.engine.search.evaluator import Evaluator, RunSurroundings
from crashwright.engine.search.guided import GuidedSearch
from crashwright.engine.search.legal_first import LegalFirst
from crashwright.engine.search.operators import TestOperators
from crashwright.engine.search.persistence import Persistence
from crashwright.engine.search.random_search import RandomSearch
from crashwright.engine.testcase.echoing.shape import unlikeness
from crashwright.engine.testcase.testcase import TestCase

ILLEGAL, UNLIKE, BY_ITSELF = 0.6, 0.25, 0.15
"""What makes the form of a test: arguments that the subject does not ask for, another call than the report echoes, and that it
comes to the crash by what nobody would pass."""
LOST = 1e-7
"""What a test that lost all of the echoed call stands back in the population: on a plateau of fitness, and nowhere else."""
HUNG = 2e-7
"""What a test that used up its time stands back there: what it breeds hangs too, and costs as much as hundreds of others."""
STRAY = 0.2
"""What a test that reproduces the crash by what nobody would pass stands back there, behind all that came near it otherwise."""
ALIKE = 0.03
"""Larger is the fitness of a test whose exception is of the right type and place, but says something quite different."""


def size_of(test: TestCase) -> int:
    """How much there is to read, for ties: four for three statements, one for each doubling of their text. Coarse on purpose: a
    longer way to a better object must not lose to a shorter one for every statement."""
    return 4 * (len(test.statements) // 3) + test.characters().bit_length()


ALGORITHMS: dict[str, Callable[[TestOperators, SearchSettings, random.Random, Compare | None], Algorithm[TestCase]]] = {
    "guided": GuidedSearch,
    "random": lambda operators, _settings, rng, _compare: RandomSearch(operators, rng),
}
SECONDARY: dict[str, Compare | None] = {
    "bbc": block_coverage.compare,
    "bbc-literal": block_coverage.compare_literally,
    "none": None,
}


class CrashSearch:
    """A search state object: made for one run, ends with the best test in ``scorer``. ``told`` hears of a test that is better than
    all before, and of that test made smaller (True)."""

    def __init__(
        self,
        operators: TestOperators,
        settings: SearchSettings,
        surroundings: RunSurroundings,
        fitness: CrashFitness,
        rng: random.Random,
        told: Callable[[Evaluation, bool], None],
        clues: Clues | None = None,
        on_scored: Callable[[Sequence[Evaluation]], None] = lambda _evaluations: None,
        blocking: Finder | None = None,
    ) -> None:
        """``blocking`` finds functions that stop most tests: passing them becomes a goal."""
        self.algorithm = ALGORITHMS[settings.algorithm](operators, settings, rng, SECONDARY[settings.secondary])
        self._operators = operators
        self._rng = rng
        self._told = told
        self._clues = clues or Clues()
        self.meter = surroundings.meter
        self._blockers = None if blocking is None else Blockers(blocking, self.algorithm.revise)
        diverse = settings.uses(Mechanism.DIVERSITY) and settings.operators == "extended"
        self.scorer = CrashScorer(
            fitness,
            self.meter,
            lambda evaluation: told(evaluation, False),
            self._form,
            self._blockers,
            diverse,
            self._clues.passed_by_test,
        )
        self.evaluator = Evaluator(surroundings, self.scorer, on_scored)
        self._persistence = Persistence(surroundings.meter)
        self._repaired: Evaluation | None = None
        self._turns = LegalFirst() if diverse else None
        self._nearest = math.inf
        self._is_wary = settings.uses(Mechanism.GUIDANCE)

    def try_first(self, tests: list[TestCase], once: bool = False) -> bool:
        """Whether one of ``tests`` reproduces the crash at once, with nothing that speaks against it. They compete for a place in
        the population too. ``once``: see :meth:`Evaluator.evaluate_all`."""
        self.tell(self.evaluator.evaluate_all(tests, once))
        return self.is_settled

    def try_each(self, tests: Iterable[TestCase], patiently: Callable[[], AbstractContextManager[None]]) -> bool:
        """As :meth:`try_first`, one by one, each within ``patiently()``: a process that has just begun has everything to load, and
        a test that runs out of time there would lose the score that it has earned. One that does so all the same has had its time:
        it is not run again."""
        for test in tests:
            if self.meter.stopped:
                return False
            with patiently():
                if self.try_first([test], once=True):
                    return True
        return False

    def tell(self, evaluations: Sequence[Evaluation], asked: bool = False) -> None:
        """Tests compete for a place in the population, as what the algorithm ``asked`` for or from elsewhere."""
        scored: list[Scored[TestCase]] = []
        for evaluation in evaluations:
            test = self._operators.chopped(evaluation.test, evaluation.ran)
            score = evaluation.score
            hung = self._turns is not None and evaluation.hung
            conduct = None if hung else evaluation.conduct  # in cells of their own they would be parents for ever
            scored.append(
                Scored(
                    individual=test,
                    fitness=score.fitness + LOST * self._clues.lost(test) + HUNG * hung + STRAY * self._is_stray(evaluation),
                    size=size_of(test),
                    novel=evaluation.novel and not hung,
                    coverage=score.coverage,
                    blocked=evaluation.blocked,
                    behaviour=conduct and behaviour_of(test, evaluation.ran, conduct, self._clues.quoted),
                )
            )
        if self._turns is not None:
            self._operators.insist_on_types(self._turns.note(scored))
        if asked:
            self._operators.settle((one.test, self._is_gain(one)) for one in evaluations)
            self.algorithm.tell(scored)
        else:
            self.algorithm.inject(scored)
        self._repair()

    def _is_gain(self, evaluation: Evaluation) -> bool:
        """Whether a test reached something new, or came nearer than all before that the algorithm asked for."""
        fitness = evaluation.score.fitness
        nearer = fitness < self._nearest
        self._nearest = min(self._nearest, fitness)
        return nearer or evaluation.novel

    def measure_anew(self, fitness: CrashFitness) -> None:
        """``fitness`` counts from now on: what was kept by another is run again, and competes as if it had just come."""
        scorer = self.scorer
        best, best_exception = scorer.best, scorer.best_exception
        first = [one.test for one in (best_exception, best) if one is not None]
        kept = {self._operators.identity(test): test for test in (*first, *self.algorithm.forget())}
        scorer.begin_anew(fitness)
        self._nearest = math.inf
        self.try_first(list(kept.values()))
        if scorer.best_exception is None:
            scorer.best_exception = best_exception  # the budget ended, or it does not repeat: it is the partial result all the same

    def advance(self) -> None:
        """Between two generations: look for what blocks the way."""
        if self._blockers is not None:
            self._blockers.advance()

    def _repair(self) -> None:
        """Try what the report suggests in place of a test that reproduces the crash otherwise, as long as that makes it better."""
        near, least = self.scorer.best_exception, MESSAGE_DIFFERS if self._is_wary else 4
        if near is None or near is self._repaired or near.score.level < least or near.score.fitness <= 0 or self.meter.stopped:
            return
        self._repaired = near
        self.tell(self.evaluator.evaluate_all(self._clues.repairs(near)))

    @property
    def reproduced(self) -> bool:
        """Whether a test shows the crash."""
        best = self.scorer.best_exception
        return best is not None and best.score.level == 4

    @property
    def is_settled(self) -> bool:
        """The crash is reproduced, and looking for a better test of it has an end."""
        best = self.scorer.best_exception
        if best is None or best.score.level < 4:
            return False
        return not self._persistence.goes_on(best.score.fitness, self._is_stray(best))

    def _is_stray(self, evaluation: Evaluation) -> bool:
        """Whether a test came to the crash by what nobody would pass: it would only be a parent of its like."""
        if evaluation.score.level < 4 or evaluation.score.fitness >= NEAR_MISS:
            return False
        return self._comes_by_itself(evaluation.test, evaluation.handed)

    def _comes_by_itself(self, test: TestCase, handed: bool) -> bool:
        if not self._is_wary:
            return False
        return handed or self._clues.is_made_up(test)

    def _form(self, test: TestCase, handed: bool) -> float:
        legal, unlike = self._clues.is_legal(test), unlikeness(test, self._clues.calls())
        return ILLEGAL * (not legal) + UNLIKE * unlike + BY_ITSELF * self._comes_by_itself(test, handed)

    def finish(self, improved: Callable[[Evaluation], Iterable[Evaluation]]) -> None:
        """Tell of the best exception as it is ``improved``."""
        best = self.scorer.best_exception
        self.scorer.complaints = Complaints()  # what it has looked at often it looks at again
        for better in () if best is None else improved(best):
            self._told(better, True)

    def see(self, test: TestCase) -> Seen:
        """Run once more, to see whether it gets past the crash that was found."""
        best, (evaluation, run) = self.scorer.best_exception, self.evaluator.observe(test)
        score, ended = evaluation.score, run.outcome.innermost
        frames = 0 if best is None else best.score.frames
        reached = score.level < 4 and score.frames >= frames and score.standing is Standing.REACHED
        raised = tuple((frame.code.co_name, frame.line) for frame in ended.frames)
        return Seen(ending_of(ended), reached, raised, self.scorer.complaints.of(test, ended, score))

    def measure(self, test: TestCase) -> CrashScore:
        """Run once more."""
        return self.evaluator.measure(test).score
