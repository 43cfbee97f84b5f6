"""Where an operator's operands are ints, as far as the source shows: only there do tables of subsumption between arithmetic mutants
hold (``+`` and ``*`` also join texts and lists).

Known to be an int is a literal, a parameter or variable annotated ``int``, the result of ``len`` and its like, a variable that is
bound to nothing else, and arithmetic on all of these.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from crashwright.core.location import CodeKey
from crashwright.engine.subject.mutants.enumeration import Mutant, Mutator, functions_of
from crashwright.engine.subject.walking import walk

_INT_CALLS = frozenset({"len", "int", "ord", "hash", "id"})
_CLOSED = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)
"""Operators that make ints of ints; a power with a negative exponent does not."""


class IntegerOperands:
    """Answers for the mutants of one module."""

    def __init__(self, tree: ast.Module, module: str) -> None:
        self._mutator = Mutator(tree)
        self._functions = dict(functions_of(tree, module))
        self._names: dict[CodeKey, frozenset[str]] = {}

    def __call__(self, mutant: Mutant) -> bool:
        """Whether both operands of the mutated operator are ints."""
        names = self._names.get(mutant.key)
        if names is None:
            function = self._functions.get(mutant.key)
            names = self._names[mutant.key] = integer_names(function) if function is not None else frozenset()
        match self._mutator.node_of(mutant):
            case ast.BinOp(left=left, right=right):
                return is_integer(left, names) and is_integer(right, names)
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                return name in names and is_integer(value, names)
        return False


def is_integer(node: ast.expr, names: Collection[str]) -> bool:
    """Whether an expression is an int, given the variables that are."""
    waiting = [node]
    while waiting:
        match waiting.pop():
            case ast.Constant(value=value) if type(value) is int:
                pass
            case ast.Name(id=name) if name in names:
                pass
            case ast.Call(func=ast.Name(id=name)) if name in _INT_CALLS:
                pass
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert(), operand=operand):
                waiting.append(operand)
            case ast.BinOp(op=operator, left=left, right=right) if isinstance(operator, _CLOSED):
                waiting += (left, right)
            case ast.IfExp(body=body, orelse=orelse):
                waiting += (body, orelse)
            case ast.NamedExpr(value=value):
                waiting.append(value)
            case _:
                return False
    return True


def integer_names(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> frozenset[str]:
    """The variables of a function that are never anything but ints. Names in nested scopes count as the same: that errs on the
    safe side."""
    bound: dict[str, list[ast.expr]] = {}
    explained: set[int] = set()
    other: set[str] = set()
    for node in walk(function):
        for target, value in _bindings(node):
            explained.add(id(target))
            bound.setdefault(target.id, []).extend(value)
        other.update(_unexplained(node))
    for node in walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and id(node) not in explained:
            other.add(node.id)
        elif isinstance(node, ast.arg) and _is_int(node.annotation):
            bound.setdefault(node.arg, [])
    names = bound.keys() - other
    while wrong := {name for name in names if not all(is_integer(value, names) for value in bound[name])}:
        names -= wrong
    return frozenset(names)


def _bindings(node: ast.AST) -> Iterator[tuple[ast.Name, list[ast.expr]]]:
    """The variables that a statement binds, with the values that have to be ints for them to be (none: they are)."""
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from ((target, [value]) for target in targets if isinstance(target, ast.Name))
        case ast.AnnAssign(target=ast.Name() as target, annotation=annotation) if _is_int(annotation):
            yield target, []
        case ast.AugAssign(target=ast.Name() as target, op=operator, value=value) if isinstance(operator, _CLOSED):
            yield target, [value]
        case ast.NamedExpr(target=ast.Name() as target, value=value):
            yield target, [value]
        case (ast.For() | ast.comprehension()) as loop:
            match loop.target, loop.iter:
                case ast.Name() as target, ast.Call(func=ast.Name(id="range")):
                    yield target, []


def _unexplained(node: ast.AST) -> Iterator[str]:
    """Names bound in ways that are not looked into."""
    match node:
        case ast.arg(arg=name, annotation=annotation) if not _is_int(annotation):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            yield from names
        case ast.alias(name=name, asname=asname):
            yield asname or name.partition(".")[0]


def _is_int(annotation: ast.expr | None) -> bool:
    match annotation:
        case ast.Name(id="int") | ast.Constant(value="int"):
            return True
    return False
