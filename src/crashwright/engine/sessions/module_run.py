"""A crash at import, or of a script: it is run as it is, and with what the report says of the command line."""

from __future__ import annotations

from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.search.evaluator import Evaluator
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.module_runs import module_run, told_runs
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.testcase import TestCase

PROPOSING = ("data", "told-files", "in-turn")
"""The sources that have tests of a program which such a module runs, by their names in the table."""


def reproduced_at_once(subject: CrashSubject, factory: Factory, evaluator: Evaluator[Evaluation]) -> bool:
    """Run the module of the crash, or the script that it is, with the arguments of the report first. Whether that is the crash."""
    run = module_run(subject)
    tests = [] if run is None else [*told_runs(subject, factory.new), TestCase((run._replace(variable=factory.new()),))]
    return any(evaluator.evaluate_all([test])[0].score.level == 4 for test in tests)
