"""A stage of a search in which open texts of tests have a search of their own (``sources.text_search``)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Container, Iterable
from typing import Generic, NamedTuple, TypeVar

from crashwright.core.portions import TEXTS_EARNED, TEXTS_FRUITLESS, TEXTS_PART
from crashwright.engine.execution.executor import release
from crashwright.engine.sources.so_far import SoFar
from crashwright.engine.sources.text_search import Attempt, ComparedTexts, TextSearch
from crashwright.engine.sources.values.samples import Hole, filled, holes_of
from crashwright.engine.sources.wide_probes import WideProbes
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.statements import FileFixture, Literal, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.protocol import Workbench

PROMISING = 3
"""Texts that are kept before functions off the path are looked for again: that takes a second in a large package."""

MOST_NAME = 80
"""Characters of the name of a file."""


class FileName(NamedTuple):
    """The name of the file that the statement at ``place`` writes, without its folders."""

    place: int


Place = tuple[TestCase, Hole | FileName]
S = TypeVar("S")


class TextStage(ABC, Generic[S]):
    """Of one search. ``probes`` tell what runs reach and compare."""

    part = TEXTS_PART
    """Of all evaluations, what it has in any case."""

    def __init__(self, probes: WideProbes, so_far: SoFar[S], bench: Workbench, quarantine: Quarantine) -> None:
        self.reached: list[TestCase] = []
        """The tests that reached something new for the goals."""
        self._state = so_far
        self._attempts = 0
        self.earned = 0
        """Texts that brought the goals something."""
        self._executor = bench.executor
        self._quarantine = quarantine
        self._probes = probes
        self._search = TextSearch(self)

    def begin(self, places: Collection[Place], texts: Iterable[str | bytes], reached: Iterable[TestCase]) -> None:
        """Ahead of the search, in these ``places``, from these ``texts`` and from what samples ``reached``."""
        if not places or self._state.is_over:
            return
        self._probes.on()
        try:
            for text in texts:
                for test, hole in places:
                    if self._state.is_spent:
                        return
                    if isinstance(hole, Hole):
                        self._search.begin((_of_kind(test, hole, text), hole), _plain(text))
            for test in dict.fromkeys(test for test, _ in places):
                self._take_up_names(test, (), 1.0)
            for test in reached:
                self._take_up(test, (), 1.0)
            self._search.advance(lambda: self._state.is_spent or self._has_had_its_share)
        finally:
            self._probes.off()

    def go_on(self) -> None:
        """Between two generations."""
        if not len(self._search) or self._state.is_over or self._has_had_its_share:
            return
        self._probes.on()
        try:
            self._search.advance(lambda: self._state.is_spent or self._has_had_its_share)
        finally:
            self._probes.off()

    def _take_up(self, test: TestCase, quoted: Container[Variable], fitness: float) -> None:
        """The texts of a test that the search has found."""
        for hole in holes_of(test, quoted):
            statement = test.statements[hole.place]
            if isinstance(statement, Literal | FileFixture):
                value = statement.value if isinstance(statement, Literal) else statement.content
                if type(value) is str or type(value) is bytes:
                    self._search.keep((test, hole), _plain(value), fitness)
        self._take_up_names(test, quoted, fitness)

    def _take_up_names(self, test: TestCase, quoted: Container[Variable], fitness: float) -> None:
        """What the code wants of the names of files, nothing else: most may be called anything."""
        for at, statement in enumerate(test.statements):
            if type(statement) is FileFixture and statement.variable not in quoted:
                self._search.keep((test, FileName(at)), statement.name.rpartition("/")[2], fitness, narrow=True)

    @property
    def _has_had_its_share(self) -> bool:
        return self._attempts > TEXTS_FRUITLESS + TEXTS_EARNED * self.earned + self.part * self._state.meter.evaluations

    @abstractmethod
    def _looked_at(self, score: S, is_new: Callable[[], bool]) -> Attempt:
        """What came of a test; it is told of if it is worth that. ``is_new``: it reached something off the path."""

    # See ``text_search.Tries``

    def attempt(self, place: Place, text: str) -> Attempt | None:
        """One evaluation."""
        test = _with(place, text)
        if test is None:
            return None
        self._attempts += 1
        self._probes.begin()
        scores = self._state.run([test])
        attempt = self._looked_at(scores[0], self._probes.is_new) if scores else None
        if attempt is not None and attempt.new and isinstance(place[1], FileName):
            self._take_up(test, (), attempt.fitness)  # what stands in a file of this name
        return attempt

    def compared(self, place: Place, text: str) -> ComparedTexts:
        """Twice: which functions are run through, and what they compare."""
        test = _with(place, text)
        if test is None or self._quarantine.holds(test):
            return ComparedTexts((), ())
        if self._search.kept >= PROMISING or not self._probes:
            self._probes.discover(lambda: self._run(test))
        notes = self._probes.compared(text, lambda: self._run(test))
        return ComparedTexts([*notes.wants], [*notes.words])

    def _run(self, test: TestCase) -> None:
        release(self._executor.run_aside(test))


def _plain(value: object) -> str:
    """Bytes as the text of the same numbers."""
    return value.decode("latin-1") if type(value) is bytes else str(value)


def _holds_bytes(test: TestCase, hole: Hole) -> bool:
    match test.statements[hole.place]:
        case FileFixture(content=content):
            return type(content) is bytes
        case Literal(value=value):
            return type(value) is bytes
    return False


def _of_kind(test: TestCase, hole: Hole, text: str | bytes) -> TestCase:
    """``test`` with a file of bytes in its place, if ``text`` is that."""
    if type(text) is bytes and isinstance(test.statements[hole.place], FileFixture):
        return filled(test, hole, text) or test
    return test


def _with(place: Place, text: str) -> TestCase | None:
    test, hole = place
    if isinstance(hole, FileName):
        return _named(test, hole.place, text)
    if hole.takes_text and not _holds_bytes(test, hole):
        made = filled(test, hole, text)
    else:
        made = filled(test, hole, text.encode("latin-1", "replace"))
    return made if made is not None and made.is_valid() else None


def _named(test: TestCase, at: int, name: str) -> TestCase | None:
    """None where that is no name of a file, or another file has it."""
    statement = test.statements[at]
    if (
        not isinstance(statement, FileFixture)
        or not name.strip(".")
        or not name.isprintable()
        or "/" in name
        or len(name) > MOST_NAME
    ):
        return None
    folder, slash, _ = statement.name.rpartition("/")
    whole = f"{folder}{slash}{name}"
    before, after = test.statements[:at], test.statements[at + 1 :]
    if any(type(one) is FileFixture and one.name == whole for one in (*before, *after)):
        return None
    return TestCase((*before, statement._replace(name=whole), *after))
