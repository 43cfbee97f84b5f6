"""A stage of a search in which open texts of tests have a search of their own (``sources.text_search``)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Container, Iterable
from typing import Generic, TypeVar

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

Place = tuple[TestCase, Hole]
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
                    self._search.begin((_of_kind(test, hole, text), hole), _plain(text))
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
        return self._looked_at(scores[0], self._probes.is_new) if scores else None

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
    if hole.takes_text and not _holds_bytes(test, hole):
        made = filled(test, hole, text)
    else:
        made = filled(test, hole, text.encode("latin-1", "replace"))
    return made if made is not None and made.is_valid() else None
