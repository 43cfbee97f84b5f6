"""The search for one module's suite as the host sees it: an engine runs, tests come in as it archives them, its suite comes last.

A search state object in the sense of STYLE: whatever happens to engines, ``tests`` has what was archived. An engine that dies is
followed by another one that begins with the archive and has the rest of the budget.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from crashwright.core.errors import CrashwrightError, EnvironmentProblem
from crashwright.core.messages import (
    Archived,
    Failed,
    FailureKind,
    Finished,
    Incident,
    Message,
    Migrants,
    Ready,
    Stop,
    Suite,
    SuiteProgress,
)
from crashwright.core.settings import Budget, EngineSettings
from crashwright.core.suite import CriterionCoverage, SuiteTest
from crashwright.engine.testcase.codec import decode
from crashwright.finishing.suite.draft import subject_of
from crashwright.workflows.hunt import SLOW, failure
from crashwright.workflows.suite_crossing import NO_OTHERS, Crossing
from crashwright.workflows.suite_events import SuiteEngineStarted, SuiteEvent, SuiteIncident, SuitePreparing, SuiteSearching
from crashwright.workflows.suite_time import SuiteTime

LIVES = 3
"""Engines that are started for one module, each after the death of the one before."""
GRACE = 1.5
"""Seconds beyond its budget after which an engine that does not end by itself is stopped."""
FAREWELL = 1.5
"""Seconds that an engine which is told to stop has for sending its suite; after that its archive is all there is."""
_MORE = 1000
"""Tests that an engine may run besides the archive that it only makes smaller: it looks round first."""
_SHARE_OF_MINIMISING = 0.15
"""What of its budget (in seconds) an engine takes for making tests smaller."""
_TICK = 0.1
_STILL = "The module was still being imported and read when the time was used up."
_MORE_TIME = "Give it more time with --budget."
_LEAST_SEARCH = 0.2
"""Seconds of budget below which no other engine is started."""


class SuiteEngine(Protocol):
    """A running engine: ``supervision.engine_process.EngineProcess`` is one."""

    @property
    def running(self) -> bool: ...
    def next(self, seconds: float) -> Message | None: ...
    def send(self, message: Message) -> None: ...
    def stop(self) -> None: ...


Seeds = tuple[dict[str, Any], ...]
StartSearch = Callable[[EngineSettings, Seeds], SuiteEngine]
Listen = Callable[[SuiteEvent], None]


@dataclass(slots=True)
class SuiteHunt:
    """``stopping()`` turns true once the user wants an end, ``leaving()`` once nothing matters any more; ``seeds`` are tests to
    begin with; ``crossing`` is the way from and to other islands. After :meth:`run`, the other fields tell the story."""

    module: str
    settings: EngineSettings
    start: StartSearch
    time: SuiteTime
    listen: Listen
    stopping: Callable[[], bool]
    leaving: Callable[[], bool] = lambda: False
    seeds: Seeds = ()
    crossing: Crossing = NO_OTHERS
    ready: Ready | None = None
    suite: Suite | None = None
    progress: SuiteProgress | None = None
    incidents: list[str] = field(default_factory=list)
    _archive: dict[str, dict[str, Any]] = field(default_factory=dict)
    _fallback: Suite | None = None
    _before: int = 0
    _now: int = 0
    _search_start: float | None = None
    _launched: float = 0.0
    _search_seconds: float = 0.0

    @property
    def evaluations(self) -> int:
        """Tests run by all engines so far."""
        return self._before + self._now

    @property
    def search_seconds(self) -> float:
        """Seconds from the first Ready to the end of the search."""
        return self._search_seconds

    @property
    def archived(self) -> Seeds:
        """Every test that was archived, encoded, in the order in which they came."""
        return tuple(self._archive.values())

    @property
    def tests(self) -> tuple[SuiteTest, ...]:
        """The suite, or what is archived where it never came."""
        if self.suite is not None:
            return self.suite.tests
        return tuple(SuiteTest(test, subject_of(decode(test), self.module)) for test in self.archived)

    @property
    def coverage(self) -> tuple[CriterionCoverage, ...]:
        """Goals covered, as told last."""
        source = self.suite or self.progress
        return source.coverage if source is not None else ()

    def run(self) -> None:
        """Search until a suite has come, the budget is used up, or the user stops it. Raises CrashwrightError where the module
        cannot be searched."""
        try:
            self._search()
        finally:
            self.crossing.leave(Migrants(self._epochs_before, last=True))
            if self._search_start is not None:
                self._search_seconds = self.time.clock() - self._search_start

    def join(self, others: Sequence[SuiteHunt]) -> None:
        """Take what other islands found too: :meth:`minimise` makes one suite of it."""
        suites = [self.tests, *(other.tests for other in others)]
        self._fallback, self.suite = self.suite, None
        self._archive = {json.dumps(one.test, sort_keys=True): one.test for tests in suites for one in tests}
        self.incidents += [text for other in others for text in other.incidents]
        self._before += sum(other.evaluations for other in others)

    def minimise(self, seconds: float) -> None:
        """Where an archive is all there is, have another engine make a suite of it, within ``seconds``."""
        if self.suite is not None or not self._archive or seconds <= 0:
            return
        bounded = seconds != math.inf
        budget = Budget(round(seconds / _SHARE_OF_MINIMISING, 3) if bounded else None, len(self._archive) + _MORE)
        before = self.evaluations
        end = self.time.clock() + seconds + GRACE
        engine = self.start(replace(self.settings, budget=budget, migration=0), self.archived)
        try:
            failed = self._listen_to(engine, lambda now: now >= end or self.leaving())
        except CrashwrightError as error:
            self.incidents.append(error.message)
        else:
            if failed is not None:
                self.incidents.append(f"an engine ended early: {failed.text}")
        finally:
            engine.stop()
            self._before, self._now = before, 0
            self.suite = self.suite or self._fallback

    def _search(self) -> None:
        for life in range(LIVES):
            died = self._one_engine(life)
            if died is None:
                return
            self._before, self._now = self.evaluations, 0
            last = life + 1 == LIVES or self.stopping() or not self._something_left()
            if last and not self._archive:
                raise failure(died)
            self.incidents.append(f"an engine ended early: {died.text}")
            if last:
                return

    def _one_engine(self, life: int) -> Failed | None:
        """From its start to its end; what it died of, where it did."""
        spent = 0.0 if self._search_start is None else self.time.clock() - self._search_start
        budget = self.settings.budget
        left = Budget(
            None if budget.seconds is None else max(_LEAST_SEARCH, budget.seconds - spent),
            None if budget.evaluations is None else max(1, budget.evaluations - self._before),
        )
        search = replace(self.settings.search, seed=self.settings.search.seed + 1000 * life)
        engine = self.start(replace(self.settings, budget=left, search=search), (*self.seeds, *self.archived))
        try:
            return self._listen_to(engine, lambda now: self.stopping() or self._late(now))
        finally:
            engine.stop()

    def _listen_to(self, engine: SuiteEngine, over: Callable[[float], bool]) -> Failed | None:
        """Until it has ended, or ``over(now)``: then it is asked for its suite. What it died of, where it did."""
        ready = False
        end = math.inf
        begin = told = self._launched = self.time.clock()
        while engine.running:
            message = engine.next(_TICK)
            ready = ready or isinstance(message, Ready)
            if isinstance(message, Finished):
                self._now = max(self._now, message.evaluations)
                return None
            if isinstance(message, Failed):
                return self._failed(message)
            if message is not None:
                self._take(message)
            if ready:
                for migrants in self.crossing.arrivals():
                    engine.send(replace(migrants, epoch=migrants.epoch - self._epochs_before))
            now = self.time.clock()
            if self.progress is None and now - told >= SLOW:
                told = now
                self.listen(SuitePreparing(self.module, now - (self._search_start or begin), self.ready is not None))
            if end == math.inf and over(now):
                if not ready:
                    if self.ready is None and not self.stopping():
                        raise EnvironmentProblem(
                            "The module was still being imported and read when the time was used up.", _MORE_TIME
                        )
                    return None
                engine.send(Stop())
                end = now + FAREWELL
            if now >= end or self.leaving():
                return None
        return None

    @property
    def _epochs_before(self) -> int:
        """Of former lives: an engine counts its own from 0."""
        every = self.settings.migration
        return self._before // every if every else 0

    def _late(self, now: float) -> bool:
        """The engine keeps its own budget; this is for one that does not, and for modules that import slowly."""
        if self.ready is None or self._search_start is None:
            return self.time.left() <= 0
        allowed = self.time.search_allowed(self.ready.import_seconds, self._search_start - self.time.start)
        if self.time.search is not None and not self._archive:
            allowed = self.time.search  # to save time for nothing is worth nothing
        if self.time.search is not None and allowed >= self.time.search:
            allowed += self.time.minimising() + GRACE
        return now - self._search_start >= allowed

    def _take(self, message: Message) -> None:
        match message:
            case Ready():
                if self.ready is None:
                    self.ready, self._search_start = message, self.time.clock()
                    self.time = replace(self.time, engine_start=self._search_start - self._launched)
                self.listen(SuiteEngineStarted(self.module, message))
            case SuiteProgress():
                self.progress, self._now = message, max(self._now, message.evaluations)
                self.listen(SuiteSearching(self.module, message, self._speed(message), self._seconds_left()))
            case Archived():
                self._now = max(self._now, message.evaluations)
                for test in message.tests:
                    self._archive.setdefault(json.dumps(test, sort_keys=True), test)
            case Migrants():
                self.crossing.leave(replace(message, epoch=message.epoch + self._epochs_before))
            case Suite():
                self.suite, self._now = message, max(self._now, message.evaluations)
            case Incident():
                self.incidents.append(message.text)
                self.listen(SuiteIncident(self.module, message))

    def _failed(self, message: Failed) -> Failed | None:
        """It goes on with another engine, unless the module itself is the reason."""
        if self.suite is not None:
            return None  # all has been said
        if message.kind is FailureKind.WAITING_IMPORT:
            raise EnvironmentProblem(message.text, "See what it waits for: import it in that interpreter by hand.")
        if message.kind is FailureKind.SLOW_IMPORT:
            raise EnvironmentProblem(message.text, _MORE_TIME)
        if self.ready is None or message.kind is not FailureKind.INTERNAL:
            raise failure(message)
        return message

    def _something_left(self) -> bool:
        budget = self.settings.budget
        if budget.evaluations is not None and self.evaluations >= budget.evaluations:
            return False
        spent = 0.0 if self._search_start is None else self.time.clock() - self._search_start
        return budget.seconds is None or budget.seconds - spent > _LEAST_SEARCH

    def _speed(self, progress: SuiteProgress) -> float:
        return progress.evaluations / progress.seconds if progress.seconds > 0 else 0.0

    def _seconds_left(self) -> float | None:
        if self.time.search is None or self._search_start is None:
            return None
        return max(0.0, self.time.search - (self.time.clock() - self._search_start))
