"""Which texts parameters of a name take elsewhere: the defaults of functions, of the subject and of Python itself, and what calls
pass by that keyword. Where a parameter takes any text, it says which ones people know: an ``encoding`` is ``utf-8``. And whether
others do without it: a ``logger`` may be None.

# Deviation: none of the papers has this; their values are drawn.
"""

from __future__ import annotations

import ast
import builtins
import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from types import BuiltinFunctionType, MethodDescriptorType

from crashwright.engine.subject.walking import walk

Named = tuple[str, str]
"""The name of a parameter, and a text for it."""
MOST = 4
"""Texts of one name, the commonest first."""
LONGEST = 24
"""What is longer is a message or a template, and stands for nothing beside its own function."""
_FUNCTIONS = (BuiltinFunctionType, MethodDescriptorType)


class NamedTexts:
    """``modules`` are those that are read, and ``calls`` written elsewhere: both are asked for when the first name is."""

    def __init__(self, modules: Iterable[ast.AST], calls: Callable[[], Iterable[ast.Call]]) -> None:
        self._modules = modules
        self._calls = calls
        self._by_name: dict[str, Counter[str]] | None = None
        self._left_out: frozenset[str] | None = None

    def of(self, name: str) -> tuple[str, ...]:
        """For parameters of this name, else of names that end with the same word."""
        found = self._known()
        plain = name.strip("_")
        counted = found.get(plain) or found.get(f"_{_last(plain)}") or Counter()
        return tuple(text for text, _ in counted.most_common(MOST))

    def is_left_out(self, name: str) -> bool:
        """Whether None is what functions of the modules that are read have for want of a parameter of this name."""
        if self._left_out is None:
            told = (pair for module in self._modules for pair in _defaults(module))
            self._left_out = frozenset(name for name, value in told if isinstance(value, ast.Constant) and value.value is None)
        return name in self._left_out

    def _known(self) -> dict[str, Counter[str]]:
        if self._by_name is None:
            self._by_name = {}
            for name, text in self._told():
                plain = name.strip("_")
                if text.strip() and len(text) <= LONGEST:
                    for key in (plain, f"_{_last(plain)}"):
                        self._by_name.setdefault(key, Counter())[text] += 1
        return self._by_name

    def _told(self) -> Iterator[Named]:
        for module in self._modules:
            yield from _texts(_defaults(module))
        for call in self._calls():
            yield from _texts((keyword.arg or "", keyword.value) for keyword in call.keywords)
        yield from _of_python()


def _defaults(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Of parameters, with their names."""
    for node in walk(tree):
        if isinstance(node, ast.arguments):
            taking = [*node.posonlyargs, *node.args]
            given = taking[len(taking) - len(node.defaults) :]
            for one, default in (*zip(given, node.defaults, strict=True), *zip(node.kwonlyargs, node.kw_defaults, strict=True)):
                if default is not None:
                    yield one.arg, default


def _texts(named: Iterable[tuple[str, ast.expr]]) -> Iterator[Named]:
    for name, value in named:
        if name and isinstance(value, ast.Constant) and type(value.value) is str:
            yield name, value.value


def _of_python() -> Iterator[Named]:
    """The defaults of builtin functions, and of what texts can do."""
    holders = (builtins, str, bytes)
    functions = [value for holder in holders for value in vars(holder).values() if type(value) in _FUNCTIONS]
    for function in functions:
        try:
            parameters = inspect.signature(function).parameters.values()
        except (ValueError, TypeError):
            continue  # it is not said
        yield from ((one.name, one.default) for one in parameters if type(one.default) is str)


def _last(name: str) -> str:
    return name.rpartition("_")[2]
