"""The line of the caller that a report shows: the part of it that calls a function, and what it passes there."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from crashwright.engine.testcase.echoing.source import parse_echo
from crashwright.engine.testcase.echoing.symbols import ARITHMETIC, COMPARISONS, DUNDERS
from crashwright.symbolic.composition.entrances import Entrance, EntranceShape
from crashwright.symbolic.ir.nodes import Parameter

_BY_FUNCTION: Final = {"len": "__len__", "str": "__str__", "repr": "__repr__", "iter": "__iter__", "next": "__next__"}


class CallAsShown(NamedTuple):
    """``receiver``: the expression before the dot, or the operand that has the method; None where there is none."""

    receiver: ast.expr | None
    arguments: tuple[ast.expr, ...]
    keywords: tuple[tuple[str, ast.expr], ...] = ()

    def bound(self, parameters: Iterable[Parameter]) -> Mapping[str, ast.expr]:
        """What it passes, by parameter."""
        names = [one.name for one in parameters if one.form in ("positional only", "either")]
        return dict(zip(names, self.arguments, strict=False)) | dict(self.keywords)


def shown_call(lines: Iterable[str], entered: Entrance, classes: Collection[str]) -> CallAsShown | None:
    """The first call of the function in any of the lines. ``classes``: names of those whose constructor it may be."""
    name = entered.function.qualname.rpartition(".")[2]
    names = frozenset(classes) if entered.shape is EntranceShape.CONSTRUCTOR else frozenset({name})
    for line in lines:
        for statement in parse_echo(line):
            for node in ast.walk(statement):
                for called, shown in _calls(node):
                    if called in names:
                        return shown if _is_plain(shown) else None
    return None


def _calls(node: ast.AST) -> Iterator[tuple[str, CallAsShown]]:
    """Names of functions that an expression calls, and how."""
    match node:
        case ast.Call(func=function, args=arguments, keywords=keywords):
            named = tuple([(one.arg or "**", one.value) for one in keywords])
            match function:
                case ast.Attribute(value=receiver, attr=name):
                    yield name, CallAsShown(receiver, tuple(arguments), named)
                case ast.Name(id=name):
                    yield name, CallAsShown(None, tuple(arguments), named)
                    if name in _BY_FUNCTION and len(arguments) == 1:
                        yield _BY_FUNCTION[name], CallAsShown(arguments[0], ())
            yield "__call__", CallAsShown(function, tuple(arguments), named)
        case ast.Attribute(value=receiver, attr=name):
            yield name, CallAsShown(receiver, ())
        case ast.Subscript(value=receiver, slice=key):
            yield "__getitem__", CallAsShown(receiver, (key,))
        case ast.BinOp(left=left, op=operator, right=right):
            yield DUNDERS[ARITHMETIC[type(operator)]], CallAsShown(left, (right,))
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[right]):
            yield "__contains__", CallAsShown(right, (left,))
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            yield DUNDERS.get(COMPARISONS[type(operator)], ""), CallAsShown(left, (right,))
        case ast.For(iter=iterable):
            yield "__iter__", CallAsShown(iterable, ())


def _is_plain(shown: CallAsShown) -> bool:
    return not any(isinstance(one, ast.Starred) for one in shown.arguments) and all(name != "**" for name, _ in shown.keywords)
