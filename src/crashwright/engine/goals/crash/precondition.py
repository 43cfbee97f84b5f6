"""How far live arguments are from a frame's preconditions (``core.precondition``): the hybrid's term between "the frame was
entered" and "its line was reached", where branch distances say nothing of objects' state.

Each guard gives its branch distance on the live objects, normalised to [0, 1] where it is one atom (``truth``); a precondition is
the sum of its guards, and of several, one for each path, the nearest counts. So it is 0 just where all guards of one hold, and at
most as large as a precondition has atoms. What depends on something unknown, or on what only code of the subject could tell
(``live_heap``), counts 1: as an atom that is as far from holding as any, whatever the arguments are. To the search what was not
modelled adds nothing, so that a way of which more is known is not the farther one; what arguments do not tell stays 1, or it would
look for such.

Terms are compiled once; a measurement computes each of their parts once, keeps nothing of what it saw, and never runs code of the
subject nor raises. # Deviation: it is measured when the frame is entered, not when its line is tried: what the frame itself changes
before is in the precondition already.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from crashwright.core.precondition import Guard, Precondition
from crashwright.core.terms import Op, Sort, Term, TermRow, parts, to_rows
from crashwright.engine.goals.crash.live_heap import ABSENT, NOT_KNOWN, attribute
from crashwright.engine.goals.crash.required_values import RequiredValue, required_values_of
from crashwright.engine.goals.crash.term_steps import FAILURES, Step, Values, constant, step, unknown

MOST_PARTS = 120
"""Parts of terms that are computed in one measurement: what is entered thousands of times may not take longer than what it does."""
NO_NAMES: Mapping[str, object] = MappingProxyType({})


class _Part(NamedTuple):
    """Guards of one precondition, by their rows, with what they have at least because of what was not modelled."""

    guards: tuple[int, ...]
    unmodelled: float


class FrameDistance:
    """The distance of one frame's arguments from the nearest of its ``preconditions``.

    ``parameters`` are the names of the arguments that :meth:`of` gets; ``around`` gives the globals of a module,
    where it speaks of others (``module:name``). Preconditions are left out, the last ones first, where they are more than
    ``MOST_PARTS`` together.
    """

    __slots__ = ("_around", "_globals", "_inputs", "_paths", "_program", "_rows", "_template", "_ways", "farthest")

    def __init__(
        self,
        preconditions: Sequence[Precondition],
        parameters: Sequence[str],
        around: Callable[[str], Mapping[str, object]] = lambda _module: NO_NAMES,
        line: int = 0,
    ) -> None:
        """``line``: the one of the report; what stands above it in the function has to hold for it to be reached."""
        kept = _affordable(preconditions)
        rows, wanted = to_rows([guard.term for one in kept for guard in one.guards])
        numbers, unmodelled = iter(wanted), _unmodelled(kept)
        self._paths: list[_Part] = []
        self._ways: list[_Part] = []
        for one in kept:
            guards = [(next(numbers), unmodelled[guard.term], is_on_the_way(one, guard, line)) for guard in one.guards]
            self._paths.append(_Part(tuple([number for number, _, _ in guards]), sum([rest for _, rest, _ in guards])))
            way = [(number, rest) for number, rest, on_the_way in guards if on_the_way]
            self._ways.append(_Part(tuple([number for number, _ in way]), sum([rest for _, rest in way])))
        self._around = around
        self._rows = rows
        self._template: Values = []
        self._program: list[tuple[int, Step, object]] = []
        self._inputs: list[tuple[int, int]] = []
        self._globals: list[tuple[int, str, str]] = []
        for number, row in enumerate(rows):
            self._add(number, row, rows, parameters)
        self.farthest = max([_atoms(one) for one in kept], default=0)
        """No distance is larger."""

    def _add(self, number: int, row: TermRow, rows: Sequence[TermRow], parameters: Sequence[str]) -> None:
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
        values = self._values(arguments)
        return min([sum([values[guard][0] for guard in one.guards]) for one in self._paths], default=0.0)

    def holds(self, arguments: Sequence[object]) -> bool | None:
        """Whether the first of the preconditions does, where the arguments tell."""
        if not self._paths:
            return None
        values = self._values(arguments)
        sides = [values[guard] for guard in self._paths[0].guards]
        if any(not other and wanted for wanted, other in sides):
            return False
        return None if any(wanted for wanted, _ in sides) else True

    def guidance(self, arguments: Sequence[object]) -> tuple[float, float]:
        """How far they are from a precondition, without what was not modelled; and from what of one leads to the line."""
        values = self._values(arguments)
        return _least(values, self._paths), _least(values, self._ways)

    def required(self, arguments: Sequence[object]) -> list[RequiredValue]:
        """What of them should be otherwise for the nearest precondition to hold."""
        values = self._values(arguments)
        nearest = min(self._paths, key=lambda one: _least(values, [one]), default=None)
        return [] if nearest is None else required_values_of(self._rows, values, nearest.guards)

    def _values(self, arguments: Sequence[object]) -> Values:
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
        return values


def _least(values: Values, several: Sequence[_Part]) -> float:
    return min([sum([values[guard][0] for guard in one.guards]) - one.unmodelled for one in several], default=0.0)


def is_on_the_way(precondition: Precondition, guard: Guard, line: int) -> bool:
    """Whether a guard has to hold for ``line`` of the function to be reached. Of what stands further down, in a loop, that is not
    known; nor of callees, which may be called there or behind it."""
    return not guard.is_crash and guard.function == precondition.function and guard.line < line


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


def _unmodelled(preconditions: Sequence[Precondition]) -> dict[Term, float]:
    """What each TRUTH has at least because of what was not modelled: that tells nothing of arguments."""
    unknown: set[Term] = set()
    least: dict[Term, tuple[float, float]] = {}
    for part in parts([guard.term for one in preconditions for guard in one.guards]):
        if part.op is Op.UNKNOWN or any(one in unknown for one in part.args):
            unknown.add(part)
        if part.sort is Sort.TRUTH:
            least[part] = _least_of(part, least, unknown)
    return {term: to_true for term, (to_true, _) in least.items()}


def _least_of(term: Term, known: Mapping[Term, tuple[float, float]], unknown: Container[Term]) -> tuple[float, float]:
    """As :func:`_largest`, of what is unknown alone."""
    connects = term.op in (Op.NOT, Op.AND, Op.OR, Op.CHOICE) or (term.op is Op.EQUAL and term.args[0].sort is Sort.TRUTH)
    if not connects or not term.args:
        return (1.0, 1.0) if term in unknown else (0.0, 0.0)
    return _connected(term, [known.get(one, (0.0, 0.0)) for one in term.args if one.sort is Sort.TRUTH])


def _largest(term: Term, known: Mapping[Term, tuple[float, float]]) -> tuple[float, float]:
    """Of its two sides."""
    return _connected(term, [known.get(one, (1.0, 1.0)) for one in term.args if one.sort is Sort.TRUTH])


def _connected(term: Term, sides: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The two sides of a condition that connects others, from theirs."""
    if term.op is Op.NOT:
        return sides[0][1], sides[0][0]
    if term.op is Op.AND:
        return sum(one for one, _ in sides), min([other for _, other in sides], default=1.0)
    if term.op is Op.OR:
        return min([one for one, _ in sides], default=1.0), sum(other for _, other in sides)
    if term.op is Op.EQUAL and len(sides) == 2:
        sides = (sides[0], sides[1], (sides[1][1], sides[1][0]))
    if len(sides) == 3 and term.op in (Op.CHOICE, Op.EQUAL):
        (yes, no), then, otherwise = sides
        return min(yes + then[0], no + otherwise[0]), min(yes + then[1], no + otherwise[1])
    return 1.0, 1.0
