"""The one small interface between rewritten code and what records it, so that a compiled twin can replace the Python probes.

Rewritten code evaluates every expression of the subject itself, in the subject's own frame; a probe only sees the result and the
operands, and hands the result back. So there is no frame of ours beneath subject code, whatever ``__eq__`` or ``__bool__`` it runs,
and a probe costs the stack one frame above the subject's (its helpers do without a measure where there is no room for them).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from crashwright.engine.instrument.activation import RecordedActivation
from crashwright.engine.instrument.layout import State

Result = TypeVar("Result")
Measure = Callable[[Sequence[object]], tuple[float, float]]
"""The distance of a function's arguments from what they are to be, 0 where they are; and from what of it leads to the line of the
report."""
NotedValue = str | bytes | int | float


class Measured(Protocol):
    """A probe of a condition with one or two operands.

    ``spent`` is always None: its argument expression empties the temporaries that carried the operands, so that no object of the
    subject lives longer than it would.
    """

    def __call__(self, state: State, slot: int, result: Result, left: object, right: object, spent: None, /) -> Result: ...


class Truth(Protocol):
    """The probe of an operand's truth: ``result`` is ``bool(operand)``."""

    def __call__(self, state: State, slot: int, result: Result, operand: object, spent: None, /) -> Result: ...


class OutcomeProbe(Protocol):
    """The probe of a condition with nothing but an outcome, or of an operand alone."""

    def __call__(self, state: State, slot: int, result: Result, /) -> Result: ...


class ComparedProbe(Protocol):
    """The probe that evaluates a comparison, ``OPERATORS[operator]``, itself: in comprehensions there are no temporaries."""

    def __call__(self, state: State, slot: int, operator: int, left: object, right: object, /) -> object: ...


class Indexed(Protocol):
    """The probe of ``container[index]`` where the crash is wanted; gives the index back. ``spent`` as in ``Measured``."""

    def __call__(self, state: State, slot: int, container: object, spent: None, index: Result, /) -> Result: ...


class Entered(Protocol):
    """The probe of a function's arguments as it is entered; ``function`` is its number."""

    def __call__(self, state: State, slot: int, function: int, arguments: tuple[object, ...], /) -> None: ...


class Chain(Protocol):
    """The probe of a chained comparison. Operands that were not evaluated are ``UNSET``, to which the expression of ``unset`` has
    set their temporaries; the last of ``operands`` is ``spent``."""

    def __call__(
        self,
        state: State,
        slot: int,
        operators: tuple[int, ...],
        unset: object,
        result: Result,
        /,
        *operands: object,
    ) -> Result: ...


class EnterProbe(Protocol):
    """Gives the state of the activation of the frame that calls."""

    def __call__(self, function: int, /) -> State: ...


class Resumed(Protocol):
    """The probe of a pause that is over; hands back what came of it."""

    def __call__(self, result: Result, /) -> Result: ...


class Probes(Protocol):
    """What rewritten code calls, and what the recorder does with it.

    In a test the result is True or False; elsewhere it may be any object, and is then handed back without being looked at. No probe
    calls a method of a class of the subject, and none raises (but RecursionError and MemoryError, when there is no room for the
    call itself).
    """

    @property
    def enter(self) -> EnterProbe:
        """A new activation. Called at the beginning of a chosen function."""

    @property
    def current(self) -> EnterProbe:
        """The activation that ``enter`` gave to the frame before; for functions that look at their local names."""

    @property
    def lt(self) -> Measured:
        """``left < right``, or ``right > left``."""

    @property
    def le(self) -> Measured:
        """``left <= right``, or ``right >= left``."""

    @property
    def eq(self) -> Measured:
        """``left == right``; where one of the two is a constant of the source it is handed over as ``right``."""

    @property
    def ne(self) -> Measured:
        """``left != right``, its operands as for ``eq``."""

    @property
    def in_(self) -> Measured:
        """``left in right``."""

    @property
    def not_in(self) -> Measured:
        """``left not in right``."""

    @property
    def isinstance_(self) -> Measured:
        """``isinstance(left, right)``."""

    @property
    def startswith(self) -> Measured:
        """``left.startswith(right)``."""

    @property
    def endswith(self) -> Measured:
        """``left.endswith(right)``."""

    @property
    def text_is(self) -> Measured:
        """``left.isdigit()`` and its kin; ``right`` is the name of the method."""

    @property
    def truth(self) -> Truth:
        """The truth of an operand in a test."""

    @property
    def value(self) -> OutcomeProbe:
        """An operand of ``and`` / ``or`` outside a test, recorded only where its truth can be told without asking the subject."""

    @property
    def flag(self) -> OutcomeProbe:
        """``is``, a regular expression, and whatever else has no operands to measure."""

    @property
    def except_(self) -> OutcomeProbe:
        """The classes of an ``except`` clause, about to be matched with the current exception; handed back as they are."""

    @property
    def except_star(self) -> OutcomeProbe:
        """The classes of an ``except*`` clause, likewise: false is noted where nothing in the group matches, true never."""

    @property
    def exhausted(self) -> OutcomeProbe:
        """What a comprehension made, now that it has ended: false, there are no more items."""

    @property
    def chain(self) -> Chain:
        """A chained comparison."""

    @property
    def compared(self) -> ComparedProbe:
        """A comparison in a comprehension."""

    @property
    def index(self) -> Indexed:
        """An index or key about to be looked up: true where that will fail."""

    @property
    def divisor(self) -> OutcomeProbe:
        """The right operand of ``/``, ``//`` or ``%``, about to divide: true where that will fail."""

    @property
    def resumed(self) -> Resumed:
        """What a pause of a generator or coroutine gave: whoever goes on with it is its caller now."""

    @property
    def entered(self) -> Entered:
        """The arguments of a function that is entered: true where they fulfil a precondition of the crash."""

    def measure(self, function: int, measure: Measure, /) -> None:
        """How far the arguments of that function are from such a precondition."""

    def begin_entries(self) -> None:
        """A run begins: again its first entries are measured, and no more than a bounded number."""

    def begin(self) -> None:
        """Forget everything: a run begins. Its stack lies above the function that calls the caller of this."""

    def activations(self) -> Sequence[RecordedActivation]:
        """Those of the run so far, in order of their beginning."""

    def note(self, on: bool, /) -> None:
        """From now on note (or do not) the values that comparisons wanted; ``on`` forgets those noted before."""

    def note_orders(self, on: bool, /) -> None:
        """While values are noted: the operands of orderings of integers too, or not."""

    def noted(self) -> tuple[NotedValue, ...]:
        """The values noted last, oldest first; a bounded number."""

    def note_answers(self, on: bool, /) -> None:
        """From now on note with a value (or do not) what stood in its place."""

    def answers(self) -> tuple[tuple[NotedValue, NotedValue], ...]:
        """What was compared lately, each with what was wanted in its place; oldest first, a bounded number."""

    def keep_latest(self) -> None:
        """Those of the last run count."""

    def drop_latest(self) -> None:
        """Those of the last run do not count."""


OPERATORS = ("lt", "le", "gt", "ge", "eq", "ne", "is", "is_not", "in", "not_in")
"""The kinds of comparisons; ``Probes.compared`` and ``Probes.chain`` name them by index."""


class Unset:
    """An operand of a chained comparison that was not evaluated."""


UNSET = Unset()
