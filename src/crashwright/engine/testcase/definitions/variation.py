"""Other versions of a definition: another constant, something left out, something of another definition put in."""

from __future__ import annotations

import ast
from collections.abc import Callable
from random import Random

from crashwright.engine.testcase.definitions.reduction import smaller_sources
from crashwright.engine.testcase.definitions.source import Definable, parsed, source_of
from crashwright.engine.testcase.statements import Value

_LEFT_OUT = 0.3
_LARGEST, _LONGEST = 1e12, 60


def varied_source(source: str, rng: Random, other_value: Callable[[Value], Value]) -> str:
    """``source`` with one of its constants changed by ``other_value``, or less of it."""
    tree = parsed(source)
    nodes = [*ast.walk(tree)]
    constants = [node for node in nodes if isinstance(node, ast.Constant) and node.value is not Ellipsis]
    if constants and rng.random() > _LEFT_OUT:
        constant = constants[int(rng.random() * len(constants))]
        within = any(isinstance(node, ast.JoinedStr) and constant in node.values for node in nodes)
        value = other_value(constant.value)  # type: ignore[arg-type]
        if _is_plain(value) and not (within and type(value) is not str):
            constant.value = value  # type: ignore[assignment]
        return _written(tree, source)
    smaller = [*smaller_sources(source)]
    return smaller[int(rng.random() * len(smaller))] if smaller else source


def _written(tree: Definable, otherwise: str) -> str:
    """The source of ``tree``, unless it cannot be written: an older Python has no way to put some texts into an f-string."""
    try:
        return source_of(tree)
    except ValueError:
        return otherwise


def _is_plain(value: Value) -> bool:
    """Whether it is written as a constant, signs included."""
    if type(value) is float or type(value) is int:
        return abs(value) < _LARGEST
    return value is None or type(value) is bool or type(value) is bytes or (type(value) is str and len(value) < _LONGEST)


def merged_source(source: str, other: str, rng: Random) -> str:
    """The class of ``source`` with one line more, of the class ``other``, in place of a member of the same name."""
    tree, donor = parsed(source), parsed(other)
    if not isinstance(tree, ast.ClassDef) or not isinstance(donor, ast.ClassDef):
        return source
    line = donor.body[int(rng.random() * len(donor.body))]
    kept = [one for one in tree.body if not isinstance(one, ast.Pass) and _member(one) != _member(line)]
    tree.body = [*kept, line] if isinstance(line, ast.FunctionDef | ast.AsyncFunctionDef) else [line, *kept]
    return source_of(tree)


def _member(line: ast.stmt) -> str:
    if isinstance(line, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return line.name
    target = line.target if isinstance(line, ast.AnnAssign) else line.targets[0] if isinstance(line, ast.Assign) else line
    return ast.unparse(target)
