"""What one run did, small enough to be held by the thousand: the activations of each function as one, and what the test called.

Merged over activations, a marker is reached where any reached it, and the distance to an outcome is the least of any: fitness is
"min over calls" (SPEC 6), and that is what the minimum over the merged steps gives, because each step of an approach grows with its
own distance alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from crashwright.engine.instrument.trace import INFINITE, Activation, CallFact, ProbedFunction, Trace

Entries = list[float]
"""A function's merged activations, laid out as ``Activation.entries``: one number a marker, then those of the predicates."""

_SLOT = 3
"""First the distance to true, then that to false."""
HELD_APART = 16
"""Activations of a function that wait to be merged until a goal looks; more are merged at once."""
_NOT_TAKEN = 1.0
"""The distance to the outcome that a loop or a handler did not have: nothing but the outcome is known of it."""

TellTales = tuple[tuple[int, int], ...]


class Merged(dict[int, Entries | None]):
    """The merged entries by function number; None where it was not called. Merging waits until somebody looks: most goals that are
    aimed at lie in few functions. ``parts`` holds for each function called what is to be merged."""

    __slots__ = ("functions", "parts")

    def __init__(self, functions: Sequence[ProbedFunction], parts: dict[int, list[Entries]]) -> None:
        super().__init__()
        self.functions = functions
        self.parts = parts

    def __missing__(self, function: int) -> Entries | None:
        parts = self.parts.get(function)
        merged = None if parts is None else merge(parts, len(self.functions[function].markers))
        self[function] = merged
        return merged


class Footprint:
    """``entries`` and ``direct`` give the merged entries of a function number (None: not called): of all its activations, and of
    those that the test itself began. ``infections`` are the least infection distances by mutant number. ``activations`` are kept
    only where somebody asked for them (flag distances).

    ``known`` is for the catalogue alone: what this run covers, once it was asked; ``by_flags`` for ``FlagGoals``: the distances
    that it has worked out, by goal.
    """

    __slots__ = ("activations", "by_flags", "calls", "direct", "entries", "infections", "known", "timed_out")

    def __init__(
        self,
        entries: Merged,
        direct: Merged,
        infections: Mapping[int, float],
        calls: tuple[CallFact, ...] = (),
        timed_out: bool = False,
        activations: Sequence[Activation] = (),
    ) -> None:
        self.entries = entries
        self.direct = direct
        self.infections = infections
        self.calls = calls
        self.timed_out = timed_out
        self.activations = activations
        self.known: int | None = None
        self.by_flags: dict[int, float | None] = {}


def footprint(trace: Trace, through: Collection[int] = (), keep_activations: bool = False) -> Footprint:
    """Of one run. A call counts as the test's own where only activations of the functions ``through`` stand between (decorators'
    wrappers, functions of other modules)."""
    functions = trace.functions
    parts: dict[int, list[Entries]] = {}
    direct: dict[int, list[Entries]] = {}
    told: dict[int, TellTales] = {}
    for activation in trace.activations:
        number = activation.function
        entries = activation.entries(len(functions[number].predicates))
        if number in parts:
            parts[number].append(entries)
        else:
            parts[number] = [entries]
            told[number] = activation.told_by_markers
        if activation.caller is None or (through and is_direct(activation, through)):
            direct.setdefault(number, []).append(entries)
    taken = {number: _taken(found, functions[number], told[number]) for number, found in parts.items()}
    # Mostly the test made all calls of a function that it called at all: then there is only one to be held and merged.
    taken_direct = {
        number: taken[number] if len(found) == len(parts[number]) else _taken(found, functions[number], told[number])
        for number, found in direct.items()
    }
    return Footprint(
        Merged(functions, taken),
        Merged(functions, taken_direct),
        trace.infections,
        trace.calls,
        trace.timed_out,
        tuple(trace.activations) if keep_activations else (),
    )


def is_direct(activation: Activation, through: Collection[int]) -> bool:
    """Whether the test made the call itself."""
    caller = activation.caller
    while caller is not None and caller.function in through:
        caller = caller.caller
    return caller is None


def together(footprints: Sequence[Footprint]) -> Footprint:
    """A suite of tests as if it were one."""
    infections: dict[int, float] = {}
    for one in footprints:
        for mutant, distance in one.infections.items():
            if distance < infections.get(mutant, INFINITE):
                infections[mutant] = distance
    calls = tuple(call for one in footprints for call in one.calls)
    return Footprint(_joined([one.entries for one in footprints]), _joined([one.direct for one in footprints]), infections, calls)


def _joined(members: Sequence[Merged]) -> Merged:
    parts: dict[int, list[Entries]] = {}
    functions: Sequence[ProbedFunction] = ()
    for member in members:
        for number, found in member.parts.items():
            parts.setdefault(number, []).extend(found)
        functions = max(functions, member.functions, key=len)
    return Merged(functions, parts)


def _taken(parts: list[Entries], function: ProbedFunction, told: TellTales) -> list[Entries]:
    """What to hold: copies, since a generator that is thrown away later would go on writing; each once."""
    markers = len(function.markers)
    kept = [parts[0][:]]
    for entries in parts[1:] if len(parts) > 1 else ():
        if entries not in kept:  # mostly: a function does the same again, or differs early
            if len(kept) == HELD_APART:
                kept = [merge(kept, markers)]
            kept.append(entries[:])
    for entries in kept if told else ():
        _resolve(entries, markers, told)
    return kept


def entry_of(markers: int, predicate: int, taken: bool) -> int:
    """Where the distance to an outcome of a predicate stands, in a function with so many markers."""
    return markers + _SLOT * predicate + (not taken)


def predicate_at(markers: int, entry: int) -> int:
    """The predicate that an entry is of."""
    return (entry - markers) // _SLOT


def merge(parts: Sequence[Entries], markers: int) -> Entries:
    """Marker by marker the greatest, distance by distance the least, in C. Of one part: itself."""
    if len(parts) == 1:
        return parts[0]
    merged = list(map(min, *parts))
    merged[:markers] = map(max, *[entries[:markers] for entries in parts])
    return merged


def _resolve(entries: Entries, markers: int, told: TellTales) -> None:
    """Write the distances that only markers tell into ``entries``."""
    for predicate, marker in told:
        slot = entry_of(markers, predicate, True)
        if entries[marker]:
            entries[slot] = 0.0
            if entries[slot + 1]:
                entries[slot + 1] = _NOT_TAKEN
        elif not entries[slot + 1] and entries[slot] == INFINITE:
            entries[slot] = _NOT_TAKEN
