"""A session for ``hung_test.py``: one test that ends at once, one that hangs, one that ends; it says when each begins.

Run in the subject's interpreter by the engine, like ``crashwright.engine.sessions.crash``.
"""

from __future__ import annotations

import time
from types import ModuleType

from crashwright.core.messages import EndReason, Finished, Incident, IncidentKind, Ready, Start
from crashwright.engine.execution.executor import release
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.statements import NO_ARGUMENTS, Call
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.protocol import Resume, Subject, Workbench

ROUNDS = 5
"""How often the hang is met, each time by another test: the tests that killed an engine are never run again."""


class HangSession:
    """The target's message names the function that hangs."""

    def prepare(self, start: Start) -> Subject:
        """The subject and its hang."""
        self._name = start.target.message
        self._package = start.target.package
        return Subject((self._package,), (self._package,))

    def imported(self, modules: dict[str, ModuleType]) -> Ready:
        """Tests that call the function once, twice, ...: the first call never ends."""
        callee = Callee(self._package, self._name, CalleeKind.FUNCTION, live=getattr(modules[self._package], self._name))
        self._tests = [TestCase(tuple(Call(i, callee, NO_ARGUMENTS) for i in range(n + 1))) for n in range(ROUNDS)]
        return Ready("3", 0.0, self._name)

    def run(self, bench: Workbench, resume: Resume) -> None:
        """Tell the time before the next test and after it, in this process or the one that follows."""
        done = int(resume.checkpoint or b"0")
        if resume.generation:
            bench.channel.send(noted("after"))
        for number in range(done, ROUNDS):
            bench.channel.checkpoint(str(number + 1).encode())
            bench.channel.send(noted("before"))
            release(bench.executor.run(self._tests[number]))
            bench.channel.send(noted("after"))
        bench.channel.send(Finished(EndReason.EXHAUSTED, ROUNDS, 0.0))


def noted(when: str) -> Incident:
    """The time, before or after a test."""
    return Incident(IncidentKind.NOTED, f"{when} {time.monotonic()}")


def session() -> HangSession:
    """For the zygote."""
    return HangSession()
