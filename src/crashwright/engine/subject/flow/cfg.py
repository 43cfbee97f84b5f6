"""Control flow graphs: nodes are statements, atomic conditions and the guarded parts of expressions; edges carry outcomes.

A finally block appears once for each way of leaving its try, so several nodes can share a position. Exceptions flow twofold:
``edges`` hold one decision per handler where the try body ends (or is left), so that control dependence sees a handler as one
branch and not a branch at every statement; ``raising`` holds the real edges from each statement of a body, for dominance and
reachability.
"""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import NamedTuple

from crashwright.core.location import Position


class BranchKind(StrEnum):
    """What decides. The position of a branch is that of the atom (CONDITION), the iterated expression (FOR), the pattern (CASE),
    the whole handler (EXCEPT) or the with statement (SUPPRESS)."""

    CONDITION = "condition"
    FOR = "for"
    CASE = "case"
    EXCEPT = "except"
    SUPPRESS = "suppress"


class Branch(NamedTuple):
    """One side of a decision: the atom is true, there is a next item, the pattern matches, the handler is entered - or not."""

    position: Position
    kind: BranchKind
    outcome: bool

    @property
    def other(self) -> Branch:
        """The side not taken."""
        return self._replace(outcome=not self.outcome)


class NodeKind(Enum):
    """STATEMENT nodes stand for the start of a statement, EXPRESSION nodes for a guarded part of one, JOIN nodes for nothing."""

    ENTRY = "entry"
    EXIT = "exit"
    STATEMENT = "statement"
    EXPRESSION = "expression"
    BRANCH = "branch"
    JOIN = "join"


class FlowNode(NamedTuple):
    """``position`` is None for entry, exit and joins; ``branch`` tells the kind of decision of a BRANCH."""

    kind: NodeKind
    position: Position | None = None
    branch: BranchKind | None = None


class FlowEdge(NamedTuple):
    """``outcome`` is the side of the decision for edges out of a BRANCH."""

    target: int
    outcome: bool | None = None


ENTRY = 0
EXIT = 1


class Cfg:
    """The graph of one function, module, lambda or comprehension. Node 0 is the entry, 1 the exit (by return or exception)."""

    __slots__ = ("edges", "nodes", "raising")

    def __init__(self) -> None:
        self.nodes: list[FlowNode] = [FlowNode(NodeKind.ENTRY), FlowNode(NodeKind.EXIT)]
        self.edges: list[list[FlowEdge]] = [[], []]
        self.raising: list[list[int]] = [[], []]

    def add(self, node: FlowNode) -> int:
        """The index of a new node."""
        self.nodes.append(node)
        self.edges.append([])
        self.raising.append([])
        return len(self.nodes) - 1

    def connect(self, source: int, target: int, outcome: bool | None = None) -> None:
        """An edge, unless it is there."""
        edge = FlowEdge(target, outcome)
        if edge not in self.edges[source]:
            self.edges[source].append(edge)

    def successors(self, exceptional: bool) -> list[list[int]]:
        """For each node its successors, each once; ``exceptional`` adds the edges of ``raising``."""
        lists = []
        for index, edges in enumerate(self.edges):
            targets = dict.fromkeys(edge.target for edge in edges)
            if exceptional:
                targets.update(dict.fromkeys(self.raising[index]))
            lists.append(list(targets))
        return lists

    def branch(self, node: int, outcome: bool) -> Branch | None:
        """The branch that an edge out of ``node`` with that outcome stands for."""
        _, position, kind = self.nodes[node]
        return None if kind is None or position is None else Branch(position, kind, outcome)

    def branches(self) -> tuple[Branch, ...]:
        """All branches that have an edge, in order of construction, each once."""
        found = {
            branch: None
            for node, edges in enumerate(self.edges)
            for edge in edges
            if edge.outcome is not None and (branch := self.branch(node, edge.outcome)) is not None
        }
        return tuple(found)
