"""The distance to one line of one instrumented function: approach level and branch distance (paper 000, section 2.1), and how much
of the way there was covered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import NamedTuple, Protocol

from crashwright.core.location import Position
from crashwright.engine.goals.crash.block_coverage import EffectiveBlocks
from crashwright.engine.goals.distance import SMALLEST, nearest, normalise, wrong_side
from crashwright.engine.instrument.trace import INFINITE, Activation, ProbedFunction, Trace
from crashwright.engine.subject.flow.basic_blocks import effective_blocks
from crashwright.engine.subject.flow.cfg import Branch
from crashwright.engine.subject.flow.control_dependence import ControlDependence


class GuidingBranch(NamedTuple):
    """An outcome of a predicate without which the line cannot be reached. ``predicate`` indexes the function's predicates;
    ``level`` is its approach level."""

    predicate: int
    outcome: bool
    level: int


Decision = tuple[int, bool]
"""A predicate and an outcome of it."""
UNDECIDED = 0.5
"""How far the other side is of a decision that was taken both ways, or not measured."""


def away_from(decisions: Sequence[Decision], activation: Activation) -> float:
    """The least normalised distance from taking the other side of one of these; one that was taken both ways tells nothing."""
    found = [activation.distance_to(predicate, not outcome) for predicate, outcome in decisions]
    return min([normalise(distance) for distance in found if distance], default=UNDECIDED)


class NameDefinition(NamedTuple):
    """Where the name is set that the report says is not: the marker that tells, and the decisions that lead there but not to the
    line."""

    marker: int
    decisions: tuple[Decision, ...]


class FlagReader(Protocol):
    """The distances of flag branches of one run (``goals.coverage.flags``)."""

    def distance(self, activation: Activation, predicate: int, outcome: bool) -> float | None:
        """The normalised distance of a predicate's outcome; None where what the probe recorded counts."""


FlagsOf = Callable[[Trace], FlagReader]


class Standing(Enum):
    """How far a run came in a function, in words."""

    NOT_ENTERED = "not entered"
    WRONG_SIDE = "a decision on the way took the wrong side"
    STOPPED = "something stopped it before the line"
    REACHED = "the line was reached"


class LineDistance(NamedTuple):
    """``reached`` the line's statement has begun; ``guard`` is then what keeps the run from the failing sub-expression: the
    distance of the conditions inside the statement (0: none). Else ``value`` >= 0 is the approach level plus the normalised branch
    distance of the nearest decision that came. It is a whole number, the level alone, where no wrong side was taken: the run was
    stopped in between.
    ``progress`` is the share of the statements on the path that were begun. ``site`` is how far the failing index access or
    division was from failing: infinite where that is not known."""

    reached: bool
    value: float
    progress: float
    guard: float = 0.0
    site: float = INFINITE
    entry: float = 0.0
    """How far the arguments were from fulfilling a precondition of the crash, from 0 to 1; 0 where none is known. Of a run that
    reached the line it is without what leads there."""
    way: float | None = None
    """How far they were from what of it leads to the line."""

    @property
    def standing(self) -> Standing:
        """In words, for a function that was entered."""
        if self.reached:
            return Standing.REACHED
        return Standing.STOPPED if self.value.is_integer() else Standing.WRONG_SIDE


class Lent(NamedTuple):
    """What keeps a generator expression from its crash while the function of a frame goes through it: conditions that are recorded
    to ``function``, further out, which made it."""

    function: int
    guards: tuple[GuidingBranch, ...]

    def distance(self, activation: Activation, flags: FlagReader | None) -> float:
        """From the activation of that function that led to this one; 0 where none did."""
        home = activation.caller
        while home is not None and home.function != self.function:
            home = home.caller
        return 0.0 if home is None else _nearest(self.guards, home, float(len(self.guards)), flags)


