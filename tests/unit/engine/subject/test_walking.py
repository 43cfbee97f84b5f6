from __future__ import annotations

import ast
import inspect
import sys
from types import ModuleType

import pytest

from crashwright.core import codec, messages
from crashwright.engine.subject import introspection, walking
from crashwright.engine.subject.walking import children, nodes_of, walk

MORE = """
def f[T](x: T, /, *a, y=1, **k) -> T:
    global z
    match x:
        case [1, *rest] | {"a": b, **rest} if y: return lambda: (yield)
        case C(n=1) as c: pass
    async with a as b, c: [*_] = {**k, 1: 2}
type A = int
import a.b as c
try: pass
except* E as e: raise
"""


def _plain(nodes: list[ast.AST]) -> list[ast.AST]:
    return [node for node in nodes if not isinstance(node, ast.expr_context)]


def _trees() -> list[ast.Module]:
    sources = [inspect.getsource(module) for module in (ast, inspect, codec, messages, introspection, walking)]
    if sys.version_info >= (3, 12):
        sources.append(MORE.replace("async with", "with"))
    return [ast.parse(source) for source in sources]


@pytest.mark.parametrize("tree", _trees(), ids=lambda tree: f"{len(tree.body)} statements")
def test_the_nodes_are_those_of_the_standard_library_in_its_order(tree: ast.Module) -> None:
    assert walk(tree) == _plain(list(ast.walk(tree)))
    assert nodes_of(tree) == tuple(walk(tree))
    assert all(children(node) == _plain(list(ast.iter_child_nodes(node))) for node in walk(tree))


def test_every_kind_of_node_that_there_is_has_its_children() -> None:
    """Whatever a later Python adds: a field that is left out holds no node in any tree that the parser makes."""
    assert isinstance(ast, ModuleType)
    for kind in vars(ast).values():
        if isinstance(kind, type) and issubclass(kind, ast.AST) and kind._fields:
            left_out = set(kind._fields) - set(walking._noted(kind))
            types = getattr(kind, "_field_types", {})
            held = [types[name] for name in left_out if name in types and name != "ctx"]
            assert not any(isinstance(one, type) and issubclass(one, ast.AST) for one in held), kind
