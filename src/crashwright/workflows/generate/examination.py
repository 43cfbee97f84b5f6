"""From the tests of a suite to tests with assertions: two engines examine them, the second one under another hash seed.

The first observes what each test makes and keeps what is the same in every run; the second checks that in its own process, and
keeps those assertions that tell mutants of the module from the original. Both tell of each test as soon as they are through with
it, so that whenever they are stopped, the tests told of are examined; the others go into the file with fewer assertions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from crashwright.core.messages import Examined, Failed, Finished, Incident, Mutants, Ready, Task, Unfit
from crashwright.core.portions import OBSERVING_PART
from crashwright.core.settings import Budget, EngineSettings
from crashwright.core.suite import SuiteTest
from crashwright.supervision.island import IslandEngine, Seeds
from crashwright.workflows.generate.result import Dropped
from crashwright.workflows.generate.time import SuiteTime

_TICK = 0.1
_ENGINES_WORTH = 16
"""Two engines are started where their starts are so small a part of the time; else what depends on the hash seed is left to the
verification, which has others."""
LEAST_SECONDS = 0.8
"""What an engine gets for its work, however little time is left: a suite without assertions is worth little."""
_GRACE = 0.5
"""Seconds that an engine may take beyond its own budget."""
_LONGEST_START = 2.5
"""How often the usual time an engine may take to its start, on a machine that is busy."""


class StartExamination(Protocol):
    """Starts an engine that examines ``seeds`` under the hash seed ``hash_seed``; ``task`` and ``spares`` are as in
    ``StartSuite``."""

    def __call__(
        self, settings: EngineSettings, seeds: Seeds, task: Task, hash_seed: int, spares: tuple[int, ...]
    ) -> IslandEngine: ...


@dataclass(frozen=True, slots=True)
class ExaminedTest:
    """``asserted`` is encoded by ``engine.assertions.codec``."""

    test: SuiteTest
    asserted: dict[str, Any]

    @property
    def label(self) -> str:
        """The test in words, while it has no name."""
        return label(self.test)


@dataclass(frozen=True, slots=True)
class ExaminedSuite:
    """What came of it. ``mutants`` is None where there was no such analysis."""

    tests: tuple[ExaminedTest, ...]
    dropped: tuple[Dropped, ...] = ()
    incidents: tuple[str, ...] = ()
    mutants: Mutants | None = None


@dataclass(slots=True)
class Examiner:
    """Examines the tests of one suite."""

    settings: EngineSettings
    start: StartExamination
    time: SuiteTime
    leaving: Callable[[], bool]
    start_seconds: float = 0.3
    """What an engine takes until it is ready."""
    keeps_all: bool = False
    """Also tests that add nothing to the others."""

    def examine(self, tests: tuple[SuiteTest, ...], seconds: float) -> ExaminedSuite:
        """Examine ``tests`` within ``seconds``. Where these are few, the second engine does all of it, and what depends on the hash
        seed is left to the verification."""
        seed = self.settings.search.seed
        tests = tuple(one for one in tests if self.keeps_all or not (one.spare and one.doubtful))
        observed = _Answer({})
        if seconds >= _ENGINES_WORTH * self.start_seconds:
            observed = self._ask(Task.OBSERVE, tuple(one.test for one in tests), OBSERVING_PART * seconds, seed + 1)
        kept, seeds, dropped = [], [], list[Dropped]()
        for index, test in enumerate(tests):
            found = observed.told.get(index)
            if found is not None and found.asserted is None:
                dropped += _dropped(test, found)
                continue
            asserted = None if found is None else found.asserted
            kept.append(ExaminedTest(test, asserted or {"test": test.test, "assertions": [], "raised": None}))
            seeds.append(asserted or test.test)  # the second engine observes what the first did not come to
        spares = () if self.keeps_all else tuple(index for index, one in enumerate(kept) if one.test.spare)
        selected = self._ask(Task.SELECT, tuple(seeds), seconds - observed.seconds, seed + 2, spares)
        sound: list[ExaminedTest] = []
        places: dict[int, int] = {}
        for index, one in enumerate(kept):
            found = selected.told.get(index)
            if found is None:
                kept_here = [one] if index not in spares else []
            elif found.asserted is None:
                kept_here = []
                dropped += _dropped(one.test, found)
            else:
                kept_here = [replace(one, asserted=found.asserted)]
            if kept_here:
                places[index] = len(sound)
                sound += kept_here
        incidents = tuple(dict.fromkeys((*observed.incidents, *selected.incidents)))
        return ExaminedSuite(tuple(sound), tuple(dropped), incidents, _renumbered(selected.mutants, places))

    def _ask(self, task: Task, seeds: Seeds, seconds: float, hash_seed: int, spares: tuple[int, ...] = ()) -> _Answer:
        """What one engine tells of ``seeds``."""
        told: dict[int, Examined] = {}
        incidents: list[str] = []
        if not seeds or self.leaving():
            return _Answer(told)
        bounded = seconds != math.inf
        own = max(LEAST_SECONDS, seconds - self.start_seconds)
        settings = replace(self.settings, budget=Budget(round(own, 3) if bounded else None, None))
        clock = self.time.clock
        begin = clock()
        mutants: Mutants | None = None
        engine = self.start(settings, seeds, task, hash_seed, spares)
        end = begin + max(seconds, own + _LONGEST_START * self.start_seconds) + _GRACE
        try:
            while engine.running and clock() < end and not self.leaving():
                match engine.next(_TICK):
                    case Ready():
                        end = min(end, clock() + own + _GRACE)
                    case Examined() as message:
                        told[message.index] = message  # the last word on a test counts
                    case Incident() as message:
                        incidents.append(message.text)
                    case Finished() as message:
                        mutants = message.mutants
                        break
                    case Failed() as message:
                        incidents.append(f"the examination of the tests ended early: {message.text}")
        finally:
            engine.stop()
        return _Answer(told, tuple(incidents), mutants, clock() - begin)


@dataclass(frozen=True, slots=True)
class _Answer:
    told: dict[int, Examined]
    incidents: tuple[str, ...] = ()
    mutants: Mutants | None = None
    seconds: float = 0.0


def _renumbered(mutants: Mutants | None, places: Mapping[int, int]) -> Mutants | None:
    """With the places of tests in the suite for those that the engine was given."""
    if mutants is None:
        return None
    return replace(mutants, killers=tuple([tuple([places[one] for one in tests if one in places]) for tests in mutants.killers]))


def _dropped(test: SuiteTest, found: Examined) -> list[Dropped]:
    """What is told of a test that is left out: nothing of one that others make superfluous."""
    if found.reason is Unfit.SPARE:
        return []
    reason = (found.reason or Unfit.UNSTABLE).value
    return [Dropped(label(test), f"{reason} ({found.detail})" if found.detail else reason)]


def label(test: SuiteTest) -> str:
    """A test that has no name yet, in words."""
    return f"a test of {test.subject}" if test.subject else test.goals[0] if test.goals else "a test"
