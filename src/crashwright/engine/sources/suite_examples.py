"""Usage examples as seeds of a suite: of the package's documentation, of the tests that come with it, of the user's own tests."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from crashwright.core.mechanisms import Mechanism
from crashwright.engine.sources.candidate_tests import candidates_of
from crashwright.engine.sources.runner import WARM_UPS
from crashwright.engine.sources.source import When
from crashwright.engine.sources.suite_so_far import SuiteSoFar
from crashwright.engine.sources.suite_subject import SuiteSubject
from crashwright.engine.sources.values.example_seeds import ShownExamples, call_seeds, fill_from_values, shown_in
from crashwright.engine.subject.api.exports import Exports
from crashwright.engine.subject.usage.documentation import Documentation
from crashwright.engine.subject.usage.shipped_tests import tests_in
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.testcase import TestCase

MOST_EXAMPLES = 100
"""Tests made of usage examples."""


class SuiteExamples:
    """See ``sources.source.Source``."""

    def tests(self, subject: SuiteSubject, so_far: SuiteSoFar, rng: Random) -> list[TestCase]:
        """Calls that examples show, and what somebody suggests; while the subject is cold, some of them."""
        shown = _tests_of(subject.examples, subject, so_far, rng)
        tests = [test for test in (*_suggested(subject, so_far), *shown) if test.is_valid()]
        return tests[:WARM_UPS] if so_far.moment is When.COLD else tests


class OwnTests:
    """See ``sources.source.Source``."""

    def tests(self, subject: SuiteSubject, so_far: SuiteSoFar, rng: Random) -> Sequence[TestCase]:
        """Tests that make the calls of the user's own tests. Where one runs no line that those do not run, it says what the
        tracer cannot: which exceptions, values and mutants they meet."""
        files = subject.start.target.known.files
        if not files or so_far.moment is When.COLD:
            return ()
        factory, catalogue = so_far.factory, so_far.catalogue
        names, definitions = frozenset(callee.name for callee in factory.entry), factory.definer is not None
        shown = shown_in(Documentation(tests_in(files, names, definitions), ()), names, definitions)
        fill_from_values(factory.pool, shown.values)
        tests = _tests_of(shown, subject, so_far, rng)
        lines = catalogue.of("line")
        for test in tests:
            covered = so_far.evaluator.measure(test).covered
            if lines and not covered & lines & ~catalogue.known:
                catalogue.know(covered)
        return tests


def _suggested(subject: SuiteSubject, so_far: SuiteSoFar) -> list[TestCase]:
    """What somebody suggests, in statements: what stays whole as one function is no test that people keep."""
    start = subject.start
    exports = Exports(subject.api.package, (start.target.module,))
    found = candidates_of(start.target.candidates, subject.api, exports, so_far.factory, start.settings.search.seed)
    return [made.test for one in found for made in one.made if made.in_parts]


def _tests_of(shown: ShownExamples, subject: SuiteSubject, so_far: SuiteSoFar, rng: Random) -> list[TestCase]:
    api, start, factory = subject.api, subject.start, so_far.factory
    exports = Exports(api.package, (start.target.module,)) if start.settings.search.uses(Mechanism.WORDS) else None
    names = NameChain(api, factory.entry, exports=exports, defines=factory.definer is not None)
    return [echo.test for echo in call_seeds(shown.calls, names, factory, rng, MOST_EXAMPLES)]
