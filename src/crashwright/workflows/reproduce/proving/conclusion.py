"""What becomes of a candidate that was proved: it is told and written at once, and only then made smaller."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from crashwright.core.report import CrashReport
from crashwright.crash.secrets.filter import SecretFilter
from crashwright.environment.interpreter import Interpreter
from crashwright.finishing.crash.after_fix import FixedJudge
from crashwright.workflows.events import Event, Interrupted, Told
from crashwright.workflows.fixed_side import fixed_judge
from crashwright.workflows.reproduce.harmless import Harmless
from crashwright.workflows.reproduce.output import Output
from crashwright.workflows.reproduce.proving.proved import Proved, result_of
from crashwright.workflows.reproduce.proving.prover import Prover
from crashwright.workflows.reproduce.proving.smaller import Smaller
from crashwright.workflows.reproduce.result import Result


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Of what ``prover`` has proved best."""

    prover: Prover
    output: Output
    secrets: SecretFilter
    report: CrashReport
    interpreter: Interpreter
    listen: Callable[[Event], None]

    def result(self) -> Result:
        """The result, with its test written."""
        proved = self.prover.best
        assert proved is not None
        runs = len(proved.levels)
        fresh = f"in {runs} of {runs} fresh runs"
        proof = f"proved: {proved.name} reproduces the crash as it is, {fresh}"
        if proved.own:
            proof = f"your own test {proved.name} already shows the crash, {fresh}"
        first = self._of(proved)
        if self.secrets.code(proved.text) == proved.text:  # else what looks like a secret is taken out before it is written
            first = _written(first, self.output)
        file = first.test.file if first.test is not None else ""
        self.listen(Told(self.secrets.text(f"{proof}; written to {file}" if file else proof)))
        folder = Path(os.path.abspath(self.output.folder))
        try:
            proved = Smaller(self.prover, folder, self.secrets.code, self._judge()).made(proved)
        except KeyboardInterrupt:
            self.listen(Interrupted())
        except Exception as problem:  # noqa: BLE001 - a defect of what is done to a proof must not cost the proof; it is told
            self.listen(Told(self.secrets.text(f"it is left as it is: {type(problem).__name__}: {problem}")))
        result = self._of(proved)
        if not file or first.test is None:
            return _written(result, self.output)
        result = _written(result, self.output.again(file))
        return replace(result, test=replace(result.test, replaced=first.test.replaced)) if result.test is not None else result

    def _judge(self) -> FixedJudge | None:
        """What says what a test does with the fix, if the user has said where that is."""
        prover, fixed = self.prover, self.prover.request.fixed
        return fixed_judge(fixed, prover.resolved.target, self.interpreter, prover.runner) if fixed else None

    def _of(self, proved: Proved) -> Result:
        runner = self.prover.runner.name
        python, deadline = self.interpreter.version_text, self.prover.deadline
        result = result_of(proved, self.prover.request, self.prover.resolved, python, runner, deadline)
        report = self.secrets.report(self.report)
        kept = Harmless(self.secrets).kept_in(proved.text)
        incidents = (*result.incidents, *filter(None, [kept]))
        return replace(result, report=report, command=self.secrets.value(result.command), incidents=incidents)


def _written(result: Result, output: Output) -> Result:
    return result if result.test is None else output.written(result, result.test)
