"""Forks engines and looks after them: a heartbeat that stands still, a death, a wish for a fresh fork."""

from __future__ import annotations

import os
import re
import signal
from collections import Counter
from collections.abc import Callable

from crashwright.core.messages import AnyStart, Failed, FailureKind, Incident, IncidentKind
from crashwright.engine.execution.enclosure import Enclosure
from crashwright.engine.execution.heartbeat import Heartbeat, HeartbeatCell, HeartbeatState
from crashwright.engine.execution.isolation.ambient import CROWDED
from crashwright.engine.execution.isolation.isolation import FILES_LEFT_OPEN, Isolation
from crashwright.engine.testcase.quarantine import CallPattern
from crashwright.engine.worker.channel import Channel, Checkpoints
from crashwright.engine.worker.engine import run_engine
from crashwright.engine.worker.folders import Folders
from crashwright.engine.worker.protocol import Resume, Session
from crashwright.engine.worker.watch import Watch

SUSPECT = 2
"""A test that was the last one of so many forks that had to be renewed is to blame: it is not run again."""
MAX_FRUITLESS = 25
"""Forks in a row that came to nothing."""
MOST_DEFECTS = 5
"""Errors of our own that a search outlives, each told: the next fork begins with what the last one has kept, and draws anew."""
MAX_INCIDENTS = 20
MAX_REPEATS = 3
"""How often the host is told of the same incident."""
FRUITFUL_TESTS = 10
"""A fork that ran so many tests was worth it, though it came no further than one before: the budget ends it, not this watch."""
OF_USE = frozenset({CROWDED, FILES_LEFT_OPEN})
"""Reasons for which a new fork helps for many tests, each time."""
_PLACE = re.compile(r'^  File ".*?([^/\\"]+)", line (\d+)', re.MULTILINE)
RENEWALS_PER_REASON = 3
"""Forks for the same reason; after that the reason is passed over, since a new fork does not help for long."""


