"""Files that an application is given, or has written, while it is asked: those that it wants and does not find, and those that it
reads again, one step otherwise.

# Deviation: the papers' subjects read no files between two calls.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Sequence
from itertools import islice

from crashwright.core.message_rule import messages_agree
from crashwright.engine.sources.applications.conversation import Ask
from crashwright.engine.sources.applications.operations import AskedOperation, Asking, filled, leaves_of
from crashwright.engine.sources.asking_runs import AskingRuns
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.own_files import HOME, in_own_home, kept_texts, own_path, rewritten_file, stepped_texts, writing
from crashwright.engine.sources.project_files import LONGEST, Lacked, rewritten, with_lacking, words_said
from crashwright.engine.testcase.testcase import TestCase

MOST_REWRITTEN = 100
"""Ways in which a file is written anew."""
MOST_KEPT, MOST_AGREEING = 8, 2
"""Of those that end by the exception of the report, how many are tried; of those that say the same as well, how many are looked
for."""


def sought_in(subject: CrashSubject) -> str:
    """The name of the exception of the report, as answers have it."""
    return subject.start.target.exception.rpartition(".")[2]


def with_files(asking: Asking, files: Sequence[str]) -> Asking:
    """Files that are in the folder of the test are words of its operations; one that a line of the report names is another of the
    same kind there."""
    if not files:
        return asking

    def one(operation: AskedOperation) -> AskedOperation:
        return operation._replace(words=(*files, *operation.words))

    return asking._replace(
        targets=tuple(map(one, asking.targets)),
        others=tuple(map(one, asking.others)),
        session=tuple(_with_file(call, files) for call in asking.session),
    )


class GivenFiles:
    """Of the runs of one application."""

    def __init__(self, runs: AskingRuns, subject: CrashSubject, so_far: CrashSoFar) -> None:
        self._runs = runs
        self._subject = subject
        self._so_far = so_far

    def lacking(self, calls: Sequence[ast.Call]) -> Iterator[TestCase]:
        """Beside a copy of a file of its kind where the last run lacked one; if it came further, with that a little different."""
        test = self._runs.test(calls) if calls and self._runs.in_folder else None
        found: list[tuple[float, Lacked]] = []
        names = self._so_far.bench.guard.take_lacking()
        for one in with_lacking(test, names, self._runs.texts, self._subject, self._so_far) if test is not None else ():
            yield one.test
            found += [(each.score.fitness, one) for each in self._so_far.latest[-1:] if each.score.frames]
        if found:
            _, best = min(found, key=lambda one: one[0])
            yield from islice(rewritten(best.before, {best.path: best.text}, self._subject, self._so_far), MOST_REWRITTEN)

    def kept(self, before: Sequence[ast.Call], last: ast.Call) -> Iterator[TestCase]:
        """After the calls ``before``, with what ``last`` reads then a little different: what the program has written itself, or
        what it was given. Those are tried that ended by the exception of the report when they were asked in one run; first those
        that said the same, too."""
        found: list[tuple[bool, str, str]] = []
        guard, target = self._so_far.bench.guard, self._subject.start.target
        said, crash = words_said(self._subject), f"{sought_in(self._subject)}: "

        def talk(ask: Ask) -> None:
            guard.take_read()
            answer = ask(last)
            if not (answer.succeeded or answer.crashed):
                return  # it says what is wrong with the line, whatever is in the files
            read = {own_path(name, os.getcwd()) for name in guard.take_read()}
            texts = {name: text for name, text in kept_texts(LONGEST).items() if name in read}
            for name, text in islice(stepped_texts(texts, said, target.message), MOST_REWRITTEN):
                with rewritten_file(name, text):
                    answer = ask(last)
                if answer.crashed and answer.text.startswith(crash):
                    agrees = messages_agree(target.exception, target.message, answer.text.removeprefix(crash))
                    found.append((not agrees, name, text))
                if self._so_far.is_spent or sum(not differs for differs, *_ in found) == MOST_AGREEING:
                    break

        if not self._runs.in_folder:
            return
        self._runs.converse(before, talk)
        test = self._runs.test([*before, last]) if found else None
        for _, name, text in sorted(found, key=lambda one: one[0])[:MOST_KEPT]:
            made = None if test is None else self._runs.before_last(test, writing(name, text, self._so_far))
            if made is not None and self._so_far.factory.has_room(made.statements):
                yield in_own_home(made, self._so_far) if name.startswith(HOME) else made


def _with_file(call: ast.Call, files: Sequence[str]) -> ast.Call:
    kinds = {os.path.splitext(name)[1]: name for name in reversed(files)}
    leaves = enumerate(leaves_of(call))
    said = {number: leaf.value for number, leaf in leaves if type(leaf.value) is str and leaf.value not in files}
    return filled(call, {number: kinds[kind] for number, text in said.items() if (kind := os.path.splitext(text)[1]) in kinds})
