"""A static call graph by names: good enough to climb from a private, nested or anonymous code to something that a test can call.

It over-approximates: a call ``x.f()`` may be one of any ``f``. Callers are ranked by how sure they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from crashwright.core.location import CodeKey
from crashwright.core.report import Unknown
from crashwright.engine.subject.source import CodeNode, ModuleSource, Sources
from crashwright.engine.subject.walking import children

_ANONYMOUS = ("<lambda>", "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
_SELF = ("self", "cls")
_CONSTRUCTORS = ("__init__", "__new__", "__post_init__")


class CallGraph:
    """The calls between the codes of ``modules``, which must be loaded; files are parsed only where they mention a name."""

    __slots__ = ("_mentions", "_modules", "_sources")

    def __init__(self, sources: Sources, modules: Iterable[str]) -> None:
        self._sources = sources
        self._modules = tuple(modules)
        self._mentions: dict[str, dict[str, list[tuple[CodeKey, ast.expr]]]] = {}

    def callers_of(self, key: CodeKey) -> tuple[CodeKey, ...]:
        """The codes that may call or read that code, most certain first: the code around it for nested ones; else, by name, those
        of the same class or module and then others. Empty for module code and for operators."""
        if key.qualname == "<module>":
            return ()
        source = self._sources.of_module(key.module)
        parent = None if isinstance(source, Unknown) else source.parents.get(key)
        if parent is not None and (key.name in _ANONYMOUS or "<locals>" in key.qualname.split(".")[-2:]):
            return (parent,)
        if not isinstance(source, Unknown) and isinstance(source.node_of(key), ast.ClassDef):
            return () if parent is None else (parent,)
        ranked: dict[CodeKey, int] = {}
        for rank, caller in self._mentioning(key):
            if caller != key:
                ranked[caller] = min(rank, ranked.get(caller, rank))
        return tuple(sorted(ranked, key=lambda caller: ranked[caller]))

    def _mentioning(self, key: CodeKey) -> Iterator[tuple[int, CodeKey]]:
        owner, _, name = key.qualname.rpartition(".")
        if name in _CONSTRUCTORS:
            owner, _, name = owner.rpartition(".")
            owner = ""
        elif name.startswith("__") and name.endswith("__"):
            return
        for module in (key.module, *(module for module in self._modules if module != key.module)):
            source = self._sources.of_module(module) if self._may_mention(module, name) else None
            if isinstance(source, ModuleSource):
                for caller, expression in self._of_module(source).get(name, ()):
                    rank = _certainty(expression, caller, key, owner)
                    if rank is not None:
                        yield rank, caller

    def _may_mention(self, module: str, name: str) -> bool:
        source = self._sources.of_module(module)
        return isinstance(source, ModuleSource) and re.search(rf"\b{re.escape(name)}\b", source.text) is not None

    def _of_module(self, source: ModuleSource) -> dict[str, list[tuple[CodeKey, ast.expr]]]:
        """All names and attributes that the codes of a module load, by name."""
        found = self._mentions.get(source.module)
        if found is None:
            found = self._mentions[source.module] = {}
            for key, node in source.codes():
                for expression in own_expressions(node):
                    if isinstance(expression, ast.Name) and isinstance(expression.ctx, ast.Load):
                        found.setdefault(expression.id, []).append((key, expression))
                    elif isinstance(expression, ast.Attribute) and isinstance(expression.ctx, ast.Load):
                        found.setdefault(expression.attr, []).append((key, expression))
        return found


def own_expressions(code: CodeNode) -> Iterator[ast.AST]:
    """The nodes of a code without those of the codes nested in it."""
    waiting: list[ast.AST] = list(code.body) if isinstance(code, ast.Module | ast.ClassDef) else _inner(code)
    while waiting:
        node = waiting.pop()
        if isinstance(node, CodeNode):
            waiting.extend(_outer(node))
            continue
        yield node
        waiting.extend(children(node))


def _inner(code: CodeNode) -> list[ast.AST]:
    """What a function, lambda or comprehension evaluates itself."""
    if isinstance(code, ast.FunctionDef | ast.AsyncFunctionDef):
        return list(code.body)
    if isinstance(code, ast.Lambda):
        return [code.body]
    outer = {id(part) for part in _outer(code)}
    parts: list[ast.AST] = []
    for child in children(code):
        parts.extend(children(child) if isinstance(child, ast.comprehension) else [child])
    return [part for part in parts if id(part) not in outer]


def _outer(code: CodeNode) -> list[ast.AST]:
    """What the code around a nested one evaluates for it: decorators, defaults, bases, the first iterable."""
    if isinstance(code, ast.FunctionDef | ast.AsyncFunctionDef):
        return [*code.decorator_list, code.args]
    if isinstance(code, ast.ClassDef):
        return [*code.decorator_list, *code.bases, *code.keywords]
    if isinstance(code, ast.Lambda):
        return [code.args]
    return [] if isinstance(code, ast.Module) else [code.generators[0].iter]


def _certainty(expression: ast.expr, caller: CodeKey, key: CodeKey, owner: str) -> int | None:
    """0 sure, 3 a mere namesake; None where it cannot mean ``key``."""
    here = caller.module == key.module
    if isinstance(expression, ast.Name):
        # A bare name never means a method.
        return None if owner else (0 if here else 1)
    if not owner:
        return 1
    receiver = expression.value if isinstance(expression, ast.Attribute) else None
    if isinstance(receiver, ast.Name) and receiver.id in _SELF:
        return 0 if here and caller.qualname.startswith(owner + ".") else 2
    if isinstance(receiver, ast.Call) and isinstance(receiver.func, ast.Name) and receiver.func.id == "super":
        return 1
    return 2 if here else 3
