"""The calls whose results a function's conditions depend on, through the local names that they are held in."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from crashwright.core.location import Position
from crashwright.engine.subject.flow.conditions import position_of
from crashwright.engine.subject.flow.data_dependence import assigned_values
from crashwright.engine.subject.walking import walk


def deciding_calls(function: ast.AST, places: Collection[Position]) -> list[ast.Call]:
    """Those behind the conditions at ``places``: what is called there, and what local names there stand for. A handler depends on
    what is called in its ``try``. What a call is given is another matter: it decides by its own answer. What goes round a
    ``while`` is left out, which an answer that never changes would not end."""
    held = assigned_values(function)
    for node in walk(function):
        if isinstance(node, ast.withitem):
            for name in walk(node.optional_vars) if node.optional_vars is not None else ():
                if isinstance(name, ast.Name):
                    held.setdefault(name.id, []).append(node.context_expr)
    turning = {id(part) for node in walk(function) if isinstance(node, ast.While) for part in walk(node.test)}
    waiting = [node for node in _at(function, places) if id(node) not in turning]
    found: dict[int, ast.Call] = {}
    while waiting:
        for part in _outside_of_calls(waiting.pop()):
            if isinstance(part, ast.Call):
                found[id(part)] = part
            else:
                waiting += held.pop(part.id, ())
    return sorted(found.values(), key=lambda call: (call.lineno, call.col_offset))


def _at(function: ast.AST, places: Collection[Position]) -> Iterator[ast.AST]:
    for node in walk(function):
        if isinstance(node, ast.Try) and any(position_of(handler) in places for handler in node.handlers):
            yield from node.body
        elif isinstance(node, ast.expr) and position_of(node) in places:
            yield node


def _outside_of_calls(root: ast.AST) -> Iterator[ast.Call | ast.Name]:
    """The calls and names there; of a call itself, and of what it is called on."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call):
            yield node
            waiting.append(node.func)
        elif isinstance(node, ast.Name):
            yield node
        else:
            waiting.extend(ast.iter_child_nodes(node))
