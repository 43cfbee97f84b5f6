"""The search for one module's suite as the host sees it: engines run, tests come in as they archive them, a suite comes last.

A search state object in the sense of STYLE: whatever happens to engines, ``tests`` has what was archived.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from crashwright.core.errors import CrashwrightError, EnvironmentProblem
from crashwright.core.messages import (
    Archived,
    Failed,
    FailureKind,
    Finished,
    Incident,
    Message,
    Phase,
    Ready,
    Stalled,
    Suite,
    SuiteProgress,
)
from crashwright.core.portions import MINIMISING_OF_BUDGET
from crashwright.core.settings import Budget, EngineSettings
from crashwright.core.suite import CriterionCoverage, SuiteTest
from crashwright.engine.testcase.codec import decode
from crashwright.finishing.suite.draft import subject_of
from crashwright.supervision.island import Seeds
from crashwright.supervision.islands import Islands, Launch
from crashwright.workflows.generate.advice import Advice
from crashwright.workflows.generate.events import SuiteEngineStarted, SuiteEvent, SuiteIncident, SuitePreparing, SuiteSearching
from crashwright.workflows.generate.islands import EPOCH, Archives
from crashwright.workflows.generate.time import SuiteTime
from crashwright.workflows.hunting.failures import SLOW, WAITING_ADVICE, failure

GRACE = 1.5
"""Seconds beyond its budget after which an engine that does not end by itself is stopped."""
FAREWELL = 1.5
"""Seconds that an engine which is told to stop has for sending its suite; after that its archive is all there is."""
_MORE = 1000
"""Tests that an engine may run besides the archive that it only makes smaller: it looks round first."""
_TICK = 0.1
_STILL = "The module was still being imported and read when the time was up."
_MORE_TIME = "Give it more time with --budget."
Listen = Callable[[SuiteEvent], None]


@dataclass(slots=True)
class SuiteHunt:
    """``start`` starts one engine, of which ``islands`` search side by side. ``stopping()`` turns true once the user wants an end,
    ``leaving()`` once nothing matters any more. After :meth:`run`, the other fields tell the story."""

    module: str
    settings: EngineSettings
    start: Launch
    time: SuiteTime
    listen: Listen
    stopping: Callable[[], bool]
    leaving: Callable[[], bool] = lambda: False
    islands: int = 1
    advice: Advice | None = None
    """Answers an engine that comes no further."""
    evaluations: int = 0
    """Tests run by all engines so far."""
    ready: Ready | None = None
    suite: Suite | None = None
    progress: SuiteProgress | None = None
    incidents: list[str] = field(default_factory=list)
    _archive: dict[str, dict[str, Any]] = field(default_factory=dict)
    _fallback: Suite | None = None
    _search_start: float | None = None
    _launched: float = 0.0
    _minimised_from: float | None = None
    search_seconds: float = 0.0
    """Seconds from the first Ready to the end of the search."""
    minimising_seconds: float = 0.0
    """Seconds that were spent on making the suite small."""

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
        merge = Archives()
        islands = Islands(self.start, self.settings, merge, EPOCH, self.islands, clock=self.time.clock)
        try:
            died = self._listen_to(islands, lambda now: self.stopping() or self._late(now))
            if died is not None and not self._archive:
                raise failure(died)
        finally:
            self._stop(islands)
            if self._search_start is not None:
                now = self.time.clock()
                ended = now if self._minimised_from is None else self._minimised_from
                self.search_seconds, self.minimising_seconds = ended - self._search_start, now - ended
        if died is not None:
            self.incidents.append(f"an engine ended early: {died.text}")
        if self.islands > 1:
            tests, self._fallback = merge.joined(islands)
            self._archive = {json.dumps(test, sort_keys=True): test for test in tests}

    def minimise(self, seconds: float) -> None:
        """Where an archive is all there is, have another engine make a suite of it, within ``seconds``."""
        if self.suite is not None or not self._archive or seconds <= 0:
            return
        bounded = seconds != math.inf
        budget = Budget(round(seconds / MINIMISING_OF_BUDGET, 3) if bounded else None, len(self._archive) + _MORE)
        before, begin = self.evaluations, self.time.clock()
        end = begin + seconds + GRACE
        settings = replace(self.settings, budget=budget)
        islands = Islands(self.start, settings, Archives(), EPOCH, seeds=self.archived, clock=self.time.clock)
        try:
            died = self._listen_to(islands, lambda now: now >= end or self.leaving())
            if died is not None:
                self.incidents.append(f"an engine ended early: {died.text}")
        except CrashwrightError as error:
            self.incidents.append(error.message)
        finally:
            self._stop(islands)
            self.evaluations = before
            self.minimising_seconds += self.time.clock() - begin
            self.suite = self.suite or self._fallback

    def _stop(self, islands: Islands) -> None:
        for message in islands.stop():
            self._take(message)
        self.evaluations = islands.evaluations

    def _listen_to(self, islands: Islands, over: Callable[[float], bool]) -> Failed | None:
        """Until they have ended, or ``over(now)``: then they are asked for their suites. What the last died of, where all did."""
        end = math.inf
        begin = told = self._launched = self.time.clock()
        while islands.running:
            message = islands.next(_TICK)
            self.evaluations = islands.evaluations
            if isinstance(message, Finished):
                return None
            if isinstance(message, Failed):
                return self._failed(message)
            if message is not None:
                self._take(message)
            news = self.advice.news() if self.advice is not None else None
            if news is not None:
                islands.answer(news)
            now = self.time.clock()
            if self.progress is None and now - told >= SLOW:
                told = now
                self.listen(SuitePreparing(self.module, now - (self._search_start or begin), self.ready is not None))
            if end == math.inf and over(now):
                if self.ready is None:
                    if not self.stopping():
                        raise EnvironmentProblem(_STILL, _MORE_TIME)
                    return None
                granted = self._granted(now)
                islands.ask_for_results(granted)
                end = now + granted + FAREWELL
            if now >= end or self.leaving():
                return None
        return None

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

    def _granted(self, now: float) -> float:
        """Seconds for making the suite small that an engine has whose search ends before its time."""
        search, begin, ready = self.time.search, self._search_start, self.ready
        if self.stopping() or search is None or begin is None or ready is None or now - begin >= search:
            return 0.0
        return self.time.still_minimising(ready.import_seconds)

    def _take(self, message: Message) -> None:
        match message:
            case Ready():
                if self.ready is None:
                    self.ready, self._search_start = message, self.time.clock()
                    self.time = replace(self.time, engine_start=self._search_start - self._launched)
                self.listen(SuiteEngineStarted(self.module, message))
            case SuiteProgress():
                self.progress = message
                if message.phase is Phase.MINIMISE and self._minimised_from is None:
                    self._minimised_from = self.time.clock()
                self.listen(SuiteSearching(self.module, message, self._speed(message), self._seconds_left()))
            case Archived():
                for test in message.tests:
                    self._archive.setdefault(json.dumps(test, sort_keys=True), test)
            case Stalled():
                if self.advice is not None:
                    self.advice.ask(message)
            case Suite():
                self.suite = message
            case Incident():
                self.incidents.append(message.text)
                self.listen(SuiteIncident(self.module, message))

    def _failed(self, message: Failed) -> Failed:
        """It is told where no other engine would do better; the module itself may be the reason."""
        if message.kind is FailureKind.WAITING_IMPORT:
            raise EnvironmentProblem(message.text, WAITING_ADVICE)
        if message.kind is FailureKind.SLOW_IMPORT:
            raise EnvironmentProblem(message.text, _MORE_TIME)
        if self.ready is None or message.kind is not FailureKind.INTERNAL:
            raise failure(message)
        return message

    def _speed(self, progress: SuiteProgress) -> float:
        return progress.evaluations / progress.seconds if progress.seconds > 0 else 0.0

    def _seconds_left(self) -> float | None:
        if self.time.search is None or self._search_start is None:
            return None
        return max(0.0, self.time.search - (self.time.clock() - self._search_start))
