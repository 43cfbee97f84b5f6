"""The mutation operators (paper 004; SPEC 6.4): what each construct of the source may become.

# Deviation: Python has no static types, so relational operators are replaced whatever they compare; ``is``/``is not``, ``in``/``not
# in`` and ``is``/``==`` are added, ``and``/``or`` stand for Java's conditional operators, and there is no unsigned shift.
"""

from __future__ import annotations

import ast
import math
import re
from enum import StrEnum


class Operator(StrEnum):
    """Kinds of mutants. From CONDITION (a negated test) on they are strong only: as weak mutants mere execution covers them.
    STATEMENT leaves a statement out, CALL a call (what it is given or called on takes its place), OPERAND one side of arithmetic or
    a part of a condition, RESULT returns None, ARGUMENTS swaps two of them, DEFAULT changes that of a parameter, FORMAT how an
    f-string writes a value, VALUE what a class or the module is given where it is defined."""

    ROR = "ror"
    AOR = "aor"
    BITWISE = "bitwise"
    BOOLOP = "boolop"
    VARIABLE = "variable"
    CONSTANT = "constant"
    UNARY = "unary"
    CONDITION = "condition"
    STATEMENT = "statement"
    CALL = "call"
    OPERAND = "operand"
    RESULT = "result"
    ARGUMENTS = "arguments"
    DEFAULT = "default"
    FORMAT = "format"
    VALUE = "value"


SYMBOLS: dict[type[ast.cmpop] | type[ast.operator] | type[ast.boolop] | type[ast.unaryop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.And: "and",
    ast.Or: "or",
    ast.Not: "not",
    ast.USub: "-",
    ast.Invert: "~",
}
RELATIONAL: dict[str, tuple[str, ...]] = {
    "==": (">=", "<=", "False"),
    "!=": ("<", ">", "True"),
    ">": (">=", "!=", "False"),
    "<=": ("<", "==", "True"),
    ">=": (">", "==", "True"),
    "<": ("<=", "!=", "False"),
    "is": ("is not",),
    "is not": ("is",),
    "in": ("not in",),
    "not in": ("in",),
}
"""The replacements that subsume all others on numbers (SPEC 6.4); ``True`` and ``False`` still evaluate the operands."""
ARITHMETIC = ("+", "-", "*", "/", "//", "%", "**")
BITS = ("&", "|", "^")
SHIFTS = ("<<", ">>")
STRONG: dict[str, tuple[str, ...]] = {
    "==": ("!=",),
    "!=": ("==",),
    "<": ("<=",),
    "<=": ("<",),
    ">": (">=",),
    ">=": (">",),
    "is": ("is not",),
    "is not": ("is",),
    "in": ("not in",),
    "not in": ("in",),
    "+": ("-",),
    "-": ("+",),
    "*": ("//",),
    "/": ("*",),
    "//": ("/", "*"),
    "%": ("*",),
    "**": ("*",),
    "&": ("|",),
    "|": ("&",),
    "^": ("&",),
    "<<": (">>",),
    ">>": ("<<",),
}
"""What strong mutation replaces: the changes that programmers' slips look like, one or two a place."""
_SAME = {"is": "==", "is not": "!=", "==": "is", "!=": "is not"}
_SUFFIX = "XX"
_PROSE, _ENDING, _MOST_TEXTS = 4, 3, 4
"""Words of a text that is more than a name, words of its end, changes of one text."""
_COMPARISON = re.compile(r"(?<=\s)(?:<=|>=|<>|!=|=|<|>)(?=\s)")
_CONDITION = re.compile(r"\bwhere\b(?=\s)", re.IGNORECASE)
_ALWAYS = " 0 = 0 or"
"""Before a condition of a query: what is bound to its parameters still fits."""
_WORD = re.compile(r"\S+")
_OTHER_SIGN = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "=": "<>", "<>": "=", "!=": "="}


def relational(symbol: str, left: ast.expr, right: ast.expr, alone: bool) -> tuple[str, ...]:
    """Replacements of a comparison; constants only for one that stands ``alone``, not in a chain."""
    found = RELATIONAL[symbol] if alone else tuple(one for one in RELATIONAL[symbol] if one not in ("True", "False"))
    # Identity with a literal is an accident of the interpreter, and equality with None hardly ever differs from identity.
    if symbol in _SAME and not _is_literal(left) and not _is_literal(right):
        found += (_SAME[symbol],)
    return found


def arithmetic(symbol: str, left: ast.expr, right: ast.expr) -> tuple[Operator, tuple[str, ...]] | None:
    """Replacements of a binary operator; None where an operand is a text literal, to which no other operator applies."""
    if _is_text(left) or _is_text(right):
        return None
    for operator, group in ((Operator.AOR, ARITHMETIC), (Operator.BITWISE, BITS), (Operator.BITWISE, SHIFTS)):
        if symbol in group:
            return operator, tuple(other for other in group if other != symbol)
    return None


def constant(value: object) -> tuple[str, ...]:
    """Replacements of a literal, as source text."""
    if type(value) is bool:
        return (repr(not value),)
    if type(value) is int or type(value) is float:
        return _number(value)
    if type(value) is str:
        return (repr(value + _SUFFIX),) if not value else (repr(""), repr(value + _SUFFIX))
    if type(value) is bytes:
        return (repr(value + _SUFFIX.encode()),) if not value else (repr(b""), repr(value + _SUFFIX.encode()))
    return ()


def _number(value: float) -> tuple[str, ...]:
    if not math.isfinite(value):
        return ()
    kind = type(value)
    if value in (0, 1):
        return (repr(kind(1 - value)),)
    return tuple(dict.fromkeys(repr(kind(one)) for one in (0, 1, -1, value + 1, value - 1) if one != value))


def changed_constant(value: object) -> tuple[str, ...]:
    """The strong mutants of a literal."""
    if type(value) is str and len(value.split()) >= _PROSE:
        return tuple(map(repr, _changed_text(value)))
    if type(value) is bool:
        return (repr(not value),)
    if (type(value) is int or type(value) is float) and math.isfinite(value):
        return (repr(value + 1),)
    if type(value) is str:
        return (repr(value + _SUFFIX),)
    return (repr(value + _SUFFIX.encode()),) if type(value) is bytes else ()


def _changed_text(value: str) -> list[str]:
    """A text of many words is often a language of its own, such as a query, in which a suffix is only an error: one of its
    comparisons is another one, its condition always holds, or its end is missing."""
    signs = _COMPARISON.finditer(value)
    found = [value[: one.end()] + _ALWAYS + value[one.end() :] for one in _CONDITION.finditer(value)]
    found += [value[: sign.start()] + _OTHER_SIGN[sign.group()] + value[sign.end() :] for sign in signs]
    words = [word.start() for word in _WORD.finditer(value)]
    if len(words) > 2 * _ENDING:
        found.append(value[: words[-_ENDING]].rstrip())
    return found[:_MOST_TEXTS] or [value + _SUFFIX]


def signed(node: ast.expr) -> int | float | None:
    """The value of a literal with a minus sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        value = node.operand.value
        if type(value) is int or type(value) is float:
            return -value
    return None


def _is_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant | ast.Tuple) or signed(node) is not None


def _is_text(node: ast.expr) -> bool:
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod):
        if isinstance(node.op, ast.Add) and _is_text(node.right):
            return True
        node = node.left
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))
