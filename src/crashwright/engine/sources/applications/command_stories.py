"""Tests of programs by the runner that their library has for tests: a line of a command, and what follows it in the same folder.

``CliRunner().invoke(app, ["add", "name", "3"])``: so a maintainer tests a command, since what it does is to print, to write, and to
end with a code. Functions behind commands are hardly ever called directly.

# Deviation: the papers' subjects have no command lines.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from crashwright.engine.frameworks.click_runner import LETTING_THROUGH, RunProgram
from crashwright.engine.sources.applications.plain_lines import KnownWords, PlainLine, plain_lines
from crashwright.engine.sources.suite_so_far import SuiteSoFar
from crashwright.engine.sources.suite_subject import SuiteSubject
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.statements import (
    INVOKE,
    NO_ARGUMENTS,
    Ambient,
    Arguments,
    Call,
    Display,
    Literal,
    MethodCall,
    Reference,
    Statement,
)
from crashwright.engine.testcase.testcase import TestCase

_WORD = re.compile(r"[A-Za-z0-9][\w.+-]{0,19}")
MOST_LINES = 80
"""Of one program, alone."""
MOST_LONGER = 160
"""Stories of one length."""
MOST_KNOWN = 6
"""Words, and numbers, that the code knows."""
LONGEST = 3
"""Lines of one test."""


class CommandStories:
    """See ``sources.source.Source``. It must see what becomes of each test before it makes the next."""

    def tests(self, subject: SuiteSubject, so_far: SuiteSoFar, rng: Random) -> Iterator[TestCase]:  # noqa: ARG002
        """Each line alone, then those behind others that returned."""
        known = _vocabulary(subject.source.tree)
        for program in subject.programs:
            yield from _stories(program, subject.api, known, so_far)


def _stories(program: RunProgram, api: ApiModel, known: KnownWords, so_far: SuiteSoFar) -> Iterator[TestCase]:
    paths = [one.words for one in program.commands]
    lines = list(islice(plain_lines(program.lines, paths, known=known), MOST_LINES))
    usual = [one for one in lines if one.whole is not None]
    others = [one for one in plain_lines(program.lines, paths, other=True) if one.whole is not None]
    returned: list[tuple[PlainLine, ...]] = []
    for line in lines:
        yield _invoking(program, (line,), api, so_far)
        if _returned(so_far):
            returned.append((line,))
    seen: set[tuple[PlainLine, ...]] = {(line,) for line in lines}
    returned.sort(key=lambda story: story[0].whole is None)
    for length in range(2, LONGEST + 1):
        longer: list[tuple[PlainLine, ...]] = []
        following = dict.fromkeys((*usual, *others, *(lines if length == 2 else ())))
        stories = ((*story, line) for line in following for story in returned if story[0].whole is not None or line in usual)
        for story in islice((one for one in stories if one not in seen and _agree(one)), MOST_LONGER):
            seen.add(story)
            before = so_far.covered
            yield _invoking(program, story, api, so_far)
            if _returned(so_far) and so_far.latest[-1].covered & ~before:
                longer.append(story)
        returned = longer


def _vocabulary(tree: ast.AST) -> KnownWords:
    """What is compared with, and what tables are asked for, in the order of the source."""
    found: dict[object, None] = {}
    for node in ast.walk(tree):
        parts = [*node.comparators, node.left] if isinstance(node, ast.Compare) else node.keys if isinstance(node, ast.Dict) else []
        items = [item for part in parts for item in (part.elts if isinstance(part, ast.Tuple | ast.List | ast.Set) else [part])]
        found.update(dict.fromkeys(item.value for item in items if isinstance(item, ast.Constant)))
    words = [one for one in found if type(one) is str and _WORD.fullmatch(one)]
    numbers = [str(one) for one in found if type(one) is int or type(one) is float]
    return KnownWords(tuple(words[:MOST_KNOWN]), tuple(numbers[:MOST_KNOWN]))


def _returned(so_far: SuiteSoFar) -> bool:
    ran = so_far.latest[-1] if so_far.latest else None
    return ran is not None and not (ran.raised or ran.timed_out or ran.hindered or ran.mishap)


def _agree(story: Sequence[PlainLine]) -> bool:
    """Whether all of the lines say what they may, or none does: a store that only one of them names is two stores."""
    return len({one.whole for one in story} - {None}) <= 1


def _invoking(program: RunProgram, lines: Sequence[PlainLine], api: ApiModel, so_far: SuiteSoFar) -> TestCase:
    """A test that runs the lines one after the other, in a folder of their own."""
    factory: Factory = so_far.factory
    runner = factory.new()
    statements: list[Statement] = [
        Ambient(factory.new(), "folder", "", None),
        Call(runner, api.constructor(program.runner), NO_ARGUMENTS),
    ]
    for line in lines:
        named, words, through = factory.new(), factory.new(), factory.new()
        statements += (
            Reference(named, program.program),
            Literal(words, Display("list", line.words)),
            Literal(through, False),
            MethodCall(factory.new(), runner, INVOKE, Arguments((named, words), ((LETTING_THROUGH, through),))),
        )
    test = TestCase(tuple(statements))
    so_far.plain.add(test.key())
    return test
