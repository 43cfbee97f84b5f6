"""Basic blocks on the way to a place: the "effective blocks" of basic block coverage (paper 000, section 3.2).

A block is a sequence of statements without a decision or a join in between. Exceptions do not end a block: they are the implicit
branches that its coverage is to show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from crashwright.core.location import Position
from crashwright.engine.subject.flow.cfg import ENTRY, Cfg, NodeKind
from crashwright.engine.subject.flow.dominance import reachable, reversed_graph

Block = tuple[Position, ...]
"""The statements of a block, in the order in which they run."""


def effective_blocks(cfg: Cfg, targets: Iterable[int]) -> tuple[Block, ...]:
    """The blocks between the entry and one of the nodes ``targets`` (the same place several times), the closest to it first. That
    of the place itself ends there. Blocks without a statement of their own are left out."""
    aims = frozenset(targets)
    successors = cfg.successors(exceptional=True)
    before = [[] if node in aims else nodes for node, nodes in enumerate(successors)]
    effective = reachable(before, (ENTRY,)) & reachable(reversed_graph(before), aims)
    chains = _chains(cfg, effective, aims)
    number = {node: index for index, chain in enumerate(chains) for node in chain}
    away = _distances(before, number, aims)
    found: dict[Block, tuple[int, tuple[int, ...]]] = {}
    for index, chain in enumerate(chains):
        block = tuple(
            position for node in chain if (position := cfg.nodes[node].position) and cfg.nodes[node].kind is NodeKind.STATEMENT
        )
        if block and index in away:
            # Of two that are as near, the later in the source; copies of a finally block are one.
            order = away[index], (-block[-1].line, -block[-1].column)
            found[block] = min(order, found.get(block, order))
    return tuple(sorted(found, key=lambda block: found[block]))


def _chains(cfg: Cfg, effective: set[int], aims: frozenset[int]) -> list[list[int]]:
    """The effective nodes, block by block."""
    following = cfg.successors(exceptional=False)
    entered = [0] * len(following)
    for targets in (*following, *cfg.raising):
        for target in targets:
            entered[target] += 1

    copies = Counter(cfg.nodes)

    def continues(node: int) -> int | None:
        """The next node of the same block."""
        if node in aims or len(following[node]) != 1:
            return None
        after = following[node][0]
        if entered[after] != 1 or after not in effective:
            return None
        # The copies of a finally block are the same statements: a block of their own, whatever comes before.
        return after if copies[cfg.nodes[after]] == copies[cfg.nodes[node]] else None

    inner = {after for node in effective if (after := continues(node)) is not None}
    chains = []
    for node in sorted(effective - inner):
        chain = [node]
        while (after := continues(chain[-1])) is not None:
            chain.append(after)
        chains.append(chain)
    return chains


def _distances(successors: list[list[int]], number: dict[int, int], aims: frozenset[int]) -> dict[int, int]:
    """How many blocks away from the nodes ``aims`` each block is."""
    leading: dict[int, set[int]] = {}
    for node, block in number.items():
        for target in successors[node]:
            if number.get(target, block) != block:
                leading.setdefault(number[target], set()).add(block)
    away = {number[node]: 0 for node in aims if node in number}
    waiting = list(away)
    for block in waiting:  # grows as it is walked through
        for source in leading.get(block, ()):
            if source not in away:
                away[source] = away[block] + 1
                waiting.append(source)
    return away
