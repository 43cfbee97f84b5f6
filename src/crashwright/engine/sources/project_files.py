"""Calls that find the files of the project, its configuration for instance, in the current folder, as those of a user do; then with
these files a little different: what a crash takes is most often one line, one row or one word of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest
from random import Random

from crashwright.engine.search.message_facts import message_values
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.source import When
from crashwright.engine.subject.project_files import ProjectFile, named_files, small_texts
from crashwright.engine.testcase.editing.text_steps import text_steps
from crashwright.engine.testcase.statements import Ambient, Arguments, Call, Literal, MethodCall
from crashwright.engine.testcase.testcase import TestCase

BASES = 8
"""Tests of each kind that get them."""
VARIED = 2
"""Tests beside which the files are varied: those that name one first, then those that came furthest."""
MOST_TEXTS, LONGEST = 6, 4_000
"""Files that are varied, and the bytes that one may have: a test shows the whole of it."""


class ProjectFiles:
    """See ``sources.source.Source``."""

    def __init__(self) -> None:
        self._files: tuple[ProjectFile, ...] | None = None
        self._texts: dict[str, str] = {}
        self._done: set[int] = set()

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:  # noqa: ARG002
        """The tests so far, beside copies of what the code names."""
        if self._files is None:
            told = sorted(subject.start.target.invocations.all_words)
            self._files = named_files(subject.api.package, subject.sources, told)
            self._texts = dict(islice(small_texts(self._files, LONGEST), MOST_TEXTS))
        if not self._files:
            return
        bases = so_far.survivors()[:BASES]
        if so_far.moment is When.AHEAD:
            bases += [test for tests in so_far.given.values() for test in tests[:BASES]]
        ran: list[tuple[bool, float, TestCase]] = []
        for base in bases:
            if base.key() not in self._done:
                self._done.add(base.key())
                made = self._beside(base, self._files, so_far)
                if so_far.factory.has_room(made.statements) and made.is_valid():
                    yield made
                    if so_far.latest and so_far.latest[-1].score.frames:
                        ran.append((not self._names_one(base), so_far.latest[-1].score.fitness, made))
        for *_, made in sorted(ran, key=lambda one: one[:2])[:VARIED]:
            yield from self._changed(made, subject, so_far)

    def _names_one(self, test: TestCase) -> bool:
        """Whether one of its values is the path of such a file."""
        values = [one.value for one in test.statements if isinstance(one, Literal)]
        texts = [one for one in values if type(one) is str and one]
        return any(os.path.normpath(text) in self._texts for text in texts)

    def _changed(self, test: TestCase, subject: CrashSubject, so_far: CrashSoFar) -> Iterator[TestCase]:
        """With one of the files written anew, in each way that is one step away; the files in turn."""
        said = dict.fromkeys((*subject.filled.said, *map(str, message_values(subject.start.target.message))))
        ways = [text_steps(text, tuple(said)) for text in self._texts.values()]
        for turn in zip_longest(*ways):
            for name, text in zip(self._texts, turn, strict=True):
                if text is not None:
                    yield self._with(test, name, text, so_far)

    def _with(self, test: TestCase, name: str, text: str, so_far: CrashSoFar) -> TestCase:
        new, at = so_far.factory.new, _behind_around(test)
        place, content = Literal(new(), name), Literal(new(), text)
        path = Call(new(), so_far.factory.api.standard("pathlib", "Path"), Arguments((place.variable,)))
        write = MethodCall(new(), path.variable, "write_text", Arguments((content.variable,)))
        return TestCase((*test.statements[:at], place, path, content, write, *test.statements[at:]))

    def _beside(self, test: TestCase, files: Sequence[ProjectFile], so_far: CrashSoFar) -> TestCase:
        """Its folder is new, with the files alone."""
        new = so_far.factory.new
        rest = [one for one in test.statements if not (isinstance(one, Ambient) and one.place in ("folder", "project"))]
        around = [Ambient(new(), "folder", "", None), *(Ambient(new(), "project", one.text, None) for one in files)]
        return TestCase((*around, *rest))


def _behind_around(test: TestCase) -> int:
    """Behind what the process has around the calls."""
    return next((place for place, one in enumerate(test.statements) if not isinstance(one, Ambient)), len(test.statements))
