"""Seeds that run a program as its user did: with the words of the command line that the report shows, or with words that the
program's own grammar takes. What ``argparse`` and ``optparse`` parse is the business of ``live_parsers``.

# Deviation: the papers' subjects have no command lines.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from random import Random

from crashwright.core.invocation import GivenCommand
from crashwright.engine.frameworks.click import RETURNING, ClickProgram
from crashwright.engine.frameworks.registry import commands_in
from crashwright.engine.frameworks.web import ManagedCommands
from crashwright.engine.subject.usage.command_lines import lines_of
from crashwright.engine.subject.usage.usage import Session
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.source import Known
from crashwright.engine.testcase.statements import Ambient, Display, Named, Statement
from crashwright.engine.testcase.testcase import TestCase

MOST_LINES = 16
"""Lines of one program that its grammar gives."""
MOST_SESSIONS = 24
MOST_CALLED = 2
"""Entries that are called with the words of the report as the arguments of the process."""
_WORDS = ("a", "b.txt", "1")


def command_names(programs: Sequence[ClickProgram], managed: ManagedCommands) -> dict[str, Known]:
    """What the sessions of :func:`command_sessions` name: objects that lead to the crash when they are called."""
    found: dict[str, Known] = {}
    for one in programs:
        found.setdefault(one.name, Named(one.module, one.name, one.live))
    if managed.call is not None:
        found[managed.call.qualname] = managed.call
    return found


def command_sessions(
    commands: Sequence[GivenCommand],
    programs: Sequence[ClickProgram],
    managed: ManagedCommands,
    stored: Iterable[Sequence[str]],
    word: Callable[[], str],
    rng: Random,
    on_path: Collection[str] = (),
) -> tuple[Session, ...]:
    """Statements that run a program: as the report says, alone and after each of the flows of statements ``stored``; else with
    lines that the program takes. ``managed`` are those that a framework runs. Of documented command lines those count that
    may lead to one of the modules ``on_path``: another one, a server for instance, may take all the time of a test."""
    leading = [one for one in commands if not one.documented or _leads(one, programs, on_path)]
    told = list(dict.fromkeys(text for one in leading for text in _as_told(one, programs, managed)))
    flows = list(stored)
    texts = [*told, *("\n".join([*flow, text]) for flow in flows for text in told)]
    for one in programs if all(command.documented for command in commands) else ():
        texts += [_called(one, line) for line in islice(lines_of(one.lines, word, rng), MOST_LINES)]
    return tuple(tuple(ast.parse(text).body) for text in dict.fromkeys(texts[:MOST_SESSIONS]))


def any_word(words: Sequence[str], rng: Random) -> str:
    """One of the subject's words, or a plain one."""
    found = words if words and rng.random() < 0.5 else _WORDS
    return found[int(rng.random() * len(found))]


def _leads(command: GivenCommand, programs: Sequence[ClickProgram], on_path: Collection[str]) -> bool:
    managed = commands_in(on_path)
    inner = {name for one in programs for name, _ in one.lines.commands}
    said = [command.program, *command.words]
    if any(one.lines.commands for one in programs) or managed:
        return any(word in managed or word in inner for word in said)
    return bool(programs)


def _as_told(command: GivenCommand, programs: Sequence[ClickProgram], managed: ManagedCommands) -> Iterator[str]:
    words = command.words
    call = "" if managed.call is None else managed.call.qualname
    if words and words[0] in managed.names:
        yield f"{call}({', '.join(map(repr, words))})"
    elif command.program in managed.names:
        yield f"{call}({', '.join(map(repr, (command.program, *words)))})"
    for one in programs:
        yield _called(one, [near(word) for word in words])


def near(word: str) -> str:
    """A file that was elsewhere, and is not here, is in the folder of the test."""
    elsewhere = word.startswith("~") or (os.path.isabs(word) and not os.path.exists(word))
    return os.path.basename(word) if elsewhere else word


def _called(program: ClickProgram, words: Sequence[str]) -> str:
    """Errors come through as they are, and not as the end of the process."""
    return f"{program.name}({list(words)!r}, {RETURNING}=False)"


def told_arguments(commands: Sequence[GivenCommand], factory: Factory, rng: Random) -> list[TestCase]:
    """Calls of the entries in a process that has the arguments of the report."""
    found: list[TestCase] = []
    for callee in factory.entry[:MOST_CALLED]:
        for one in dict.fromkeys(commands):
            line = Display("list", tuple(map(near, one.words)))
            statements: list[Statement] = [Ambient(factory.new(), "argv", re.split(r"[\\/]", one.program)[-1], line)]
            factory.call(statements, callee, rng)
            found.append(TestCase(tuple(statements)))
    return [test for test in found if len(test) <= factory.max_length and test.is_valid()]
