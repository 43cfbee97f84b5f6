"""The script of the report, and the calls that it makes, in a folder with the files that lie beside it: what somebody's own script
crashes on is mostly in one of them. The test writes them itself, so that it can be kept, and they are made small as its values are.

# Deviation: the papers' subjects are run in no folder, and read no files.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.machinery import PathFinder
from random import Random

from crashwright.core.target import OwnFile
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.in_turn import ASKED_SECONDS
from crashwright.engine.sources.module_runs import module_run, program_of, run_with, told_runs
from crashwright.engine.sources.own_files import writing
from crashwright.engine.sources.project_files import beside, own_name, with_statements
from crashwright.engine.subject.files_beside import FilesBeside
from crashwright.engine.testcase.statements import Arguments, Call, Literal, MethodCall, RunModule, Statement
from crashwright.engine.testcase.testcase import TestCase

Contents = Mapping[str, str | bytes]
MOST_CALLS = 2
"""Calls of the report that are made beside the files."""
WHOLE = 4
"""The level of a run that ends as the report does."""
MOST_ROUNDS = 3
"""Times that a run is given what it did not find."""
LARGEST, MOST_PIECES = 100_000, 20
"""Characters of one file in a test; pieces of a longer one that are tried in its place."""


class DataBeside:
    """See ``sources.source.Source``."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:  # noqa: ARG002
        """Each call and each run of the script beside the files that the code names, then also beside those that it looked for."""
        own, clock, guard = subject.start.target.own_files, so_far.bench.clock, so_far.bench.guard
        if not own:
            return
        files = FilesBeside(own, subject.sources, sorted(subject.start.target.invocations.all_words))
        named = files.named()
        calls = so_far.echoed[:MOST_CALLS] if named else []
        runs = _runs(subject, so_far.factory.new)
        limit, is_found = clock.limit, False
        if runs:
            clock.set_limit(max(limit, ASKED_SECONDS))
        try:
            for base in (*calls, *runs):
                for there in in_pieces(named):
                    contents = dict(there)
                    for _ in range(MOST_ROUNDS):
                        guard.take_lacking()
                        yield _with_files(beside(base, (), so_far), contents, so_far)
                        is_found = is_found or _is_whole(so_far)
                        lacking = [one for one in map(own_name, guard.take_lacking()) if one and one not in contents]
                        found = {name: content for name in lacking if (content := files.content(name)) is not None}
                        if not found:
                            break
                        contents |= next(in_pieces(found))
        finally:
            if not (is_found or _is_whole(so_far)):
                clock.set_limit(limit)  # what others propose is no script, and takes no such time


def _is_whole(so_far: CrashSoFar) -> bool:
    return any(one.score.level == WHOLE for one in so_far.latest)


def in_pieces(files: Contents) -> Iterator[Contents]:
    """The files; where one is too long for a test, with its first line and some of the others in its place."""
    long = {name: content for name, content in files.items() if len(content) > LARGEST}
    short = {name: content for name, content in files.items() if name not in long}
    if not long:
        yield short
    for name, content in long.items():
        if type(content) is str:
            yield from ({**short, name: piece} for piece in _pieces(content))


def _pieces(text: str) -> Iterator[str]:
    head, *lines = text.splitlines(keepends=True)
    # What is wrong may be in any of them, so all are seen.
    most = max(LARGEST // 4, -(-len(text) // MOST_PIECES))
    piece, size = [head], len(head)
    for line in lines:
        if size + len(line) > most and len(piece) > 1:
            yield "".join(piece)
            piece, size = [head], len(head)
        piece.append(line)
        size += len(line)
    yield "".join(piece)


def _runs(subject: CrashSubject, new: Callable[[], int]) -> list[TestCase]:
    """Of the module that the crash begins in, or of the script whose lines call what is entered."""
    run = module_run(subject)
    if run is not None:
        return told_runs(subject, new) or [TestCase((run,))]
    script = next((one for one in subject.start.target.own_files[:1] if one.is_run), None)
    # A package is run by the commands that it has.
    if script is None or "." in script.module:
        return []
    typed = [one.words for one in subject.start.target.invocations.commands if not one.documented]
    program = program_of(subject)
    return [TestCase(run_with(_run_of(script), program, words, new)) for words in dict.fromkeys(typed or [()])]


def _run_of(script: OwnFile) -> RunModule:
    """By its name, if that is what it can be imported by."""
    spec = PathFinder.find_spec(script.module) if script.module.isidentifier() else None
    is_found = spec is not None and spec.origin is not None and os.path.abspath(spec.origin) == script.path
    return RunModule(0, script.module, None if is_found else script.path, True)


def _with_files(test: TestCase, contents: Contents, so_far: CrashSoFar) -> TestCase:
    folders = dict.fromkeys(folder for name in contents if (folder := os.path.dirname(name)))
    made = [one for folder in folders for one in _making(folder, so_far)]
    return with_statements(test, [*made, *(one for name, content in contents.items() for one in writing(name, content, so_far))])


def _making(folder: str, so_far: CrashSoFar) -> Sequence[Statement]:
    new = so_far.factory.new
    name, yes = Literal(new(), folder), Literal(new(), True)
    path = Call(new(), so_far.factory.api.standard("pathlib", "Path"), Arguments((name.variable,)))
    words = tuple((word, yes.variable) for word in ("parents", "exist_ok"))
    return name, path, yes, MethodCall(new(), path.variable, "mkdir", Arguments((), words))
