"""Tests that the report and the usage examples of the subject suggest, and what is known of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from crashwright.core.target import CrashTarget
from crashwright.engine.search.operators import TestOperators
from crashwright.engine.sources.applications.client_sessions import is_address, is_telling
from crashwright.engine.sources.applications.reported_commands import told_arguments
from crashwright.engine.sources.applications.request_seeds import request_seeds
from crashwright.engine.sources.values.example_seeds import example_seeds, object_seeds
from crashwright.engine.sources.values.origin import Origins
from crashwright.engine.sources.values.seeding import calls_shown, echo_seeds, echo_variants, reported_seeds
from crashwright.engine.subject.usage.documentation import Documentation
from crashwright.engine.subject.usage.usage import Session
from crashwright.engine.testcase.candidates.translation import Translated
from crashwright.engine.testcase.echoing.drivers import name_of_driver
from crashwright.engine.testcase.echoing.echoed_tests import Echo
from crashwright.engine.testcase.echoing.shape import ShownCall
from crashwright.engine.testcase.editing.as_written import AsWritten
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.names.source import Known
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.slices import graft
from crashwright.engine.testcase.statements import Ambient, Literal, Value, Variable
from crashwright.engine.testcase.testcase import TestCase


class CrashSeeds:
    """Of one search. They are made anew whenever more is known of the subject."""

    def __init__(
        self,
        target: CrashTarget,
        requests: tuple[Session, ...],
        clients: frozenset[Known],
        examples: Documentation,
        names: NameChain,
        factory: Factory,
        operators: TestOperators,
        quarantine: Quarantine,
    ) -> None:
        self._target = target
        self._requests = requests
        self._clients = clients
        self._examples = examples
        self._names = names
        self._factory = factory
        self._operators = operators
        self._quarantine = quarantine
        self._entry_names = frozenset(callee.name for callee in factory.entry)
        self._driven: frozenset[str] = frozenset()
        self.quoted: dict[Variable, Value] = {}
        """Literals that the report shows, and the paths and days of requests, by the variables of the tests that hold them."""
        self.given = AsWritten(factory.new)
        """What of its tests the report or a candidate shows."""
        self.calls: tuple[ShownCall, ...] = ()
        """The calls that the report echoes, as far as a test can make them."""
        self._echoed: list[TestCase] = []
        self._shown: list[TestCase] = []
        self._earlier: list[TestCase] = []
        self._reported: list[TestCase] = []
        self._requested: list[TestCase] = []
        self._composed: list[TestCase] = []
        self._suggested: list[TestCase] = []

    @property
    def names(self) -> NameChain:
        """What names in the code of others mean."""
        return self._names

    def origin_of(self, test: TestCase) -> str:
        """What ``test`` started from, in words."""
        pool, echoed = self._factory.pool, self._echoed
        origins = Origins(
            pool,
            echoed,
            self._shown,
            self._earlier,
            self._reported,
            requested=self._requested,
            composed=self._composed,
            suggested=self._suggested,
        )
        return origins.of(test)

    def suggested(self, made: Sequence[Translated]) -> None:
        """Tests that candidates have become are known as that."""
        self._suggested += [one.test for one in made]
        for one in made:
            self.given.add(one.test, one.quoted, whole=False)

    def composed(self, tests: Sequence[TestCase]) -> list[TestCase]:
        """Tests that a symbolic engine has made, likewise."""
        fresh = [TestCase(tuple(graft(test.statements, self._factory.fresh))) for test in tests]
        self._composed += fresh
        return fresh

    def invoked(self, rng: random.Random) -> list[TestCase]:
        """Tests that run the program in a process as the report says: what this has around it stays."""
        tests = told_arguments(self._target.invocations.commands, self._factory, rng)
        self._requested += tests
        for statement in (one for test in tests for one in test.statements if isinstance(one, Ambient)):
            self.given.literals[statement.variable] = statement.content
        return tests

    def earlier(self, tests: Sequence[TestCase]) -> list[TestCase]:
        """Tests of an earlier run, with fresh variables: by them it is told later what a test started from."""
        self._earlier += [TestCase(tuple(graft(test.statements, self._factory.fresh))) for test in tests]
        return list(self._earlier)

    def shown(self, rng: random.Random) -> list[TestCase]:
        """Tests that make the calls of usage examples, and those with a request, by what is known of the subject now."""
        requests = self._asking(self._requests, rng, self._is_telling)
        sessions, count = self._examples.sessions, self._examples.suggested
        made = [
            example_seeds(Documentation(part, ()), self._entry_names, self._names, self._factory, rng)
            for part in (sessions[:count], sessions[count:])
        ]
        self._suggested += [echo.test for echo in made[0]]
        for echo in made[0]:
            self.given.add(echo.test, echo.quoted, whole=False)
        echoes = requests + made[0] + made[1]
        if self._names.defines:
            echoes += object_seeds(self._examples, self._names, self._factory, rng)
        shown = [echo.test for echo in echoes if echo.test.is_valid()]
        self._shown += shown[len(requests) :]
        return shown

    def asked(self, session: Session, rng: random.Random) -> TestCase | None:
        """A test that asks the application what the session does; None where none can. What is sent is not made smaller: it has no
        more than the application asks for, in words that people type. It may be varied."""
        return next((echo.test for echo in self._asking((session,), rng, is_address, whole=True)), None)

    def _asking(
        self, sessions: Sequence[Session], rng: random.Random, stays: Callable[[Value], bool], whole: bool = False
    ) -> list[Echo]:
        echoes = request_seeds(sessions, self._names, self._factory, rng, self._clients)
        self._requested += [echo.test for echo in echoes]
        for echo in echoes:
            telling = {variable: value for variable, value in echo.quoted.items() if stays(value)}
            self.quoted.update(telling)
            literals = {one.variable: one.value for one in echo.test.statements if isinstance(one, Literal)}
            self.given.add(echo.test, literals if whole else telling)
        return echoes

    def _is_telling(self, value: Value) -> bool:
        """Whether a literal of a session is to stay: the report has it, or it is the address of a request."""
        return is_telling(value) or (type(value) is str and value in self._target.invocations.words)

    def variants(self, rng: random.Random) -> Iterator[TestCase]:
        """Different tests that make the call that the report echoes, as many as are asked for."""
        for echo in echo_variants(self._target, self._names, self._factory, rng):
            self._learn(echo)
            for test in dict.fromkeys((echo.test, self._operators.circled(echo.test, rng))):
                self._echoed.append(test)
                yield test

    def echoed(self, rng: random.Random) -> list[TestCase]:
        """Tests that make the call that the report echoes, by what is known of the subject now."""
        echoes = echo_seeds(self._target, self._names, self._factory, rng)
        for echo in echoes:
            self._learn(echo)
        seeds = [test for echo in echoes for test in dict.fromkeys((echo.test, self._operators.circled(echo.test, rng)))]
        self._echoed += seeds
        self._quarantine.spare_circles(seeds)
        self.calls = self.calls or calls_shown(self._target, self._entry_names | self._driven, seeds)
        return seeds

    def _learn(self, echo: Echo) -> None:
        self.quoted.update(echo.quoted)
        self.given.add(echo.test, echo.quoted)
        if echo.driver is not None:
            self._operators.add_drivers((echo.driver,))
            self._driven |= {name_of_driver(echo.driver)}

    def reported(self, rng: random.Random) -> list[TestCase]:
        """Tests with the local values of the report, by what is known of the subject now."""
        reported = [echo.test for echo in reported_seeds(self._target, self._names, self._factory, rng)]
        self._reported += reported
        return reported
