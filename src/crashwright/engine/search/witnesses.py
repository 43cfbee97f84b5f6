"""What runs show of sentences about a crash: that one holds whenever it happens, or that another one leads to it.

The arguments of the crash's functions are measured when they are entered, as for the search's guidance
(``goals.crash.precondition``). A run counts for a function that it enters once: which of several entries the crash came by is not
known. # Deviation: STAR never runs what it derives before it composes a test of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crashwright.core.location import CodeKey
from crashwright.core.messages import Witness
from crashwright.core.precondition import Precondition
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.goals.crash.precondition import FrameDistance
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.subject.introspection import loaded_dict

Held = tuple[bool | None, ...]
SAME_MESSAGE = (2, 4)
"""Levels of a run that raised the exception at its line with an agreeing message: anything less may be another failure there."""


class Witnesses:
    """A state object of one fork. ``counts`` stand in the order of the ``sentences``."""

    def __init__(self, sentences: Sequence[Precondition]) -> None:
        self._sentences = sentences
        self._entries: dict[CodeKey, list[Held]] = {}
        self.counts = [Witness() for _ in sentences]
        self.runs = 0
        """That entered one of the functions."""

    def watch(self, key: CodeKey, parameters: Sequence[str]) -> Callable[[Sequence[object]], None]:
        """Notes what holds of the arguments that the function is entered with."""
        distances = [FrameDistance([one], parameters, loaded_dict) for one in self._sentences if one.function == key]

        def entered(arguments: Sequence[object]) -> None:
            self._entries.setdefault(key, []).append(tuple([one.holds(arguments) for one in distances]))

        return entered

    def begin(self) -> None:
        """A run begins."""
        self._entries.clear()

    def note(self, outcome: Outcome, score: CrashScore) -> None:
        """A run has ended."""
        self.runs += bool(self._entries)
        if outcome.timed_out or (score.level and score.level not in SAME_MESSAGE):
            return
        places: dict[CodeKey, int] = {}
        for number, one in enumerate(self._sentences):
            place = places.get(one.function, 0)
            places[one.function] = place + 1
            entries = self._entries.get(one.function, ())
            if len(entries) == 1 and place < len(entries[0]):
                self._count(number, entries[0][place], bool(score.level) and score.agreeing >= one.level)

    def _count(self, number: int, holds: bool | None, crashed: bool) -> None:
        known = self.counts[number]
        if holds is not None:
            self.counts[number] = Witness(
                known.crashed + crashed,
                known.without + (crashed and not holds),
                known.held + holds,
                known.harmless + (holds and not crashed),
            )
