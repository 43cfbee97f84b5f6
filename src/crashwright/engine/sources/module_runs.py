"""Runs of the module in which a program begins: a script, or a module that runs it when it is imported (``python -m package``, or
what a console script imports), with the words of a command line.

# Deviation: the papers' subjects have no command lines.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence

from crashwright.core.invocation import GivenCommand
from crashwright.engine.sources.applications.operations import by_process
from crashwright.engine.sources.applications.reported_commands import near
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.testcase.statements import PROGRAM, Ambient, Display, RunModule, Statement, Variable
from crashwright.engine.testcase.testcase import TestCase


def module_run(subject: CrashSubject) -> RunModule | None:
    """The run of the module that the crash begins in; None where a function is called."""
    module = subject.entry.module
    if module is None:
        return None
    path = None if all(part.isidentifier() for part in module.split(".")) else subject.start.target.frames[0].path
    return RunModule(0, module, path, subject.entry.script)


def told_runs(subject: CrashSubject, new: Callable[[], Variable]) -> list[TestCase]:
    """With each command line of the report, and with those of the project's documentation; none where a function is called."""
    run = module_run(subject)
    lines = dict.fromkeys((_program(one), tuple(map(near, one.words))) for one in subject.start.target.invocations.commands)
    return [] if run is None else [TestCase(run_with(run, program, words, new)) for program, words in lines]


def run_with(run: RunModule, program: str, words: Sequence[str], new: Callable[[], Variable]) -> tuple[Statement, ...]:
    """The module is run in a process that has these arguments."""
    return Ambient(new(), "argv", program, Display("list", tuple(words))), run._replace(variable=new())


def program_of(subject: CrashSubject) -> str:
    """The name of the program, as the report has it."""
    typed = [one for one in subject.start.target.invocations.commands if not one.documented]
    return next(map(_program, typed), PROGRAM)


def line_in(call: ast.Call) -> list[str]:
    """The words that a call hands to a program, or that its process has."""
    words = by_process(call)
    if words is not None:
        return words
    line = next((one for one in (*call.args, *(word.value for word in call.keywords)) if isinstance(one, ast.List)), None)
    return [] if line is None else [str(one.value) for one in line.elts if isinstance(one, ast.Constant)]


def _program(command: GivenCommand) -> str:
    return re.split(r"[\\/]", command.program)[-1]
