"""What a crash search knows of the preconditions of its frames, from the start and by message: the fitness measures them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crashwright.core.location import CodeKey
from crashwright.core.mechanisms import Mechanism
from crashwright.core.messages import Insight, Start
from crashwright.core.precondition import Precondition, WrittenPreconditions, read
from crashwright.engine.goals.crash.fitness import CrashFitness
from crashwright.engine.instrument.probes import Measures
from crashwright.engine.search.crash_goals import by_frame, crash_fitness, entry_measures
from crashwright.engine.sessions.crash_parts import Parts
from crashwright.engine.sessions.search_run import Setup

Known = Mapping[CodeKey, Sequence[Precondition]]
"""The preconditions of the frames whose entry has a probe."""


def measures_at_start(start: Start) -> Measures:
    """Of the frames with preconditions; of all, where some may come."""
    if not start.settings.search.uses(Mechanism.PRECONDITIONS):
        return {}
    known = by_frame(start.target, read(start.preconditions))
    return entry_measures({key: found for key, found in known.items() if found or start.insights})


class Insights:
    """A state object of one fork. What it takes in goes into its checkpoints: the next fork is not told again."""

    def __init__(self, parts: Parts, setup: Setup) -> None:
        self._parts = parts
        self._setup = setup
        self._waits = parts.start.insights and parts.start.settings.search.uses(Mechanism.PRECONDITIONS)
        self._written: WrittenPreconditions = parts.start.preconditions

    def fitness(self) -> CrashFitness:
        """By what is known now."""
        start, parts = self._parts.start, self._parts
        settings, target, measured = start.settings.search, start.target, frozenset[CodeKey]()
        if settings.uses(Mechanism.PRECONDITIONS):
            measured = frozenset([key for key, found in by_frame(target, read(self._written)).items() if found])
        return crash_fitness(settings, target, parts.recorder.functions, parts.sources, parts.flags, measured)

    def take(self) -> bool:
        """Whether something has come, after which :meth:`fitness` is another one."""
        arrived = self._setup.bench.channel.receive(Insight) if self._waits else []
        if not arrived or arrived[-1].preconditions == self._written:
            return False
        self._written = arrived[-1].preconditions
        self._setup.safe.note(arrived[-1])
        self._parts.recorder.measure_entries(entry_measures(by_frame(self._parts.start.target, read(self._written))))
        return True
