"""Calls that find the files of the project, its configuration for instance, in the current folder, as those of a user do; then with
these files a little different: what a crash takes is most often one line, one row or one word of them.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from math import inf
from random import Random
from typing import NamedTuple

from crashwright.engine.search.message_facts import message_values, shown_lines
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.own_files import HOME, in_own_home, own_path, stepped_texts, writing
from crashwright.engine.sources.source import When
from crashwright.engine.subject.project_files import FOLDER, ProjectFile, named_files, small_texts
from crashwright.engine.testcase.making.file_trees import samples_of
from crashwright.engine.testcase.statements import Ambient, Literal, Statement
from crashwright.engine.testcase.testcase import TestCase

BASES = 8
"""Tests of each kind that get them."""
VARIED = 2
"""Tests beside which the files are varied: those that name one first, then those that came furthest."""
MOST_COPIES = 3
"""Files that one that is lacking is made like."""
_WORD = re.compile(r"[^\W\d_]{2}|\d")
MOST_LACKING, MOST_SAMPLES = 3, 60
"""Files that are lacking, one after the other; what is in each."""
FRUITLESS = 12
"""Texts of one after which it is given up."""
MOST_TEXTS, LONGEST = 6, 4_000
"""Files that are varied, and the bytes that one may have: a test shows the whole of it."""


def files_named(subject: CrashSubject) -> tuple[ProjectFile, ...]:
    """What the code and the command lines of the report name."""
    return named_files(subject.api.package, subject.sources, sorted(subject.start.target.invocations.all_words))


def beside(test: TestCase, files: Sequence[ProjectFile], so_far: CrashSoFar) -> TestCase:
    """Its folder is new, with the files alone."""
    new = so_far.factory.new
    rest = [one for one in test.statements if not (isinstance(one, Ambient) and one.place in ("folder", "project"))]
    around = [Ambient(new(), "folder", "", None), *(Ambient(new(), "project", one.text, None) for one in files)]
    return TestCase((*around, *rest))


class Lacked(NamedTuple):
    """A file that was to be read and was not there: what is in it now, the test without it, and the test with it."""

    path: str
    text: str
    before: TestCase
    test: TestCase


def with_lacking(
    test: TestCase,
    names: Sequence[str],
    texts: Mapping[str, str],
    subject: CrashSubject,
    so_far: CrashSoFar,
    needed: Sequence[str] = (),
    nearest: float = inf,
) -> Iterator[Lacked]:
    """With what a run of ``test`` did not find, the files ``names``: as copies of files of their kind, of ``texts`` by their paths;
    else as samples of what has such a name, and of what the code reads. Then with what the best of these lacks in turn. Those of
    ``needed`` are there from the start: some programs look for all of them before they read one. One is given up after some texts
    with which the fitness is no better than ``nearest``: nothing depends on it."""
    guard = so_far.bench.guard
    read = read_texts(subject)
    there = {
        path: text for path in map(own_name, needed) if path for text in islice(filter(None, contents_of(path, texts, read)), 1)
    }
    for _ in range(MOST_LACKING):
        ran: list[tuple[float, TestCase, tuple[str, ...]]] = []
        for path in filter(None, map(own_name, names)):
            base = test
            for other, text in there.items():
                base = base if other == path else with_file(base, other, text, so_far)
            fruitless = 0
            for text in islice(contents_of(path, texts, read), MOST_SAMPLES):
                made = with_file(base, path, text, so_far)
                yield Lacked(path, text, base, made)
                lacking = guard.take_lacking()
                ran += [(one.score.fitness, made, lacking) for one in so_far.latest[-1:] if one.score.frames]
                fruitless = 0 if fitness_of_last(so_far) < nearest else fruitless + 1
                if fruitless == FRUITLESS:
                    break
        if not ran:
            return
        _, test, names = min(ran, key=lambda one: one[0])
        there = {}


def fitness_of_last(so_far: CrashSoFar) -> float:
    """Of the last test."""
    return min((one.score.fitness for one in so_far.latest[-1:]), default=inf)


def read_texts(subject: CrashSubject) -> list[str]:
    """What the message shows of what was read, then texts such as the code reads."""
    shown = [text for line in shown_lines(subject.start.target.message) for text in (f"{line}\n", line)]
    return [*shown, *(one.content for one in subject.samples if type(one.content) is str)]


def own_name(name: str) -> str:
    """As a user would write it whose current folder is that of the test."""
    return own_path(name, os.path.join(tempfile.gettempdir(), FOLDER))


def rewritten(test: TestCase, texts: Mapping[str, str], subject: CrashSubject, so_far: CrashSoFar) -> Iterator[TestCase]:
    """With one of the files written anew, in each way that is one step away; the files in turn."""
    for name, text in stepped_texts(texts, words_said(subject), subject.start.target.message):
        yield with_file(test, name, text, so_far)


def words_said(subject: CrashSubject) -> tuple[str, ...]:
    """What the report has of words and values, each once."""
    return tuple(dict.fromkeys((*subject.filled.said, *map(str, message_values(subject.start.target.message)))))


def contents_of(path: str, texts: Mapping[str, str], read: Iterable[str]) -> Iterator[str]:
    """The texts of files with the same suffix, those of the same folder first: what another user has. Where there are none, those
    that files of this suffix have, in turn with texts that are ``read``. Nothing where its folder is lacking, too."""
    suffix, folder = os.path.splitext(path)[1], os.path.dirname(path)
    found = [(os.path.dirname(name) != folder, text) for name, text in texts.items() if os.path.splitext(name)[1] == suffix]
    alike = [text for _, text in sorted(found, key=lambda one: one[0])][:MOST_COPIES]
    if not suffix or not (not folder or path.startswith(HOME) or any(os.path.dirname(name) == folder for name in texts)):
        return
    samples = [one for one in samples_of(suffix) if type(one) is str]
    mixed = dict.fromkeys(one for pair in zip_longest(samples, read) for one in pair if one is not None)
    # What has words says more of what it is about than blanks and marks do, and a reader knows it.
    yield from alike or ("", *sorted(filter(None, mixed), key=lambda text: _WORD.search(text) is None))


def with_file(test: TestCase, name: str, text: str, so_far: CrashSoFar) -> TestCase:
    """With this file, in a home of its own if it is below that."""
    return with_statements(in_own_home(test, so_far) if name.startswith(HOME) else test, writing(name, text, so_far))


def with_statements(test: TestCase, statements: Iterable[Statement]) -> TestCase:
    """With these ahead of its calls."""
    at = _behind_around(test)
    return TestCase((*test.statements[:at], *statements, *test.statements[at:]))


class ProjectFiles:
    """See ``sources.source.Source``."""

    def __init__(self) -> None:
        self._files: tuple[ProjectFile, ...] | None = None
        self._texts: dict[str, str] = {}
        self._all: dict[str, str] = {}
        self._done: set[int] = set()

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:  # noqa: ARG002
        """The tests so far, beside copies of what the code names."""
        if self._files is None:
            self._files = files_named(subject)
            self._all = dict(small_texts(self._files, LONGEST))
            self._texts = dict(islice(self._all.items(), MOST_TEXTS))
        if not self._files:
            return
        bases = so_far.survivors()[:BASES]
        if so_far.moment is When.AHEAD:
            bases += [test for tests in so_far.given.values() for test in tests[:BASES]]
        ran: list[tuple[bool, float, TestCase, Mapping[str, str]]] = []
        for base in bases:
            if base.key() not in self._done:
                self._done.add(base.key())
                made = beside(base, self._files, so_far)
                if so_far.factory.has_room(made.statements) and made.is_valid():
                    so_far.bench.guard.take_lacking()
                    yield made
                    if so_far.latest and so_far.latest[-1].score.frames:
                        ran.append((not self._names_one(base), so_far.latest[-1].score.fitness, made, self._texts))
                    for one in with_lacking(made, so_far.bench.guard.take_lacking(), self._all, subject, so_far):
                        yield one.test
                        if so_far.latest and so_far.latest[-1].score.frames:
                            ran.append((False, so_far.latest[-1].score.fitness, one.before, {one.path: one.text, **self._texts}))
        for *_, made, texts in sorted(ran, key=lambda one: one[:2])[:VARIED]:
            yield from rewritten(made, texts, subject, so_far)

    def _names_one(self, test: TestCase) -> bool:
        """Whether one of its values is the path of such a file."""
        values = [one.value for one in test.statements if isinstance(one, Literal)]
        texts = [one for one in values if type(one) is str and one]
        return any(os.path.normpath(text) in self._texts for text in texts)


def _behind_around(test: TestCase) -> int:
    """Behind what the process has around the calls."""
    return next((place for place, one in enumerate(test.statements) if not isinstance(one, Ambient)), len(test.statements))
