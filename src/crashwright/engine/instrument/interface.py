"""The one small interface between rewritten code and what records it, so that a compiled twin can replace the Python probes.

Rewritten code evaluates every expression of the subject itself, in the subject's own frame; a probe only sees the result and the
operands, and hands the result back. So there is no frame of ours beneath subject code, whatever ``__eq__`` or ``__bool__`` it runs.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

from crashwright.engine.instrument.trace import Activation

Result = TypeVar("Result")
Wanted = str | bytes | int | float


class Probes(Protocol):
    """What rewritten code calls. Each probe is ``(activation, predicate, result, operands..., spent) -> result``.

    ``spent`` is always None: its argument expression empties the temporaries that carried the operands, so that no object of the
    subject lives longer than it would. In a test ``result`` is True or False; elsewhere it may be any object and is then handed
    back without being looked at. No probe calls a method of a class of the subject, and none raises (but RecursionError and
    MemoryError, when there is no room for the call itself).
    """

    def enter(self, function: int, /) -> Activation:
        """A new activation of ``function`` for the frame that calls this; its first marker is set."""

    def current(self, function: int, /) -> Activation:
        """The activation that ``enter`` gave to the frame that calls this."""

    def lt(self, activation: Activation, predicate: int, result: Result, lesser: object, greater: object, spent: None, /) -> Result:
        """``lesser < greater``, or ``greater > lesser``."""

    def le(self, activation: Activation, predicate: int, result: Result, lesser: object, greater: object, spent: None, /) -> Result:
        """``lesser <= greater``, or ``greater >= lesser``."""


    def eq(self, activation: Activation, predicate: int, result: Result, given: object, wanted: object, spent: None, /) -> Result:
        """``given == wanted``; where one of the two is a constant of the source it is ``wanted``, on whichever side it stands."""

    def ne(self, activation: Activation, predicate: int, result: Result, given: object, wanted: object, spent: None, /) -> Result: ...
    def in_(self, activation: Activation, predicate: int, result: Result, item: object, items: object, spent: None, /) -> Result: ...
    def not_in(self, activation: Activation, predicate: int, result: Result, item: object, items: object, spent: None, /) -> Result: ...

    def compared(self, activation: Activation, predicate: int, operator: int, left: object, right: object, /) -> object:
        """Evaluates the comparison ``interface.OPERATORS[operator]`` itself: for comprehensions, where there are no temporaries."""

    def chain(self, activation: Activation, predicate: int, result: Result, operators: tuple[int, ...], /, *operands: object) -> Result:
        """A chained comparison. Operands that were not evaluated are ``UNSET``; the last argument is ``spent``."""

    def truth(self, activation: Activation, predicate: int, result: Result, operand: object, spent: None, /) -> Result:
        """``result`` is ``bool(operand)``."""

    def value(self, activation: Activation, predicate: int, operand: Result, /) -> Result:
        """An operand of ``and`` / ``or`` outside a test: recorded only where its truth can be told without asking the subject."""

    def flag(self, activation: Activation, predicate: int, result: Result, /) -> Result:
        """A condition with nothing but an outcome (``is``, a regular expression, whatever has no operands to measure)."""

    def isinstance_(
        self, activation: Activation, predicate: int, result: Result, instance: object, classes: object, spent: None, /
    ) -> Result: ...
    def startswith(
        self, activation: Activation, predicate: int, result: Result, text: object, prefix: object, spent: None, /
    ) -> Result: ...
    def endswith(
        self, activation: Activation, predicate: int, result: Result, text: object, suffix: object, spent: None, /
    ) -> Result: ...
    def text_is(self, activation: Activation, predicate: int, result: Result, text: object, method: str, spent: None, /) -> Result:
        """``text.isdigit()`` and its kin; ``method`` is the name."""

    def except_(self, activation: Activation, predicate: int, classes: Result, /) -> Result:
        """The classes of an ``except`` clause, about to be matched with the current exception; handed back as they are."""

    def begin(self) -> None:
        """Forget everything: a run begins. Its stack lies above the function that calls the caller of this."""

    def activations(self) -> list[Activation]:
        """Those of the run so far, in order of their beginning."""

    def note(self, on: bool, /) -> None:
        """From now on note (or do not) the values that comparisons wanted."""

    def noted(self) -> tuple[Wanted, ...]:
        """The values noted last, oldest first; a bounded number."""


OPERATORS = ("lt", "le", "gt", "ge", "eq", "ne", "is", "is_not", "in", "not_in")
"""The kinds of comparisons; ``Probes.compared`` and ``Probes.chain`` name them by index."""


class Unset:
    """An operand of a chained comparison that was not evaluated."""


UNSET = Unset()
