"""What a module does without, since an import that may fail has failed: ``try: import yaml`` with ``except ImportError``.

The functions that use such a name are never entered far without it, though they are the same as if it were there.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence

from crashwright.engine.subject.source import ModuleSource
from crashwright.engine.subject.walking import walk

_CAUGHT = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})


def left_out(source: ModuleSource, held: Mapping[str, object]) -> tuple[str, ...]:
    """The names that imports would have bound, and that ``held``, the module's globals, lacks or has as None."""
    return tuple(dict.fromkeys(name for name in _optional(source.tree.body) if held.get(name) is None))


def users(source: ModuleSource, names: Collection[str]) -> dict[str, dict[str, None]]:
    """What the functions of the module call of these names, as it is written (``yaml.safe_load``), or use of them otherwise (then
    the name alone), each with the functions that do."""
    found: dict[str, dict[str, None]] = {}
    for key, node in source.codes():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for used in _uses(node, names):
                found.setdefault(used, {})[key.qualname.partition(".<locals>")[0]] = None
    return found


def chain_of(node: ast.expr) -> list[str]:
    """The parts of a dotted name; none of anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return [node.id, *reversed(parts)] if isinstance(node, ast.Name) else []


def _uses(function: ast.AST, names: Collection[str]) -> Iterator[str]:
    called: set[ast.AST] = set()
    for node in walk(function):
        if isinstance(node, ast.Call):
            chain = chain_of(node.func)
            if chain and chain[0] in names:
                called.update(walk(node.func))
                yield ".".join(chain)
        elif isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load) and node not in called:
            yield node.id


def _optional(body: Sequence[ast.stmt]) -> Iterator[str]:
    """What the imports bind that stand where a failure of theirs is caught."""
    for one in body:
        if isinstance(one, ast.Try) and any(_catches(handler) for handler in one.handlers):
            for inner in one.body:
                yield from _bound(inner)
            yield from _optional(one.body)
        elif isinstance(one, ast.If | ast.Try):
            yield from _optional((*one.body, *one.orelse))


def _catches(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or (isinstance(kind, ast.Name) and kind.id in _CAUGHT) for kind in kinds)


def _bound(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.Import):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in statement.names)
    elif isinstance(statement, ast.ImportFrom):
        yield from (alias.asname or alias.name for alias in statement.names if alias.name != "*")
