"""A copy of a package without annotations, which still imports: what needs annotations to run keeps ``Any`` in their place."""

from __future__ import annotations

import ast
from pathlib import Path

_KEPT = ("ClassVar", "InitVar", "KW_ONLY")
"""Annotations that say how a class is made, not what a field is."""


class _Strip(ast.NodeTransformer):
    def __init__(self) -> None:
        self._in_class = False

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        if not any(ast.unparse(one).endswith(".register") for one in node.decorator_list):  # singledispatch reads annotations
            arguments = node.args
            stars = [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
            for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *stars):
                one.annotation = None
            node.returns = None
        inside, self._in_class = self._in_class, False
        self.generic_visit(node)
        self._in_class = inside
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _function

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Its fields keep their places."""
        inside, self._in_class = self._in_class, True
        self.generic_visit(node)
        self._in_class = inside
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """In a class a field without a type; elsewhere a plain assignment, or nothing."""
        if self._in_class:
            if not any(one in ast.unparse(node.annotation) for one in _KEPT):
                node.annotation = ast.Constant("Any")
            return node
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign([node.target], node.value), node)


def stripped(text: str) -> str:
    """The source without annotations."""
    return ast.unparse(ast.fix_missing_locations(_Strip().visit(ast.parse(text))))


def strip_package(source: Path, target: Path) -> None:
    """Copy the files of a package (or a module) to ``target``, sources without annotations."""
    files = [source] if source.is_file() else sorted(source.rglob("*"))
    for file in files:
        if file.is_dir() or file.suffix in (".so", ".pyi", ".pyc"):
            continue
        place = target / source.name / file.relative_to(source) if source.is_dir() else target / file.name
        place.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".py":
            place.write_text(stripped(file.read_text(encoding="utf-8")), encoding="utf-8")
        else:
            place.write_bytes(file.read_bytes())
