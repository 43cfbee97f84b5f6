"""Marks the expressions of a tree that are mutation sites, and those in which sites are evaluated together, before rewriting.

The marks are attributes of the nodes, for copies keep them.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from crashwright.core.location import CodeKey
from crashwright.engine.instrument.infection import Infections, site_of
from crashwright.engine.instrument.probed_code import PAUSES
from crashwright.engine.subject.flow.conditions import position_of
from crashwright.engine.subject.mutants.enumeration import Mutant, Mutator

_SITE = "cw_site"
_GROUP = "cw_group"
_INSIDE = "cw_sites_inside"
_MARKS = (_SITE, _GROUP, _INSIDE)

LARGEST = 40
"""Nodes of an expression that is compiled twice, with and without probes."""
LARGEST_DISPLAY = 2000
"""Likewise of lists and dictionaries of literals."""
DEEPEST = 60
"""Levels of an expression with probes inside: the compiler goes down by recursion."""

_DECIDING = (ast.BoolOp, ast.IfExp, ast.Compare, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_PARTS = (ast.Slice, ast.Starred, ast.FormattedValue)
_DISPLAYS = (ast.List, ast.Tuple, ast.Set, ast.Dict)


def mark(tree: ast.Module, mutants: Collection[Mutant], infections: Infections) -> None:
    """Marks the sites of these mutants, as far as they are in the tree (it may be a part of the module)."""
    mutator = Mutator(tree)
    found: dict[CodeKey, list[ast.AST]] = {}
    for site, mutant in {site_of(mutant): mutant for mutant in mutants}.items():
        if not mutator.has(mutant):
            continue
        node = mutator.node_of(mutant)
        setattr(node, _SITE, infections.number_of(site))
        found.setdefault(mutant.key, []).append(node)
    for key, nodes in found.items():
        for node in _tops(nodes, mutator):
            _mark_groups(node, key, infections)


def _tops(nodes: list[ast.AST], mutator: Mutator) -> Iterator[ast.AST]:
    """The outermost expressions (or augmented assignments) around the nodes, each once."""
    seen: set[int] = set()
    for node in nodes:
        while isinstance(parent := mutator.parent_of(node), ast.expr | ast.keyword | ast.comprehension | ast.AugAssign):
            node = parent
        if id(node) not in seen:
            seen.add(id(node))
            yield node


def _mark_groups(top: ast.AST, key: CodeKey, infections: Infections) -> None:
    order: list[tuple[ast.AST, int]] = [(top, 0)]
    for node, level in order:  # outer before inner; it grows
        order.extend((child, level + 1) for child in ast.iter_child_nodes(node))
    sizes: dict[int, int] = {}
    simple: dict[int, bool] = {}
    if order[-1][1] > DEEPEST:
        _unmark(node for node, level in order if order[-1][1] - level > 0)
        return
    for node, _ in reversed(order):
        children = [child for child in ast.iter_child_nodes(node) if id(child) in sizes]
        sizes[id(node)] = 1 + sum(sizes[id(child)] for child in children)
        simple[id(node)] = all(simple[id(child)] for child in children) and not _decides(node)
        if hasattr(node, _SITE) or any(hasattr(child, _INSIDE) for child in children):
            setattr(node, _INSIDE, True)
    waiting = [top]
    while waiting:
        node = waiting.pop()
        if not hasattr(node, _INSIDE):
            continue
        if _is_root(node, sizes, simple):
            setattr(node, _GROUP, infections.group((key, type(node).__name__, position_of(node))))
        else:
            waiting.extend(ast.iter_child_nodes(node))


def _decides(node: ast.AST) -> bool:
    return isinstance(node, (*_DECIDING, *PAUSES, ast.NamedExpr)) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    )


def _is_root(node: ast.AST, sizes: dict[int, int], simple: dict[int, bool]) -> bool:
    """Whether it may be compiled twice: an expression with nothing inside that decides or waits. A comparison, which decides
    itself, is rewritten as a whole by whoever rewrites its context."""
    if not isinstance(node, ast.expr) or isinstance(node, _PARTS) or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return False
    if sizes[id(node)] > (LARGEST_DISPLAY if isinstance(node, _DISPLAYS) else LARGEST):
        return False
    if isinstance(node, ast.Compare):
        return all(simple[id(child)] for child in (node.left, *node.comparators))
    return simple[id(node)]


def _unmark(nodes: Iterator[ast.AST]) -> None:
    for node in nodes:
        for name in _MARKS:
            if hasattr(node, name):
                delattr(node, name)


def site_at(node: ast.AST) -> int | None:
    """The number of the site that the node is."""
    number: int | None = getattr(node, _SITE, None)
    return number


def group_at(node: ast.AST) -> int | None:
    """The number of the group that the node contains as a whole."""
    number: int | None = getattr(node, _GROUP, None)
    return number


def has_sites(node: ast.AST) -> bool:
    """Whether there are sites in an expression."""
    return hasattr(node, _INSIDE)


def unmarked(node: ast.expr) -> ast.expr:
    """``node`` without marks, itself."""
    _unmark(iter(ast.walk(node)))
    return node
