"""How far live arguments are from a frame's preconditions (``core.precondition``): the hybrid's term between "the frame was
entered" and "its line was reached", where branch distances say nothing of objects' state.

Each guard gives its branch distance on the live objects, normalised to [0, 1] where it is one atom (``truth``); a precondition is
the sum of its guards, and of several, one for each path, the nearest counts. So it is 0 just where all guards of one hold, and at
most as large as a precondition has atoms. What depends on something unknown, or on what only code of the subject could tell
(``live_heap``), counts 1: as an atom that is as far from holding as any, whatever the arguments are.

Terms are compiled once; a measurement computes each of their parts once, keeps nothing of what it saw, and never runs code of the
subject nor raises. # Deviation: it is measured when the frame is entered, not when its line is tried: what the frame itself changes
before is in the precondition already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from crashwright.core.precondition import Precondition
from crashwright.core.terms import Op, Row, Sort, Term, parts, to_rows
from crashwright.engine.goals.crash.live_heap import ABSENT, NOT_KNOWN, attribute
from crashwright.engine.goals.crash.term_steps import FAILURES, Step, Values, constant, step, unknown

MOST_PARTS = 1000
"""Parts of terms that are computed in one measurement: what is entered thousands of times may not take longer than what it does."""
NO_NAMES: Mapping[str, object] = MappingProxyType({})


class FrameDistance:
    """The distance of one frame's arguments from the nearest of its ``preconditions``.

    ``parameters`` are the names of the arguments that :meth:`of` gets; ``around`` gives the globals of a module,
    where it speaks of others (``module:name``). Preconditions are left out, the last ones first, where they are more than
    ``MOST_PARTS`` together.
    """

    __slots__ = ("_around", "_globals", "_inputs", "_paths", "_program", "_template", "farthest")

    def __init__(
        self,
        preconditions: Sequence[Precondition],
        parameters: Sequence[str],
        around: Callable[[str], Mapping[str, object]] = lambda _module: NO_NAMES,
    ) -> None:
        kept = _affordable(preconditions)
        rows, wanted = to_rows([guard.term for one in kept for guard in one.guards])
        numbers = iter(wanted)
        self._paths = [tuple([next(numbers) for _ in one.guards]) for one in kept]
        self._around = around
        self._template: Values = []
        self._program: list[tuple[int, Step, object]] = []
        self._inputs: list[tuple[int, int]] = []
        self._globals: list[tuple[int, str, str]] = []
        for number, row in enumerate(rows):
            self._add(number, row, rows, parameters)
        self.farthest = max([_atoms(one) for one in kept], default=0)
        """No distance is larger."""

    def _add(self, number: int, row: Row, rows: Sequence[Row], parameters: Sequence[str]) -> None:
        value = constant(row)
        self._template.append(unknown(row.sort) if value is ABSENT else value)
        if value is not ABSENT:
            return
        if row.op is not Op.INPUT:
            self._program.append((number, step(row, rows), unknown(row.sort)))
        elif row.payload in parameters:
            self._inputs.append((number, parameters.index(str(row.payload))))
        else:
            module, _, name = str(row.payload).rpartition(":")
            self._globals.append((number, module, name))

    def of(self, arguments: Sequence[object]) -> float:
        """0 where a precondition holds. Never raises, but for a time limit that strikes."""
        values = self._template[:]
        for number, place in self._inputs:
            values[number] = arguments[place]
        if self._globals:
            for number, module, name in self._globals:
                values[number] = _global(self._around(module), name)
        for number, compute, otherwise in self._program:
            try:
                values[number] = compute(values)
            except FAILURES:
                values[number] = otherwise
        return min([sum([values[guard][0] for guard in path]) for path in self._paths], default=0.0)


def _global(names: Mapping[str, object], name: str) -> object:
    """What a name stands for, or a dotted one that begins at a module."""
    first, *inner = name.split(".")
    found = names.get(first, NOT_KNOWN)
    for part in inner:
        found = attribute(part, found)
    return found


def distance(preconditions: Sequence[Precondition], arguments: Mapping[str, object]) -> float:
    """Once, for arguments by name."""
    return FrameDistance(preconditions, tuple(arguments)).of(tuple(arguments.values()))


def _affordable(preconditions: Sequence[Precondition]) -> list[Precondition]:
    kept: list[Precondition] = []
    seen: set[Term] = set()
    for one in preconditions:
        new = [part for part in parts([guard.term for guard in one.guards]) if part not in seen]
        if len(seen) + len(new) > MOST_PARTS:
            continue
        seen.update(new)
        kept.append(one)
    return kept


def _atoms(precondition: Precondition) -> float:
    """The largest distance that it can have: sums of atoms at most 1 each, but shared parts count as often as they are read."""
    largest: dict[Term, tuple[float, float]] = {}
    for part in parts([guard.term for guard in precondition.guards]):
        if part.sort is Sort.TRUTH:
            largest[part] = _largest(part, largest)
    return sum(largest[guard.term][0] for guard in precondition.guards)


def _largest(term: Term, known: Mapping[Term, tuple[float, float]]) -> tuple[float, float]:
    """Of its two sides."""
    sides = [known.get(one, (1.0, 1.0)) for one in term.args if one.sort is Sort.TRUTH]
    if term.op is Op.NOT:
        return sides[0][1], sides[0][0]
    if term.op is Op.AND:
        return sum(one for one, _ in sides), min([other for _, other in sides], default=1.0)
    if term.op is Op.OR:
        return min([one for one, _ in sides], default=1.0), sum(other for _, other in sides)
    if term.op is Op.EQUAL and len(sides) == 2:
        sides = [sides[0], sides[1], (sides[1][1], sides[1][0])]
    if len(sides) == 3 and term.op in (Op.CHOICE, Op.EQUAL):
        (yes, no), then, otherwise = sides
        return min(yes + then[0], no + otherwise[0]), min(yes + then[1], no + otherwise[1])
    return 1.0, 1.0
