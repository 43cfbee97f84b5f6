"""Texts that code puts together of constants and of globals: a regular expression is often written with ``format`` or ``+`` around
parts that have names, and stands in no constant then."""

from __future__ import annotations

import ast
import string
from collections.abc import Callable, Iterator, Mapping, Sequence

from crashwright.engine.subject.usage.constants import regex_arguments
from crashwright.engine.subject.walking import walk

LONGEST = 2000
DEEPEST = 6
"""Names that stand for names, and operands of operands."""
_UNKNOWN = "\\w*"
"""What may stand in a regular expression for a part that is known when it runs."""


def built_patterns(function: ast.AST, live: Sequence[Mapping[str, object]]) -> tuple[str, ...]:
    """The regular expressions that ``function`` builds, in source order; ``live`` are the globals of its module and of others.
    Those that are written out are no concern of this."""
    arguments = [argument for argument in regex_arguments(function) if not isinstance(argument, ast.Constant)]
    if not arguments:
        return ()
    reader = _Reader(_assigned_once(function), live)
    found = [reader.text(argument) for argument in arguments]
    return tuple(dict.fromkeys(text for text in found if text and text != _UNKNOWN and len(text) <= LONGEST))


def _assigned_once(function: ast.AST) -> dict[str, ast.expr]:
    """The variables that hold one thing only."""
    found: dict[str, list[ast.expr]] = {}
    for node in walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found.setdefault(name, []).append(value)
            case ast.AugAssign(target=ast.Name(id=name)) | ast.For(target=ast.Name(id=name)):
                found.setdefault(name, []).extend([ast.Constant(None)] * 2)
    return {name: values[0] for name, values in found.items() if len(values) == 1}


class _Reader:
    """``text`` is "" for what is no text at all, and has a pattern for the parts that nothing says."""

    def __init__(self, variables: Mapping[str, ast.expr], live: Sequence[Mapping[str, object]]) -> None:
        self._variables = variables
        self._live = live

    def text(self, node: ast.expr, depth: int = 0) -> str:
        if depth > DEEPEST:
            return _UNKNOWN
        part: Callable[[ast.expr], str] = lambda inner: self.text(inner, depth + 1)  # noqa: E731 - one depth for all
        match node:
            case ast.Constant(value=value):
                return value if type(value) is str else ""
            case ast.Name(id=name) if name in self._variables:
                return part(self._variables[name])
            case ast.Name(id=name):
                return self._known(name)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return part(left) + part(right)
            case ast.BinOp(left=left, op=ast.Mod(), right=right):
                values = right.elts if isinstance(right, ast.Tuple) else [right]
                return _interpolated(part(left), [part(value) for value in values])
            case ast.JoinedStr(values=values):
                return "".join(part(value.value if isinstance(value, ast.FormattedValue) else value) for value in values)
            case ast.Call(func=ast.Attribute(value=form, attr="format"), args=args, keywords=keywords):
                named = {keyword.arg: part(keyword.value) for keyword in keywords if keyword.arg is not None}
                return _formatted(part(form), [part(value) for value in args], named)
            case ast.Call(func=ast.Attribute(value=between, attr="join"), args=[ast.List(elts=parts) | ast.Tuple(elts=parts)]):
                return part(between).join(part(one) for one in parts)
        return _UNKNOWN

    def _known(self, name: str) -> str:
        """What a global holds."""
        for module in self._live:
            if name in module:
                value = module[name]
                return value if type(value) is str else _UNKNOWN
        return _UNKNOWN


def _interpolated(form: str, values: Sequence[str]) -> str:
    parts = form.split("%s")
    if len(parts) != len(values) + 1:
        return _UNKNOWN
    return "".join(piece for pair in zip(parts, (*values, ""), strict=True) for piece in pair).replace("%%", "%")


def _formatted(form: str, values: Sequence[str], named: Mapping[str, str]) -> str:
    try:
        return "".join(_pieces(form, values, named))
    except ValueError:
        return _UNKNOWN  # no format after all


def _pieces(form: str, values: Sequence[str], named: Mapping[str, str]) -> Iterator[str]:
    count = 0
    for before, field, _, _ in string.Formatter().parse(form):
        yield before
        if field is None:
            continue
        place, count = (count, count + 1) if not field else (int(field) if field.isdecimal() else -1, count)
        yield values[place] if 0 <= place < len(values) else named.get(field, _UNKNOWN)
