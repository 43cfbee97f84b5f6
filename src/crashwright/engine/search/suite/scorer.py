"""From the run of a test to the goals that it covers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.goals.coverage.catalogue import Catalogue
from crashwright.engine.goals.coverage.footprint import Footprint
from crashwright.engine.search.evaluator import Evaluator, Run
from crashwright.engine.search.suite.costs import Costs
from crashwright.engine.search.suite.facts import RunFacts
from crashwright.engine.search.suite.problem import Ran
from crashwright.engine.testcase.editing import edits
from crashwright.engine.testcase.testcase import TestCase

UNMEANT = 1 << 20
"""By how much a test that ends by what nobody raised on purpose is larger: any other one is better."""
HINDERED = 1 << 21
"""As much, by something that confinement refuses, or by a sleep."""
BYPASSING = 1 << 19
"""As much, that calls what is behind a command: any other one is better that covers as much, but none for the rest."""
PLAINNESS = 2
"""How much larger a test that is written as people write them may be than any other one."""
LONG = 0.05
"""Seconds that a test may sleep without being blamed for it."""
SuiteRan = Ran[TestCase, Footprint]
SuiteEvaluator = Evaluator[SuiteRan]


class SuiteScorer:
    """See ``search.evaluator.Scorer``. ``is_accident`` tells runs that cover nothing, since they ended by an accident, ``is_meant``
    whether the package itself raised what ended them, ``is_silent`` those whose doubles answer nothing, ``bypasses`` those that
    call the functions behind commands. ``note`` is told how each run ended."""

    def __init__(
        self,
        facts: RunFacts,
        catalogue: Catalogue,
        is_accident: Callable[[TestCase, Outcome], bool] = lambda _test, _outcome: False,
        is_meant: Callable[[TestCase, Outcome], bool] = lambda _test, _outcome: True,
        is_silent: Callable[[TestCase], bool] = lambda _test: False,
        bypasses: Callable[[TestCase], bool] = lambda _test: False,
        note: Callable[[TestCase, Outcome], None] = lambda _test, _outcome: None,
    ) -> None:
        self._facts = facts
        self._catalogue = catalogue
        self._is_accident = is_accident
        self._is_meant = is_meant
        self._is_silent = is_silent
        self._bypasses = bypasses
        self._note = note
        self.costs = Costs()
        self.plain: set[int] = set()
        """Keys of tests that are written as people write them."""

    def begin(self) -> None:
        """Others, of which nobody asks what they called, may have been run."""
        self._facts.reset()

    def kept(self, run: Run) -> Run:
        """What was raised is a fact of the call that raised it, and is let go."""
        timed_out = run.outcome.timed_out
        calls = self._facts.take(run.test, run.outcome)
        if not timed_out:
            self.costs.note(calls, len(run.trace.activations))
        swallowed = self._facts.swallowed()
        self._note(run.test, run.outcome)
        accident = not timed_out and (swallowed or self._is_accident(run.test, run.outcome))
        meant = timed_out or self._is_meant(run.test, run.outcome)
        if accident:
            calls = tuple([call for call in calls if call.exception is None])
        trace = run.trace._replace(calls=calls, timed_out=timed_out)
        hindered = run.refusal is not None or run.outcome.slept > LONG or self._is_silent(run.test)
        return Run(run.test, Outcome(run.outcome.executed, accident=accident, meant=meant, hindered=hindered), trace)

    def is_pressing(self, run: Run) -> bool:  # noqa: ARG002 (the protocol names it)
        """All goals are alike."""
        return False

    def ends(self, score: SuiteRan) -> bool:  # noqa: ARG002 (the protocol names it)
        """No test is all of a suite."""
        return False

    def scored(self, runs: Sequence[Run]) -> list[SuiteRan]:
        """The archive remembers, not we."""
        return [self.measured(run) for run in runs]

    def measured(self, run: Run) -> SuiteRan:
        """What stands behind the statement that raised is cut off (SPEC 5)."""
        left = self._catalogue.footprint(run.trace)
        covered = 0 if run.trace.timed_out else self._catalogue.covered(left)
        test, executed = run.test, run.outcome.executed + 1
        if 0 < executed < len(test.statements):
            test = edits.chop(test, executed)
        cost = len(run.trace.activations)
        if run.outcome.accident:
            return Ran(test, left, 0, size_of(test), run.trace.timed_out, cost, mishap=covered)
        meant, hindered = run.outcome.meant, run.outcome.hindered
        size = size_of(test) // (PLAINNESS if run.test.key() in self.plain else 1) + UNMEANT * (not meant) + HINDERED * hindered
        size += BYPASSING * self._bypasses(run.test)
        raised = run.outcome.executed < len(run.test.statements)
        return Ran(test, left, covered, size, run.trace.timed_out, cost, unmeant=not meant, hindered=hindered, raised=raised)


def size_of(test: TestCase) -> int:
    """How much there is to read: statements first, then characters, in steps so that trifles do not count."""
    return 16 * len(test.statements) + test.characters().bit_length()
