"""The instructions of one function while they are made: the frontier that the next one follows, blocks, protected stretches, and
which variables are certainly bound."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from crashwright.core.location import Position
from crashwright.symbolic.ir.nodes import Binary, Block, Constant, Edge, Kind, Local, Node, Operand, Place, Way

_MANY = frozenset({Kind.JOIN, Kind.HEAD, Kind.HANDLER})
_SILENT = _MANY | {Kind.ENTRY, Kind.COPY, Kind.RETURN, Kind.NEXT, Kind.ELEMENT, Kind.TEXT, Kind.FUNCTION}
"""Kinds that raise nothing. RETURN: its value is there already."""
_CONTENTS = frozenset({"size", "elements", "keys", "mappings"})
_SEQUENCE = frozenset({"size", "elements"})
_ALL = frozenset({"*"})
_WRITTEN = {
    Kind.SET_INDEX: _CONTENTS,
    Kind.DELETE_INDEX: _CONTENTS,
    Kind.SET_SLICE: _SEQUENCE,
    Kind.DELETE_SLICE: _SEQUENCE,
    **dict.fromkeys((Kind.AWAIT, Kind.YIELD, Kind.ENTER, Kind.EXIT, Kind.OPAQUE, Kind.CLASS), _ALL),
}


@dataclass(slots=True)
class Protected:
    """A stretch whose exceptions go to handlers: the instructions in it that may raise."""

    raisers: list[int] = field(default_factory=list)


class Graph:
    """Nodes of one function. ``frontier``: the edges that the next node gets; empty where nothing comes here."""

    def __init__(self, deletable: frozenset[Place]) -> None:
        self.nodes: list[Node] = []
        self.blocks: list[Block] = []
        self.frontier: list[Edge] = []
        self._protected: list[Protected] = []
        self._deletable = deletable
        self._bound_before: list[frozenset[Place]] = []
        self._bound_after: list[frozenset[Place]] = []
        self._ways_out: list[int] = []
        self._temporaries = 0

    # Nodes
    def temporary(self) -> Local:
        self._temporaries += 1
        return Local(f"%{self._temporaries}")

    def emit(
        self,
        kind: Kind,
        target: Place | None = None,
        operands: Sequence[Operand] = (),
        detail: object = None,
        position: Position | None = None,
    ) -> Node:
        """Adds a node behind the frontier and makes it the frontier."""
        if kind not in _MANY:
            self.settle()
        bound = self._bound()
        node = Node(len(self.nodes), kind, target, tuple(operands), detail, position, list(self.frontier))
        self.nodes.append(node)
        self.frontier = [Edge(node.number)]
        self._bound_before.append(bound)
        self._bound_after.append(self._afterwards(node, bound))
        if self._protected and may_raise(node):
            self._protected[-1].raisers.append(node.number)
        return node

    def _afterwards(self, node: Node, bound: frozenset[Place]) -> frozenset[Place]:
        if node.kind is Kind.HEAD:
            return bound - self._deletable
        if node.target is None or is_temporary(node.target):
            return bound
        if node.kind is Kind.DELETE:
            return bound - {node.target}
        return bound if node.target in bound else bound | {node.target}

    def settle(self) -> None:
        """Joins the frontier where it has several edges, so that one node may follow."""
        if len(self.frontier) > 1 or any(edge.way is Way.RAISED for edge in self.frontier):
            self.emit(Kind.JOIN)

    def bind(self, places: Iterable[Place]) -> None:
        """These are bound after the last node: the parameters at the entry, and what a LOAD found."""
        self._bound_after[-1] |= frozenset(places)

    def was_assigned(self, place: Place) -> bool:
        """Whether some node so far assigns a variable."""
        return any(node.target == place for node in self.nodes)

    def is_bound(self, place: Place) -> bool:
        return is_temporary(place) or all(place in self._at(edge) for edge in self.frontier)

    def _bound(self) -> frozenset[Place]:
        states = [self._at(edge) for edge in self.frontier]
        if not states:
            return frozenset()
        first, *others = states
        return first.intersection(*others) if others else first

    def _at(self, edge: Edge) -> frozenset[Place]:
        return (self._bound_after if edge.way is Way.NORMAL else self._bound_before)[edge.node]

    def rename_result(self, result: Operand, target: Local) -> bool:
        """Lets the last node assign a variable at once instead of its temporary."""
        last = self.nodes[-1]
        if self.frontier != [Edge(last.number)] or last.target != result or not is_temporary(result) or last.kind in _MANY:
            return False
        last.target = target
        self._bound_after[-1] |= {target}
        return True

    # Stretches
    def open_block(self) -> Block:
        self.settle()
        return Block(len(self.nodes))

    def close_block(self, block: Block) -> None:
        """Ends a block and joins what comes out of it. Nothing happens for an empty one."""
        block.end = len(self.nodes) - 1
        if block.end < block.start:
            return
        inside = self.nodes[block.start : block.end + 1]
        block.entries = tuple([edge for edge in inside[0].before if edge.node < block.start])
        block.leaves = any(number >= block.start for number in self._ways_out) or any(map(_leaves, inside))
        block.locals_written = frozenset([node.target for node in inside if node.target is not None])
        block.heap_written = frozenset().union(*map(heap_written, inside))
        block.calls = tuple([node.number for node in inside if node.kind is Kind.CALL])
        self.blocks.append(block)
        if self.frontier:
            self.emit(Kind.JOIN).block = block

    def leave(self) -> list[Edge]:
        """The frontier of a break or continue, which goes elsewhere: nothing follows here."""
        self._ways_out.extend([edge.node for edge in self.frontier])
        gone, self.frontier = self.frontier, []
        return gone

    def arrive(self, gone: Iterable[Edge]) -> None:
        """Where a break or continue comes to: no way out of the blocks that hold both."""
        numbers = {edge.node for edge in gone}
        self._ways_out = [one for one in self._ways_out if one not in numbers]

    @contextmanager
    def protected(self) -> Iterator[Protected]:
        stretch = Protected()
        self._protected.append(stretch)
        try:
            yield stretch
        finally:
            self._protected.remove(stretch)

    @contextmanager
    def outside(self, depth: int) -> Iterator[None]:
        """What is emitted meanwhile is protected by the outermost ``depth`` stretches alone."""
        inner = self._protected[depth:]
        del self._protected[depth:]
        try:
            yield
        finally:
            self._protected.extend(inner)

    @property
    def depth(self) -> int:
        return len(self._protected)


def is_temporary(operand: Operand) -> bool:
    return isinstance(operand, Local) and operand.name.startswith("%")


def may_raise(node: Node) -> bool:
    """Whether the instruction may raise at all, whatever its operands."""
    if node.kind in _SILENT:
        return False
    if node.kind is Kind.COMPARE:
        return node.detail not in ("is", "is not")
    if node.kind is Kind.ASSUME:
        return not isinstance(node.operands[0], Constant)
    if node.kind is Kind.DISPLAY:
        return not _is_plain_display(node)
    return True


def _is_plain_display(node: Node) -> bool:
    """A list or tuple of what is there; sets and dicts hash what they get."""
    detail = node.detail
    kind, starred = (detail[0], detail[1]) if isinstance(detail, tuple) else ("", ())
    return kind == "generator" or not node.operands or (kind in ("list", "tuple") and not starred)


def _leaves(node: Node) -> bool:
    return node.kind is Kind.RETURN or (node.kind is Kind.RAISE and node.position is not None)


def heap_written(node: Node) -> frozenset[str]:
    """The heap arrays that an instruction may write by itself."""
    if node.kind in (Kind.SET_ATTRIBUTE, Kind.DELETE_ATTRIBUTE):
        return frozenset({f".{node.detail}"})
    if node.kind is Kind.BINARY and isinstance(node.detail, Binary) and node.detail.in_place:
        if not any(isinstance(one, Constant) and _is_plain(one.value) for one in node.operands):
            return _CONTENTS
        return _SEQUENCE if node.detail.operator == "*" else frozenset()
    return _WRITTEN.get(node.kind, frozenset())


def _is_plain(value: object) -> bool:
    """What is combined with such makes a new value. (A list takes a number for ``*=``. That it takes the letters of a text for
    ``+=`` is left out: nearly always it is a text that grows.)"""
    return isinstance(value, (int, float, complex, str, bytes))
