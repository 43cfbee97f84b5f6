"""Probes in whatever functions of the package tests run through, beside those of the path: what a parser reached and what it
compared shows there first, long before the crash comes nearer.

They record apart from those of the path, which goals look at. Most of the time only statements are told of, which costs little;
comparisons while :meth:`WideProbes.compared` runs something.

# Deviation: not in the papers; coverage of the whole program is what coverage-guided fuzzers keep inputs by.
"""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from types import CodeType, FrameType

from crashwright.core.location import CodeKey, Position
from crashwright.engine.goals.crash.novelty import Novelty
from crashwright.engine.instrument.hook import Instrumentation
from crashwright.engine.instrument.interface import NotedValue
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.subject.introspection import loaded_names
from crashwright.engine.subject.project import module_file

LIMIT = 1000
"""Activations of a run that are kept."""
HOT = 3000
"""Calls of a function in one run above which it is left alone: probes there would cost more than they tell."""
MOST_FUNCTIONS = 400
LARGEST_HEAP = 400_000
"""Objects that the collector knows, above which functions are left alone: to look at all of them takes a second each time."""
MOST_TIMES = 3
"""How often new functions are given probes: each time takes a look at everything alive."""
ENOUGH = 4
"""New functions for which that is worth it, after the first time."""
_NONE: frozenset[Position] = frozenset()


class WideProbes:
    """``chain``: what has probes already. ``exchanged`` is called where functions have been given other code (see
    ``blocker_probes``). Off at the beginning."""

    def __init__(self, package: str, chain: Collection[CodeKey], exchanged: Callable[[], None]) -> None:
        self._package = package
        self._chain = frozenset(chain)
        self._exchanged = exchanged
        self._recorder = Recorder(LIMIT)
        self._novelty = Novelty(LIMIT)
        self._probed: list[Instrumentation] = []
        self._known: set[CodeKey] = set(chain)
        self._modules: dict[str, str] | None = None
        self._times = 0

    def discover(self, run: Callable[[], object]) -> None:
        """Give probes to the functions that ``run`` enters."""
        if self._times >= MOST_TIMES or len(self._known) > MOST_FUNCTIONS or gc.get_freeze_count() > LARGEST_HEAP:
            run()
            return
        if self._modules is None:
            self._modules = {file: name for name in loaded_names(self._package) if (file := module_file(name))}
        found = [key for key in self._keys(entered(run)) if key not in self._known]
        if len(found) < (ENOUGH if self._times else 1):
            return
        self._times += 1
        self._known.update(found)
        chosen: dict[str, set[CodeKey]] = {}
        for key in found:
            chosen.setdefault(key.module, set()).add(key)
        probes = Instrumentation(self._recorder, chosen, _NONE, resumptions=True)
        probes.attach()
        self._probed.append(probes)
        self._exchanged()

    def _keys(self, calls: Counter[CodeType]) -> list[CodeKey]:
        modules = self._modules or {}
        keys = [
            CodeKey(modules[code.co_filename], code.co_qualname, code.co_firstlineno)
            for code, times in calls.items()
            if code.co_filename in modules and times <= HOT and not code.co_name.startswith("<")
        ]
        return keys[:MOST_FUNCTIONS]

    def __bool__(self) -> bool:
        return bool(self._probed)

    def on(self) -> None:
        """Statements are told of from now on."""
        for probes in self._probed:
            probes.narrow(_NONE)
        self._exchanged()

    def off(self) -> None:
        """The functions have their own code again."""
        for probes in self._probed:
            probes.uninstall()
        self._exchanged()

    def begin(self) -> None:
        """A run begins."""
        self._recorder.reset()

    def is_new(self) -> bool:
        """Whether it reached a statement that no run before did."""
        return self._novelty.is_new(self._recorder.trace())

    def compared(self, run: Callable[[], object]) -> tuple[Sequence[tuple[NotedValue, NotedValue]], Sequence[NotedValue]]:
        """What ``run`` compares: (what was there, what was wanted), and all that was wanted."""
        recorder = self._recorder
        for probes in self._probed:
            probes.narrow(None)
        recorder.note_wanted(True)
        recorder.note_answers(True)
        recorder.reset()
        try:
            run()
        finally:
            recorder.reset()
            pairs, words = recorder.answers(), recorder.wanted
            recorder.note_answers(False)
            recorder.note_wanted(False)
            self.on()
        return pairs, words


def entered(run: Callable[[], object]) -> Counter[CodeType]:
    """How often ``run`` calls each function in Python. A profiler that is there gets its place back."""
    calls: Counter[CodeType] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            calls[frame.f_code] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(before)
    return calls
