"""What probes record, and what they stand for. Goals read these values; tests of goals make them by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from crashwright.core.location import CodeKey, Position

INFINITE = float("inf")


class Predicate(NamedTuple):
    """An atomic condition (see ``subject.flow.conditions``) with a probe: ``kind`` names the comparison (lt, eq, in, isinstance,
    truth ...), ``iter`` (at the iterable of a ``for``: true when the body is entered, false when it is exhausted), ``except``,
    ``entry`` (the arguments of the function whose place it has: true where they fulfil a precondition of the crash), or
    ``site`` (the index access or division that fails in the report: true when it is about to fail; no condition, and it may share
    its place with one)."""

    position: Position
    kind: str


class ProbedFunction(NamedTuple):
    """An instrumented code object. ``predicates`` and ``markers`` are indexed by the numbers that an activation records; a marker
    is the start of a statement (its position): recorded as soon as the statement begins."""

    key: CodeKey
    predicates: tuple[Predicate, ...]
    markers: tuple[Position, ...]


class Activation:
    """One call of an instrumented function. Of a generator or coroutine: one object, or (where resumptions are told) one for each
    place from which it was resumed; they share what they record, for the way to a line may begin in one and end in another.

    ``function`` indexes ``Trace.functions``. ``caller`` is the nearest activation up the stack when the call began (None: called by
    uninstrumented code only), ``caller_line`` the line on which it stood, ``caller_position`` the call there (None: not known).
    ``hits[m]`` is 1 where marker m was reached.
    ``true_distance[p]`` and ``false_distance[p]`` are the least distances to that outcome seen in this activation (absent:
    predicate p not evaluated); exactly one of the two is 0 at each evaluation. ``beside[p]`` is what it recorded besides.
    """

    __slots__ = ("beside", "caller", "caller_line", "caller_position", "false_distance", "function", "hits", "true_distance")
    hits: Sequence[float]

    def __init__(self, function: int, markers: int, caller: Activation | None = None, caller_line: int = 0) -> None:
        self.function = function
        self.caller = caller
        self.caller_line = caller_line
        self.caller_position: Position | None = None
        self.hits = bytearray(markers)
        self.true_distance: dict[int, float] = {}
        self.false_distance: dict[int, float] = {}
        self.beside: dict[int, float] = {}

    @property
    def marks(self) -> Sequence[float]:
        """``hits``, perhaps with more behind it: the cheap way to look at single markers."""
        return self.hits

    def distance_to(self, predicate: int, outcome: bool) -> float | None:
        """The least distance to that outcome of a predicate; None where it was not evaluated."""
        return (self.true_distance if outcome else self.false_distance).get(predicate)

    def settled(self, predicate: int) -> float:
        """What a predicate recorded beside its distances."""
        return self.beside.get(predicate, 0.0)

    def entries(self, predicates: int) -> list[float]:
        """All that is known in one list, not to be changed: an entry for each marker (not 0 where it was reached), then three for
        each of so many predicates: least distance to true, least distance to false (``INFINITE`` where that is not known), and one
        to be left alone. It was evaluated where one of the two is 0. See also :attr:`told_by_markers`."""
        entries: list[float] = [*self.hits]
        for predicate in range(predicates):
            entries += (self.true_distance.get(predicate, INFINITE), self.false_distance.get(predicate, INFINITE), 0)
        return entries

    @property
    def told_by_markers(self) -> tuple[tuple[int, int], ...]:
        """The (predicate, marker) pairs where ``entries`` may leave the distances open because the marker tells: it is reached just
        where the outcome is true."""
        return ()

    def beyond(self, known: int) -> int:
        """What of :meth:`reached` is not in ``known``."""
        return self.reached() & ~known

    def reached(self) -> int:
        """The markers hit and the outcomes taken, as bits; which bit stands for what is the recorder's business."""
        bits = 0
        for number, hit in enumerate(self.hits):
            if hit:
                bits |= 1 << number
        for offset, distances in enumerate((self.true_distance, self.false_distance)):
            for predicate, distance in distances.items():
                if not distance:
                    bits |= 1 << (len(self.hits) + 2 * predicate + offset)
        return bits


MADE = "made"


class CallFact(NamedTuple):
    """A call that the test itself made of a callable under test, and how it ended. ``address`` is ``module:qualname`` as tests
    name it. ``output`` are the classes of the returned value (``goals.coverage.output``; empty where it raised), ``exception`` is
    the full name of the class raised by it, None where it returned. ``kind`` tells who raised: explicit (a ``raise`` of the module
    under test), assertion (an ``assert`` of it), implicit (the interpreter, or code that it called), outside (no frame of the
    module under test took part: the test's own fault). Or it tells (``MADE``) that the call only made a coroutine, generator or
    context manager, of whose body nothing ran; where it did later, that is a fact of its own. ``accessor`` is ``setter`` or
    ``deleter`` where an attribute was set or deleted: only what that raised is a fact."""

    address: str
    output: tuple[str, ...] = ()
    exception: str | None = None
    kind: str = ""
    accessor: str = ""


class Trace(NamedTuple):
    """What one run touched: the activations in order of their beginning (the recorder keeps at most a bounded number).

    ``calls`` are those that the test made, ``infections`` the least infection distances of the mutants touched, by the mutant's
    number (0: the mutant's value differed); both only where a search for suites asks for them."""

    functions: tuple[ProbedFunction, ...]
    activations: list[Activation]
    calls: tuple[CallFact, ...] = ()
    infections: Mapping[int, float] = MappingProxyType({})
    timed_out: bool = False
