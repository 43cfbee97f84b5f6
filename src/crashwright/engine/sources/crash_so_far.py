"""The state of a search for a crash, as its sources see it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from random import Random

from crashwright.core.messages import Message
from crashwright.engine.execution.warm_up import WarmUp, varied
from crashwright.engine.goals.crash.required_values import RequiredValue
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.search.crash_search import ALIKE, CrashSearch
from crashwright.engine.search.operators import TestOperators
from crashwright.engine.sources.best_variants import best_variants
from crashwright.engine.sources.crash_seeds import CrashSeeds
from crashwright.engine.sources.operand_probes import OperandProbes
from crashwright.engine.sources.so_far import SoFar
from crashwright.engine.sources.source import Fate
from crashwright.engine.sources.state_lines import StateLines
from crashwright.engine.sources.values.samples import Template
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.protocol import Resume, Workbench


@dataclass(frozen=True, slots=True)
class ToldMeanwhile:
    """What comes in the course of a search: tests that the symbolic engine has ``composed``, what it says is lacking in a run (its
    ``required``), tests of other processes that fit here (``foreign``); ``note`` keeps a message for the next fork."""

    composed: Callable[[], Sequence[TestCase]]
    required: Callable[[TestCase], list[RequiredValue]]
    foreign: Callable[[Sequence[dict[str, object]]], list[TestCase]]
    note: Callable[[Message], None]


class CrashSoFar(SoFar[Evaluation]):
    """``explore`` runs random tests to learn from. ``saved`` is what the fork before was left with."""

    def __init__(
        self,
        search: CrashSearch,
        seeds: CrashSeeds,
        factory: Factory,
        operators: TestOperators,
        bench: Workbench,
        resume: Resume,
        warm: WarmUp,
        quarantine: Quarantine,
        told: ToldMeanwhile,
        saved: Sequence[dict[str, object]],
        state_lines: Sequence[StateLines],
        go_inwards: Callable[[], None],
        explore: Callable[[], None],
        forget: Callable[[], None],
        operand_probes: OperandProbes,
        rng: Random,
    ) -> None:
        super().__init__(factory, operators, search.meter, resume.generation, bool(saved), resume.forgiven)
        self.search = search
        self.seeds = seeds
        self.bench = bench
        self.quarantine = quarantine
        self.told = told
        self.saved = saved
        self.state_lines = state_lines
        """What the writers of state are fed with."""
        self.go_inwards = go_inwards
        """Gives a frame further in a turn, where it is time to."""
        self.templates: list[Template] = []
        """The calls whose open texts were filled."""
        self.explore = explore
        self.operand_probes = operand_probes
        self._warm = warm
        self._forget = forget
        self._rng = rng

    @property
    def best(self) -> float:
        """The fitness of the best test."""
        return math.inf if self.search.scorer.best is None else self.search.scorer.best.score.fitness

    @property
    def gained(self) -> int:
        """Tests that reached something new, or were better than all before."""
        return self.search.scorer.gained

    @property
    def is_over(self) -> bool:
        """The crash is reproduced, and no better test of it is worth the time, or there is no time."""
        return self.search.is_settled or self.meter.stopped

    @property
    def echoed(self) -> list[TestCase]:
        """Tests that make the call of the report, those that get furthest if that is known."""
        return self.given.get("variants") or self.given.get("echoed", [])

    def begun_with(self, most: int) -> list[TestCase]:
        """So many of the tests that make the call of the report, and of those of usage examples."""
        return [*self.echoed[:most], *self.given.get("examples", [])[:most]]

    def survivors(self) -> list[TestCase]:
        """The population, best first."""
        return self.search.algorithm.survivors()

    def completed(self) -> list[TestCase]:
        """The best test that ended without an exception, if there is one."""
        best = self.search.scorer.best_completed
        return [] if best is None else [best.test]

    def run(self, tests: Sequence[TestCase], once: bool = True) -> list[Evaluation]:
        """See ``Evaluator.evaluate_all``."""
        return self.search.evaluator.evaluate_all(tests, once)

    def tell(self, scores: Sequence[Evaluation]) -> None:
        """They compete for a place in the population."""
        self.search.tell(scores)

    def is_new(self, score: Evaluation) -> bool:
        """Whether it reached something on the path for the first time."""
        return score.novel

    def test_of(self, score: Evaluation) -> TestCase:
        """The test that was run."""
        return score.test

    def competes(self, score: Evaluation, kept: Fate) -> bool:
        """What was made to crash and says something quite different does not: by chance it is rare, but made on purpose it would
        soon be all that there is."""
        if kept is Fate.MADE:
            return score.score.level != 3 or score.score.fitness <= ALIKE
        return super().competes(score, kept)

    def best_of(self, tests: Iterable[TestCase], run: Callable[[list[TestCase]], list[Evaluation]]) -> list[TestCase]:
        """Those that get furthest."""
        return best_variants(tests, run)

    def patiently(self) -> AbstractContextManager[None]:
        """Without the time limit of a test."""
        return self._warm.unhurried()

    def warm_up(self, tests: Sequence[TestCase]) -> None:
        """With variants of them the first time."""
        self._warm.begin(tests if self.given else varied(tests, self.operators.mutate, self._rng))

    def go_on(self) -> None:
        """What the fork before was left with is all that there is of the search: it keeps its scores."""
        kept = [test for test in self.told.foreign(self.saved) if test.is_valid()]
        self.search.try_each(kept, self._warm.unhurried)

    def look_round(self) -> None:
        """Random tests around the entry."""
        self.explore()

    def plant(self, tests: Sequence[TestCase]) -> None:
        """What was run when the subject was cold may be run again."""
        super().plant(tests)
        self._forget()