class FrameGoal:
    """Reach ``line`` in an activation of function number ``function``, and fail there at the predicate ``site``, where the probe
    knows how far that is."""

    __slots__ = (
        "anew",
        "blocks",
        "branches",
        "definitions",
        "entry",
        "farthest",
        "function",
        "guards",
        "lent",
        "line",
        "line_markers",
        "path_markers",
        "site",
    )

    def __init__(
        self,
        function: int,
        line: int,
        line_markers: Sequence[int],
        branches: Sequence[GuidingBranch] = (),
        path_markers: Sequence[int] = (),
        guards: Sequence[GuidingBranch] = (),
        site: int | None = None,
        blocks: Sequence[Sequence[int]] = (),
        definitions: Sequence[NameDefinition] = (),
        entry: int | None = None,
        anew: bool = False,
        lent: Lent | None = None,
    ) -> None:
        """``blocks``: the markers of the basic blocks on the way, the block nearest to the line first (see ``block_coverage``).
        ``definitions`` are to be passed by. ``entry`` is the predicate of the function's arguments, where they are measured.
        ``anew``: the frame before did not call it, what was raised there was only raised again. ``lent``: see :class:`Lent`."""
        self.anew = anew
        self.lent = lent
        self.entry = entry
        self.definitions = tuple(definitions)
        self.function = function
        self.line = line
        self.line_markers = tuple(line_markers)
        self.branches = tuple(sorted(branches, key=lambda branch: branch.level))
        self.path_markers = tuple(path_markers)
        self.guards = tuple(sorted(guards, key=lambda branch: branch.level))
        self.site = site
        self.blocks = EffectiveBlocks(blocks)
        self.farthest = 1 + max((branch.level for branch in branches), default=0)

    @property
    def is_graded(self) -> bool:
        """Whether runs that reached the line are told apart by how far it was from failing."""
        return self.site is not None or bool(self.definitions)

    def _unset(self, activation: Activation) -> float | None:
        """How far the run was from passing by every place where the name is set."""
        marks = activation.marks
        found = [1.0 + away_from(decisions, activation) for marker, decisions in self.definitions if marks[marker]]
        return sum(found) if found else None

    def _entered(self, activation: Activation, entry: int) -> tuple[float | None, float | None]:
        """What the probe at the entry recorded: the distance to a precondition, and to what of it leads to the line."""
        found = activation.distance_to(entry, True)
        return (None, None) if found is None else (found, activation.settled(entry))

    def _open(self, distance: float | None) -> float:
        """What was not measured counts as farthest, or the search would look for such."""
        if self.entry is None:
            return 0.0
        return 1.0 if distance is None else normalise(distance)

    def distance(self, activation: Activation, flags: FlagReader | None = None) -> LineDistance:
        """How far ``activation`` (of this goal's function) came."""
        marks = activation.marks
        entry, way = (None, None) if self.entry is None else self._entered(activation, self.entry)
        for marker in self.line_markers:
            if marks[marker]:
                guard = _nearest(self.guards, activation, float(len(self.guards)), flags) if self.guards else 0.0
                guard += 0.0 if self.lent is None else self.lent.distance(activation, flags)
                found = self._unset(activation) if self.site is None else activation.distance_to(self.site, True)
                left = None if entry is None or way is None else max(entry - way, 0.0)
                return LineDistance(True, 0.0, 1.0, guard, INFINITE if found is None else found, self._open(left), way)
        path = self.path_markers
        progress = sum([marks[marker] for marker in path]) / (len(path) + 1)
        farthest = float(self.farthest) if self.branches else 0.0
        return LineDistance(False, _nearest(self.branches, activation, farthest, flags), progress, entry=self._open(entry), way=way)


def _nearest(branches: Sequence[GuidingBranch], activation: Activation, farthest: float, flags: FlagReader | None) -> float:
    """As ``goals.distance.nearest``; ``flags`` tell the distances of flag branches from inside their callees, also of those whose
    callee raised."""
    recorded_to = activation.distance_to

    def recorded(predicate: int, outcome: bool) -> float | None:
        found = recorded_to(predicate, outcome)
        return None if found is None else normalise(found)

    if flags is None:
        return nearest(branches, farthest, recorded)

    def by_flags(predicate: int, outcome: bool) -> float | None:
        own = recorded(predicate, outcome)
        if own == 0:
            return own
        found = flags.distance(activation, predicate, outcome)
        return own if found is None else wrong_side(found)

    return nearest(branches, farthest, by_flags)


