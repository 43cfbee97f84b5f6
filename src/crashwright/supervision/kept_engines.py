"""Engines that have done their search and are kept for one from another frame of the same crash: the package is imported, and its
sources are read.
"""

from __future__ import annotations

from collections.abc import Callable

from crashwright.core.messages import Message, Start
from crashwright.supervision.engine_process import EngineProcess

Launch = Callable[[str, Start], EngineProcess]


class KeptEngine:
    """An engine that is put aside when its search is over, where it can go on (``supervision.island.IslandEngine``)."""

    def __init__(self, process: EngineProcess, put_aside: Callable[[EngineProcess], None]) -> None:
        self._process = process
        self._put_aside = put_aside
        self._is_aside = False

    @property
    def running(self) -> bool:
        """Messages may still come."""
        return self._process.running

    @property
    def was_killed(self) -> bool:
        """See ``EngineProcess``."""
        return self._process.was_killed

    def fileno(self) -> int:
        """Of the message pipe."""
        return self._process.fileno()

    def next(self, seconds: float | None = 0.0) -> Message | None:
        """The next message."""
        return self._process.next(seconds)

    def send(self, message: Message) -> None:
        """Tell the engine something."""
        self._process.send(message)

    def ask_to_stop(self) -> None:
        """Unless it has stopped of itself."""
        if not (self._is_aside or self._process.can_go_on):
            self._process.ask_to_stop()

    def stop(self, grace: float = 1.0) -> None:
        """End its search, and the engine too unless it can go on with another one. May be called again."""
        if self._is_aside:
            return
        if self._process.can_go_on:
            self._is_aside = True
            self._put_aside(self._process)
        else:
            self._process.stop(grace)


class KeptEngines:
    """``launch`` starts an engine in an interpreter. Call :meth:`end` when no search will follow."""

    def __init__(self, launch: Launch) -> None:
        self._launch = launch
        self._aside: list[tuple[str, EngineProcess]] = []

    def start(self, python: str, start: Start) -> KeptEngine:
        """An engine that was put aside and fits, else another one. OSError goes through."""
        for entry in self._aside:
            known, process = entry
            if known == python and process.can_go_on and fits(process.started_for, start):
                self._aside.remove(entry)
                if process.go_on(start):
                    return self._kept(python, process)
                process.stop(0.0)
                break
        return self._kept(python, self._launch(python, start))

    def end(self) -> None:
        """End those that were put aside."""
        while self._aside:
            self._aside.pop()[1].stop(0.2)

    def _kept(self, python: str, process: EngineProcess) -> KeptEngine:
        return KeptEngine(process, lambda one: self._aside.append((python, one)))


def fits(before: object, start: Start) -> bool:
    """Whether an engine that was started for ``before`` has all that a search for ``start`` needs: the same package under the same
    settings, and probes in the functions of its frames."""
    if not isinstance(before, Start):
        return False
    old, new = before.settings, start.settings
    same = (old.search, old.path, old.allow, old.preparation) == (new.search, new.path, new.allow, new.preparation)
    if not same or new.search.flags != "none" or before.target.package != start.target.package:
        return False
    outer, inner = ([(frame.key, frame.line) for frame in one.target.frames] for one in (before, start))
    further_in = 0 < len(inner) <= len(outer) and outer[-len(inner) :] == inner
    return further_in and "<module>" not in (outer[0][0].qualname, inner[0][0].qualname)
