"""What happens to the tests of a suite once they are small: programs are run as people call them, and what a test leaves behind is
undone by the test."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from crashwright.engine.search.suite.reduction import ReducedTest
from crashwright.engine.search.suite.scorer import SuiteEvaluator
from crashwright.engine.sessions.suite_commands import SuiteCommands
from crashwright.engine.sessions.suite_restoring import Restoring
from crashwright.engine.sources.suite_subject import SuiteSubject
from crashwright.engine.testcase.legality import takes_what_is_declared
from crashwright.engine.testcase.statements import Variable
from crashwright.engine.worker.protocol import Workbench


class SuiteMending:
    """Of one search. ``new`` gives variables."""

    def __init__(
        self,
        subject: SuiteSubject,
        bench: Workbench,
        evaluator: SuiteEvaluator,
        commands: SuiteCommands,
        new: Callable[[], Variable],
    ) -> None:
        self._subject = subject
        self._bench = bench
        self._evaluator = evaluator
        self._commands = commands
        self._new = new

    def mended(self, kept: Iterable[ReducedTest], seconds_left: Callable[[], float]) -> list[ReducedTest]:
        """Last of all: what cannot be put back here is no loss any more. Where time is short, some are not looked at, and are out
        in the end where they do leave something."""
        bench, target = self._bench, self._subject.start.target
        restoring = Restoring(bench.executor, bench.isolation, target.package, target.module, self._new)

        def restored(one: ReducedTest) -> ReducedTest:
            if seconds_left() <= 0:
                return one
            as_good = restoring.mended(one.test, lambda test: not one.covered & ~self._evaluator.measure(test).covered)
            return one._replace(test=as_good)

        return [restored(one) for one in [self._keeping_errors(one) for one in kept]]

    def is_doubtful(self, one: ReducedTest, seconds_left: Callable[[], float]) -> bool:
        """Whether the test passes what nobody would, or ends by what nobody raised on purpose."""
        return not takes_what_is_declared(one.test) or (seconds_left() > 0 and self._evaluator.measure(one.test).unmeant)

    def _keeping_errors(self, one: ReducedTest) -> ReducedTest:
        """With the runners of programs as people call them, if it covers the same so."""
        if not self._subject.programs:
            return one
        other = self._commands.keeping_errors(one.test, self._evaluator.measure(one.test).raised)
        covered = self._evaluator.measure(other).covered if other is not None else 0
        return one if other is None or one.covered & ~covered else one._replace(test=other)
