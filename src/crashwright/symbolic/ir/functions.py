"""The functions of a source file, each lowered when it is first asked for."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping
from functools import cached_property

from crashwright.core.location import CodeKey
from crashwright.symbolic.ir.declared import Class, Globals, classes_of, globals_of
from crashwright.symbolic.ir.lowering.functions import lower
from crashwright.symbolic.ir.lowering.lowering import ModuleNames
from crashwright.symbolic.ir.nodes import Function, Global, Place
from crashwright.symbolic.ir.scopes import Scope, scopes_of

_OF_MODULES = frozenset({"__name__", "__file__", "__doc__", "__package__", "__spec__", "__loader__", "__builtins__"})


class Functions:
    """What a file defines, by the names of its code objects. ``version`` is that of the Python whose positions are wanted."""

    def __init__(self, module: str, tree: ast.Module, version: tuple[int, int]) -> None:
        self.module = module
        self._tree = tree
        self._scopes = scopes_of(tree)
        self._by_key: dict[CodeKey, Scope] = {}
        for scope in self._scopes.values():
            self._by_key.setdefault(CodeKey(module, scope.qualname, scope.first_line), scope)
        own = _assigned_globals(self._scopes) | self._scopes[tree].bound
        self._names = ModuleNames(
            self._scopes,
            own.union(_OF_MODULES, dir(builtins)),
            own,
            _shared(self._scopes),
            _dotted(tree),
            version,
        )
        self._lowered: dict[tuple[CodeKey, bool], Function] = {}

    @property
    def keys(self) -> tuple[CodeKey, ...]:
        """All code of the file, in source order; comprehensions too, which are written out in what holds them."""
        return tuple(self._by_key)

    @cached_property
    def classes(self) -> Mapping[str, Class]:
        """The classes by their qualified names."""
        return classes_of(self._scopes, self.module)

    @cached_property
    def globals(self) -> Globals:
        """What the names of the module are."""
        return globals_of(self._tree, self._scopes, self.module)

    def is_assigned_elsewhere(self, name: str) -> bool:
        """Whether a function assigns a global."""
        return Global(name) in self._names.shared

    def function(self, qualname: str, first_line: int | None = None, collecting: bool = False) -> Function | None:
        """The function of these names; with no line, or one that no namesake starts at, the first of that name. None for a
        comprehension, which has no instructions of its own: :meth:`holder` has them. ``collecting``: a generator as a function that
        returns the list of all that it would yield."""
        key = self._key(qualname, first_line)
        if key is None or self._by_key[key].is_comprehension:
            return None
        collecting = collecting and self._by_key[key].is_generator
        if (key, collecting) not in self._lowered:
            self._lowered[key, collecting] = lower(self._by_key[key], self.module, self._names, collecting)
        return self._lowered[key, collecting]

    def holder(self, qualname: str, first_line: int | None = None) -> Function | None:
        """The function that the instructions of this code stand in: of a comprehension that about it."""
        key = self._key(qualname, first_line)
        if key is None:
            return None
        scope = self._by_key[key].holder()
        return self.function(scope.qualname, scope.first_line)

    def _key(self, qualname: str, first_line: int | None) -> CodeKey | None:
        namesakes = [key for key in self._by_key if key.qualname == qualname]
        exact = [key for key in namesakes if key.first_line == first_line]
        return next(iter(exact or namesakes), None)


def functions_of(source: str, module: str, version: tuple[int, int] = (3, 11)) -> Functions:
    """The functions of a source text. Raises SyntaxError and ValueError as ``ast.parse`` does, RecursionError where it nests too
    deeply."""
    return Functions(module, ast.parse(source), version)


def _assigned_globals(scopes: Mapping[ast.AST, Scope]) -> frozenset[str]:
    """Names that functions assign by ``global``."""
    return frozenset().union(*[scope.global_names & scope.bound for scope in scopes.values()])


def _shared(scopes: Mapping[ast.AST, Scope]) -> frozenset[Place]:
    """Variables that other code may assign meanwhile: globals and cells that some function declares its own."""
    found: set[Place] = set()
    for scope in scopes.values():
        found.update(Global(name) for name in scope.global_names & scope.bound)
        found.update(scope.place(name) for name in scope.nonlocal_names & scope.bound)
    return frozenset(found)


def _dotted(tree: ast.Module) -> frozenset[str]:
    """Names of the module that are imported modules or classes, as far as one sees: bound by such statements alone."""
    bound: dict[str, bool] = {}
    for statement in ast.walk(tree):
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                bound.setdefault(alias.asname or alias.name.partition(".")[0], True)
        elif isinstance(statement, ast.ImportFrom):
            for alias in statement.names:
                name = alias.asname or alias.name
                bound[name] = bound.get(name, True) and name[:1].isupper()
        elif isinstance(statement, ast.ClassDef):
            bound.setdefault(statement.name, True)
        elif isinstance(statement, ast.Name) and not isinstance(statement.ctx, ast.Load):
            bound[statement.id] = False
    return frozenset([name for name, is_dotted in bound.items() if is_dotted])
