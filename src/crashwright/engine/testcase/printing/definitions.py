"""Definitions as a person would write them: names as the test imports them, quotes and blank lines as Black would have them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from crashwright.engine.testcase.definitions.source import parsed
from crashwright.engine.testcase.printing.layout import INDENT, Doc, Level, at_least, lay_out
from crashwright.engine.testcase.printing.literals import quoted


def definition_lines(source: str, name: str, written: Callable[[str], Doc | None], width: int) -> list[str]:
    """The lines of a definition under ``name``. ``written`` is what to write for a name that it takes from around it (None: the
    name itself)."""
    node = parsed(source)
    texts: dict[str, ast.expr] = {}
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and inner.id not in texts:
            doc = Doc(name) if inner.id == node.name else written(inner.id)
            if doc is not None:
                texts[inner.id] = ast.parse(at_least(doc, Level.ATOM).flat, mode="eval").body
    node = _Renamed(texts).visit(node)
    node.name = name
    return [*_statement(_Quoted().visit(node), width, "")]


class _Renamed(ast.NodeTransformer):
    def __init__(self, texts: dict[str, ast.expr]) -> None:
        self._texts = texts

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._texts.get(node.id, node)


class _Quoted(ast.NodeTransformer):
    """Strings get double quotes: a name is written as it stands."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Name(quoted(node.value), ast.Load()) if type(node.value) is str else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node


def _statement(node: ast.stmt, width: int, indent: str) -> Iterator[str]:
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        yield from _definition(node, width, indent)
        return
    lines = ast.unparse(node).split("\n")
    if len(lines) == 1 and len(indent + lines[0]) > width:
        lines = _broken(node, width - len(indent))
    yield from (indent + line if line else "" for line in lines)


def _definition(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, width: int, indent: str) -> Iterator[str]:
    body, node.body = node.body, []
    if not isinstance(node, ast.ClassDef):
        _space_defaults(node.args)
    yield from (indent + line for line in ast.unparse(node).strip("\n").split("\n"))
    before: ast.stmt | None = None
    for inner in body:
        defines = isinstance(inner, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if before is not None and (defines or isinstance(before, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)):
            yield ""
        yield from _statement(inner, width, indent + INDENT)
        before = inner


def _space_defaults(arguments: ast.arguments) -> None:
    """``name: str = "a"``, where ``ast`` would leave out the blanks."""
    plain = [*arguments.posonlyargs, *arguments.args]
    first = len(plain) - len(arguments.defaults)
    pairs = [*zip(plain[first:], arguments.defaults, strict=True), *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    if all(argument.annotation is not None for argument, default in pairs if default is not None):
        for argument, default in pairs:
            if argument.annotation is not None and default is not None:
                argument.annotation = ast.Name(f"{ast.unparse(argument.annotation)} = {ast.unparse(default)}", ast.Load())
        arguments.defaults, arguments.kw_defaults = [], [None] * len(arguments.kwonlyargs)


def _broken(node: ast.stmt, width: int) -> list[str]:
    """An assignment or a call that is longer than a line."""
    value = node.value if isinstance(node, ast.Assign | ast.AnnAssign | ast.Return | ast.Expr) else None
    if not isinstance(value, ast.Call) or not (value.args or value.keywords):
        return [ast.unparse(node)]
    items = tuple(Doc(ast.unparse(item)) for item in (*value.args, *value.keywords))
    head, inside = f"{ast.unparse(value.func)}(", ", ".join([item.flat for item in items])
    prefix = ast.unparse(node).removesuffix(ast.unparse(value))
    return lay_out(Doc(f"{head}{inside})", head=head, items=items, tail=")"), width, prefix)
