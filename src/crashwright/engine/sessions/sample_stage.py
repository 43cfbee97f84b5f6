"""The stage of a crash search that tries texts of the formats that the subject reads, before the first population: in the open
texts of the echoed calls, else in those of the entries."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence

from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.search.evaluator import Evaluator
from crashwright.engine.search.feeding import Feeding, fed_tests
from crashwright.engine.search.samples import (
    MOST_LOOKED,
    TEMPLATES,
    Template,
    entry_templates,
    most_open,
    sample_tests,
    try_samples,
    with_looks,
)
from crashwright.engine.search.seeding import MOST_ENTRIES
from crashwright.engine.sessions.search_run import Setup
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.samples.formats import Sample
from crashwright.engine.testcase.statements import Variable
from crashwright.engine.testcase.testcase import TestCase


class SampleStage:
    """``reached`` are the tests that came upon something new; ``tell`` lets the search know of them. ``templates`` are the calls
    whose open texts were filled."""

    def __init__(
        self,
        setup: Setup,
        factory: Factory,
        evaluator: Evaluator[Evaluation],
        tell: Callable[[list[Evaluation]], None],
        samples: Sequence[Sample],
    ) -> None:
        self.reached: list[TestCase] = []
        self.templates: list[Template] = []
        self._setup = setup
        self._factory = factory
        self._evaluator = evaluator
        self._tell = tell
        self._samples = samples

    def feed(self, feedings: Sequence[Feeding], is_over: Callable[[], bool]) -> None:
        """Lines for the writers, and then the entries."""
        self._try(iter(fed_tests(self._factory, feedings, self._setup.rng)), is_over)

    def fill(self, echoed: list[TestCase], quoted: Container[Variable], is_over: Callable[[], bool]) -> None:
        """The samples, in turns, in the nearest of the calls."""
        entry = self._factory.entry[:MOST_ENTRIES]
        templates = self._echoed(echoed, quoted) or entry_templates(entry, self._factory, self._setup.rng, self._distances)
        self.templates = most_open(templates, TEMPLATES)
        self._try(sample_tests(self.templates, self._samples, self._factory), is_over)

    def _echoed(self, echoed: list[TestCase], quoted: Container[Variable]) -> list[Template]:
        """The echoed calls; where something is known of what they leave open, the nearest ones with that come first."""
        looked = [one for test in echoed[:MOST_LOOKED] for one in with_looks(test, quoted, self._factory)]
        distances = self._distances(looked) if looked else {}
        return [(test, quoted) for test in (*sorted(distances, key=distances.__getitem__)[:TEMPLATES], *echoed)]

    def _distances(self, tests: list[TestCase]) -> dict[TestCase, float]:
        evaluations = self._evaluator.evaluate_all(tests, once=True)
        self._tell(evaluations)
        return {one.test: one.score.fitness for one in evaluations}

    def _try(self, tests: Iterator[TestCase], is_over: Callable[[], bool]) -> None:
        def run(batch: list[TestCase]) -> tuple[bool, bool]:
            new = [one for one in self._evaluator.evaluate_all(batch, once=True) if one.novel]
            self._tell(new)
            self.reached.extend(one.test for one in new)
            return bool(new), is_over()

        try_samples(tests, self._setup.meter, run)
