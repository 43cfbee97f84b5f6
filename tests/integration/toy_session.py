"""A session for tests of the engine process: runs a plan of calls given in the target's message, and sends what came of each."""

from __future__ import annotations

import json
import pickle
from types import ModuleType

from crashwright.core.messages import EndReason, Failed, Finished, Found, Incident, IncidentKind, Ready, Start
from crashwright.engine.execution.executor import release
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.statements import Arguments, Call, Literal, Scalar
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.protocol import Resume, Subject, Workbench


class ToySession:
    """The plan is a JSON list of [function, argument or null]; a checkpoint (the number of tests done) is saved after each test."""

    def prepare(self, start: Start) -> Subject:
        self._module = start.target.package
        self._plan: list[tuple[str, Scalar]] = [tuple(step) for step in json.loads(start.target.message)]
        return Subject((self._module,), (self._module,))

    def imported(self, modules: dict[str, ModuleType]) -> Ready | Failed:
        module = modules[self._module]
        self._tests = []
        for name, argument in self._plan:
            callee = Callee(self._module, name, CalleeKind.FUNCTION, live=getattr(module, name))
            statements = [] if argument is None else [Literal(0, argument)]
            self._tests.append(TestCase((*statements, Call(1, callee, Arguments((0,) if statements else ())))))
        return Ready("3", 0.0, self._module)

    def run(self, bench: Workbench, resume: Resume) -> None:
        done = pickle.loads(resume.checkpoint) if resume.checkpoint else 0
        for index, test in enumerate(self._tests):
            if index < done or test.key() in resume.quarantine:
                continue
            outcome = bench.executor.run(test)
            told = {
                "function": self._plan[index][0],
                "error": type(outcome.error).__name__ if outcome.error is not None else None,
                "message": str(outcome.error),
                "timed_out": outcome.timed_out,
                "frames": [frame.code.co_name for frame in outcome.frames][:10],
                "generation": resume.generation,
            }
            release(outcome)
            bench.channel.send(Found(told, 0, 0, 0.0, index, 0.0))
            for refusal in bench.guard.take_refusals():
                bench.channel.send(Incident(IncidentKind.REFUSED, refusal))
            bench.channel.checkpoint(pickle.dumps(index + 1))
        bench.channel.send(Finished(EndReason.EXHAUSTED, len(self._tests), 0.0))


def session() -> ToySession:
    return ToySession()
