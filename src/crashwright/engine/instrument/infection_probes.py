"""The probes of mutation sites: each sees operands and result of one expression once, and hands the result back as it is.

``result`` is the expression's value; temporaries that carried operands are emptied by the last argument, as in ``interface``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from crashwright.engine.instrument.comparisons import decides_truth
from crashwright.engine.instrument.distances import OPAQUE, is_builtin
from crashwright.engine.instrument.infection_measures import (
    INFECTED,
    OPERATIONS,
    RAISES,
    UNKNOWN,
    Relation,
    calculates_differently,
    differ,
    recalculated,
    relation,
    signed_difference,
    unordered_distance,
    without_calculating,
)
from crashwright.engine.instrument.interface import UNSET, ComparedProbe
from crashwright.engine.instrument.operations import Operation
from crashwright.engine.instrument.peek import attribute_of, item_of
from crashwright.engine.instrument.trace import INFINITE
from crashwright.engine.subject.mutants.enumeration import Mutant
from crashwright.engine.subject.mutants.operators import Operator

Result = TypeVar("Result")
Entry = tuple[Any, ...]
"""What a probe needs to know of one mutant; its number comes first."""
Note = Callable[[int, float], None]
LARGE = 1 << 60
SMALL = 1 << 8
"""Below it, no arithmetic of two integers is expensive."""


class Group:
    """Sites that are evaluated together. ``open``: how many of its wanted mutants have not differed in this run."""

    __slots__ = ("open", "wanted")

    def __init__(self) -> None:
        self.open = 0
        self.wanted = 0


class MutantLedger:
    """The least distances of a run by the number of the mutant, and the groups that are no longer as at its beginning."""

    __slots__ = ("changed", "least")

    def __init__(self) -> None:
        self.least: dict[int, float] = {}
        self.changed: list[Group] = []

    def clear(self) -> None:
        """A run begins."""
        self.least.clear()
        for group in self.changed:
            group.open = group.wanted
        self.changed.clear()


def _unchanged(_live: list[Entry]) -> None:
    """Probes in Python look into the list itself."""


class SiteProbes(NamedTuple):
    """The forms of a site's probe: ``plain(result, ...)``; for comparisons and arithmetic in comprehensions, where there are no
    temporaries, ``evaluated(left, right)`` and ``compared(state, slot, operator, left, right)`` evaluate the operation themselves;
    ``chain(unset, result, *operands, spent)`` is that of chained comparisons, ``attribute(owner, name, right)`` and
    ``item(container, key, right)`` are those of augmented assignments to such targets (``plain(left, right)`` to names).
    ``kind`` names what a compiled twin of ``plain`` has to do ("" where there is none), ``original`` is the operation of the
    source; ``renewed`` is told when the mutants that are measured are others."""

    plain: Callable[..., object]
    evaluated: Callable[..., object] | None = None
    compared: Callable[..., object] | None = None
    chain: Callable[..., object] | None = None
    attribute: Callable[..., object] | None = None
    item: Callable[..., object] | None = None
    kind: str = ""
    original: Operation | None = None
    renewed: Callable[[list[Entry]], None] = _unchanged


MakeSite = Callable[[Sequence[Mutant], list[Entry], list[Entry], Group, MutantLedger], SiteProbes]
"""``probes_of``, which knows the probe of comparisons in comprehensions."""


def probes_of(
    mutants: Sequence[Mutant], entries: list[Entry], live: list[Entry], group: Group, ledger: MutantLedger, compared: ComparedProbe
) -> SiteProbes:
    """The probes of a site; fills ``entries``, one for each of its mutants. They measure those in ``live``."""
    note = _noting(ledger, group)
    first = mutants[0]
    match first.operator:
        case Operator.ROR:
            entries += [(mutant.number, mutant.part, relation(*_change(mutant))) for mutant in mutants]
            originals = dict(sorted((mutant.part, mutant.original) for mutant in mutants))
            return _relational(originals, live, group, note, ledger.least, compared)
        case Operator.AOR | Operator.BITWISE:
            entries += [(mutant.number, OPERATIONS[mutant.replacement]) for mutant in mutants]
            return _arithmetic(OPERATIONS[first.original], first.node == "AugAssign", live, group, note, ledger.least)
        case Operator.BOOLOP:
            entries += [(mutant.number,) for mutant in mutants]
            return SiteProbes(_boolean(first.original == "or", live, group, note), kind=first.original)
        case Operator.UNARY if first.node == "UnaryOp" and first.original != "not":
            entries += [(mutant.number,) for mutant in mutants]
            return SiteProbes(_negated(live, group, note), kind="negated")
    if first.node == "Name":
        others = [mutant.replacement for mutant in mutants if mutant.operator is Operator.VARIABLE]
        entries += [
            (mutant.number, others.index(mutant.replacement) if mutant.operator is Operator.VARIABLE else -1) for mutant in mutants
        ]
        return SiteProbes(_variable(live, group, note, ledger.least), kind="variable")
    entries += [(mutant.number,) for mutant in mutants]
    return SiteProbes(_executed(live, group, ledger), kind="executed")


def _change(mutant: Mutant) -> tuple[int, str, str]:
    return mutant.number, mutant.original, mutant.replacement


def _noting(ledger: MutantLedger, group: Group) -> Note:
    least, changed = ledger.least, ledger.changed

    def note(mutant: int, distance: float) -> None:
        if distance < least.get(mutant, INFINITE):
            least[mutant] = distance
            if not distance:
                if group.open == group.wanted:
                    changed.append(group)
                group.open -= 1

    return note


def _relational(
    originals: dict[int, str], live: list[Entry], group: Group, note: Note, least: dict[int, float], compared: ComparedProbe
) -> SiteProbes:
    def measure(result: bool, left: object, right: object, part: int) -> None:
        measured = signed_difference(left, right)
        for number, at, mutant in live:
            if at == part and least.get(number) != 0.0:
                note(number, _relation_distance(mutant, result, left, right, measured))

    def integers(result: bool, left: int, right: int) -> None:
        """As ``measure``, for the operands that are seen most."""
        sign, size = (0, right - left) if left < right else (2, left - right) if right < left else (1, 0)
        for number, _, mutant in live:
            old = least.get(number, INFINITE)
            if old:
                by_sign = mutant[3]
                more = by_sign[sign] if by_sign is not None else INFECTED if mutant[2](left, right) is not result else 1
                if more == INFECTED:
                    note(number, 0.0)
                elif size + more < old:
                    least[number] = size + more

    def plain(result: Result, left: object = UNKNOWN, right: object = UNKNOWN, _spent: None = None, /) -> Result:
        if group.open and (result is True or result is False):
            try:
                if type(left) is int is type(right) and -LARGE < left < LARGE and -LARGE < right < LARGE:
                    integers(result is True, left, right)
                else:
                    measure(result is True, left, right, 0)
            except RecursionError:  # at the recursion limit of the subject: this evaluation stays unmeasured
                return result
        return result

    def chain(_unset: object, result: Result, /, *operands: object) -> Result:
        if group.open and (result is True or result is False):
            reached = [operand for operand in operands[:-1] if operand is not UNSET]
            try:
                for part, (left, right) in enumerate(pairwise(reached)):
                    measure(result is True or part < len(reached) - 2, left, right, part)
            except RecursionError:  # as above
                return result
        return result

    def evaluated(left: object, right: object, /) -> object:
        return plain(operation(left, right), left, right)

    def compared_too(state: list[float], slot: int, kind: int, left: object, right: object, /) -> object:
        return plain(compared(state, slot, kind, left, right), left, right)

    operation = OPERATIONS[originals[min(originals)]]
    return SiteProbes(plain, evaluated, compared_too, chain, kind="relational" if len(originals) == 1 else "", original=operation)


def _relation_distance(mutant: Relation, result: bool, left: object, right: object, measured: tuple[int, float] | None) -> float:
    if mutant.by_sign is not None and measured is not None:
        more = mutant.by_sign[measured[0]]
        return 0.0 if more == INFECTED else measured[1] + more
    if mutant.by_sign is None and mutant.replacement in ("in", "not in", "is", "is not") and left is UNKNOWN:
        return 0.0
    return unordered_distance(mutant, result, left, right)


def _arithmetic(
    original: Operation, augmented: bool, live: list[Entry], group: Group, note: Note, least: dict[int, float]
) -> SiteProbes:
    def plain(result: Result, left: object, right: object, _spent: None = None, /) -> Result:
        if group.open:
            try:
                if type(left) is int is type(right) and -SMALL < left < SMALL and -SMALL < right < SMALL:
                    integers(left, right, result)
                    return result
                for number, operation in live:
                    if least.get(number) != 0.0:
                        note(number, 0.0 if calculates_differently(operation, left, right, result) else OPAQUE)
            except RecursionError:  # at the recursion limit of the subject: this evaluation stays unmeasured
                return result
        return result

    def integers(left: int, right: int, result: object) -> None:
        """As below, for the operands that are seen most."""
        kind = type(result)
        for number, operation in live:
            if least.get(number) == 0.0:
                continue
            try:
                outcome = operation(left, right)
            except (ValueError, ArithmeticError):
                note(number, 0.0)
                continue
            if outcome != result or type(outcome) is not kind:
                note(number, 0.0)
            elif number not in least:
                least[number] = OPAQUE

    def evaluated(left: object, right: object, /) -> object:
        return plain(original(left, right), left, right)

    if not augmented:
        return SiteProbes(plain, evaluated, kind="arithmetic", original=original)

    def name(left: object, right: Result, /) -> Result:
        """The right operand, before the left one takes it up."""
        if group.open:
            try:
                result = recalculated(original, left, right)
                if result is RAISES:
                    return right
                for number, operation in live:
                    if least.get(number) == 0.0:
                        continue
                    if result is UNKNOWN:
                        note(number, OPAQUE if without_calculating(operation, left, right) is not True else 0.0)
                    else:
                        note(number, 0.0 if calculates_differently(operation, left, right, result) else OPAQUE)
            except RecursionError:  # as above
                return right
        return right

    def attribute(owner: object, name_of: str, right: Result, /) -> Result:
        return name(attribute_of(owner, name_of, UNKNOWN), right) if group.open else right

    def item(container: object, key: object, right: Result, /) -> Result:
        return name(item_of(container, key, UNKNOWN), right) if group.open else right

    return SiteProbes(name, attribute=attribute, item=item)


def _boolean(is_or: bool, live: list[Entry], group: Group, note: Note) -> Callable[..., object]:
    def seen(operand: Result, /) -> Result:
        """An operand behind the first: ``and`` came here because those before are true, so ``or`` would have ended there."""
        if group.open:
            try:
                truth = _truth_of(operand)
                for entry in live:
                    note(entry[0], 0.0 if truth is is_or else OPAQUE)
            except RecursionError:  # as above
                return operand
        return operand

    return seen


def _truth_of(operand: object) -> bool | None:
    """None where only the subject could tell."""
    kind = type(operand)
    if is_builtin(kind):
        return bool(operand)
    return None if decides_truth(kind) else True


def _negated(live: list[Entry], group: Group, note: Note) -> Callable[..., object]:
    def probe(result: Result, /) -> Result:
        """``-x`` or ``~x``: differs from ``x`` but for zero, if it is a number."""
        if group.open:
            kind = type(result)
            number = kind is int or kind is float or kind is complex
            try:
                for entry in live:
                    note(entry[0], 0.0 if number and result else OPAQUE)
            except RecursionError:  # as above
                return result
        return result

    return probe


def _variable(live: list[Entry], group: Group, note: Note, least: dict[int, float]) -> Callable[..., object]:
    def probe(value: Result, /, *others: object) -> Result:
        """A local variable and those that may stand in its place; the minus sign has -1 for a place."""
        if group.open:
            try:
                kind = type(value)
                for number, place in live:
                    if least.get(number) == 0.0:
                        continue
                    if place < 0:
                        differs = _minus_differs(value)
                    else:
                        other = others[place]
                        differs = value is not other and (kind is not type(other) or differ(value, other))
                    if differs:
                        note(number, 0.0)
                    elif number not in least:
                        least[number] = OPAQUE
            except RecursionError:  # as above
                return value
        return value

    return probe


def _minus_differs(value: object) -> bool:
    kind = type(value)
    if kind is int or kind is float or kind is complex or kind is bool:
        return bool(value)
    return is_builtin(kind)  # a minus sign is an error there


def _executed(live: list[Entry], group: Group, ledger: MutantLedger) -> Callable[..., object]:
    least, changed = ledger.least, ledger.changed

    def probe(value: Result, /) -> Result:
        """A literal, or ``not``: another one differs by being evaluated."""
        if group.open and live and live[0][0] not in least:
            for entry in live:
                least[entry[0]] = 0.0
            if group.open == group.wanted:
                changed.append(group)
            group.open -= len(live)
        return value

    return probe
