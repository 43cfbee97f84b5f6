"""A stage of a search in which open texts of tests have a search of their own (``sources.text_search``)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from typing import Generic, TypeVar

from crashwright.core.portions import TEXTS_EARNED, TEXTS_FRUITLESS, TEXTS_PART
from crashwright.engine.execution.executor import release
from crashwright.engine.sources.so_far import SoFar
from crashwright.engine.sources.text_search import Attempt, ComparedTexts, TextSearch
from crashwright.engine.sources.values.samples import Hole, filled, holes_of
from crashwright.engine.sources.wide_probes import WideProbes
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.statements import Arguments, Call, FileFixture, Literal, MethodCall, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.protocol import Workbench

ZEROS = bytes(64)
"""Data to begin with: there is enough of it for what is read first, and nothing is counted in it."""
LOOKS, MOST_LOOKS = 4, 250
"""Runs that show whether data is read there: of the same calls, and at all."""
PROMISING = 3
"""Texts that are kept before functions off the path are looked for again: that takes a second in a large package."""

Place = tuple[TestCase, Hole]
S = TypeVar("S")


class TextStage(ABC, Generic[S]):
    """Of one search. ``probes`` tell what runs reach and compare; ``binary``: fields of data are looked for."""

    part = TEXTS_PART
    """Of all evaluations, what it has in any case."""

    def __init__(self, probes: WideProbes, so_far: SoFar[S], bench: Workbench, quarantine: Quarantine, binary: bool = True) -> None:
        self.reached: list[TestCase] = []
        """The tests that reached something new for the goals."""
        self._state = so_far
        self._attempts = 0
        self.earned = 0
        """Texts that brought the goals something."""
        self._executor = bench.executor
        self._quarantine = quarantine
        self._probes = probes
        self._binary = binary
        self._search = TextSearch(self)
        self._looks: Counter[tuple[object, ...]] = Counter()

    def begin(self, places: Collection[Place], texts: Iterable[str | bytes], reached: Iterable[TestCase]) -> None:
        """Ahead of the search, in these ``places``, from these ``texts`` and from what samples ``reached``."""
        if (not places and not len(self._search)) or self._state.is_over:
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

    def take_data(self, places: Iterable[Place]) -> None:
        """Data to begin with, in those of these ``places`` that read it."""
        if not self._binary:
            return
        zeros = _plain(ZEROS)
        for test, hole in places:
            called = _called_with(test, hole)
            for place in _with_data(test, hole, self._state.factory):
                if self._looks[called] >= LOOKS or self._looks.total() >= MOST_LOOKS or self._state.is_over:
                    break
                self._looks[called] += 1
                seen = self._compared(place, zeros, is_one_of_few=not self._probes.tells)
                if seen.wants or seen.fields:
                    self._looks[called] = LOOKS
                    self._search.keep(place, zeros, 0.5)

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
        return self._compared(place, text)

    def _compared(self, place: Place, text: str, is_one_of_few: bool = True) -> ComparedTexts:
        test = _with(place, text)
        if test is None or self._quarantine.holds(test):
            return ComparedTexts((), ())
        if self._search.kept >= PROMISING or not self._probes:
            self._probes.discover(lambda: self._run(test), is_one_of_few)
        notes = self._probes.compared(text, lambda: self._run(test))
        found = ComparedTexts([*notes.wants], [*notes.words])
        if not self._binary:
            return found
        data = notes.binary
        return found._replace(fields=[*data.fields.values()], values=[*data.values], relations=[*data.relations])

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


def _called_with(test: TestCase, hole: Hole) -> tuple[object, ...]:
    """The names of what is called from there on."""
    called = [one for one in test.statements[hole.place :] if isinstance(one, Call | MethodCall)]
    return tuple([(one.callee.module, one.callee.name) for one in called if one.callee is not None])


def _with_data(test: TestCase, hole: Hole, factory: Factory) -> Iterator[Place]:
    """With bytes in its place, and with a stream of them if nothing is said of what belongs there."""
    statement = test.statements[hole.place]
    bytes_there = Hole(hole.place, False, True)
    if hole.takes_bytes:
        made = filled(test, hole, ZEROS)
        if made is not None:
            yield made, bytes_there
    elif not hole.hints and isinstance(statement, Literal):
        before, after = test.statements[: hole.place], test.statements[hole.place + 1 :]
        yield TestCase((*before, Literal(statement.variable, ZEROS), *after)), bytes_there
        data = Literal(factory.new(), ZEROS)
        stream = Call(statement.variable, factory.api.standard("io", "BytesIO"), Arguments((data.variable,)))
        yield TestCase((*before, data, stream, *after)), bytes_there
    elif isinstance(statement, Literal):
        for at, one in enumerate(test.statements):
            if isinstance(one, Call) and one.arguments.positional == (statement.variable,) and _makes_stream(one.callee):
                statements = list(test.statements)
                statements[hole.place] = Literal(statement.variable, ZEROS)
                statements[at] = one._replace(callee=factory.api.standard("io", "BytesIO"))
                yield TestCase(tuple(statements)), bytes_there


def _makes_stream(callee: Callee | None) -> bool:
    return callee is not None and callee.name == "StringIO" and callee.module in ("io", "_io")


def _with(place: Place, text: str) -> TestCase | None:
    test, hole = place
    if hole.takes_text and not _holds_bytes(test, hole):
        made = filled(test, hole, text)
    else:
        made = filled(test, hole, text.encode("latin-1", "replace"))
    return made if made is not None and made.is_valid() else None
