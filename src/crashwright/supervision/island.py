"""One island as the host sees it: an engine, and after its death another one in its place."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Protocol

from crashwright.core.messages import Failed, Finished, Message, Migrants

Seeds = tuple[dict[str, Any], ...]
"""Encoded tests."""


class IslandEngine(Protocol):
    """``supervision.engine_process.EngineProcess`` is one."""

    @property
    def running(self) -> bool: ...
    @property
    def was_killed(self) -> bool: ...
    def fileno(self) -> int: ...
    def next(self, seconds: float | None = 0.0) -> Message | None: ...
    def send(self, message: Message) -> None: ...
    def ask_to_stop(self) -> None: ...
    def stop(self, grace: float = 1.0) -> None: ...


RECENT = 4
"""Visitors that are sent once more to an engine that takes the place of a dead one."""


@dataclass(slots=True)
class Island:
    """One island over all its lives. ``before`` counts the evaluations of former lives, ``now`` those of this one; ``offset`` the
    epochs of former lives, since an engine counts its own from 0."""

    number: int
    share: int | None
    engine: IslandEngine
    heard: float
    life: int = 1
    before: int = 0
    offset: int = 0
    now: int = 0
    ready: bool = False
    begun: bool = False
    silent: bool = False
    kept: Seeds = ()
    """What an engine that takes the place of a dead one begins with."""
    inbox: list[Migrants] = field(default_factory=list)
    recent: list[Migrants] = field(default_factory=list)
    """The last visitors sent: an engine that is killed takes them with it, and the next one may wait for them."""
    end: Finished | Failed | None = None
    ended: float = 0.0
    """When that was, on the clock."""

    @property
    def count(self) -> int:
        """Its evaluations."""
        return self.before + self.now

    def left(self) -> int | None:
        """What is left of its share."""
        return None if self.share is None else self.share - self.count

    def deliver(self, migrants: Migrants) -> None:
        """Send it visitors, or keep them until it is ready."""
        self.recent = [*self.recent[1 - RECENT :], migrants]
        if self.ready:
            self.engine.send(replace(migrants, epoch=migrants.epoch - self.offset))
        else:
            self.inbox.append(migrants)


def island_seed(seed: int, number: int, life: int = 1) -> int:
    """The seed of an island's engine; that of the first is the user's."""
    return seed if (number, life) == (0, 1) else Random(f"{seed}/{number}/{life}").getrandbits(32)
