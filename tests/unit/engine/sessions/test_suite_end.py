"""What follows the search for a suite ends by the clock, and sooner where the host says so."""

from __future__ import annotations

import math

from hand_clock import Clock

from crashwright.engine.sessions.suite_end import TimeLeft


class _Host:
    def __init__(self) -> None:
        self.granted = math.inf

    def asked_to_stop(self) -> bool:
        return self.granted < math.inf


def test_until_the_clock_says_so() -> None:
    clock, host = Clock(10.0), _Host()
    left = TimeLeft(host, clock, 14.0)
    assert left() == 4.0
    clock.now = 15.0
    assert left() == -1.0
    assert TimeLeft(host, clock, math.inf)() == math.inf


def test_what_is_granted_counts_from_when_it_is_noticed_and_is_never_more_than_there_was() -> None:
    clock, host = Clock(10.0), _Host()
    left = TimeLeft(host, clock, 14.0)
    host.granted = 3.0
    assert left() == 3.0
    clock.now = 12.0
    assert left() == 1.0, "it is not granted again each time"
    host.granted = 0.0
    assert left() == 0.0
    host.granted = 9.0
    assert left() == 0.0
    late = TimeLeft(host, clock, 14.0)
    assert late() == 2.0
