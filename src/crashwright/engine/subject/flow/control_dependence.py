"""Control dependence with outcomes (Ferrante, Ottenstein and Warren, 1987) and what the crash fitness asks of it: which decisions a
place depends on, how many steps away each is (the approach level), and which statements lead there."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from crashwright.core.location import Position
from crashwright.engine.subject.flow.cfg import ENTRY, EXIT, Branch, BranchKind, Cfg, NodeKind
from crashwright.engine.subject.flow.cfg_builder import Scope, build_cfg
from crashwright.engine.subject.flow.dominance import dominators, immediate_dominators, reachable, reversed_graph

Dependence = tuple[int, bool | None]
"""A decision node and the outcome that leads on."""


class ControlDependence:
    """The dependences inside one function, lambda, module or comprehension. Places are given as a Position (the innermost part that
    contains it decides, down to guarded parts of expressions) or a line number (the innermost statement decides); a place outside
    the code depends on nothing."""

    __slots__ = ("_decisions", "_direct", "_dominators", "_exceptional", "cfg")

    def __init__(self, scope: Scope) -> None:
        self.cfg: Cfg = build_cfg(scope)
        self._exceptional = self.cfg.successors(exceptional=True)
        self._direct = direct_dependences(self.cfg)
        self._dominators: dict[int, int] | None = None
        self._decisions: dict[tuple[Position, BranchKind], list[int]] | None = None

    def dependences(self, place: Position | int) -> tuple[Branch, ...]:
        """The branches that must be taken last to get there: any one of them leads on. Empty where the place is always reached
        (unless an exception comes in between)."""
        return tuple(branch for branch, level in self.approach(place) if level == 0)

    def approach(self, place: Position | int) -> tuple[tuple[Branch, int], ...]:
        """All branches from which the place can still be missed, with the number of further decisions between (0: direct), nearest
        first. Of the two outcomes of one decision only the nearer counts, and neither where they are equally near."""
        return self._approach(self.nodes_at(place))

    def first_approach(self, place: Position, decision: BranchKind | None = None) -> tuple[tuple[Branch, int], ...]:
        """As :meth:`approach`, without what only comes after the place (the outcome that leads back to the head of a loop): nobody
        needs it to get there first. ``decision``: the place is that decision itself where the graph has it; the second atom of a
        test depends on more than its statement does."""
        nodes = () if decision is None else self._decisions_at(place, decision)
        nodes = nodes or self.nodes_at(place)
        return tuple((branch, level) for branch, level in self._approach(nodes) if not self._only_after(branch, nodes))

    def approach_within(self, place: Position) -> tuple[tuple[Branch, int], ...]:
        """As :meth:`first_approach` for an expression that may stand in a decision: what precedes it in ``a and b[0]``."""
        nodes = self.nodes_at(place, decisions=True)
        return tuple((branch, level) for branch, level in self._approach(nodes) if not self._only_after(branch, nodes))

    def _decisions_at(self, position: Position, kind: BranchKind) -> tuple[int, ...]:
        if self._decisions is None:
            self._decisions = {}
            for index, node in enumerate(self.cfg.nodes):
                if node.position is not None and node.branch is not None:
                    self._decisions.setdefault((node.position, node.branch), []).append(index)
        return tuple(self._decisions.get((position, kind), ()))

    def _only_after(self, branch: Branch, nodes: Collection[int]) -> bool:
        if self._dominators is None:
            self._dominators = immediate_dominators(self._exceptional, ENTRY)
        immediate = self._dominators
        return all(
            node in nodes or any(outer in nodes for outer in dominators(immediate, node))
            for node in self._decisions_at(branch.position, branch.kind)
        )

    def _approach(self, nodes: Iterable[int]) -> tuple[tuple[Branch, int], ...]:
        found: dict[Branch, int] = {}
        seen: set[int] = set()
        current = set(nodes)
        level = 0
        while current:
            decisions = self._explicit(current, seen)
            for node, outcome in decisions:
                branch = self.cfg.branch(node, outcome)
                if branch is not None:
                    found.setdefault(branch, level)
            current = {node for node, _ in decisions} - seen
            level += 1
        return tuple((branch, depth) for branch, depth in found.items() if found.get(branch.other, depth + 1) > depth)

    def nodes_at(self, place: Position | int, decisions: bool = False) -> tuple[int, ...]:
        """The nodes of the graph for a place (several for finally blocks); empty where it is not in this code. ``decisions``: a
        condition or an iterated expression is a place of its own, not part of its statement."""
        by_line = isinstance(place, int)
        kinds = {NodeKind.STATEMENT} if by_line else {NodeKind.STATEMENT, NodeKind.EXPRESSION}
        if decisions:
            kinds.add(NodeKind.BRANCH)
        around: dict[Position, list[int]] = {}
        for index, node in enumerate(self.cfg.nodes):
            if node.kind in kinds and node.position is not None and _contains(node.position, place):
                around.setdefault(node.position, []).append(index)
        if not around:
            return ()
        starting = [position for position in around if position.line == place]
        innermost = max(around, key=lambda p: (p.line, p.column, -p.end_line, -p.end_column))
        return tuple(around[min(starting) if starting else innermost])

    def statement_at(self, place: Position | int) -> Position | None:
        """The position of the innermost statement (or guarded part) there."""
        nodes = self.nodes_at(place)
        return self.cfg.nodes[nodes[0]].position if nodes else None

    def path_positions(self, place: Position | int) -> tuple[Position, ...]:
        """The statements that can lie on a path from the entry to the place, itself included, in source order."""
        targets = self.nodes_at(place)
        coming = reachable(self._exceptional, (ENTRY,))
        leading = reachable(reversed_graph(self._exceptional), targets)
        return self._statements(node for node in coming & leading)

    def _statements(self, nodes: Iterable[int]) -> tuple[Position, ...]:
        found = {self.cfg.nodes[node].position for node in nodes if self.cfg.nodes[node].kind is NodeKind.STATEMENT}
        return tuple(sorted(position for position in found if position is not None))

    def _explicit(self, nodes: set[int], seen: set[int]) -> list[tuple[int, bool]]:
        """The decisions that the nodes directly depend on. Looked through are endless loops, which decide nothing, and decisions
        that lead here either way (by different copies of a finally block or handler)."""
        found: dict[tuple[int, bool], None] = {}
        waiting = sorted(nodes)
        while waiting:
            node = waiting.pop()
            if node in seen:
                continue
            seen.add(node)
            for source, outcome in self._direct.get(node, ()):
                if outcome is None:
                    waiting.append(source)
                else:
                    found[source, outcome] = None
            if not waiting:
                waiting = self._idle(found)
        return list(found)

    def _idle(self, found: dict[tuple[int, bool], None]) -> list[int]:
        """Takes out the decisions both of whose outcomes are found; their nodes."""
        sides = {pair: self.cfg.branch(*pair) for pair in found}
        branches = set(sides.values())
        idle = [pair for pair, branch in sides.items() if branch is not None and branch.other in branches]
        for pair in idle:
            del found[pair]
        return sorted({node for node, _ in idle})


def direct_dependences(cfg: Cfg) -> dict[int, tuple[Dependence, ...]]:
    """For each node the decisions (node, outcome) that it directly depends on; the outcome is None for the way out of an endless
    loop, which is no decision. Exceptions count only by their handlers' decisions."""
    forward = cfg.successors(exceptional=False)
    alive = reachable(forward, (ENTRY,))
    edges = [[(edge.target, edge.outcome) for edge in cfg.edges[node]] if node in alive else [] for node in range(len(forward))]
    successors = [[target for target, _ in targets] for targets in edges]
    _let_out(successors, edges, alive)
    parent = immediate_dominators(reversed_graph(successors), EXIT)
    found: dict[int, dict[Dependence, None]] = {}
    for source, targets in enumerate(edges):
        if len(successors[source]) < 2:
            continue
        for target, outcome in targets:
            runner = target
            while runner != parent[source]:
                found.setdefault(runner, {})[source, outcome] = None
                runner = parent[runner]
    return {node: tuple(dependences) for node, dependences in found.items()}


def _let_out(successors: list[list[int]], edges: list[list[tuple[int, bool | None]]], alive: set[int]) -> None:
    """Gives each endless loop an edge from its head to the exit, so that every node has post-dominators."""
    while stuck := alive - reachable(reversed_graph(successors), (EXIT,)):
        backward = reversed_graph(successors)
        head = next(node for node in sorted(stuck) if reachable(successors, (node,)) <= reachable(backward, (node,)))
        successors[head].append(EXIT)
        edges[head].append((EXIT, None))


def _contains(outer: Position, place: Position | int) -> bool:
    if isinstance(place, int):
        return outer.line <= place <= outer.end_line
    return outer[:2] <= place[:2] and place[2:] <= outer[2:]
