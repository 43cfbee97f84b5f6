"""Migration between islands, as an island sees it: every so many evaluations its best tests leave for the next island of the ring,
and the best of the one before arrive.

Who left at epoch ``e`` is taken in at epoch ``e + 1``, both at fixed counts of evaluations, so that a seed and a budget of
evaluations repeat a run exactly; by then they have mostly arrived, and nobody waits. An island only waits where the budget is one
of evaluations and its neighbour is more than an epoch behind. ``supervision.islands`` passes the messages on and speaks for
islands that have ended.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from crashwright.core.messages import Migrants
from crashwright.engine.testcase.codec import encode
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.channel import Channel

EMIGRANTS = 3
_WAIT_SECONDS = 0.25
_SIGN_OF_LIFE = 40
"""Rounds of waiting after which the host, and the next island, hear that this one is still there."""


class Exchange:
    """``every`` evaluations make an epoch (0: there are no other islands). ``exact``: take in who is due, however long it takes;
    otherwise, who has arrived. ``waiting`` is told of the beginning and the end of a wait; ``over`` says that there is no time left
    to wait."""

    def __init__(
        self,
        channel: Channel,
        every: int,
        exact: bool,
        evaluations: int,
        waiting: Callable[[bool], None],
        over: Callable[[], bool],
        most: int = EMIGRANTS,
    ) -> None:
        """``most``: how many leave at a time."""
        self._channel = channel
        self._every = every
        self._exact = exact
        self._waiting = waiting
        self._over = over
        self._most = most
        # An island that goes on after a death does not go back to epochs that lie behind it.
        self._epoch = evaluations // every if every else 0
        self._arrived: dict[int, tuple[dict[str, Any], ...]] = {}
        self._begun = False
        self._latest = 0
        self._ended = False

    def pass_by(self, evaluations: int, best: Callable[[], Sequence[TestCase]]) -> list[dict[str, Any]]:
        """Called between two generations. Where an epoch has ended, sends the first few of ``best()`` and returns who arrived,
        encoded. The first call says that the search has begun in earnest, and after a death makes good for the epoch that was
        lost, for which somebody may wait."""
        if not self._every:
            return []
        epoch = evaluations // self._every
        if epoch > self._epoch or not self._begun:
            # Nobody leaves before the first epoch has ended: nobody waits for them, so that the clock would say when they arrive.
            leaving = best()[: self._most] if epoch else ()
            self._channel.send(Migrants(epoch, tuple([encode(test) for test in leaving])))
        self._begun = True
        if epoch == self._epoch:
            return []
        self._epoch = epoch
        if self._exact and self._over():
            return []  # it would be a matter of time who has arrived already
        self._listen(0.0)
        if self._exact:
            self._wait_for(self._epoch - 1)
        due = [epoch for epoch in sorted(self._arrived) if not self._exact or epoch < self._epoch]
        return [test for epoch in due for test in self._arrived.pop(epoch)]

    def _wait_for(self, epoch: int) -> None:
        if self._has(epoch):
            return
        self._waiting(True)
        rounds = 0
        while not self._has(epoch) and not self._over():
            rounds += 1
            if rounds % _SIGN_OF_LIFE == 0:
                self._channel.send(Migrants(self._epoch))
            self._listen(_WAIT_SECONDS)
        self._waiting(False)

    def _has(self, epoch: int) -> bool:
        return self._ended or self._latest >= epoch

    def _listen(self, seconds: float) -> None:
        for message in self._channel.receive(Migrants, seconds):
            self._ended = self._ended or message.last
            self._latest = max(self._latest, message.epoch)
            if message.tests:
                self._arrived[message.epoch] = message.tests
