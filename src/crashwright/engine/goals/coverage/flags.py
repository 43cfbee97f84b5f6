"""The gradient for interprocedural flags (paper 003, Algorithms 1 and 2; SPEC 8): how far a call was from returning what a branch
wants, from the branch distances inside the called functions.

The call context is the chain of activations, so distances of other call sites never mix. Each activation of a callee under the same
caller and site is one iteration trace; within it a required branch has its least distance.

# Deviation: an iteration is a call, where the paper also tells apart the iterations of loops inside one call: probes keep the least
distance of an activation. # Deviation: a callee that ended by an exception is as far as its decisions tell, and the nearer the more
of the statements on the way were begun; Evoif adds 100000.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from crashwright.core.location import CodeKey, Position
from crashwright.engine.goals.distance import LARGEST, normalise, wrong_side
from crashwright.engine.instrument.trace import Activation, ProbedFunction
from crashwright.engine.subject.flags.branches import DEPTH, FlagAnalysis, FlagSite, Over, WantedResult
from crashwright.engine.subject.flags.returns import FlagMethods, Required
from crashwright.engine.subject.flow.cfg import Branch, BranchKind

MOST_ITERATIONS = 64
"""Calls of one site that are looked at, of those under one activation."""
STOPPED = 1e-3
"""What is left to the next decision where the right side was taken and something stopped the call before its result."""
SETTLED = 0.5
"""Of a required branch that other iterations took, where that tells nothing: a plain flag, normalised."""
RECURSION = 1.0
"""The distance at which recursion stops."""

_NO_CONDITIONS = ("site", "iter", "except", "case", "with")
Chain = tuple[tuple[int, Position], ...]


class _Step(NamedTuple):
    """A required outcome of a predicate. ``exhausting``: the end of a ``for`` loop, which says little where the body leaves it."""

    predicate: int
    outcome: bool
    level: int
    exhausting: bool


class _Way(NamedTuple):
    """A ``Required`` in the numbers of a probed function. ``levels`` are the steps by approach level, ``opaque`` whether a direct
    decision carries no probe."""

    marker: int | None
    levels: tuple[tuple[_Step, ...], ...]
    path: tuple[int, ...]
    opaque: bool
    conditional: bool
    required: Required


class _Function:
    """A probed function with its flag sites by predicate and its ways to results."""

    def __init__(self, number: int, function: ProbedFunction, flags: FlagDistances) -> None:
        self.number = number
        self.key = function.key
        self._flags = flags
        conditions = {p.position: index for index, p in enumerate(function.predicates) if p.kind not in _NO_CONDITIONS}
        self._predicates = {p.position: index for index, p in enumerate(function.predicates) if p.kind != "site"} | conditions
        self._markers = {position: index for index, position in enumerate(function.markers)}
        self.places = flags.analysis.sites(function.key)
        self.sites = {conditions[place]: site for place, site in self.places.items() if place in conditions}
        self._ways: dict[WantedResult, tuple[_Way, ...]] = {}

    def ways(self, wanted: WantedResult) -> tuple[_Way, ...]:
        """How it can give such a result."""
        known = self._ways.get(wanted)
        if known is None:
            method = self._flags.methods.of(self.key)
            found = () if method is None else method.required(wanted)
            known = self._ways[wanted] = tuple(self._way(required) for required in found)
        return known

    def _way(self, required: Required) -> _Way:
        steps = [
            _Step(self._predicates[branch.position], branch.outcome, level, _is_exhausting(branch))
            for branch, level in required.approach
            if branch.position in self._predicates
        ]
        levels = tuple(tuple(group) for _, group in groupby(steps, key=lambda step: step.level))
        direct = [branch for branch, level in required.approach if level == 0]
        marker = None if required.marker is None else self._markers.get(required.marker)
        return _Way(
            marker,
            levels,
            tuple(self._markers[place] for place in required.path if place in self._markers),
            any(branch.position not in self._predicates for branch in direct),
            required.marker is not None and any(_inside(branch.position, required.marker) for branch in direct),
            required,
        )


class FlagDistances:
    """Distances of flag branches. ``functions`` may grow between traces."""

    def __init__(self, analysis: FlagAnalysis) -> None:
        self.analysis = analysis
        self.methods = FlagMethods(analysis)
        self._known: dict[int, _Function] = {}
        self._keys: frozenset[CodeKey] = frozenset()
        self._count = -1

    def function(self, functions: Sequence[ProbedFunction], number: int) -> _Function:
        """What is known of the function with that number."""
        known = self._known.get(number)
        if known is None:
            known = self._known[number] = _Function(number, functions[number], self)
        return known

    def probed(self, functions: Sequence[ProbedFunction]) -> frozenset[CodeKey]:
        """The keys of the functions that are instrumented."""
        if self._count != len(functions):
            self._count = len(functions)
            self._keys = frozenset(function.key for function in functions)
        return self._keys

    def wanted(self, functions: Sequence[ProbedFunction], open_predicates: Iterable[tuple[int, int]]) -> frozenset[tuple[int, int]]:
        """Of the (function, predicate) pairs that have an outcome no test has taken: those that are flag branches with a callee of
        known source, whether it is instrumented yet or not."""
        return frozenset(
            (number, predicate)
            for number, predicate in open_predicates
            if (site := self.function(functions, number).sites.get(predicate)) is not None
            and any(self.methods.of(callee) is not None for callee in site.callees)
        )

    def of(self, functions: Sequence[ProbedFunction], activations: Sequence[Activation]) -> TraceFlags:
        """The distances of one run (``Trace.functions``, ``Trace.activations``)."""
        return TraceFlags(self, functions, activations)


class TraceFlags:
    """The distances of one run; what was worked out is remembered."""

    __slots__ = ("_activations", "_children", "_flags", "_functions")

    def __init__(self, flags: FlagDistances, functions: Sequence[ProbedFunction], activations: Sequence[Activation]) -> None:
        self._flags = flags
        self._functions = functions
        self._activations = activations
        self._children: dict[Activation, list[Activation]] | None = None

    def nearest(
        self, function: int, predicate: int, outcome: bool, counts: Callable[[Activation], bool] | None = None
    ) -> float | None:
        """The least :meth:`distance` of a branch over the activations of its function (those that ``counts`` lets count)."""
        found = [
            value
            for activation in self._activations
            if activation.function == function
            and (counts is None or counts(activation))
            and (value := self.distance(activation, predicate, outcome)) is not None
        ]
        return min(found, default=None)

    def distance(self, activation: Activation, predicate: int, outcome: bool) -> float | None:
        """How far the flag of a branch was from ``outcome``, normalised to (0, 1]; also where the branch was not evaluated because
        its callee raised. None where the predicate is no flag branch with instrumented callees, or nothing was called for it: then
        what the probe recorded counts."""
        flags = self._flags
        site = flags.function(self._functions, activation.function).sites.get(predicate)
        if site is None or flags.probed(self._functions).isdisjoint(site.callees):
            return None
        found = self._of_branch(site, activation, outcome, ())
        if found is None:
            evaluated = activation.distance_to(predicate, outcome) is not None
            return LARGEST if evaluated and not site.loose else None
        return wrong_side(found) if found > 0 else None

    # -- Algorithm 1

    def _of_branch(self, site: FlagSite, activation: Activation, outcome: bool, chain: Chain) -> float | None:
        """The aggregated distance of an interprocedural flag branch; None where no callee ran, 0 where one gave what is wanted."""
        calls = self._calls(site, activation)
        if not calls:
            return None
        here = (activation.function, site.position)
        if here in chain or len(chain) >= DEPTH:
            return RECURSION
        return self._of_calls(site, calls, site.wanted(outcome), outcome, (*chain, here))

    def _of_calls(
        self, site: FlagSite, calls: Sequence[Activation], wanted: WantedResult, outcome: bool, chain: Chain
    ) -> float | None:
        if site.over is not Over.ONE and outcome is (site.over is Over.ALL):
            found = [value for call in calls if (value := self._of_results((call,), wanted, chain)) is not None]
            return max(found, default=None)  # each result must be so: the farthest one decides
        return self._of_results(calls, wanted, chain)

    def _of_results(self, calls: Sequence[Activation], wanted: WantedResult, chain: Chain) -> float | None:
        """First over the iterations of each required branch, then over the required branches; then normalised."""
        by_function: dict[int, list[Activation]] = {}
        for call in calls:
            by_function.setdefault(call.function, []).append(call)
        branches: list[float] = []
        for number, iterations in by_function.items():
            for way in self._flags.function(self._functions, number).ways(wanted):
                found = [value for call in iterations if (value := self._of_way(way, call, wanted, chain)) is not None]
                if found:
                    branches.append(aggregate(found))
        return normalise(aggregate(branches)) if branches else RECURSION

    # -- Algorithm 2

    def _of_way(self, way: _Way, call: Activation, wanted: WantedResult, chain: Chain) -> float | None:
        """The distance of one required branch in one iteration; None where it does not count in this one."""
        hit = way.marker is not None and bool(call.marks[way.marker])
        required = way.required
        if required.overwrites:
            return self._of_approach(way, call, chain) if hit else None
        if hit and required.told_by is not None:
            found = self._of_result_in(required.told_by, call, wanted, chain)
            if found is not None or not way.conditional:
                return found  # else a condition before it in the same statement may have gone wrong
        if hit and not way.conditional:
            return None if required.stored else 0.0  # an assignment that did not last, or the result itself
        found = self._of_approach(way, call, chain)
        # The result of another call is one more decision, which comes last.
        return found if found is None or required.told_by is None else found + 1

    def _of_result_in(self, place: Position, call: Activation, wanted: WantedResult, chain: Chain) -> float | None:
        """The first case of the paper: the callee returned what another one gave it, which must be the opposite."""
        site = self._flags.function(self._functions, call.function).places.get(place)
        if site is None or site.loose:
            return None
        if site.over is Over.ONE:
            site = site._replace(asks=wanted.asks, constant=wanted.constant, inverted=False)
        elif wanted.asks is not wanted.asks.TRUTH:
            return None
        return self._of_branch(site, call, wanted.holds, chain)

    def _of_approach(self, way: _Way, call: Activation, chain: Chain) -> float | None:
        """Approach level plus normalised distance of the nearest decision that was evaluated: recursively where that is a flag."""
        hit = way.marker is not None and bool(call.marks[way.marker])
        if hit and way.opaque:
            return SETTLED
        exhausting: float | None = None
        for steps in way.levels:
            level = steps[0].level
            found: list[float] = []
            for step in steps:
                value = self._of_step(step, call, chain)
                if value is None:
                    continue
                if step.exhausting and value > 0:
                    exhausting = level + value if exhausting is None else min(exhausting, level + value)
                else:
                    found.append(value)
            least = min(found, default=None)
            if least is None:
                continue
            if least > 0:
                return level + least
            if exhausting is None:
                return self._stopped(way, call, level, hit)
        if exhausting is not None:
            return exhausting
        return self._stopped(way, call, 1 + way.levels[-1][0].level if way.levels else 0, hit)

    def _of_step(self, step: _Step, call: Activation, chain: Chain) -> float | None:
        """The normalised distance of a decision; None where it was not reached."""
        recorded = call.distance_to(step.predicate, step.outcome)
        if recorded == 0:
            return 0.0
        site = self._flags.function(self._functions, call.function).sites.get(step.predicate)
        if site is not None:
            found = self._of_branch(site, call, step.outcome, chain)
            if found is not None and found > 0:
                return wrong_side(found)
        return None if recorded is None else wrong_side(normalise(recorded))

    @staticmethod
    def _stopped(way: _Way, call: Activation, level: int, hit: bool) -> float | None:
        """Every decision so far was right: 0 where the result was made (None where it tells nothing), else an exception came
        before."""
        required = way.required
        if required.overwrites:
            return SETTLED  # another iteration of a loop did what is wanted
        if hit and not level:
            return None if required.told_by is not None or required.stored else 0.0
        marks = call.marks
        progress = sum([1 for marker in way.path if marks[marker]]) / (len(way.path) + 1)
        return level + STOPPED * (1 - progress)

    # -- the runtime context table

    def _calls(self, site: FlagSite, activation: Activation) -> list[Activation]:
        """The activations that made the result of ``site`` under ``activation``, in order."""
        if self._children is None:
            self._children = {}
            for one in self._activations:
                if one.caller is not None:
                    self._children.setdefault(one.caller, []).append(one)
        below = self._children.get(activation)
        return [] if below is None else list(self._matching(site, below))[:MOST_ITERATIONS]

    def _matching(self, site: FlagSite, below: Sequence[Activation]) -> Iterator[Activation]:
        functions, callees = self._functions, site.callees
        for call in below:
            if functions[call.function].key in callees and _made_there(site, call):
                yield call


def aggregate(distances: Sequence[float]) -> float:
    """The harmonic mean (paper 003, equation 3): near 0 as soon as one of them is, and still sensitive to all."""
    if not distances:
        raise ValueError("nothing to aggregate")
    if min(distances) <= 0:
        return 0.0
    return len(distances) / sum([1.0 / distance for distance in distances])


def _made_there(site: FlagSite, call: Activation) -> bool:
    place = call.caller_position
    if place is None:
        return any(producer.line <= call.caller_line <= producer.end_line for producer in site.producers)
    if site.loose:  # the jump may have the place of the statement around, and the operator that of the condition
        return any(_inside(producer, place) or _inside(place, producer) for producer in site.producers)
    # Of a chain of attributes over several lines the compiler marks only the last part.
    return any(
        place == producer or (place[2:] == producer[2:] and producer.line < place.line and _inside(place, producer))
        for producer in site.producers
    )


def _inside(inner: Position, outer: Position) -> bool:
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]


def _is_exhausting(branch: Branch) -> bool:
    return branch.kind is BranchKind.FOR and not branch.outcome
