"""The search for one crash as the host sees it: engines run, tests come in, the promising ones are printed and judged.

A search state object in the sense of STYLE: it is made for one run, drives everything, and remembers the best. An interrupt
leaves it with what it has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from crashwright.core.errors import EnvironmentProblem, NoTime
from crashwright.core.messages import (
    BestTests,
    CandidateTried,
    EndReason,
    Failed,
    FailureKind,
    Finished,
    Found,
    Incident,
    Insight,
    Message,
    Progress,
    Ready,
    StandsStill,
    Suggestions,
)
from crashwright.core.settings import Budget, EngineSettings
from crashwright.finishing.crash.finisher import FinishedTest
from crashwright.workflows.deadline import FRESH_RUNS, Deadline
from crashwright.workflows.events import (
    BetterTest,
    CandidateRejected,
    EngineIncident,
    EngineStarted,
    Event,
    Interrupted,
    Preparing,
    Searching,
    SuggestionTried,
)
from crashwright.workflows.hunting.failures import SLOW, WAITING_ADVICE, failure

MINIMISATION_SECONDS = 5.0
"""How long a test that reaches the crash may still be made smaller by the engine before it is judged as it is."""
_TICK = 0.25
_TO_COME_TO_ITS_END = 2.0
"""Seconds that an engine is given beyond its budget to make its best test smaller, where others follow."""
_TELLING = 2
"""The level from which a judged test decides how the search goes on; others wait for the end."""
_LEAST_SEARCH = 0.5
"""Seconds that are worth a search from another frame, by an engine that is there."""
_LEAST_IMPORT = 1.0
"""Seconds that an import is always given, however small the budget."""
_MOST_FOR_GREEN = 2
"""How many more engines look for a test that turns green with the fix, once there is one that does not."""
_MOST_JUDGED = 4
"""How many tests of one engine are judged at most: each takes a fresh interpreter or more."""


class Engine(Protocol):
    """A running engine, or several of them: ``supervision.islands.Islands``."""

    @property
    def running(self) -> bool:
        """Messages may still come."""

    def next(self, seconds: float) -> Message | None:
        """The next message, or None where none came within ``seconds``."""

    def inform(self, insight: Insight | Suggestions) -> None:
        """Tell it what was found beside it."""

    def ask_for_results(self) -> None:
        """No more searching: it is to tell what it has, and that it is at its end."""

    def stop(self) -> Sequence[Message]:
        """End it, now. Harmless when it has ended. Returns what it had not told yet."""


StartEngine = Callable[[EngineSettings], Engine]
Finish = Callable[[Found, Callable[[], float]], FinishedTest]


@dataclass(slots=True)
class Hunt:
    """``finish`` prints and judges a test. ``news`` is asked several times a second what engines are to know. ``keep`` hears of the
    best tests about every second, with the evaluations of all engines, to write them down in case this process is killed;
    ``evaluations_before`` were made by one that was. ``rest`` is the share of the time to search that is left to others;
    evaluations are those of ``settings``. ``usual_start`` is how many seconds engines took to start before; with ``whole_only`` no
    time goes into judging tests that fall short of the crash. It ends once ``enough()``: what is looked for was found beside it.
    ``stands_still()`` is called when an engine finds nothing better any more.
    After :meth:`run`, ``best`` is the best judged test and the other fields tell the story."""

    settings: EngineSettings
    start_engine: StartEngine
    finish: Finish
    deadline: Deadline
    listen: Callable[[Event], None]
    news: Callable[[], Insight | Suggestions | None] = lambda: None
    keep: Callable[[BestTests], None] = lambda _survivors: None
    hear: Callable[[Progress | BestTests | CandidateTried], None] = lambda _message: None
    enough: Callable[[], bool] = lambda: False
    stands_still: Callable[[], None] = lambda: None
    evaluations_before: int = 0
    rest: float = 0.0
    usual_start: float = 0.0
    whole_only: bool = False
    best: FinishedTest | None = None
    candidates: list[Found] = field(default_factory=list)
    ready: Ready | None = None
    progress: Progress | None = None
    hints: tuple[str, ...] = ()
    reason: EndReason | None = None
    refused: bool = False
    allowances: tuple[str, ...] = ()
    stopped_at: str = ""
    unprepared: bool = False
    incidents: list[str] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)
    tried: dict[str, CandidateTried] = field(default_factory=dict)
    search_seconds: float = 0.0
    _evaluations_now: int = 0
    _engine_start: float = 0.0
    _kept: float = 0.0
    _crash_reserve: float | None = None
    _judged: set[int] = field(default_factory=set)

    @property
    def evaluations(self) -> int:
        """Tests run by all engines so far."""
        return self.evaluations_before + self._evaluations_now

    @property
    def reproduced(self) -> bool:
        """The best test is the crash of the report."""
        return self.best is not None and self.best.reproduces

    def run(self) -> None:
        """Search until a judged test reproduces the crash or the budget is used up. A second engine starts, with another seed,
        where the first ended on a test that the judge refused, or that does not turn green with the fix."""
        seed = self.settings.search.seed
        if self._time_to_search() <= 0 and not self.evaluations and not self.candidates:
            raise self._no_time(
                f"The budget ended before the first test: reading the report and the sources took "
                f"{self.deadline.elapsed():.1f} s, and the end of the budget is reserved for verifying tests."
            )
        rounds = 0
        while not self.is_settled and self.has_time and rounds < _MOST_FOR_GREEN:
            rounds += self.reproduced
            self.evaluations_before += self._evaluations_now
            self._evaluations_now = 0
            reason = self._search(seed)
            self.judge_best()
            if reason is not EndReason.REPRODUCED:
                break
            seed += 1000
        if not self.reproduced:
            self.judge_best()
        if self.reason is EndReason.BUDGET and self.ready is not None and not self.evaluations and not self.candidates:
            # No test was run: that is no search, and says nothing of the crash.
            raise self._no_time(f"The budget ended before the first test: the import alone took {self.ready.import_seconds:.1f} s.")

    def run_until_interrupted(self) -> bool:
        """As :meth:`run`; whether the user interrupted it. Then what was found is judged, and another interrupt goes through."""
        try:
            self.run()
        except KeyboardInterrupt:
            self.listen(Interrupted())
            self.leave_nothing()
            self.judge_best()
            return True
        return False

    @property
    def is_settled(self) -> bool:
        """There is no better test to be had: the best one also turns green with the fix, where that is known."""
        return self.best is not None and self.best.is_best

    @property
    def start_seconds(self) -> float:
        """What its engine took to start."""
        return self._engine_start

    @property
    def used(self) -> float:
        """The part of the seconds for searching that is used up."""
        if self.deadline.seconds is None:
            return 0.0
        left = self._time_to_search()
        return 1.0 - left / max(_TICK, left + self.deadline.elapsed())

    @property
    def has_time(self) -> bool:
        """A search can begin."""
        return self._time_to_search() > min(self.usual_start, _LEAST_SEARCH) and self._evaluations_left() > 0

    def leave_nothing(self) -> None:
        """All that is left of the time is for this search."""
        self.rest = self._kept = 0.0

    def judge_best(self) -> None:
        """Judge what has not been judged, the most promising first, until one reproduces the crash or time is up."""
        least = 4 if self.whole_only else _TELLING if self.rest else 1
        open_ones = [
            (number, found) for number, found in enumerate(self.candidates) if number not in self._judged and found.level >= least
        ]
        order = sorted(open_ones, key=_promise, reverse=True)
        for number, found in order[:_MOST_JUDGED]:
            if self.is_settled or self.deadline.left() <= 0:
                return
            if self.best is not None and found.level <= self.best.level and not (self.reproduced and found.level == 4):
                return
            finished = self.finish(found, self.deadline.left)
            if finished.verification.levels or not finished.verification.cut_off:
                # Only now: an interrupted judgement is made again, and so is one that the clock cut off, while there is time.
                self._judged.add(number)
            self._consider(finished)

    def _consider(self, finished: FinishedTest) -> None:
        if finished.found.level == 4 and not finished.reproduces:
            reason = "; ".join(finished.legality.forbidden) or finished.verification.missing or "the fresh runs disagree"
            if reason not in self.rejected:
                self.rejected.append(reason)
            self.listen(CandidateRejected(reason))
        if self.best is None or finished.worth > self.best.worth:
            self.best = finished

    def _search(self, seed: int) -> EndReason:
        """One engine from start to end; the reason why it ended."""
        start = self.deadline.elapsed()
        seconds = self._time_to_search()
        evaluations = self.settings.budget.evaluations
        budget = Budget(
            None if self.deadline.seconds is None else seconds * (1.0 - self.rest),
            None if evaluations is None else max(1, evaluations - self.evaluations_before),
        )
        limits = self.settings.limits
        if seconds < limits.import_seconds:
            limits = replace(limits, import_seconds=round(max(_LEAST_IMPORT, seconds), 1))
        if seconds < limits.longest_import:
            limits = replace(limits, longest_import=round(max(_LEAST_IMPORT, seconds), 1))
        search = replace(self.settings.search, seed=seed)
        engine = self.start_engine(replace(self.settings, budget=budget, search=search, limits=limits))
        try:
            self.reason = self._listen_to(engine)
            return self.reason
        finally:
            for message in engine.stop():
                if isinstance(message, Found):
                    self._take(message)
            self.search_seconds += self.deadline.elapsed() - start

    def _listen_to(self, engine: Engine) -> EndReason:
        begin = told = self.deadline.elapsed()
        asked = False
        grace: float | None = None  # elapsed seconds after which a crash seen is judged as it is
        while engine.running:
            message = engine.next(_TICK)
            insight = self.news()
            if insight is not None:
                engine.inform(insight)
            if self.enough():
                return EndReason.STOPPED
            now = self.deadline.elapsed()
            if self.progress is None and not self.candidates and now - told >= SLOW:
                told = now
                runs = self.ready is not None
                self.listen(Preparing(now - begin - (self._engine_start if runs else 0.0), runs))
            if isinstance(message, Finished):
                self.hints, self.refused, self.allowances = message.hints, message.refused, message.allowances
                self.stopped_at, self.unprepared = message.stopped_at, message.unprepared
                self._evaluations_now = message.evaluations
                return message.reason
            if isinstance(message, Failed) and self.candidates:
                self.incidents.append(f"the engine stopped early: {message.text}")
                return EndReason.STOPPED
            if isinstance(message, Ready) and self.ready is None:
                self._engine_start = now - begin
            if message is not None:
                self._take(message)
            if isinstance(message, Ready) and self.rest:
                self._kept = 0.0
                self._kept = self.rest * self._time_to_search()  # what was imported until now is of use to the others too
            crashed = isinstance(message, Found) and message.level == 4 and message.settled
            if crashed and grace is None and self.deadline.seconds is not None:
                grace = now + MINIMISATION_SECONDS
            if grace is not None and now >= grace:
                return EndReason.REPRODUCED
            if self._kept and self._time_to_search() <= -self._patience() and not self._evaluations_now and not self.candidates:
                self._kept = 0.0  # no test was run yet, and a search from another frame would have to prepare as much
            has_run = bool(self._evaluations_now or self.candidates)
            if self._kept and not asked and has_run and self._time_to_search() <= 0:
                asked = True  # its own budget ends later, by the time that the import took
                engine.ask_for_results()
            if self._time_to_search() <= -self._patience():
                if self.ready is None:
                    raise self._no_time("The budget ended before the first test: the package was still being imported and read.")
                return EndReason.BUDGET
        return EndReason.STOPPED

    def _take(self, message: Message) -> None:
        if isinstance(message, Progress | BestTests | CandidateTried):
            self.hear(message)
        match message:
            case Ready():
                self.ready = message
                self.listen(EngineStarted(message))
            case Progress():
                if self.progress is None or message.evaluations >= self._evaluations_now:
                    self.progress = message
                self._evaluations_now = message.evaluations
                speed = message.evaluations / message.seconds if message.seconds > 0 else 0.0
                left = None if self.deadline.seconds is None else max(0.0, self.deadline.left())
                self.listen(Searching(message, speed, left))
            case Found():
                self.candidates.append(message)
                if message.level == 4:
                    self._keep_for_fresh_runs()
                self._evaluations_now = max(self._evaluations_now, message.evaluations)
                self.listen(BetterTest(message))
            case CandidateTried():
                self.tried[message.name] = message
                self.listen(SuggestionTried(message))
            case BestTests():
                self.keep(replace(message, evaluations=self.evaluations_before + message.evaluations))
            case StandsStill():
                self.stands_still()
            case Incident():
                self.incidents.append(message.text)
                self.listen(EngineIncident(message))
            case Failed(kind=FailureKind.SLOW_IMPORT | FailureKind.WAITING_IMPORT):
                waits = message.kind is FailureKind.WAITING_IMPORT
                raise self._no_time(message.text if waits else f"The budget ended before the first test: {message.text}", waits)
            case Failed():
                raise failure(message)

    def _no_time(self, text: str, waits: bool = False) -> EnvironmentProblem:
        """What is said of a package that is imported too slowly, or never."""
        budget = self.settings.budget.seconds
        short = not waits or (budget is not None and budget < 2 * self.settings.limits.import_seconds)
        more = f"Give it more time: --budget {max(60.0, 5 * budget):g}." if short and budget is not None else ""
        if more and not waits:
            return NoTime(text, more)
        return EnvironmentProblem(text, more or WAITING_ADVICE)

    def _patience(self) -> float:
        """Seconds for an engine that does not keep its own budget. With something in hand they belong to the fresh runs, unless
        searches from other frames follow: an engine that came to its end serves them too, which saves them the import."""
        if any(found.level == 4 for found in self.candidates):
            return _TICK
        return _TO_COME_TO_ITS_END if self._kept > 2 * _TO_COME_TO_ITS_END else _TICK if self._needs_judging else 1.0

    @property
    def _needs_judging(self) -> bool:
        return any(found.level == 4 or not self.whole_only for found in self.candidates)

    def _time_to_search(self) -> float:
        return self.deadline.left() - self._to_judge() - self._kept

    def _to_judge(self) -> float:
        """Seconds at the end that are not for the search: as long as nothing is found they are for one fresh run."""
        if self._crash_reserve is not None:
            return self._crash_reserve
        return self._reserve(2 if self._needs_judging else 1)

    def _reserve(self, runs: int) -> float:
        imported = self.ready.import_seconds if self.ready is not None else 0.0
        return self.deadline.reserve(imported, max(self._engine_start, self.usual_start), runs)

    def _keep_for_fresh_runs(self) -> None:
        """The crash was seen. Late in the budget, what is left is divided between making the test smaller and judging it."""
        if self._crash_reserve is None and self.deadline.seconds is not None:
            late = max(self._reserve(1), self.deadline.left() / 2)
            self._crash_reserve = min(self._reserve(FRESH_RUNS), late)

    def _evaluations_left(self) -> float:
        allowed = self.settings.budget.evaluations
        return float("inf") if allowed is None else allowed - self.evaluations


def _promise(numbered: tuple[int, Found]) -> tuple[int, float, bool, int, int]:
    """How much a test promises: where the crash is the report's, its distance says what else of the report it shows."""
    number, found = numbered
    return found.level, -found.distance if found.level == 4 else 0.0, found.legal, found.frames, number
