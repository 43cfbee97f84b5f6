"""Tests for preconditions, one after the other: for each class that the receiver may be of, and in each form in which the call can
be written, as the report shows it first.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Sequence
from typing import Final

from crashwright.core.location import CodeKey
from crashwright.core.precondition import Precondition
from crashwright.engine.testcase.testcase import TestCase
from crashwright.symbolic.composition.construction import Construction, EnoughTests
from crashwright.symbolic.composition.echoed import EchoedNames
from crashwright.symbolic.composition.entrances import Entrance, EntranceShape, entrance
from crashwright.symbolic.composition.fillers import joined, words_of
from crashwright.symbolic.composition.goal import without
from crashwright.symbolic.composition.shown import shown_call
from crashwright.symbolic.composition.strategies import Choice
from crashwright.symbolic.composition.told import NOTHING_TOLD, ToldByReport
from crashwright.symbolic.composition.writing import WrittenLine
from crashwright.symbolic.execution.limits import Limits, OutOfTime
from crashwright.symbolic.execution.sources import SourceProgram
from crashwright.symbolic.solving.solver import Solver

STEPS: Final = 40
"""Of one precondition, where they are counted."""
_OF_OBJECTS: Final = (EntranceShape.METHOD, EntranceShape.PROPERTY)
MOST_WORDS: Final = 20
"""Of the functions of all frames."""
MOST_RECEIVERS: Final = 3
"""Classes that the receiver of the call may be of."""


class Composer:
    """Tests for one precondition after the other. ``told`` hears of each."""

    def __init__(
        self,
        program: SourceProgram,
        choice: Choice,
        solver: Solver,
        limits: Limits,
        told: Callable[[TestCase], None],
        told_of: ToldByReport = NOTHING_TOLD,
    ) -> None:
        self._told_of = told_of
        self._names = EchoedNames(program, told_of.package)
        self._program = program
        self._choice = choice
        self._solver = solver
        self._limits = limits
        self._told = told
        words = tuple(dict.fromkeys([word for key in told_of.frames for word in words_of(program.holder(key))]))
        self._values = (*told_of.quoted, *told_of.odd), (*joined(told_of.quoted, words), *words)[:MOST_WORDS]

    def fill(self, level: int, key: CodeKey, seconds: float) -> None:
        """The same for a function of whose precondition nothing is known: what the report quotes and plain values are passed."""
        entered = entrance(self._program, key)
        if entered is not None:
            line = self._line(entered) if level == self._told_of.outermost else None
            line = line or WrittenLine(None, self._names, *self._values)
            self._searched(Precondition(level, key, ()), entered, seconds, False, set(), line)

    def compose(self, precondition: Precondition, seconds: float) -> None:
        """Tell of tests, the most plausible first, for so long at most. Raises OutOfTime where the whole time is over."""
        entered = entrance(self._program, precondition.function)
        if entered is None:
            return
        if precondition.level == self._told_of.outermost and (line := self._line(entered)) is not None:
            self._searched(precondition, entered, seconds / 2, True, set(), line)
        contradicting: set[str] = set()
        for relaxed in (False, True) if precondition.unmodelled else (False,):
            if self._searched(precondition, entered, seconds / 2 if relaxed else seconds, relaxed, contradicting):
                return
        if contradicting:
            # What a class says of its own attributes is better known than what was guessed of them on the way back.
            self._searched(without(precondition, contradicting), entered, seconds / 2, True, contradicting)

    def _line(self, entered: Entrance) -> WrittenLine | None:
        """What the report shows of the call, where it does."""
        below = self._program.subclasses(entered.address) if entered.shape is EntranceShape.CONSTRUCTOR else ()
        shown = shown_call(self._told_of.lines, entered, [one.rpartition(":")[2].rpartition(".")[2] for one in below])
        if shown is None:
            return None
        receiver = shown.receiver
        is_variable = isinstance(receiver, ast.Name) and not receiver.id[:1].isupper()
        if receiver is not None and (entered.shape not in _OF_OBJECTS or is_variable or self._names.is_open(receiver)):
            shown = shown._replace(receiver=None)
        return WrittenLine(shown, self._names, *self._values)

    def _searched(
        self,
        precondition: Precondition,
        entered: Entrance,
        seconds: float,
        relaxed: bool,
        contradicting: set[str],
        line: WrittenLine | None = None,
    ) -> bool:
        """Whether there were tests."""
        limits, found = self._limits.within(seconds, STEPS), False
        for address in (one for _ in self._choice.tries() for one in self._receivers(entered)):
            search = Construction(
                self._program, self._choice, limits, entered, address, self._told, odd=self._told_of.odd, line=line
            )
            self._solver.push()
            with contextlib.suppress(OutOfTime, EnoughTests):
                search.run(precondition, self._solver, relaxed)
            self._solver.pop()
            contradicting |= search.contradicting
            found = search.count > 0
            if found:
                break
        self._limits.spend()
        return found

    def _receivers(self, entered: Entrance) -> Sequence[str]:
        if not entered.owner:
            return ("",)
        known = self._program.subclasses(entered.address)
        return sorted(known, key=self._likelihood, reverse=True)[:MOST_RECEIVERS]

    def _likelihood(self, address: str) -> tuple[bool, tuple[bool, int]]:
        lineage = [cls.key.name for cls in self._program.above(address)]
        return not self._program.is_abstract(address), self._told_of.likelihood(lineage[0] if lineage else "", lineage)
