"""Smaller versions of a definition, boldest first: whole parts of it left out, then expressions in it made simple."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from functools import partial

from crashwright.engine.testcase.definitions.source import parsed, source_of

Change = Callable[[], None]
_SIMPLE = (ast.Constant, ast.Name, ast.Attribute)


def smaller_sources(source: str) -> Iterator[str]:
    """Definitions of the same name that say less; each compiles as far as its syntax goes."""
    tree = parsed(source)
    for place in range(len([*_changes(tree)])):
        less = copy.deepcopy(tree)
        [*_changes(less)][place]()
        text = source_of(less)
        if text != source:
            yield text


def _changes(tree: ast.stmt) -> Iterator[Change]:
    """What may be done to ``tree``, in an order that depends on its form alone."""
    nodes = [*ast.walk(tree)]
    for node in nodes:
        yield from _parts(node)
    for node in nodes:
        yield from _expressions(node)


def _parts(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        for decorator in node.decorator_list:
            yield partial(node.decorator_list.remove, decorator)
    if isinstance(node, ast.ClassDef):
        for base in node.bases if len(node.bases) > 1 else ():  # without any it would be no class of the subject's kind
            yield partial(node.bases.remove, base)
        for keyword in node.keywords:
            yield partial(node.keywords.remove, keyword)
    body = dict(ast.iter_fields(node)).get("body")
    if type(body) is list:
        yield from _lines(node, body)
    for block in ("orelse", "finalbody", "handlers"):
        inner = dict(ast.iter_fields(node)).get(block)
        if type(inner) is list and inner and not (block != "orelse" and isinstance(node, ast.Try)):
            yield partial(setattr, node, block, [])


def _lines(node: ast.AST, body: list[ast.stmt]) -> Iterator[Change]:
    if len(body) > 1 or not (isinstance(body[0], ast.Pass) or _gives_a_name(body[0])):
        yield partial(setattr, node, "body", [ast.Pass()])
    if len(body) > 1:
        for line in body:
            yield partial(body.remove, line)
    for place, line in enumerate(body):
        inner = dict(ast.iter_fields(line)).get("body")
        if type(inner) is list and not isinstance(line, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield partial(body.__setitem__, slice(place, place + 1), inner)


def _gives_a_name(line: ast.stmt) -> bool:
    return isinstance(line, ast.Return) and isinstance(line.value, ast.Name)


def _expressions(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Call():
            for argument in node.args:
                yield partial(node.args.remove, argument)
            for keyword in node.keywords:
                yield partial(node.keywords.remove, keyword)
        case ast.List() | ast.Tuple() | ast.Set():
            for element in node.elts:
                yield partial(node.elts.remove, element)
        case ast.Dict():
            for place in range(len(node.keys)):
                yield partial(_remove_pair, node, place)
        case ast.Return(value=ast.Name()):
            pass  # what is given back says more than nothing, and is as short
        case ast.Return(value=value) if value is not None:
            yield partial(setattr, node, "value", None)
            yield from _inner(node, value)
        case ast.Assign(value=value):
            yield from _inner(node, value)
        case ast.AnnAssign():
            if node.value is not None:
                yield partial(setattr, node, "value", None)
            if isinstance(node.annotation, ast.Subscript):
                yield partial(setattr, node, "annotation", node.annotation.slice)
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            if node.returns is not None:
                yield partial(setattr, node, "returns", None)
            for parameter in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]:
                if parameter.annotation is not None:
                    yield partial(setattr, parameter, "annotation", None)


def _inner(node: ast.AST, value: ast.expr) -> Iterator[Change]:
    """One part of ``value`` in place of the whole."""
    for child in ast.iter_child_nodes(value):
        if isinstance(child, ast.expr) and not isinstance(value, _SIMPLE):
            # What is put into a formatted text is no expression by itself.
            yield partial(setattr, node, "value", child.value if isinstance(child, ast.FormattedValue) else child)


def _remove_pair(node: ast.Dict, place: int) -> None:
    del node.keys[place], node.values[place]
