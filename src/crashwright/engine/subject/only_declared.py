"""What of a module never runs by design: overloads, the empty bodies of protocols and of abstract methods, and what stands under
``if TYPE_CHECKING:``. It is written for type checkers and readers, so that no test can take it."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from crashwright.engine.subject.walking import walk

_CHECKING = "TYPE_CHECKING"


def only_declared(tree: ast.AST) -> frozenset[int]:
    """The functions of a module that are only declared, by the identities of their nodes."""
    found: set[int] = set()
    for node in walk(tree):
        if isinstance(node, ast.ClassDef):
            is_protocol = "Protocol" in map(_name, node.bases)
            found.update(id(one) for one in _functions(node.body) if is_protocol and _is_empty(one))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            marks = [_name(one) for one in node.decorator_list]
            if "overload" in marks or ("abstractmethod" in marks and _is_empty(node)):
                found.add(id(node))
        if isinstance(node, ast.If) and _name(node.test) == _CHECKING:
            found.update(id(one) for statement in node.body for one in _functions(walk(statement)))
    return frozenset(found)


def for_checkers(function: ast.AST) -> tuple[ast.AST, ...]:
    """What of a function is only there for type checkers: conditions ``TYPE_CHECKING``, and the statements behind them."""
    found: list[ast.AST] = []
    for node in walk(function):
        if isinstance(node, ast.If) and _name(node.test) == _CHECKING:
            found.append(node.test)
            found += [one for statement in node.body for one in walk(statement) if isinstance(one, ast.stmt)]
    return tuple(found)


def _functions(nodes: Iterable[ast.AST]) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [one for one in nodes if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]


def _is_empty(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the body has nothing but a docstring, dots, ``pass``, and that it is not implemented."""
    return all(
        isinstance(one, ast.Pass)
        or (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
        or (isinstance(one, ast.Raise) and one.exc is not None and _name(one.exc) == "NotImplementedError")
        for one in function.body
    )


def _name(node: ast.AST) -> str:
    """The last name of what a node refers to, whether it is called, subscripted, or neither."""
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
