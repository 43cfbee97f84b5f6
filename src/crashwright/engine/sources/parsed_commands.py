"""Programs whose commands are not declared anywhere: their parser is at hand while they run, and an entry further out may run them.

# Deviation: the papers' subjects are called, and take no command lines.
"""

from __future__ import annotations

import ast
from random import Random

from crashwright.engine.sources.answers import around_of
from crashwright.engine.sources.applications.command_operations import command_operations
from crashwright.engine.sources.applications.live_parsers import CommandLines, parses_lines
from crashwright.engine.sources.applications.operations import Asking, root_name, words_of
from crashwright.engine.sources.applications.pattern_words import pattern_words
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.subject.api.callee import CalleeKind
from crashwright.engine.subject.introspection import loaded_dict

MOST_PROGRAMS = 2
"""Entries that may take command lines."""


def through_entry(asking: Asking, so_far: CrashSoFar) -> str:
    """An entry that runs the program that is asked, with the arguments of its process; "" where there is none, or where that ends
    the process: what is red for a crash would stay red with the fix."""
    if asking.runner:
        return ""
    lines = [way for one in asking.targets for way in one.ways[:1] if any(isinstance(each, ast.List) for each in way.args)]
    for callee in so_far.factory.entry if lines else ():
        if callee.kind is CalleeKind.FUNCTION and not callee.private and not any(one.required for one in callee.parameters):
            return "" if callee.name == root_name(lines[0]) else callee.name
    return ""


def parsed_commands(subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Asking:
    """The commands of a program whose parser is at hand only while it runs."""
    if not any(map(parses_lines, subject.path[1])):
        return Asking()
    lines = CommandLines(around_of(subject, so_far), so_far.factory, rng)
    frames = subject.start.target.package_frames
    for callee in so_far.factory.entry[:MOST_PROGRAMS]:
        program = lines.program(callee)
        if program is not None:
            words = words_of(subject.path[0], [loaded_dict(frame.key.module) for frame in frames], ())
            code = [*subject.path[0], *(node for _, node in subject.called)]
            words = (*words, *pattern_words(code, subject.start.target.package.partition(".")[0]))
            return command_operations(program, subject.start.target.invocations.commands, words, [one.key.name for one in frames])
    return Asking()
