"""Runs in the subject's interpreter, beside the engine's sources: do preconditions hold when a test makes the crash happen?

python probe.py REQUEST.json      writes the answer as JSON on the last line

The functions of the frames are instrumented as for a search, with the same probe at their entries. Of each entry it is kept how far
every guard is from holding; the frames of the traceback then say which entry was that of the crash.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from types import TracebackType
from typing import Any

import pytest

from crashwright.core.codec import from_json
from crashwright.core.location import CodeKey
from crashwright.core.precondition import Guard, Precondition, WrittenPreconditions, read
from crashwright.core.terms import Op, Sort, Term, parts
from crashwright.engine.goals.crash.precondition import MOST_PARTS, FrameDistance
from crashwright.engine.instrument.hook import Instrumentation
from crashwright.engine.instrument.interface import Measure
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.subject.introspection import loaded_dict

OPEN = -1.0
Distances = dict[int, list[float]]
"""Of the guards of preconditions, by the number of these."""


class Entries:
    """What was measured, by the identity of the frame that was entered last under it."""

    def __init__(self, preconditions: Sequence[Precondition]) -> None:
        self.recorder = Recorder()
        self.found: dict[int, tuple[CodeKey, Distances]] = {}
        by_key: dict[CodeKey, list[tuple[int, Precondition]]] = {}
        for number, one in enumerate(preconditions):
            by_key.setdefault(one.function, []).append((number, one))
        self.recorder.measure_entries({key: partial(self._measure, key, found) for key, found in by_key.items()})
        modules: dict[str, set[CodeKey]] = {}
        for key in by_key:
            modules.setdefault(key.module, set()).add(key)
        self.instrumentation = Instrumentation(self.recorder, modules)

    def _measure(self, key: CodeKey, numbered: Sequence[tuple[int, Precondition]], parameters: Sequence[str]) -> Measure:
        distances = {number: [_one_guard(one, place, parameters) for place in range(len(one.guards))] for number, one in numbered}

        def measure(arguments: Sequence[object]) -> tuple[float, float]:
            frame = sys._getframe(2)  # of the subject: the probe stands between
            measured = {number: [guard(arguments) for guard in guards] for number, guards in distances.items()}
            self.found[id(frame)] = key, measured
            self.recorder.probes.begin_entries()  # there is no last entry that is measured
            return 0.0, 0.0

        return measure


def _one_guard(one: Precondition, place: int, parameters: Sequence[str]) -> Callable[[Sequence[object]], float]:
    """How far a guard is from holding; ``OPEN`` where it is not known to hold, nor not to."""
    term = one.guards[place].term
    if sum(1 for _ in parts([term])) > MOST_PARTS:
        return lambda _arguments: OPEN
    holds, fails = (
        FrameDistance([Precondition(one.level, one.function, (Guard(wanted, 0, one.function),))], parameters, loaded_dict).of
        for wanted in (term, Term(Op.NOT, Sort.TRUTH, (term,)))
    )

    def measure(arguments: Sequence[object]) -> float:
        far = holds(arguments)
        return OPEN if far and fails(arguments) else far

    return measure


class Judge:
    """A plugin of pytest: looks at what a test raised."""

    def __init__(self, entries: Entries, exception: str, levels: Sequence[tuple[int, CodeKey]]) -> None:
        self._entries = entries
        self._exception = exception
        self._levels = levels
        self.seen: dict[int, Distances] = {}
        self.raised = ""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
        """Called for each phase of each test."""
        del item
        if call.when == "call" and call.excinfo is not None:
            self.raised = type(call.excinfo.value).__name__
            if self.raised == self._exception.rpartition(".")[2]:
                self._look(call.excinfo.value.__traceback__)
        return (yield)

    def _look(self, trace: TracebackType | None) -> None:
        entered: list[tuple[CodeKey, Distances]] = []
        while trace is not None:
            known = self._entries.found.get(id(trace.tb_frame))
            if known is not None and known[0].qualname == trace.tb_frame.f_code.co_qualname:
                entered.append(known)
            trace = trace.tb_next
        entered.reverse()
        for level, key in self._levels:
            place = next((place for place, (entry, _) in enumerate(entered) if entry == key), None)
            if place is not None:
                self.seen[level] = entered.pop(place)[1]


def main(request: str) -> None:
    """Answer."""
    with open(request, encoding="utf-8") as file:
        asked = json.load(file)
    preconditions = read(from_json(WrittenPreconditions, asked["preconditions"]))
    levels = [(level, CodeKey(*key)) for level, key in asked["levels"]]
    entries = Entries(preconditions)
    entries.instrumentation.install()
    judge = Judge(entries, asked["exception"], levels)
    pytest.main(["-q", "-x", "-p", "no:cacheprovider", "--no-header", asked["test"]], plugins=[judge])
    answer = {
        "raised": judge.raised,
        "skipped": sorted(entries.instrumentation.skipped.values()),
        "seen": judge.seen,
    }
    print("\n" + json.dumps(answer))


if __name__ == "__main__":
    main(sys.argv[1])
