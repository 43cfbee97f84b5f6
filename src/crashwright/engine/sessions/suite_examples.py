"""Usage examples as seeds of a suite: of the package's documentation, of the tests that come with it, of the user's own tests."""

from __future__ import annotations

import random

from crashwright.core.mechanisms import Mechanism
from crashwright.engine.goals.coverage.catalogue import Catalogue
from crashwright.engine.search.example_seeds import Shown, call_seeds, fill_from_values, shown_in
from crashwright.engine.search.suite.scorer import SuiteEvaluator
from crashwright.engine.sessions.candidate_tests import candidates_of
from crashwright.engine.sessions.suite_parts import Parts
from crashwright.engine.subject.api.exports import Exports
from crashwright.engine.subject.usage.documentation import Documentation
from crashwright.engine.subject.usage.shipped_tests import tests_in
from crashwright.engine.testcase.echoing.names import EchoNames
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.testcase import TestCase

MOST_EXAMPLES = 100
"""Tests made of usage examples."""


class Examples:
    """The values of the examples become seeds at once."""

    def __init__(self, parts: Parts, factory: Factory, rng: random.Random) -> None:
        self._parts = parts
        self._factory = factory
        self._rng = rng
        fill_from_values(factory.pool, parts.examples.values)

    def tests(self) -> list[TestCase]:
        """Tests that make the calls that the examples show."""
        return [test for test in (*self._suggested(), *self._tests_of(self._parts.examples)) if test.is_valid()]

    def _suggested(self) -> list[TestCase]:
        """What somebody suggests, in statements: what stays whole as one function is no test that people keep."""
        api, start = self._parts.api, self._parts.start
        exports = Exports(api.package, (start.target.module,))
        found = candidates_of(start.target.candidates, api, exports, self._factory, start.settings.search.seed)
        return [made.test for one in found for made in one.made if made.in_parts]

    def known_tests(self, catalogue: Catalogue, evaluator: SuiteEvaluator) -> list[TestCase]:
        """Tests that make the calls of the user's own tests. Where one runs no line that those do not run, it says what the
        tracer cannot: which exceptions, values and mutants they meet."""
        files = self._parts.start.target.known.files
        if not files:
            return []
        definitions = self._factory.definer is not None
        written = Documentation(tests_in(files, self._names, definitions), ())
        shown = shown_in(written, self._names, definitions)
        fill_from_values(self._factory.pool, shown.values)
        tests = self._tests_of(shown)
        lines = catalogue.of("line")
        for test in tests:
            covered = evaluator.measure(test).covered
            if lines and not covered & lines & ~catalogue.known:
                catalogue.know(covered)
        return tests

    def _tests_of(self, shown: Shown) -> list[TestCase]:
        api, start = self._parts.api, self._parts.start
        exports = Exports(api.package, (start.target.module,)) if start.settings.search.uses(Mechanism.WORDS) else None
        names = EchoNames(api, self._factory.entry, exports=exports, defines=self._factory.definer is not None)
        return [echo.test for echo in call_seeds(shown.calls, names, self._factory, self._rng, MOST_EXAMPLES)]

    @property
    def _names(self) -> frozenset[str]:
        return frozenset(callee.name for callee in self._factory.entry)
