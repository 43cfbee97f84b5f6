"""The recorder: activations of instrumented functions, and the Python form of the probes (see ``interface``).

An activation finds its caller through a table from the identity of a frame to its activation. No frame is held, so the lifetime of
the subject's objects does not change; identities are used again, but an entry can mislead only if its frame is gone, and then the
frame that has the identity now either runs the same code, and so began by overwriting the entry, or fails the comparison of codes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import NamedTuple

from crashwright.engine.instrument import comparisons
from crashwright.engine.instrument.distances import MISMATCH, OPAQUE, to_affix, to_equal, to_member
from crashwright.engine.instrument.interface import OPERATORS, Enter, Measured, NotedValue, Probes, Result
from crashwright.engine.instrument.text_distances import difference
from crashwright.engine.instrument.trace import Activation, ProbedFunction, Trace

DEFAULT_LIMIT = 2000
NOTED = 256
NOTED_LENGTH = 100
NOTED_ITEMS = 16


class Notes:
    """The values that comparisons wanted: the last ``NOTED`` of them, so that those of the subject's inputs wear off."""

    __slots__ = ("on", "values")

    def __init__(self) -> None:
        self.on = False
        self.values: dict[tuple[type, NotedValue], None] = {}

    def add(self, value: object) -> None:
        kind = type(value)
        if kind is str or kind is bytes:
            if not 0 < len(value) < NOTED_LENGTH:  # type: ignore[arg-type]
                return
        elif kind is not int and kind is not float:
            return
        values = self.values
        if (kind, value) not in values:
            if len(values) >= NOTED:
                del values[next(iter(values))]
            values[kind, value] = None  # type: ignore[index]

    def add_items(self, items: object) -> None:
        kind = type(items)
        if kind is str or kind is bytes:
            self.add(items)
        elif kind is list or kind is tuple or kind is dict or kind is set or kind is frozenset:
            for item in list(items)[:NOTED_ITEMS] if len(items) <= 1000 else ():  # type: ignore[call-overload, arg-type]
                self.add(item)


class PythonProbes:
    """The probes in Python. Functions and closures rather than methods: the interpreter calls them fastest."""

    lt = staticmethod(comparisons.lt)
    le = staticmethod(comparisons.le)
    chain = staticmethod(comparisons.chain)
    truth = staticmethod(comparisons.truth)
    value = staticmethod(comparisons.value)
    flag = staticmethod(comparisons.flag)
    isinstance_ = staticmethod(comparisons.isinstance_)
    text_is = staticmethod(comparisons.text_is)
    except_ = staticmethod(comparisons.except_)

    def __init__(self, markers: list[int], limit: int) -> None:
        """``markers``: how many each function has; it grows as functions are registered."""
        self._notes = Notes()
        self.enter, self.current, self.begin, self.activations = _activating(markers, limit)
        self.eq, self.ne = _equality(self._notes)
        self.in_, self.not_in = _membership(self._notes)
        self.startswith = _affix(self._notes, at_start=True)
        self.endswith = _affix(self._notes, at_start=False)

    def compared(self, state: State, slot: int, operator: int, left: object, right: object, /) -> object:
        """See ``interface``. The one probe that has code of the subject above it in the stack."""
        result = comparisons.OPERATIONS[operator](left, right)
        kind = OPERATORS[operator]
        if kind in ("is", "is_not"):
            return self.flag(state, slot, result)
        if kind in ("gt", "ge"):
            left, right = right, left
            kind = "lt" if kind == "gt" else "le"
        probe = {"lt": self.lt, "le": self.le, "eq": self.eq, "ne": self.ne, "in": self.in_, "not_in": self.not_in}[kind]
        return probe(state, slot, result, left, right, None)

    def note(self, on: bool, /) -> None:
        self._notes.on = on

    def noted(self) -> tuple[NotedValue, ...]:
        return tuple(value for _, value in self._notes.values)


def _activating(layouts: list[Layout], limit: int) -> tuple[Enter, Enter, Callable[[], None], Callable[[], list[RecordedActivation]]]:
    """``enter``, ``current``, ``begin`` and ``activations`` around one state."""
    activations: list[RecordedActivation] = []
    frames: dict[int, RecordedActivation] = {}
    spares: dict[int, RecordedActivation] = {}
    floor = 0
    floor_code: CodeType | None = None
    getframe = sys._getframe
    kind = RecordedActivation
    new = RecordedActivation.__new__

    def spare(function: int, frame: FrameType) -> State:
        found = spares.get(function)
        if found is None:
            found = spares[function] = begun(layouts[function], frame.f_code)
        found.code = frame.f_code
        frames[id(frame)] = found
        return found.state

    def enter(function: int, /) -> State:
        frame = getframe(1)
        if len(activations) >= limit:
            return spare(function, frame)
        activation = new(kind)
        activation.function = function
        activation.code = frame.f_code
        activation.layout = layout = layouts[function]
        activation.state = state = layout.template[:]
        activation._view = None
        activations.append(activation)
        frames[id(frame)] = activation
        outer = frame.f_back
        while outer is not None:
            identity = id(outer)
            if identity in frames:
                caller = frames[identity]
                if caller.code is outer.f_code:
                    activation.caller = caller
                    activation.instruction = outer.f_lasti
                    return state
            if identity == floor and outer.f_code is floor_code:
                break
            outer = outer.f_back
        activation.caller = None
        return state

    def current(function: int, /) -> State:
        frame = getframe(1)
        found = frames.get(id(frame))
        return found.state if found is not None and found.code is frame.f_code else spare(function, frame)

    def begin() -> None:
        nonlocal activations, floor, floor_code
        frame = getframe(2)
        floor, floor_code = id(frame), frame.f_code
        activations = []
        frames.clear()

    return enter, current, begin, lambda: activations


