"""Leaves in the heartbeat what is being called: should the process die, its parent knows what it died of.

It costs some 25 microseconds a call. So it is only done in forks that follow on one that a test has ended, and for their first
tests: where so many do no harm, deaths are too rare to matter.
"""

from __future__ import annotations

from typing import Any

from crashwright.engine.execution.handlers import Environment, Handler
from crashwright.engine.execution.heartbeat import Heartbeat
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.quarantine import patterns_of
from crashwright.engine.testcase.statements import Statement
from crashwright.engine.testcase.testcase import TestCase

TOLD = 3000
"""Tests of a fork that are told of."""
_SILENT = frozenset({st.Literal, st.Reference, st.StubCallable, st.StubClass, st.FileFixture, st.Ambient, st.Enter, st.Await})
"""Statements whose handlers run nothing of the subject's."""


class RunningCall:
    """``test`` is the one that runs."""

    def __init__(self, heartbeat: Heartbeat) -> None:
        self._heartbeat = heartbeat
        self.test = TestCase(())

    def begin(self, statement: Statement) -> None:
        """From now on this statement of ``test`` is to blame."""
        statements = self.test.statements
        index = next((place for place, one in enumerate(statements) if one is statement), None)
        if index is not None:
            self._heartbeat.write_call([part for pattern in patterns_of(statements, index) for part in pattern])

    def watching(self, handlers: dict[type, Handler]) -> dict[type, Handler]:
        """``handlers`` that say what they run."""
        return {kind: handler if kind in _SILENT else self._watched(handler) for kind, handler in handlers.items()}

    def _watched(self, handler: Handler) -> Handler:
        end = self._heartbeat.end_call

        def watched(env: Environment, statement: Any) -> None:
            self.begin(statement)
            handler(env, statement)
            end()

        return watched
