"""Forks that go ahead of a search (``protocol.Scouting``): each is disposable, and what it has saved when it ends, however it ends,
is all that is wanted of it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

from crashwright.core.messages import AnyStart
from crashwright.engine.execution.enclosure import Enclosure
from crashwright.engine.execution.heartbeat import Heartbeat, HeartbeatCell, HeartbeatState
from crashwright.engine.execution.isolation.isolation import Isolation
from crashwright.engine.worker.channel import Checkpoints, SilentChannel
from crashwright.engine.worker.engine import run_engine
from crashwright.engine.worker.folders import Folders
from crashwright.engine.worker.protocol import Resume, Scouting, Workbench
from crashwright.engine.worker.watch import Watch

MOST_DEATHS = 3
"""Of forks, in all: what they died of is left out by those after them, but it may be anything that a call does."""


class Scouts:
    """``control`` is only watched for its end. ``defect`` is told how an error of our own ended one."""

    def __init__(
        self,
        session: Scouting,
        start: AnyStart,
        folders: Folders,
        isolation: Isolation,
        enclosure: Enclosure,
        control: int,
        clock: Callable[[], float],
        defect: Callable[[str], None],
    ) -> None:
        self._session = session
        self._defect = defect
        self._start = start
        self._folders = folders
        self._isolation = isolation
        self._enclosure = enclosure
        self._heartbeat = Heartbeat()
        self._checkpoints = Checkpoints(self._heartbeat, folders.root)
        self._watch = Watch(self._heartbeat, control, clock)
        self._clock = clock
        self._barred: set[int] = set()

    def run(self) -> bytes | None:
        """All of them. What they have saved last."""
        begin, deaths, number, wanted = self._clock(), 0, 0, self._session.scouts()
        cells, files = self._heartbeat.cells, self._files()
        while number < wanted and deaths < MOST_DEATHS:
            cause = self._watch.end_of(self._fork(number + deaths, self._clock() - begin))
            if self._files() != files:
                self._isolation.empty_folders()
                files = self._files()
            if cause is None:
                break
            if cells[HeartbeatCell.STATE] == HeartbeatState.DONE:
                number += 1
                continue
            deaths += 1
            if cells[HeartbeatCell.STATE] == HeartbeatState.FAILED:
                self._defect(self._heartbeat.reason())
            elif cells[HeartbeatCell.RUNNING]:
                self._barred.add(cells[HeartbeatCell.KEY])
        return self._checkpoints.load()

    def _files(self) -> list[str]:
        """What there is in the folders that tests may fill."""
        every = (found for folder in self._folders.all for found in os.walk(folder))
        return sorted(os.path.join(path, name) for path, folders, files in every for name in ("", *folders, *files))

    def _fork(self, generation: int, seconds: float) -> int:
        self._heartbeat.reset()
        resume = Resume(None, frozenset(self._barred), seconds, generation, scouted=self._checkpoints.load())
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            run_engine(
                session=_Ahead(self._session),
                start=self._start,
                channel=SilentChannel(self._checkpoints),
                heartbeat=self._heartbeat,
                isolation=self._isolation,
                folders=self._folders,
                enclosure=self._enclosure,
                resume=resume,
                tolerated=frozenset(),
            )
        return pid


class _Ahead:
    """What a fork runs that goes ahead."""

    def __init__(self, session: Scouting) -> None:
        self._session = session

    def run(self, bench: Workbench, resume: Resume) -> None:
        """As of ``protocol.Session``."""
        self._session.scout(bench, resume)
