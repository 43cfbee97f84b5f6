"""What is read at the place of a mutant: the methods that are called there, and the texts and numbers that stand there.

They say which values tell the mutant from the original: ``text.strip()`` is the same as ``text`` but for blanks around it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, cast

from crashwright.engine.subject.introspection import identities
from crashwright.engine.subject.mutants.enumeration import Mutant, Mutator
from crashwright.engine.subject.walking import walk

MOST_TEXTS, LONGEST = 16, 20
"""Of one place; characters of one."""
MOST_NUMBERS = 6
"""Of a function."""
_WITH_BODY = (ast.If, ast.While, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith, ast.Match, ast.FunctionDef, ast.AsyncFunctionDef)
_TABLES = identities(dict, set, frozenset, list, tuple)


class Clue(NamedTuple):
    """``methods``: names with the short texts that they are given. ``compares``: two values are compared or reckoned with.
    ``around`` are numbers of the function that the place is in, defaults too: limits stand a line before what they limit;
    ``within`` are the lines of that function."""

    methods: tuple[tuple[str, tuple[str, ...]], ...] = ()
    texts: tuple[str, ...] = ()
    numbers: tuple[int | float, ...] = ()
    compares: bool = False
    around: tuple[int | float, ...] = ()
    within: range = range(0)


def clue_of(mutator: Mutator, mutant: Mutant, names: Mapping[str, object]) -> Clue:
    """``names`` are those of the module: tables of texts that are read there are texts too."""
    region = _region(mutator, mutator.node_of(mutant))
    methods: dict[tuple[str, tuple[str, ...]], None] = {}
    texts: dict[str, None] = {}
    numbers: dict[float, None] = {}
    compares = False
    for node in walk(region):
        compares = compares or isinstance(node, ast.Compare | ast.BinOp | ast.AugAssign)
        match node:
            case ast.Call(func=ast.Attribute(attr=name), args=arguments):
                given = [one.value for one in arguments if isinstance(one, ast.Constant) and type(one.value) is str]
                methods[name, tuple(given)] = None
            case ast.Constant(value=str() as text):
                texts[text] = None
            case ast.Constant(value=int() | float() as number) if number is not True and number is not False:
                numbers[number] = None
            case ast.Name(id=name, ctx=ast.Load()) if id(type(names.get(name))) in _TABLES:
                texts.update(dict.fromkeys(_texts_of(cast(Iterable[object], names[name]))))
    kept = [text for text in texts if 0 < len(text) <= LONGEST]
    function = _function_of(mutator, region)
    within = range(0) if function is None else range(function.lineno, (function.end_lineno or function.lineno) + 1)
    return Clue(tuple(methods), tuple(kept[:MOST_TEXTS]), tuple(numbers), compares, _numbers_of(function), within)


def _region(mutator: Mutator, node: ast.AST) -> ast.AST:
    """The simple statement around the place, or of one that has a body what is asked in its head."""
    while not isinstance(node, ast.stmt) and (parent := mutator.parent_of(node)) is not None:
        if isinstance(parent, _WITH_BODY):
            return node
        node = parent
    return node


def _function_of(mutator: Mutator, node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """That which is around ``node``, if there is one."""
    while not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        parent = mutator.parent_of(node)
        if parent is None:
            return None
        node = parent
    return node


def _numbers_of(function: ast.AST | None) -> tuple[int | float, ...]:
    """Numbers above one in it."""
    found: dict[float, None] = {}
    for one in () if function is None else walk(function):
        if isinstance(one, ast.Constant) and (type(one.value) is int or type(one.value) is float) and one.value > 1:
            found[one.value] = None
    return tuple([*found][:MOST_NUMBERS])


def _texts_of(table: Iterable[object]) -> Iterator[str]:
    for item in [*table][:MOST_TEXTS]:
        if type(item) is str:
            yield item
