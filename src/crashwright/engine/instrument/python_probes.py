"""The probes in Python (see ``interface``), which say what the compiled ones record too; and the activations around one state.

An activation finds its caller through a table from the identity of a frame to its activation. No frame is held, so the lifetime of
the subject's objects does not change; identities are used again, but an entry can mislead only if its frame is gone, and then the
frame that has the identity now either runs the same code, and so began by overwriting the entry, or fails the comparison of codes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from types import FrameType

from crashwright.engine.instrument import comparisons, entries, noting, sites
from crashwright.engine.instrument.activation import RecordedActivation, again, begun
from crashwright.engine.instrument.interface import OPERATORS, EnterProbe, Measure, NotedValue, Result, Resumed
from crashwright.engine.instrument.layout import ProbeLayout, State

_PAUSING = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR


class PythonProbes:
    """The probes in Python. Functions and closures rather than methods: the interpreter calls them fastest."""

    chain = staticmethod(comparisons.chain)
    truth = staticmethod(comparisons.truth)
    value = staticmethod(comparisons.value)
    flag = staticmethod(comparisons.flag)
    isinstance_ = staticmethod(comparisons.isinstance_)
    text_is = staticmethod(comparisons.text_is)
    except_ = staticmethod(comparisons.except_)
    except_star = staticmethod(comparisons.except_star)
    exhausted = staticmethod(comparisons.exhausted)
    index = staticmethod(sites.index)
    divisor = staticmethod(sites.divisor)

    def __init__(self, layouts: list[ProbeLayout], limit: int) -> None:
        """``layouts``: those of the functions by number; it grows as functions are registered."""
        self.notes = noting.Notes()
        self.enter, self.current, self.resumed, self.begin, self.activations = _activating(layouts, limit)
        self.lt, self.le = noting.ordering(self.notes)
        self.eq, self.ne = noting.equality(self.notes)
        self.in_, self.not_in = noting.membership(self.notes)
        self._entries = entries.Entries()
        self.entered, self.begin_entries = self._entries.entered, self._entries.begin
        self.startswith = noting.affix(self.notes, at_start=True)
        self.endswith = noting.affix(self.notes, at_start=False)

    def compared(self, state: State, slot: int, operator: int, left: object, right: object, /) -> object:
        """See ``interface``. The one probe that has code of the subject above it in the stack."""
        result = comparisons.OPERATIONS[operator](left, right)
        kind = OPERATORS[operator]
        if kind in ("gt", "ge"):
            left, right = right, left
            kind = "lt" if kind == "gt" else "le"
        probe = {"lt": self.lt, "le": self.le, "eq": self.eq, "ne": self.ne, "in": self.in_, "not_in": self.not_in}[kind]
        return probe(state, slot, result, left, right, None)

    def measure(self, function: int, measure: Measure, /) -> None:
        """See ``interface``."""
        self._entries.measures[function] = measure

    def note(self, on: bool, /) -> None:
        """See ``interface``."""
        self.notes.on = on
        if on:
            self.notes.clear()

    def note_orders(self, on: bool, /) -> None:
        """See ``interface``."""
        self.notes.orders = on

    def noted(self) -> tuple[NotedValue, ...]:
        """See ``interface``."""
        return tuple(self.notes.values)

    def drop_latest(self) -> None:
        """See ``interface``."""
        self.notes.drop()

    def note_answers(self, on: bool, /) -> None:
        """See ``interface``."""
        self.notes.answering = on

    def answers(self) -> tuple[tuple[NotedValue, NotedValue], ...]:
        """See ``interface``."""
        return tuple(self.notes.answers)

    def keep_latest(self) -> None:
        """See ``interface``."""
        self.notes.keep()


def _activating(
    layouts: list[ProbeLayout], limit: int
) -> tuple[EnterProbe, EnterProbe, Resumed, Callable[[], None], Callable[[], list[RecordedActivation]]]:
    """``enter``, ``current``, ``resumed``, ``begin`` and ``activations`` around one state."""
    # The hash of a frame is its identity, and unlike ``id`` and ``f_code`` it is no audit event: with an audit hook in place, as in
    # every engine, those cost 0.2 us each.
    activations: list[RecordedActivation] = []
    frames: dict[int, RecordedActivation] = {}
    spares: dict[int, RecordedActivation] = {}
    resumptions: dict[tuple[int, RecordedActivation | None, int], RecordedActivation] = {}
    floor = 0
    floor_globals: dict[str, object] = {}
    getframe = sys._getframe
    kind = RecordedActivation
    new = RecordedActivation.__new__

    def spare(function: int, frame: FrameType) -> State:
        found = spares.get(function)
        if found is None:
            found = spares[function] = begun(layouts[function], frame.f_code)
        found.code = frame.f_code
        frames[hash(frame)] = found
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
        activation.caller = None  # set first: the time limit may strike anywhere below
        first = not activations
        activations.append(activation)
        frames[hash(frame)] = activation
        if first:
            return state  # nobody can have called it
        outer = frame.f_back
        while outer is not None:
            identity = hash(outer)
            if identity in frames:
                caller = frames[identity]
                if caller.code is outer.f_code:
                    activation.instruction = outer.f_lasti
                    activation.caller = caller
                    return state
            if identity == floor and outer.f_globals is floor_globals:
                break
            outer = outer.f_back
        return state

    def current(function: int, /) -> State:
        frame = getframe(1)
        found = frames.get(hash(frame))
        return found.state if found is not None and found.code is frame.f_code else spare(function, frame)

    def resumed(result: Result, /) -> Result:
        inner: FrameType | None = getframe(1)
        known = frames.get(hash(inner))
        while inner is not None and known is not None:  # mostly whoever resumed it before does so again
            inner = inner.f_back
            caller = frames.get(hash(inner))
            if inner is None or caller is None or known.caller is not caller or known.instruction != inner.f_lasti:
                break
            if not caller.code.co_flags & _PAUSING:
                return result
            known = caller
        try:
            follow(getframe(1))
        except RecursionError:
            return result  # no room for our own calls: the caller that was known stays
        return result

    def follow(outer: FrameType | None) -> None:
        links: list[tuple[int, RecordedActivation, int]] = []
        while outer is not None:  # what was resumed together, as by ``yield from``, down to an ordinary caller
            identity = hash(outer)
            known = frames.get(identity)
            if known is not None and known.code is outer.f_code:
                links.append((identity, known, outer.f_lasti))
                if not known.code.co_flags & _PAUSING:
                    break
            elif identity == floor and outer.f_globals is floor_globals:
                break
            outer = outer.f_back
        caller, instruction = None, 0
        for identity, known, standing in reversed(links):
            if known.code.co_flags & _PAUSING:
                known = frames[identity] = resumption(known, caller, instruction)
            caller, instruction = known, standing

    def resumption(known: RecordedActivation, caller: RecordedActivation | None, instruction: int) -> RecordedActivation:
        before = 0 if known.caller is None else known.instruction
        if (known.caller is caller and before == instruction) or len(activations) >= limit:
            return known
        state = id(known.state)
        resumptions.setdefault((state, known.caller, before), known)
        place = state, caller, instruction
        found = resumptions.get(place)
        if found is None:
            found = resumptions[place] = again(known)
            found.caller, found.instruction = caller, instruction
            activations.append(found)
        return found

    def begin() -> None:
        nonlocal activations, floor, floor_globals
        frame = getframe(2)
        floor, floor_globals = hash(frame), frame.f_globals
        activations = []
        frames.clear()
        resumptions.clear()

    return enter, current, resumed, begin, lambda: activations
