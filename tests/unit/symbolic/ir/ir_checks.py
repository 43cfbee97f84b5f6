"""What holds of every lowered function: the invariants that ``symbolic.ir.nodes`` states."""

from __future__ import annotations

from collections.abc import Iterator

from crashwright.symbolic.ir.nodes import Block, Constant, Function, Kind, Local, Node, Operand, Place, Way

_MANY = {Kind.JOIN, Kind.HEAD, Kind.HANDLER}
_ENDS = {Kind.RETURN, Kind.RAISE}
_WITHOUT_TARGET = {
    Kind.ENTRY, Kind.ASSUME, Kind.SET_ATTRIBUTE, Kind.DELETE_ATTRIBUTE, Kind.METHOD, Kind.SET_INDEX, Kind.DELETE_INDEX,
    Kind.SET_SLICE, Kind.DELETE_SLICE, Kind.RAISE, Kind.RETURN, Kind.JOIN, Kind.HEAD,
}  # fmt: skip


def faults(function: Function) -> list[str]:
    """What is wrong with a function; nothing, it is hoped."""
    found = [f"{node.number} {node.kind.value}: {text}" for node in function.nodes for text in _of_node(function, node)]
    found += [f"block {block.start}-{block.end}: {text}" for block in function.blocks for text in _of_block(function, block)]
    return found + _unbound(function) + _unassigned(function)


def _of_node(function: Function, node: Node) -> Iterator[str]:
    if function.nodes[node.number] is not node:
        yield "is not at its number"
    if node.kind is Kind.ENTRY:
        if node.before or node.number:
            yield "the entry is first and follows nothing"
        return
    if not node.before:
        yield "follows nothing"
    if node.kind not in _MANY and [edge.way for edge in node.before] != [Way.NORMAL]:
        yield f"follows {node.before}"
    if (node.kind is Kind.HANDLER) != any(edge.way is Way.RAISED for edge in node.before):
        yield "only handlers follow what raises"
    if len(set(node.before)) != len(node.before):
        yield "follows one twice"
    for edge in node.before:
        if edge.node >= node.number and node.kind is not Kind.HEAD:
            yield f"follows the later {edge.node}"
        if edge.way is Way.NORMAL and function.nodes[edge.node].kind in _ENDS:
            yield f"follows {edge.node}, where the function ends"
    if (node.target is None) != (node.kind in _WITHOUT_TARGET):
        yield f"has the target {node.target}"
    if node.target is not None and not isinstance(node.target, Local) and node.kind not in (Kind.COPY, Kind.DELETE):
        yield "assigns what is no local"
    if node.block is not None and node.kind not in (Kind.JOIN, Kind.HEAD):
        yield "has a block"


def _of_block(function: Function, block: Block) -> Iterator[str]:
    if not 0 < block.start <= block.end < len(function.nodes):
        yield "is no range"
        return
    is_loop = function.nodes[block.start].kind is Kind.HEAD and function.nodes[block.start].block is block
    if not is_loop and len(block.entries) != 1:
        yield f"is entered by {block.entries}"
    behind = function.nodes[block.end + 1] if block.end + 1 < len(function.nodes) else None
    if behind is not None and behind.block is block and behind.kind is not Kind.JOIN:
        yield "has no join behind it"
    for node in function.nodes:
        inside = block.start <= node.number <= block.end
        for edge in node.before:
            comes_from_inside = block.start <= edge.node <= block.end
            if inside and not comes_from_inside and edge.way is Way.NORMAL and edge not in block.entries:
                yield f"is entered at {node.number}"
            if not inside and comes_from_inside and edge.way is Way.NORMAL and not block.leaves and node is not behind:
                yield f"is left to {node.number}"


def _unbound(function: Function) -> list[str]:
    """Temporaries that are read where no way to them assigns them."""
    bound: dict[int, frozenset[Place]] = {}
    found: list[str] = []
    for node in function.nodes:
        states = [bound[edge.node] for edge in node.before if edge.node in bound]
        here = frozenset.intersection(*states) if states else frozenset()
        missing = [operand for operand in node.operands if _is_temporary(operand) and operand not in here]
        found.extend([f"{node.number} {node.kind.value}: {operand} is not assigned on all ways" for operand in missing])
        bound[node.number] = here if node.target is None else here | {node.target}
    return found


def _unassigned(function: Function) -> list[str]:
    """Temporaries that several instructions other than copies assign."""
    by: dict[Place, list[Kind]] = {}
    for node in function.nodes:
        if node.target is not None and _is_temporary(node.target):
            by.setdefault(node.target, []).append(node.kind)
    return [f"{target} is assigned by {kinds}" for target, kinds in by.items() if len(kinds) > 1 and set(kinds) != {Kind.COPY}]


def _is_temporary(operand: Operand) -> bool:
    return not isinstance(operand, Constant) and operand.name.startswith("%")
