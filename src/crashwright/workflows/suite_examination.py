"""From the tests of a suite to tests with assertions: two engines examine them, the second one under another hash seed.

The first observes what each test makes and keeps what is the same in every run; the second checks that in its own process, and
keeps those assertions that tell mutants of the module from the original. Both tell of each test as soon as they are through with it, so
that whenever they are stopped, the tests told of are examined; the others go into the file with fewer assertions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from crashwright.core.messages import Examined, Failed, Finished, Incident
from crashwright.core.settings import Budget, EngineSettings
from crashwright.core.suite import SuiteTest
from crashwright.workflows.suite_hunt import Seeds, SuiteEngine
from crashwright.workflows.suite_result import Dropped
from crashwright.workflows.suite_time import SuiteTime

OBSERVING = 0.35
"""The first engine's share of the time."""
_TICK = 0.1
_GRACE = 0.5
"""Seconds that an engine may take beyond its own budget."""


class StartExamination(Protocol):
    """Starts an engine that examines ``seeds`` under the hash seed ``hash_seed``."""

    def __call__(self, settings: EngineSettings, seeds: Seeds, hash_seed: int) -> SuiteEngine: ...


@dataclass(frozen=True, slots=True)
class ExaminedTest:
    """``asserted`` is encoded by ``engine.testcase.assertion_codec``; ``killed`` counts the mutants that it tells from the
    original, None where there was no time for that."""

    test: SuiteTest
    asserted: dict[str, Any]
    killed: int | None = None


@dataclass(frozen=True, slots=True)
class Examination:
    """What came of it. ``mutants`` is how many were tried, None where there was no such analysis."""

    tests: tuple[ExaminedTest, ...]
    dropped: tuple[Dropped, ...] = ()
    incidents: tuple[str, ...] = ()
    killed: int = 0
    mutants: int | None = None


@dataclass(slots=True)
class Examiner:
    """Examines the tests of one suite."""

    settings: EngineSettings
    start: StartExamination
    time: SuiteTime
    leaving: Callable[[], bool]

    def examine(self, tests: tuple[SuiteTest, ...], seconds: float) -> Examination:
        """Examine ``tests`` within ``seconds``."""
        seed = self.settings.search.seed
        observed = self._ask(tuple(one.test for one in tests), OBSERVING * seconds, seed + 1)
        kept: list[ExaminedTest] = []
        dropped: list[Dropped] = []
        for index, test in enumerate(tests):
            found = observed.told.get(index)
            if found is not None and found.asserted is None:
                dropped.append(Dropped(_label(test), found.reason or "it does not behave the same in each run"))
            else:
                kept.append(ExaminedTest(test, _bare(test) if found is None or found.asserted is None else found.asserted))
        checked = self._ask(tuple(one.asserted for one in kept), (1 - OBSERVING) * seconds, seed + 2)
        sound: list[ExaminedTest] = []
        for index, one in enumerate(kept):
            found = checked.told.get(index)
            if found is None:
                sound.append(one)
            elif found.asserted is None:
                dropped.append(Dropped(_label(one.test), found.reason or "it does not behave the same in each run"))
            else:
                sound.append(replace(one, asserted=found.asserted, killed=found.killed))
        return Examination(
            tuple(sound), tuple(dropped), (*observed.incidents, *checked.incidents), sum(one.killed or 0 for one in sound)
        )

    def _ask(self, seeds: Seeds, seconds: float, hash_seed: int) -> _Answer:
        """What one engine tells of ``seeds``."""
        told: dict[int, Examined] = {}
        incidents: list[str] = []
        if not seeds or seconds <= 0 or self.leaving():
            return _Answer(told, ())
        bounded = seconds != math.inf
        settings = replace(self.settings, budget=Budget(round(seconds, 3) if bounded else None, None))
        clock = self.time.clock
        end = clock() + seconds + _GRACE
        engine = self.start(settings, seeds, hash_seed)
        try:
            while engine.running and clock() < end and not self.leaving():
                match engine.next(_TICK):
                    case Examined() as message:
                        told[message.index] = message
                    case Incident() as message:
                        incidents.append(message.text)
                    case Finished() as message:
                        return _Answer(told, tuple(incidents), message.hints)
                    case Failed() as message:
                        incidents.append(f"the examination of the tests ended early: {message.text}")
        finally:
            engine.stop()
        return _Answer(told, tuple(incidents))


@dataclass(frozen=True, slots=True)
class _Answer:
    told: dict[int, Examined]
    incidents: tuple[str, ...]
    facts: tuple[str, ...] = ()


def _bare(test: SuiteTest) -> dict[str, Any]:
    return {"test": test.test, "assertions": [], "raised": None}


def _label(test: SuiteTest) -> str:
    return test.goals[0] if test.goals else test.subject or "a test"