def _equality(notes: Notes) -> tuple[Measured, Measured]:
    def eq(state: State, slot: int, result: Result, given: object, wanted: object, _spent: None, /) -> Result:
        if result is True:
            activation.true_distance[predicate] = 0.0
            other = activation.false_distance
            if predicate not in other:
                other[predicate] = OPAQUE
        elif result is False:
            activation.false_distance[predicate] = 0.0
            if notes.on:
                notes.add(wanted)
            other = activation.true_distance
            if predicate in other and not other[predicate]:
                return result
            try:
                distance = to_equal(given, wanted)
            except RecursionError:
                distance = OPAQUE
            if predicate not in other or distance < other[predicate]:
                other[predicate] = distance
        return result

    def ne(state: State, slot: int, result: Result, given: object, wanted: object, _spent: None, /) -> Result:
        if result is True:
            activation.true_distance[predicate] = 0.0
            if notes.on:
                notes.add(wanted)
            other = activation.false_distance
            if predicate in other and not other[predicate]:
                return result
            try:
                distance = to_equal(given, wanted)
            except RecursionError:
                distance = OPAQUE
            if predicate not in other or distance < other[predicate]:
                other[predicate] = distance
        elif result is False:
            activation.false_distance[predicate] = 0.0
            other = activation.true_distance
            if predicate not in other:
                other[predicate] = OPAQUE
        return result

    return eq, ne


def _membership(notes: Notes) -> tuple[Measured, Measured]:
    def absent(other: dict[int, float], predicate: int, item: object, items: object) -> None:
        if notes.on:
            notes.add_items(items)
        if predicate in other and not other[predicate]:
            return
        distance = to_member(item, items)
        if predicate not in other or distance < other[predicate]:
            other[predicate] = distance

    def in_(state: State, slot: int, result: Result, item: object, items: object, _spent: None, /) -> Result:
        if result is True:
            activation.true_distance[predicate] = 0.0
            if predicate not in activation.false_distance:
                activation.false_distance[predicate] = OPAQUE
        elif result is False:
            activation.false_distance[predicate] = 0.0
            try:
                absent(activation.true_distance, predicate, item, items)
            except RecursionError:
                activation.true_distance.setdefault(predicate, MISMATCH)
        return result

    def not_in(state: State, slot: int, result: Result, item: object, items: object, _spent: None, /) -> Result:
        if result is True:
            activation.true_distance[predicate] = 0.0
            try:
                absent(activation.false_distance, predicate, item, items)
            except RecursionError:
                activation.false_distance.setdefault(predicate, MISMATCH)
        elif result is False:
            activation.false_distance[predicate] = 0.0
            if predicate not in activation.true_distance:
                activation.true_distance[predicate] = OPAQUE
        return result

    return in_, not_in


def _affix(notes: Notes, at_start: bool) -> Measured:
    def affix(state: State, slot: int, result: Result, text: object, wanted: object, _spent: None, /) -> Result:
        if result is not False:
            return comparisons.flag(state, slot, result)
        if notes.on:
            notes.add_items(wanted)
        try:
            distance = to_affix(text, wanted, at_start)
        except RecursionError:
            distance = OPAQUE
        comparisons.record(activation, predicate, False, distance)
        return result

    return affix


class Recorder:
    """What instrumented functions did since the last ``reset``. One per engine: rewritten code is bound to
    its probes.

    At most ``limit`` activations are kept; later calls run on with activations that are thrown away.
    """

    def __init__(self, limit: int = DEFAULT_LIMIT, make: Callable[[list[int], int], Probes] | None = None) -> None:
        self._markers: list[int] = []
        self._branchings: list[tuple[Branching, ...]] = []
        self._functions: tuple[ProbedFunction, ...] = ()
        self.probes: Probes = (make or PythonProbes)(self._markers, limit)
        self.probes.begin()

    @property
    def functions(self) -> tuple[ProbedFunction, ...]:
        """All that were registered; activations hold indexes of it."""
        return self._functions

    def register(self, function: ProbedFunction, branchings: tuple[Branching, ...] = ()) -> int:
        """The number under which the function's activations will record."""
        self._functions = (*self._functions, function)
        self._markers.append(len(function.markers))
        self._branchings.append(branchings)
        return len(self._markers) - 1

    def reset(self) -> None:
        """A run begins; the frames of the caller and beneath it are not the subject's. Earlier
        activations stay as they are."""
        self.probes.begin()

    def trace(self) -> Trace:
        """What was touched since ``reset``. May be asked at any time, and again later."""
        activations = self.probes.activations()
        for activation in activations:
            activation.hits = bytearray(activation.marks)
            for predicate, marker in self._branchings[activation.function]:
                if activation.marks[marker]:
                    activation.true_distance[predicate] = 0.0
                    activation.false_distance.setdefault(predicate, OPAQUE)
                elif predicate in activation.false_distance:
                    activation.true_distance.setdefault(predicate, OPAQUE)
        return Trace(self._functions, activations)

    def note_wanted(self, on: bool) -> None:
        """From now on note, or do not note, the values that comparisons wanted (dynamic seeding)."""
        self.probes.note(on)

    @property
    def wanted(self) -> tuple[NotedValue, ...]:
        """The values noted last, oldest first: strings and bytes below 100 characters, numbers; at most 256."""
        return self.probes.noted()


def is_probe_code(code: CodeType) -> bool:
    """Whether a frame of this code is ours and to be stripped from tracebacks of the subject."""
    return code.co_filename in _FILES


_FILES = frozenset(
    code.co_filename for code in (is_probe_code.__code__, comparisons.lt.__code__, to_equal.__code__, difference.__code__)
)
