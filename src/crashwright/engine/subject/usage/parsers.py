"""What the code in sight reads its texts with: modules of the standard library, and what its own names say about formats.

Nothing is run or imported: trees of the functions in question and of their modules, and the names that loaded modules hold.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import FunctionType
from typing import NamedTuple

from crashwright.engine.subject.introspection import (
    class_module,
    function_module,
    is_class,
    is_module,
    loaded_dict,
    loaded_module,
    module_dict,
    same_package,
    text,
)
from crashwright.engine.subject.walking import nodes_of

CALLED, NEAR, SEEN = 3, 2, 1
"""How much a name says: used in the functions themselves, in their signatures or modules, in modules that these import from."""
MOST_MODULES = 40
LONGEST_TEXT = 40
_SEGMENT = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SUFFIX = re.compile(r"[.*]*\.([a-z]{2,5})")
_MEDIA = re.compile(r"(?:text|application)/(?:[a-z.-]+\+)?([a-z-]+)")


class Sight(NamedTuple):
    """``modules`` of the standard library by their full names, and lower-case ``words`` of names, each with how much it says;
    short ``texts`` that the modules hold."""

    modules: Mapping[str, int]
    words: Mapping[str, int]
    texts: tuple[str, ...] = ()


def in_sight(functions: Sequence[ast.AST], modules: Sequence[ast.AST], names: Sequence[str]) -> Sight:
    """``names`` are those of the ``modules`` that the ``functions`` stand in."""
    found = _Found()
    live = [loaded_dict(name) for name in names]
    for name in names:
        for part in name.split("."):
            found.words_of(part, NEAR)
    for function in functions:
        _look_at_function(found, function, live)
    texts: dict[str, None] = {}
    for tree in modules:
        for node in nodes_of(tree):
            for imported in _imported(node):
                found.module(imported, NEAR)
            if isinstance(node, ast.Constant) and type(node.value) is str and len(node.value) < LONGEST_TEXT:
                texts[node.value] = None
    for constant in texts:
        found.constant(constant)
    for other in neighbours(names):
        for value in list(loaded_dict(other).values()):
            home = _home(value)
            if home and not same_package(home, other):
                found.module(home, SEEN)
    return Sight(found.modules, found.words, tuple(texts))


class _Found:
    def __init__(self) -> None:
        self.modules: dict[str, int] = {}
        self.words: dict[str, int] = {}

    def module(self, name: str, weight: int) -> None:
        top = name.partition(".")[0]
        if top in sys.stdlib_module_names:
            self.modules[name] = max(weight, self.modules.get(name, 0))
        else:
            for part in name.split("."):
                self.words_of(part, min(weight, NEAR))

    def words_of(self, name: str, weight: int) -> None:
        for segment in _SEGMENT.findall(name):
            word = segment.lower()
            self.words[word] = max(weight, self.words.get(word, 0))

    def constant(self, value: str) -> None:
        match = _SUFFIX.fullmatch(value) or _MEDIA.match(value)
        if match:
            self.words_of(match[1], SEEN)


def _look_at_function(found: _Found, function: ast.AST, live: Sequence[Mapping[str, object]]) -> None:
    if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        found.words_of(function.name, NEAR)
    for node in nodes_of(function):
        if isinstance(node, ast.arg):
            found.words_of(node.arg, NEAR)
        elif isinstance(node, ast.Name):
            for names in live:
                home = _home(names.get(node.id))
                if home.partition(".")[0] in sys.stdlib_module_names:
                    found.module(home, CALLED)
        elif isinstance(node, ast.Attribute) and any(_is_module(node.value, names) for names in live):
            found.words_of(node.attr, NEAR)
        for imported in _imported(node):
            found.module(imported, CALLED)


def _is_module(node: ast.expr, names: Mapping[str, object]) -> bool:
    return isinstance(node, ast.Name) and is_module(names.get(node.id))


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield node.module
        for alias in node.names:
            if loaded_module(f"{node.module}.{alias.name}") is not None:
                yield f"{node.module}.{alias.name}"


def neighbours(names: Sequence[str]) -> list[str]:
    """Modules of the package from which those with these ``names`` have something."""
    found: dict[str, None] = {}
    for name in names:
        for value in list(loaded_dict(name).values()):
            home = _home(value)
            if home and home not in names and same_package(home, name):
                found[home] = None
    return list(found)[:MOST_MODULES]


def _home(value: object) -> str:
    """The module that ``value`` is or comes from; "" where it does not say."""
    if is_module(value):
        return text(module_dict(value).get("__name__"))
    if is_class(value):
        return class_module(value)
    return function_module(value) if type(value) is FunctionType else ""
