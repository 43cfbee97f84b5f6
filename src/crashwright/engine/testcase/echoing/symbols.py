"""How Python writes operators, and by which methods their operands answer."""

from __future__ import annotations

import ast

from crashwright.engine.testcase.operators import BINARY, BUILTIN

DUNDERS = {symbol: dunder for dunder, symbol in BINARY.items()}
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}
ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
UNARY: dict[type[ast.unaryop], tuple[str, str]] = {
    ast.USub: ("-", "__neg__"),
    ast.UAdd: ("+", "__pos__"),
    ast.Invert: ("~", "__invert__"),
    ast.Not: ("not", "__bool__"),
}
BUILTIN_DUNDERS = {name: dunder for (dunder, _), name in BUILTIN.items()}
OF_ONE = frozenset({"[]", "in", "not in", "is", "is not"})
"""Operators that say nothing of one operand by the other."""
DISPLAYS: dict[type[ast.expr], str] = {ast.List: "list", ast.Tuple: "tuple", ast.Set: "set"}
