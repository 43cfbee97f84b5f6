"""A crash at import, or of a script: there is one test, run as it is and with what the report says of the command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crashwright.core.messages import EndReason, Message
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.search.evaluator import Evaluator
from crashwright.engine.sessions.search_run import Setup, tell_refusals
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.testcase.statements import Ambient, Display, RunModule
from crashwright.engine.testcase.testcase import TestCase

Finished = Callable[[EndReason, Sequence[str]], Message]


def run_once(subject: CrashSubject, setup: Setup, evaluator: Evaluator[Evaluation], finished: Finished, module: str) -> None:
    """Run the ``module``, or the script that it is; say how that ended. A script gets the arguments of the report first."""
    target, script = subject.start.target, subject.entry.script
    path = None if all(part.isidentifier() for part in module.split(".")) else target.frames[0].path
    run = RunModule(0, module, path, script)
    lines = dict.fromkeys(one.words for one in target.invocations.commands if script)
    reproduced = False
    for test in (*(TestCase((Ambient(1, "argv", "", Display("list", line)), run)) for line in lines), TestCase((run,))):
        [evaluation] = evaluator.evaluate_all([test])
        reproduced = evaluation.score.level == 4
        if reproduced:
            break
    tell_refusals(setup.bench)
    told = () if reproduced else (f"{'running' if script else 'importing'} {module} did not raise the exception of the report",)
    setup.bench.channel.send(finished(EndReason.REPRODUCED if reproduced else EndReason.EXHAUSTED, told))
