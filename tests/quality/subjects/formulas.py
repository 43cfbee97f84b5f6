"""Formulas of a price list: parsed to trees by the rules in the docstrings, and walked by the names of their nodes."""

from __future__ import annotations

import re
from typing import NamedTuple

t_NAME = r"[a-z]+"
t_ignore = " "
TOKENS = re.compile(r"[a-z]+|[^a-z\s]")


class Node(NamedTuple):
    kind: str
    parts: list[Node]


def p_sum(left: Node, right: Node) -> Node:
    """sum : item
    | sum '+' item"""
    return Node("sum", [left, right])


def p_group(inner: Node) -> Node:
    """item : '(' sum ')'"""
    return Node("group", [inner])


def p_rebate(inner: Node) -> Node:
    """item : '%' '[' NAME ']'
    | '%' '[' sum '/' NAME ']'"""
    return Node("rebate", [inner])


def p_name() -> Node:
    """item : NAME"""
    return Node("name", [])


class Parser:
    def __init__(self, text: str) -> None:
        self.tokens = TOKENS.findall(text)[::-1]

    def take(self, token: str) -> None:
        if not self.tokens or self.tokens.pop() != token:
            raise SyntaxError(token)

    def sum(self) -> Node:
        found = self.item()
        while self.tokens and self.tokens[-1] == "+":
            self.tokens.pop()
            found = p_sum(found, self.item())
        return found

    def item(self) -> Node:
        if not self.tokens:
            raise SyntaxError("nothing")
        token = self.tokens.pop()
        if token == "(":
            found = p_group(self.sum())
            self.take(")")
            return found
        if token == "%":
            self.take("[")
            found = p_rebate(self.sum())
            if self.tokens and self.tokens[-1] == "/":
                self.tokens.pop()
                found.parts.append(self.item())
            self.take("]")
            return found
        if not token.isalpha():
            raise SyntaxError(token)
        return p_name()


class Walker:
    def __init__(self) -> None:
        self.shares: list[Node] = []

    def visit(self, node: Node) -> None:
        getattr(self, f"visit_{node.kind}", self.visit_parts)(node)

    def visit_parts(self, node: Node) -> None:
        for part in node.parts:
            self.visit(part)

    def visit_rebate(self, node: Node) -> None:
        self.shares.append(node.parts[1])


def shares(formula: str) -> list[Node]:
    parser, walker = Parser(formula), Walker()
    tree = parser.sum()
    if parser.tokens:
        raise SyntaxError(parser.tokens[-1])
    walker.visit(tree)
    return walker.shares
