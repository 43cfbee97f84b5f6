"""Whose variable a name is: the scopes of a source file as CPython's symbol table has them.

A comprehension is a scope of its own, although its instructions are written out in the function about it: its variables get names
of their own there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from crashwright.symbolic.ir.nodes import Cell, Global, Local, Place

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
ScopeNode = ast.Module | ast.ClassDef | FunctionNode | Comprehension
_COMPREHENSION_NAMES = {
    ast.ListComp: "<listcomp>",
    ast.SetComp: "<setcomp>",
    ast.DictComp: "<dictcomp>",
    ast.GeneratorExp: "<genexpr>",
}


@dataclass(slots=True, eq=False)
class Scope:
    """A stretch of source with variables of its own. ``parent`` is the scope about it, class bodies included."""

    node: ScopeNode
    qualname: str
    first_line: int
    parent: Scope | None
    number: int = 0
    """Tells apart the comprehensions of a function."""
    bound: set[str] = field(default_factory=set)
    global_names: set[str] = field(default_factory=set)
    nonlocal_names: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)
    """Variables that some statement deletes: these alone can become unbound again."""
    captured: set[str] = field(default_factory=set)
    """Its variables that inner functions share."""
    is_generator: bool = False
    has_walrus: bool = False

    @property
    def is_function(self) -> bool:
        return isinstance(self.node, (*FUNCTIONS, *COMPREHENSIONS))

    @property
    def is_comprehension(self) -> bool:
        return isinstance(self.node, COMPREHENSIONS)

    @property
    def class_name(self) -> str | None:
        """The qualified name of the class whose body it stands in."""
        return self.parent.qualname if self.parent is not None and isinstance(self.parent.node, ast.ClassDef) else None

    def about(self) -> Iterator[Scope]:
        """The scopes about it, from inside."""
        scope = self.parent
        while scope is not None:
            yield scope
            scope = scope.parent

    def holder(self) -> Scope:
        """The scope whose code it is written out in: of a comprehension that about it, else itself."""
        return self.parent.holder() if self.is_comprehension and self.parent is not None else self

    def mangled(self, name: str) -> str:
        """A private name as it is in a class body and what stands in it."""
        if not name.startswith("__") or name.endswith("__") or "." in name:
            return name
        for scope in (self, *self.about()):
            if isinstance(scope.node, ast.ClassDef):
                stem = scope.node.name.lstrip("_")
                return f"_{stem}{name}" if stem else name
        return name

    def owner(self, name: str) -> Scope | None:
        """The scope whose variable a name (mangled) is here; None: a global."""
        if name in self.global_names:
            return None
        if name in self.bound and name not in self.nonlocal_names:
            return self if not isinstance(self.node, ast.Module) else None
        for scope in self.about():
            if scope.is_function and name in scope.bound and name not in scope.nonlocal_names:
                return scope if name not in scope.global_names else None
            if scope.is_function and name in scope.global_names:
                return None
            if isinstance(scope.node, ast.ClassDef) and name == "__class__" and self is not scope:
                return scope
        return None

    def place(self, name: str) -> Place:
        """What a name stands for here, where the comprehensions about it are written out."""
        name = self.mangled(name)
        owner = self.owner(name)
        if owner is None:
            return Global(name)
        if name in owner.captured:
            return Cell(name, owner.qualname)
        if owner.is_comprehension:
            return Local(f"{name}%{owner.number}")
        return Local(name)


def scopes_of(tree: ast.Module) -> dict[ast.AST, Scope]:
    """The scopes of a file by the nodes that open them, in source order."""
    found: dict[ast.AST, Scope] = {}
    _Reader(found).open(tree, None)
    for scope in found.values():
        for name in scope.used | scope.nonlocal_names:
            owner = scope.owner(name)
            if owner is not None and owner is not scope and not _is_written_out(scope, owner):
                owner.captured.add(name)
    return found


def _is_written_out(scope: Scope, owner: Scope) -> bool:
    """Whether all between a scope and one about it are comprehensions: then they share variables without cells."""
    while scope is not owner:
        if not scope.is_comprehension or scope.parent is None:
            return False
        scope = scope.parent
    return True


class _Reader(ast.NodeVisitor):
    """Walks a file once and opens its scopes."""

    def __init__(self, found: dict[ast.AST, Scope]) -> None:
        self._found = found
        self._scope: Scope | None = None

    @property
    def _here(self) -> Scope:
        assert self._scope is not None
        return self._scope

    def open(self, node: ScopeNode, name: str | None) -> None:
        about = self._scope
        scope = Scope(node, _qualname(about, name), _first_line(node), about, len(self._found))
        self._found[node] = scope
        self._scope = scope
        self._inside(node)
        self._scope = about

    def _inside(self, node: ScopeNode) -> None:
        if isinstance(node, FUNCTIONS):
            self._here.bound.update(map(self._here.mangled, _parameter_names(node.args)))
        if isinstance(node, ast.Lambda):
            self.visit(node.body)
        elif isinstance(node, COMPREHENSIONS):
            self._inside_comprehension(node)
        else:
            self._all(node.body)

    def _inside_comprehension(self, node: Comprehension) -> None:
        for place, generator in enumerate(node.generators):
            if place:
                self.visit(generator.iter)
            self.visit(generator.target)
            self._all(generator.ifs)
        self._all([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt])

    def _all(self, nodes: Iterable[ast.AST | None]) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    def _bind(self, name: str) -> None:
        self._here.bound.add(self._here.mangled(name))

    # Definitions: what stands outside of the new scope, then the scope.
    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._bind(node.name)
        self._all(node.decorator_list)
        self._signature(node.args)
        self._all([node.returns])
        self.open(node, node.name)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._signature(node.args)
        self.open(node, "<lambda>")

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._bind(node.name)
        self._all([*node.decorator_list, *node.bases, *node.keywords])
        self.open(node, node.name)

    def _signature(self, args: ast.arguments) -> None:
        self._all([*args.defaults, *args.kw_defaults])
        self._all(one.annotation for one in (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg) if one)

    def _comprehension(self, node: Comprehension) -> None:
        self.visit(node.generators[0].iter)
        self.open(node, _COMPREHENSION_NAMES[type(node)])

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    # What binds and uses names.
    def visit_Name(self, node: ast.Name) -> None:
        name = self._here.mangled(node.id)
        if isinstance(node.ctx, ast.Load):
            self._here.used.add(name)
            if name == "super" and self._here.is_function:
                self._here.used.add("__class__")
            return
        self._here.bound.add(name)
        if isinstance(node.ctx, ast.Del):
            self._here.deleted.add(name)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        scope = self._here.holder()
        name = scope.mangled(node.target.id)
        if name not in scope.global_names:
            scope.bound.add(name)
        scope.has_walrus = True
        self._here.used.add(name)
        self.visit(node.value)

    def visit_Global(self, node: ast.Global) -> None:
        self._here.global_names.update(map(self._here.mangled, node.names))

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        self._here.nonlocal_names.update(map(self._here.mangled, node.names))

    def visit_alias(self, node: ast.alias) -> None:
        if node.name != "*":
            self._bind(node.asname or node.name.partition(".")[0])

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self._bind(node.name)
            self._here.deleted.add(self._here.mangled(node.name))
        self.generic_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        if node.name:
            self._bind(node.name)
        self.generic_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        if node.name:
            self._bind(node.name)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        if node.rest:
            self._bind(node.rest)
        self.generic_visit(node)

    def visit_Yield(self, node: ast.Yield | ast.YieldFrom) -> None:
        self._here.is_generator = True
        self.generic_visit(node)

    visit_YieldFrom = visit_Yield


def _parameter_names(args: ast.arguments) -> list[str]:
    return [one.arg for one in (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg) if one]


def _qualname(about: Scope | None, name: str | None) -> str:
    """As ``co_qualname`` is: a function declared global stands alone."""
    if about is None or name is None:
        return "<module>"
    if isinstance(about.node, ast.Module) or about.mangled(name) in about.global_names:
        return name
    return f"{about.qualname}.{name}" if isinstance(about.node, ast.ClassDef) else f"{about.qualname}.<locals>.{name}"


def _first_line(node: ScopeNode) -> int:
    if isinstance(node, ast.Module):
        return 1
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.decorator_list:
        return node.decorator_list[0].lineno
    return node.lineno
