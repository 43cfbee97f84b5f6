"""Activations while they are recorded: the state that probes write to, read as ``trace.Activation`` only when somebody looks.

A run makes many activations and goals look at few, so hits, distances and the caller's line are worked out on demand.
"""

from __future__ import annotations

from itertools import islice
from types import CodeType
from typing import NamedTuple

from crashwright.core.location import Position
from crashwright.engine.instrument.distances import OPAQUE
from crashwright.engine.instrument.layout import FALSE, SETTLED, SLOT_SIZE, Branching, ProbeLayout, State, as_bits
from crashwright.engine.instrument.trace import INFINITE, Activation


class View(NamedTuple):
    """A state as goals read it."""

    hits: bytearray
    true_distance: dict[int, float]
    false_distance: dict[int, float]


class RecordedActivation(Activation):
    """``code`` runs in the frame; ``instruction`` is where the caller's code stood. Made by :func:`begun`, not by a constructor."""

    __slots__ = ("_view", "code", "instruction", "layout", "state")
    caller: RecordedActivation | None
    code: CodeType
    instruction: int
    layout: ProbeLayout
    state: State
    _view: View | None

    @property
    def caller_line(self) -> int:  # type: ignore[override]
        """See ``Activation``."""
        caller = self.caller
        if caller is None:
            return 0
        code, lines = caller.code, caller.layout.lines
        found = lines.get(self.instruction)
        if found is None or found[0] is not code:
            found = lines[self.instruction] = code, line_of(code, self.instruction)
        return found[1]

    @property
    def caller_position(self) -> Position | None:  # type: ignore[override]
        """See ``Activation``."""
        caller = self.caller
        if caller is None:
            return None
        code, places = caller.code, caller.layout.places
        found = places.get(self.instruction)
        if found is None or found[0] is not code:
            found = places[self.instruction] = code, place_of(code, self.instruction)
        return found[1]

    @property
    def marks(self) -> State:
        """See ``Activation``."""
        return self.state

    def distance_to(self, predicate: int, outcome: bool) -> float | None:
        """See ``Activation``; as ``_read`` does it, for one predicate."""
        state, layout = self.state, self.layout
        slot = layout.markers + SLOT_SIZE * predicate
        to_true, to_false = state[slot], state[slot + FALSE]
        evaluated = not to_true or not to_false
        if predicate in layout.branching:
            if state[layout.branching[predicate]]:
                to_true, to_false, evaluated = 0.0, to_false if evaluated else OPAQUE, True
            else:
                to_true = OPAQUE if to_true == INFINITE else to_true  # a pattern that is a value is measured
        if not evaluated:
            return None
        return to_true if outcome else to_false

    def settled(self, predicate: int) -> float:
        """See ``Activation``."""
        return self.state[self.layout.markers + SLOT_SIZE * predicate + SETTLED]

    def entries(self, predicates: int) -> State:  # noqa: ARG002 - the layout knows their number
        """See ``Activation``. The state itself: it goes on changing while the activation runs."""
        return self.state

    @property
    def told_by_markers(self) -> tuple[Branching, ...]:
        """See ``Activation``."""
        return self.layout.branchings

    def beyond(self, known: int) -> int:
        """See ``Activation``. Asked after every run and mostly nothing: only what is still open is looked at."""
        becomes_one, becomes_zero = self.layout.open_entries(known)
        state = self.state
        if any(becomes_one(state)) or 0 in becomes_zero(state):
            return self.reached() & ~known
        return 0

    def reached(self) -> int:
        """See ``Activation``."""
        return as_bits(self.state) ^ self.layout.untouched

    @property
    def hits(self) -> bytearray:  # type: ignore[override]
        """See ``Activation``."""
        return (self._view or self._read()).hits

    @property
    def true_distance(self) -> dict[int, float]:  # type: ignore[override]
        """See ``Activation``."""
        return (self._view or self._read()).true_distance

    @property
    def false_distance(self) -> dict[int, float]:  # type: ignore[override]
        """See ``Activation``."""
        return (self._view or self._read()).false_distance

    def forget_view(self) -> None:
        """The state may have changed."""
        self._view = None

    def _read(self) -> View:
        state, markers = self.state, self.layout.markers
        true: dict[int, float] = {}
        false: dict[int, float] = {}
        slot = markers
        for predicate in range(self.layout.predicates):
            to_true, to_false = state[slot], state[slot + FALSE]
            if not to_true or not to_false:
                true[predicate], false[predicate] = to_true, to_false
            slot += SLOT_SIZE
        for predicate, marker in self.layout.branchings:
            if state[marker]:
                true[predicate], false[predicate] = 0.0, false.get(predicate, OPAQUE)
            elif true.get(predicate) == INFINITE:
                true[predicate] = OPAQUE
        self._view = View(bytearray(state[:markers]), true, false)  # type: ignore[arg-type]
        return self._view


def begun(layout: ProbeLayout, code: CodeType) -> RecordedActivation:
    """A new activation without a caller."""
    activation = RecordedActivation.__new__(RecordedActivation)
    activation.function = layout.function
    activation.caller = None
    activation.code = code
    activation.instruction = 0
    activation.layout = layout
    activation.state = layout.template[:]
    activation._view = None
    return activation


def again(activation: RecordedActivation) -> RecordedActivation:
    """The same activation, to be given another caller: it goes on recording to the same state."""
    made = RecordedActivation.__new__(RecordedActivation)
    made.function, made.code, made.layout, made.state = activation.function, activation.code, activation.layout, activation.state
    made._view = None
    return made


def place_of(code: CodeType, instruction: int) -> Position | None:
    """The source range of an instruction offset; None where the compiler recorded none."""
    line, end_line, column, end_column = next(islice(code.co_positions(), instruction // 2, None), (None,) * 4)
    if line is None or end_line is None or column is None or end_column is None:
        return None
    return Position(line, column, end_line, end_column)


def line_of(code: CodeType, instruction: int) -> int:
    """The line of an instruction offset (``f_lasti``); that of the code where the compiler recorded none."""
    for start, end, line in code.co_lines():
        if start <= instruction < end:
            return code.co_firstlineno if line is None else line
    return code.co_firstlineno
