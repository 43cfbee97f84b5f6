"""The functions that those of a path call, and these again: what a crash depends on beside its frames. By names, as far as they
tell: a name that many functions have tells nothing. Where an object is made and ``visit`` is called, its methods ``visit_...`` may
be called by names that are computed."""

from __future__ import annotations

import ast
import os
from collections.abc import Collection, Iterator, Sequence

from crashwright.core.location import CodeKey
from crashwright.core.report import Unknown
from crashwright.engine.subject.imported_names import imported_names
from crashwright.engine.subject.introspection import loaded_names
from crashwright.engine.subject.source import ModuleSource, Sources
from crashwright.engine.subject.usage.parsers import neighbours
from crashwright.engine.subject.usage.usage import called_name
from crashwright.engine.subject.walking import walk

Function = ast.FunctionDef | ast.AsyncFunctionDef
Called = Sequence[tuple[CodeKey, Function]]
MOST, MOST_NAMESAKES = 32, 3
MOST_MODULES, MOST_TEXT = 12, 250_000
"""Modules beside those of the path that are looked into, and characters of them."""
_CONSTRUCTORS = frozenset({"__init__", "__post_init__"})


def called_from(path: Sequence[CodeKey], sources: Sources) -> list[tuple[CodeKey, Function]]:
    """The nearest first, without those of ``path``."""
    modules = list(dict.fromkeys(key.module for key in path))
    by_name: dict[str, list[tuple[CodeKey, Function]]] = {}
    by_class: dict[str, list[tuple[CodeKey, Function]]] = {}
    for source in _read(modules, sources):
        for name, key, node in _functions(source):
            by_name.setdefault(name, []).append((key, node))
            by_class.setdefault(_owner(key), []).append((key, node))
    found: dict[CodeKey, Function] = {}
    seen = set(path)
    waiting: list[ast.AST] = [tree for key in path if (tree := sources.node_of(key)) is not None]
    while waiting and len(found) < MOST:
        names = _called(waiting.pop(0))
        for name in names:
            namesakes = by_name.get(name, ())
            handlers = [one for one in by_class.get(name, ()) if _is_computed(one[0].name, names)]
            for key, node in (*(namesakes if len(namesakes) <= MOST_NAMESAKES else ()), *handlers):
                if key not in seen:
                    seen.add(key)
                    found[key] = node
                    waiting.append(node)
    return list(found.items())[:MOST]


def _read(modules: Sequence[str], sources: Sources) -> Iterator[ModuleSource]:
    """Those of the path, and those of the package that they have something from, or these again."""
    size = 0
    waiting = list(modules)
    for place, module in enumerate(waiting):
        source = sources.of_module(module)
        if isinstance(source, Unknown):
            continue
        beside = place >= len(modules)
        size += len(source.text) if beside else 0
        if size > MOST_TEXT:
            return
        yield source
        if len(waiting) < len(modules) + MOST_MODULES:
            waiting += [other for other in dict.fromkeys((*neighbours([module]), *_imported(source))) if other not in waiting]


def _imported(source: ModuleSource) -> Iterator[str]:
    """Modules of the package that it imports something from, whatever that is: an alias of a type, say, is no function or class."""
    known = loaded_names(source.module.partition(".")[0])
    names = imported_names(source.tree, source.module, os.path.basename(source.path) == "__init__.py")
    yield from (name for name in names if name in known)


def _functions(source: ModuleSource) -> Iterator[tuple[str, CodeKey, Function]]:
    """By the names that they are called by."""
    for key, node in source.codes():
        if isinstance(node, Function):
            yield (_owner(key) if key.name in _CONSTRUCTORS else key.name), key, node


def _owner(key: CodeKey) -> str:
    """The class, or the function, that it stands in."""
    return key.qualname.rpartition(".")[0].rpartition(".")[2]


def _is_computed(name: str, called: Collection[str]) -> bool:
    """Whether it is one that something of these names may look up."""
    return any(name.startswith(f"{one}_") for one in called if one)


def _called(node: ast.AST) -> Collection[str]:
    return dict.fromkeys(called_name(part) for part in walk(node) if isinstance(part, ast.Call))
