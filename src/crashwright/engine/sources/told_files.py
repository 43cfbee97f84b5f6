"""The command line of the report, word for word, with the files that it names: one that is not in the project is made like one of
its kind, or has what such files have and what the code reads; then it is one step otherwise.

# Deviation: the papers' subjects have no command lines, and read no files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random

from crashwright.engine.sources.answers import around_of
from crashwright.engine.sources.applications.live_parsers import CommandLines
from crashwright.engine.sources.applications.operations import statements_of
from crashwright.engine.sources.applications.reported_commands import near
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.in_turn import ASKED_SECONDS
from crashwright.engine.sources.module_runs import told_runs
from crashwright.engine.sources.own_files import in_own_home
from crashwright.engine.sources.project_files import LONGEST, Lacked, beside, files_named, fitness_of_last, rewritten, with_lacking
from crashwright.engine.subject.project_files import small_texts
from crashwright.engine.testcase.statements import Ambient
from crashwright.engine.testcase.testcase import TestCase

MOST_ENTRIES, MOST_LINES = 2, 4
"""Entries of the program that are called with each line of the report; lines with all of them."""
ANSWERED = ("\n" * 8, "y\n" * 8)
"""What questions are answered with: with what the program proposes, and with yes."""
_FILE_NAME = re.compile(r"(?!-)[\w./-]+\.[A-Za-z]\w{0,7}")
MOST_VARIED, MOST_STEPS = 2, 100
"""Files whose text is varied, those with which the program came furthest; in so many ways."""


class ToldFiles:
    """See ``sources.source.Source``."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:
        """Each line of the report in a folder of its own; where it lacks a file there, with that."""
        kinds = [asked_lines(subject, so_far, rng) if not subject.asking.targets else (), *called_lines(subject, so_far, rng)]
        told = [one for kind in kinds for one in islice(kind, MOST_LINES)]
        clock = so_far.bench.clock
        if told:
            clock.set_limit(max(clock.limit, ASKED_SECONDS))
        files = files_named(subject) if told else ()
        texts = dict(small_texts(files, LONGEST))
        found: list[tuple[float, Lacked]] = []
        for base in told:
            test = beside(base, files, so_far)
            so_far.bench.guard.take_lacking()
            yield test
            nearest, lacking = fitness_of_last(so_far), so_far.bench.guard.take_lacking()
            for text in ANSWERED:
                # A program that is started for the first time asks what it is to use, and keeps that in its user's home.
                answered = in_own_home(TestCase((Ambient(so_far.factory.new(), "stdin", "", text), *test.statements)), so_far)
                yield answered
                if fitness_of_last(so_far) < nearest:
                    test, nearest, lacking = answered, fitness_of_last(so_far), so_far.bench.guard.take_lacking()
            named = [*dict.fromkeys(file_names(subject))]
            names = tuple(dict.fromkeys((*named, *lacking)))
            for one in with_lacking(test, names, texts, subject, so_far, named, nearest):
                yield one.test
                found += [(each.score.fitness, one) for each in so_far.latest[-1:] if each.score.frames]
        found.sort(key=lambda one: one[0])
        for _, one in found[:MOST_VARIED]:
            yield from islice(rewritten(one.before, {one.path: one.text}, subject, so_far), MOST_STEPS)


def called_lines(subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> tuple[Iterable[TestCase], ...]:
    """Tests that run the lines of the report, each kind in another way."""
    if subject.entry.module is not None:
        return (told_runs(subject, so_far.factory.new),)
    return so_far.seeds.invoked(rng), _handed(subject, so_far, rng)


def file_names(subject: CrashSubject) -> Iterator[str]:
    """Words of the lines that end like files: some programs look whether one is there before they open it, which nobody notices."""
    typed = (one for one in subject.start.target.invocations.commands if not one.documented)
    words = (near(word) for one in typed for word in one.words)
    return (word for word in words if _FILE_NAME.fullmatch(word))


def asked_lines(subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:
    """Runs of a program whose commands are known, as its library runs it in tests; none of one that begins in a module."""
    for call in subject.asking.session if subject.entry.module is None else ():
        test = so_far.seeds.asked((*subject.asking.opening, *statements_of(call)), rng)
        if test is not None:
            yield test


def _handed(subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:
    """Calls of the entries that are handed the words of a line."""
    lines = CommandLines(around_of(subject, so_far), so_far.factory, rng)
    for callee in so_far.factory.entry[:MOST_ENTRIES]:
        for one in dict.fromkeys(subject.start.target.invocations.commands):
            test = None if one.documented else lines.handed([*map(near, one.words)], callee)
            if test is not None:
                yield test
