"""Immediate dominators of a rooted graph (the iterative algorithm of Cooper, Harvey and Kennedy, 2001)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def reachable(successors: Sequence[Iterable[int]], roots: Iterable[int]) -> set[int]:
    """The nodes on some path from one of ``roots``, which are among them."""
    seen = set(roots)
    waiting = list(seen)
    while waiting:
        for target in successors[waiting.pop()]:
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return seen


def reversed_graph(successors: Sequence[Iterable[int]]) -> list[list[int]]:
    """The predecessors of each node."""
    predecessors: list[list[int]] = [[] for _ in successors]
    for node, targets in enumerate(successors):
        for target in targets:
            predecessors[target].append(node)
    return predecessors


def immediate_dominators(successors: Sequence[Iterable[int]], root: int) -> dict[int, int]:
    """The immediate dominator of each node that ``root`` reaches; the root's is itself."""
    order = _postorder(successors, root)
    rank = {node: number for number, node in enumerate(order)}
    predecessors = reversed_graph(successors)
    dominator = {root: root}

    def common(one: int, other: int) -> int:
        while one != other:
            while rank[one] < rank[other]:
                one = dominator[one]
            while rank[other] < rank[one]:
                other = dominator[other]
        return one

    changed = True
    while changed:
        changed = False
        for node in reversed(order[:-1]):
            known = [parent for parent in predecessors[node] if parent in dominator]
            best = known[0]
            for parent in known[1:]:
                best = common(best, parent)
            if dominator.get(node) != best:
                dominator[node] = best
                changed = True
    return dominator


def dominators(immediate: dict[int, int], node: int) -> list[int]:
    """The strict dominators of ``node``, nearest first."""
    chain: list[int] = []
    while node in immediate and immediate[node] != node:
        node = immediate[node]
        chain.append(node)
    return chain


def _postorder(successors: Sequence[Iterable[int]], root: int) -> list[int]:
    order: list[int] = []
    seen = {root}
    stack = [(root, iter(successors[root]))]
    while stack:
        node, targets = stack[-1]
        for target in targets:
            if target not in seen:
                seen.add(target)
                stack.append((target, iter(successors[target])))
                break
        else:
            order.append(node)
            stack.pop()
    return order
