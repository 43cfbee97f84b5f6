"""What the runs of tests complained of: the values that the words of their exceptions name."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from crashwright.core.message_rule import printed_message
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.search.message_facts import message_values
from crashwright.engine.subject.introspection import class_dict, class_module, class_mro
from crashwright.engine.testcase.making.at_hand import parts_of
from crashwright.engine.testcase.statements import FileFixture, Literal, Value
from crashwright.engine.testcase.testcase import TestCase

LONGEST_WORDS = 400
"""Characters of a message that are read."""
LONGEST, MOST = 60, 3
"""Characters of a text that is told, and values of one message."""
EACH, WAITING = 3, 6
"""Tests that are taken of those that ended in one place having come equally far, beside the best; and how many wait at once."""
_ARGUMENTS = vars(BaseException)["args"]
_PLAIN = (str, int, float, type(None))


def plain_words(error: BaseException) -> str:
    """The message, where printing it runs no code of the subject."""
    printer = next((cls for cls in class_mro(type(error)) if "__str__" in class_dict(cls)), None)
    if printer is None or class_module(printer) != "builtins":
        return ""
    if not all(any(type(one) is kind for kind in _PLAIN) for one in _ARGUMENTS.__get__(error)):
        return ""
    return printed_message(error)


def complained_of(error: BaseException) -> tuple[Value, ...]:
    """The names and whole numbers among them, such as the key that a look-up lacked; few."""
    values = message_values(plain_words(error)[:LONGEST_WORDS])
    found: list[Value] = [one for one in values if (type(one) is str and 0 < len(one) <= LONGEST) or type(one) is int]
    return tuple(found[:MOST])


class Complaint(NamedTuple):
    """``named`` are values, ``ended_at`` is the statement of ``test`` that raised, ``place`` where in the code that was."""

    test: TestCase
    named: tuple[Value, ...]
    ended_at: int
    fitness: float
    place: tuple[int, int, int]


class Complaints:
    """Of one search: a few for each place in which tests end, and that of each test which is better than all before."""

    def __init__(self) -> None:
        self._best = float("inf")
        self._ends: Counter[tuple[int, int, int]] = Counter()
        self._waiting: list[Complaint] = []

    def note(self, test: TestCase, outcome: Outcome, score: CrashScore) -> None:
        """One run."""
        better, self._best = score.fitness < self._best, min(score.fitness, self._best)
        if outcome.error is None or score.level or outcome.timed_out or not outcome.frames:
            return
        code, line, _ = outcome.frames[-1]
        end = id(code), line, score.frames
        if self._ends[end] >= EACH and not better:
            return
        named = complained_of(outcome.error)
        own = _own(test) if named else frozenset()
        named = tuple(value for value in named if issubclass(type(outcome.error), LookupError) or value in own)
        if named:
            self._ends[end] += 1
            self._waiting = [*self._waiting, Complaint(test, named, outcome.executed, score.fitness, end)][-WAITING:]

    def take(self) -> list[Complaint]:
        """Those since this was called last, the latest first."""
        taken, self._waiting = self._waiting[::-1], []
        return taken

    def give_up(self, complaint: Complaint) -> None:
        """What was tried instead came no nearer: of such tests only the best ones are told of from now on."""
        self._ends[complaint.place] = EACH


def _own(test: TestCase) -> frozenset[Value]:
    """The texts and numbers that it has, and their words."""
    wholes = [
        one.value if isinstance(one, Literal) else one.content for one in test.statements if isinstance(one, Literal | FileFixture)
    ]
    return frozenset(part for whole in wholes for part in (whole, *parts_of(whole)) if type(part) is str or type(part) is int)