class ForkServer:
    """Runs forks one after the other until one is done, the host asks to stop, or nothing helps."""

    def __init__(
        self,
        session: Session,
        start: AnyStart,
        channel: Channel,
        heartbeat: Heartbeat,
        checkpoints: Checkpoints,
        isolation: Isolation,
        folders: Folders,
        enclosure: Enclosure,
        control: int,
        clock: Callable[[], float],
    ) -> None:
        """``control`` is only watched for its end: forks read what the host says, through ``channel``."""
        self._session = session
        self._start = start
        self._channel = channel
        self._heartbeat = heartbeat
        self._cells = heartbeat.cells
        self._checkpoints = checkpoints
        self._isolation = isolation
        self._folders = folders
        self._enclosure = enclosure
        self._clock = clock
        self._watch = Watch(heartbeat, control, clock)
        self._quarantine: set[int] = set()
        self._deaths: Counter[CallPattern] = Counter()
        self._banned: set[CallPattern] = set()
        self._renewals: dict[str, int] = {}
        self._last_tests: Counter[int] = Counter()
        self._incidents: Counter[str] = Counter()
        self._defects = 0
        self._fruitless = 0
        self._furthest = (0, 0)
        self._generation = 0
        self._lost = 0
        self._saves = 0

    def run(self) -> None:
        """Returns when the search is over; the last message to the host is then sent."""
        begin = self._clock()
        while True:
            now = self._clock()
            cause = self._watch.end_of(self._fork(now - begin))
            if cause is None or not self._go_on(cause):
                return
            self._generation += 1

    def _fork(self, seconds: float) -> int:
        self._heartbeat.reset()
        tolerated = frozenset(
            reason for reason, count in self._renewals.items() if count >= RENEWALS_PER_REASON and reason not in OF_USE
        )
        quarantine, banned = frozenset(self._quarantine), frozenset(self._banned)
        forgiven = 0 < self._generation == sum(self._renewals[reason] for reason in tolerated)
        resume = Resume(self._checkpoints.load(), quarantine, seconds, self._generation, self._lost, banned, forgiven)
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            run_engine(
                session=self._session,
                start=self._start,
                channel=self._channel,
                heartbeat=self._heartbeat,
                isolation=self._isolation,
                folders=self._folders,
                enclosure=self._enclosure,
                resume=resume,
                tolerated=tolerated,
            )
        return pid

    def _go_on(self, cause: str) -> bool:
        """Learn from the end of a fork. False where the search is over."""
        state = HeartbeatState(self._cells[HeartbeatCell.STATE])
        if state is HeartbeatState.DONE:
            return False
        if state is HeartbeatState.FAILED:
            detail = self._heartbeat.reason()
            self._defects += 1
            if self._defects > MOST_DEFECTS or not self._cells[HeartbeatCell.TESTS]:
                self._channel.send(Failed(FailureKind.INTERNAL, f"the engine failed: {_last_line(detail)}", detail))
                return False
            self._tell_defect(detail)
            return self._has_progressed()
        if state is HeartbeatState.RENEW:
            self._note_renewal(self._heartbeat.reason())
        else:
            self._note_death("used up its time and could not be interrupted" if state is HeartbeatState.STRUCK_OUT else cause)
        return self._has_progressed()

    def _tell_defect(self, detail: str) -> None:
        place = "".join(f" in {file}:{line}" for file, line in _PLACE.findall(detail)[-1:])
        told = f"a defect of crashwright ({_last_line(detail).partition(':')[0]}{place}), please report it; the search went on"
        self._report(Incident(IncidentKind.DEFECT, told))

    def _note_renewal(self, reason: str) -> None:
        self._renewals[reason] = self._renewals.get(reason, 0) + 1
        last = self._cells[HeartbeatCell.KEY]
        self._last_tests[last] += 1
        if self._last_tests[last] == SUSPECT:
            self._quarantine.add(last)
        if self._renewals[reason] == 1 or (self._renewals[reason] == RENEWALS_PER_REASON and reason not in OF_USE):
            passed_over = " (again; from now on ignored)" if self._renewals[reason] == RENEWALS_PER_REASON else ""
            self._report(Incident(IncidentKind.RENEWED, f"{reason}: the engine was restarted{passed_over}"))

    def _note_death(self, cause: str) -> None:
        if self._cells[HeartbeatCell.RUNNING]:
            self._quarantine.add(self._cells[HeartbeatCell.KEY])
            self._report(Incident(IncidentKind.KILLED, f"a test {cause}; it will not be run again"))
            self._blame()
        else:
            self._report(Incident(IncidentKind.DIED, f"the engine {cause} between two tests; it was restarted"))

    def _blame(self) -> None:
        """Ban what has ended more than one fork in the same way."""
        parts = self._heartbeat.call()
        for callee, how in zip(parts[::2], parts[1::2], strict=True):
            pattern = CallPattern(callee, how)
            self._deaths[pattern] += 1
            if self._deaths[pattern] >= pattern.deaths and pattern not in self._banned:
                self._banned.add(pattern)
                times = f"ended {pattern.deaths} engines; no test uses it any more"
                self._report(Incident(IncidentKind.BANNED, f"{pattern} {times}"))

    def _report(self, incident: Incident) -> None:
        self._incidents[incident.text] += 1
        times = self._incidents[incident.text]
        if times > MAX_REPEATS or self._incidents.total() > MAX_INCIDENTS:
            return
        last = f"{incident.text} (again; further cases are not shown)" if times == MAX_REPEATS else incident.text
        self._channel.send(Incident(incident.kind, last))

    def _has_progressed(self) -> bool:
        """Whether another fork is worth it; tells the host where it is not."""
        saves, tests = reached = (self._cells[HeartbeatCell.SEQUENCE], self._cells[HeartbeatCell.TESTS])
        self._lost = tests - self._cells[HeartbeatCell.SAVED] + (self._lost if saves == self._saves else 0)
        self._saves = saves
        self._fruitless = 0 if reached > self._furthest or tests >= FRUITFUL_TESTS else self._fruitless + 1
        self._furthest = max(self._furthest, reached)
        if self._fruitless < MAX_FRUITLESS:
            return True
        text = f"{MAX_FRUITLESS} engines in a row died, each after fewer than {FRUITFUL_TESTS} tests"
        self._channel.send(Failed(FailureKind.TARGET, text))
        return False


def _last_line(detail: str) -> str:
    return detail.strip().rpartition("\n")[2]
