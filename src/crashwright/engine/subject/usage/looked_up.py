"""What code looks up by name, or compares names with: ``PRICES[account.plan]`` says which plans there are to whoever makes an
account, in whatever module its class is."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

Plain = str | int | float
MOST = 12
"""Values of one name."""
_LOOKING_UP = frozenset({"get", "pop", "setdefault", "index", "count"})


def looked_up(tree: ast.Module) -> dict[str, tuple[Plain, ...]]:
    """The values by the name of the variable or attribute that is compared with them, or looked up among them."""
    tables = dict(_tables(tree))
    found: dict[str, dict[tuple[type, Plain], None]] = {}
    for node in ast.walk(tree):
        for name, values in _uses(node, tables):
            if not name:
                continue
            known = found.setdefault(name, {})
            known.update(dict.fromkeys((type(one), one) for one in values[: MOST - len(known)]))
    return {name: tuple(value for _, value in known) for name, known in found.items() if known}


def _tables(tree: ast.Module) -> Iterator[tuple[str, Sequence[ast.expr | None]]]:
    """What the module assigns to names that is written out."""
    for statement in tree.body:
        target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
        if isinstance(statement, ast.AnnAssign):
            target = statement.target
        if isinstance(target, ast.Name) and isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            yield target.id, _entries(statement.value, {})


def _entries(node: ast.expr, tables: Mapping[str, Sequence[ast.expr | None]]) -> Sequence[ast.expr | None]:
    match node:
        case ast.Name(id=name):
            return tables.get(name, ())
        case ast.Dict(keys=keys):
            return keys
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return items
        case ast.Call(func=ast.Name(id="frozenset" | "set" | "tuple" | "list" | "dict"), args=[inner], keywords=[]):
            return _entries(inner, tables)
    return ()


def _uses(node: ast.AST, tables: Mapping[str, Sequence[ast.expr | None]]) -> Iterator[tuple[str, list[Plain]]]:
    match node:
        case ast.Subscript(value=table, slice=index) if not isinstance(index, ast.Slice):
            yield _name_of(index), _plain(_entries(table, tables))
        case ast.Call(func=ast.Attribute(value=table, attr=method), args=[index, *_]) if method in _LOOKING_UP:
            yield _name_of(index), _plain(_entries(table, tables))
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            if isinstance(operator, ast.In | ast.NotIn):
                yield _name_of(left), _plain(_entries(right, tables))
            else:
                yield _name_of(left), _plain([right])
                yield _name_of(right), _plain([left])
        case ast.Match(subject=subject, cases=cases):
            yield _name_of(subject), _plain([one.pattern.value for one in cases if isinstance(one.pattern, ast.MatchValue)])


def _name_of(node: ast.expr) -> str:
    """The last name of a variable or attribute; "" of anything else."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _plain(nodes: Sequence[ast.expr | None]) -> list[Plain]:
    values = [node.value for node in nodes if isinstance(node, ast.Constant)]
    return [value for value in values if type(value) is str or type(value) is int or type(value) is float]