def statement_distance(line: LineDistance) -> float:
    """phi(approach level + phi(branch distance)) in [0, 1), 0 where the line was reached.

    # Deviation: where the right side was taken and the run stopped before the line (an exception in between), it is half of the
    smallest distance that a wrong side has. By the paper it would be 0, as if the line had been reached; by its reference
    implementation 0.5, which is worse than most wrong sides.
    """
    if line.reached:
        return 0.0
    return normalise(line.value) if line.value > 0 else normalise(SMALLEST) / 2


def _conditions(function: ProbedFunction) -> dict[Position, int]:
    """The numbers of a function's predicates that decide something, by their place."""
    found = [(number, one) for number, one in enumerate(function.predicates) if one.kind not in ("site", "entry")]
    return {predicate.position: number for number, predicate in found}


def _recorded(predicates: Mapping[Position, int], approach: Sequence[tuple[Branch, int]]) -> list[GuidingBranch]:
    inside = [(branch, level) for branch, level in approach if branch.position in predicates]
    return [GuidingBranch(predicates[branch.position], branch.outcome, level) for branch, level in inside]


def lent_by(index: int, function: ProbedFunction, flow: ControlDependence, place: Position) -> Lent | None:
    """What function number ``index`` records of a generator expression that it makes, on the way to ``place`` in it."""
    guards = _recorded(_conditions(function), flow.approach_within(place))
    return Lent(index, tuple(guards)) if guards else None


def frame_goal(
    index: int,
    function: ProbedFunction,
    line: int,
    flow: ControlDependence,
    caret: Position | None,
    crash: bool = False,
    unset: Sequence[Position] = (),
    measured: bool = False,
    anew: bool = False,
    lent: Lent | None = None,
) -> FrameGoal:
    """The goal for ``line`` of an instrumented function, by the control dependence of its statement. ``caret`` (the failing
    sub-expression) adds the conditions inside the statement. ``crash``: it is to fail there, at the site if there is one, or
    because the run came by none of the places ``unset``, where a name is set. ``measured``: its arguments count, where its entry
    has a probe. ``anew``, ``lent``: see :class:`FrameGoal`."""
    target = flow.statement_at(line)
    if target is None:
        return FrameGoal(index, line, [], anew=anew, lent=lent)
    predicates = _conditions(function)
    entries = [number for number, predicate in enumerate(function.predicates) if measured and predicate.kind == "entry"]
    sites = [number for number, predicate in enumerate(function.predicates) if crash and predicate.kind == "site"]
    markers = {marker: number for number, marker in enumerate(function.markers)}

    def recorded(approach: Sequence[tuple[Branch, int]]) -> list[GuidingBranch]:
        return _recorded(predicates, approach)

    branches = recorded(flow.approach(target))
    guards: list[GuidingBranch] = []
    if caret is not None and caret != target:
        outside = {(branch.predicate, branch.outcome) for branch in branches}
        inside = recorded(flow.approach_within(caret))
        guards = [branch for branch in inside if (branch.predicate, branch.outcome) not in outside]
    path = flow.path_positions(target)
    path_markers = [markers[statement] for statement in path if statement in markers and statement != target]
    line_markers = [markers[target]] if target in markers else []
    blocks = [
        [markers[statement] for statement in block if statement in markers]
        for block in effective_blocks(flow.cfg, flow.nodes_at(target))
    ]
    blocks = [block for block in blocks if block]
    needed = {(branch.predicate, branch.outcome) for branch in branches}
    definitions = [
        NameDefinition(
            markers[place], tuple(pair for branch in recorded(flow.approach(place)) if (pair := branch[:2]) not in needed)
        )
        for place in unset
        if place in markers and place in path
    ]
    return FrameGoal(
        function=index,
        line=line,
        line_markers=line_markers,
        branches=branches,
        path_markers=path_markers,
        guards=guards,
        site=sites[0] if sites else None,
        blocks=blocks,
        definitions=definitions,
        entry=entries[0] if entries else None,
        anew=anew,
        lent=lent,
    )
