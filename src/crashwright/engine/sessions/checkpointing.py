"""What survives the death of a fork, of its zygote, or of the host: the best tests, written down at least once a second (or, where
evaluations alone are the budget, at fixed counts).

Checkpoints are for the next fork, ``BestTests`` for the host, which begins another engine or another run with them. Keeping draws
no random number and changes nothing of the search, so that the clock may say when.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from crashwright.core.messages import MESSAGES, BestTests, Message
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.testcase.codec import encode
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.channel import Channel

KEEP_SECONDS = 0.8
SHARE, LONGEST_PAUSE = 0.05, 5.0
"""Part of the time that keeping may take, where tests are long or the machine is busy; and seconds between two times at most."""
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Where a checkpoint cannot be written, the one before remains, and the host is told all the same."""
SURVIVORS = 30
"""How many tests the host is sent."""


class Saved:
    """What one fork leaves to the next: the tests worth keeping, and what it ``heard`` from the host that still holds."""

    def __init__(self, evaluations: int, tests: list[dict[str, Any]], heard: Iterable[Message] = ()) -> None:
        self.evaluations = evaluations
        self.tests = tests
        self.heard = tuple(heard)

    def dump(self) -> bytes:
        heard = [MESSAGES.to_json(message) for message in self.heard]
        return json.dumps([self.evaluations, self.tests, heard], separators=(",", ":")).encode()

    @classmethod
    def load(cls, data: bytes | None) -> Saved:
        if data is None:
            return cls(0, [])
        evaluations, tests, heard = json.loads(data)
        return cls(evaluations, tests, [MESSAGES.from_json(message) for message in heard])


class Checkpointing:
    """Keeps tests once :meth:`due`, or at once where it is asked to. ``waiting`` is told when the host is being waited for."""

    def __init__(
        self,
        channel: Channel,
        meter: BudgetMeter,
        saved: Saved,
        clock: Callable[[], float],
        waiting: Callable[[bool], None],
        told: int = SURVIVORS,
    ) -> None:
        """``told``: how many of the tests the host is sent."""
        self._channel = channel
        self._meter = meter
        self._saved = saved
        self._heard = saved.heard
        self._clock = clock
        self._waiting = waiting
        self._told = told
        self._last = clock()
        self._pause = KEEP_SECONDS
        self._encoded: dict[int, tuple[TestCase, dict[str, Any]]] = {}
        self._sent: list[dict[str, Any]] = []

    def note(self, message: Message) -> None:
        """What the host has said goes into the checkpoints from now on, in place of what it said of that kind before."""
        self._heard = (*(one for one in self._heard if type(one) is not type(message)), message)

    def due(self, now: float) -> bool:
        """Whether it is time to keep: a second is the most that may be lost, unless keeping takes long itself."""
        return now - self._last >= self._pause

    def keep(self, best: Sequence[TestCase]) -> None:
        """Write a checkpoint, and tell the host where the best tests are others than before: the best one stands first. Until there
        are tests, those of the fork before remain."""
        began = self._clock()
        tests = self._encode(best) or self._saved.tests
        self._saved = Saved(self._meter.evaluations, tests, self._heard)
        try:
            self._channel.checkpoint(self._saved.dump())
        except OSError as error:
            if error.errno not in _NO_ROOM:
                raise  # a test has closed our files: this process has to be replaced
        if tests[: self._told] != self._sent:
            self._sent = tests[: self._told]
            self._waiting(True)  # a host that was stopped reads nothing, and this may be more than a pipe holds
            self._channel.send(BestTests(self._meter.evaluations, self._meter.seconds, tuple(self._sent)))
            self._waiting(False)
        self._last = self._clock()
        self._pause = min(max(KEEP_SECONDS, (self._last - began) / SHARE), LONGEST_PAUSE)

    def _encode(self, tests: Sequence[TestCase]) -> list[dict[str, Any]]:
        """Most of them were encoded the last time."""
        known, self._encoded = self._encoded, {}
        for test in tests:
            self._encoded[id(test)] = known.get(id(test)) or (test, encode(test))
        return [data for _, data in self._encoded.values()]
