"""What a search learns of the subject while its tests run: the classes of results, for the many packages without annotations, and
values that comparisons wanted (EvoSuite's dynamic seeding), with what stood in their place (input-to-state correspondence of
REDQUEEN: what is compared often stands in the input as it is)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Protocol

from crashwright.core.refusing import quotes_refusal
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.statements import Value


class CallObserver(Protocol):
    """Notes the classes of results (``execution.executor.Executor``)."""

    @property
    def observed(self) -> Mapping[Callee, Iterable[type]]: ...
    @property
    def observing(self) -> bool: ...
    def observe(self, runs: int) -> None: ...


class WantedValues(Protocol):
    """Notes what comparisons wanted (``instrument.probes.Recorder``)."""

    def note_wanted(self, on: bool) -> None: ...
    def take_wanted(self) -> Iterable[Value]: ...
    def note_answers(self, on: bool) -> None: ...
    def answers(self) -> Iterable[tuple[Value, Value]]: ...


class Learning:
    """Begins at once; ``runs`` are the tests whose results are noted. Values with the name of the folder ``scratch`` in them are
    passed over: it is another one in each run."""

    def __init__(self, factory: Factory, observer: CallObserver, wanted: WantedValues, runs: int, scratch: str) -> None:
        self._factory = factory
        self._observer = observer
        self._wanted = wanted
        self._scratch = os.path.basename(scratch).rpartition("-")[0] or "crashwright"
        self._learning = True
        observer.observe(runs)
        wanted.note_wanted(True)
        wanted.note_answers(factory.pool.structured)

    def advance(self) -> None:
        """Between two generations: tell the factory and its seeds what has been seen."""
        if self._learning:
            self._learning = self._observer.observing
            for callee, classes in self._observer.observed.items():
                for cls in classes:
                    self._factory.observe(callee, cls)
        for value in self._wanted.take_wanted():
            if not self._names_scratch(value):
                self._factory.pool.add_dynamic(value)
        answers = [pair for pair in self._wanted.answers() if not any(map(self._names_scratch, pair))]
        self._factory.pool.answers = answers

    def _names_scratch(self, value: Value) -> bool:
        return (
            quotes_refusal(value)
            or (type(value) is str and self._scratch in value)
            or (type(value) is bytes and self._scratch.encode() in value)
        )
