"""A method of a private class is entered through a living instance: by the public functions that make one and return it."""

from __future__ import annotations

import ast

from crashwright.core.location import CodeKey
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.call_graph import CallGraph, own_expressions
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.introspection import class_home, class_name, class_qualname
from crashwright.engine.subject.source import CodeNode, Sources

MOST_MAKERS = 4


def makers_of(api: ApiModel, cls: type, sources: Sources, graph: CallGraph) -> tuple[Callee, ...]:
    """Public callables that return what a call of ``cls`` gives, by their source: no annotation says so."""
    found: dict[Callee, None] = {}
    for caller in graph.callers_of(CodeKey(class_home(cls), f"{class_qualname(cls)}.__init__", 0)):
        node = sources.node_of(caller)
        if node is not None and returns_call_of(node, class_name(cls)):
            found.update(dict.fromkeys(api.callee_for(*caller)))
    return tuple(callee for callee in found if not callee.private and callee.kind is not CalleeKind.CLASS)[:MOST_MAKERS]


def returns_call_of(code: CodeNode, name: str) -> bool:
    """Whether it has a ``return name(...)`` of its own, or returns a variable that only such a call was assigned to."""
    if not isinstance(code, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    nodes = list(own_expressions(code))
    made = {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign) and _calls(node.value, name)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    returned = [node.value for node in nodes if isinstance(node, ast.Return)]
    return any(_calls(value, name) or (isinstance(value, ast.Name) and value.id in made) for value in returned)


def _calls(node: ast.expr | None, name: str) -> bool:
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    return (isinstance(function, ast.Name) and function.id == name) or (
        isinstance(function, ast.Attribute) and function.attr == name
    )
