"""Further tests of a module: with definitions that its callables take, and what the symbolic engine composes for open branches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from crashwright.engine.sources.condition_values import passed_in
from crashwright.engine.sources.suite_so_far import SuiteSoFar
from crashwright.engine.sources.suite_subject import SuiteSubject
from crashwright.engine.sources.values.given_callables import callable_tests
from crashwright.engine.testcase.testcase import TestCase


class Definitions:
    """See ``sources.source.Source``."""

    def tests(self, subject: SuiteSubject, so_far: SuiteSoFar, rng: Random) -> Sequence[TestCase]:  # noqa: ARG002
        """Functions and classes of the test for parameters that are decorated, inspected or called."""
        return callable_tests(so_far.factory, rng)


class WithDoubles:
    """See ``sources.source.Source``."""

    def tests(self, subject: SuiteSubject, so_far: SuiteSoFar, rng: Random) -> Iterator[TestCase]:  # noqa: ARG002
        """Tests with doubles for what no test can call, whenever it is time to make some."""
        return so_far.doubled()


class WithStandIns:
    """See ``sources.source.Source``."""

    def tests(self, subject: SuiteSubject, so_far: SuiteSoFar, rng: Random) -> Iterator[TestCase]:  # noqa: ARG002 - the search makes them
        """Tests with doubles for functions of other modules whose results decide what is open, whenever it is time to make some."""
        return so_far.stood_in(rng)


class ComposedForBranches:
    """See ``sources.source.Source``."""

    def tests(self, subject: SuiteSubject, so_far: SuiteSoFar, rng: Random) -> Sequence[TestCase]:  # noqa: ARG002
        """Those that have come since this was asked last; others may start from them, and pass the values that they pass."""
        composed = so_far.composed()
        if composed:
            so_far.operators.plant(composed)
            so_far.factory.suggestions.show_more(passed_in(composed))
        return composed
