"""A walker of trees whose methods are called by names that are computed."""

from __future__ import annotations

import ast


class CallFinder(ast.NodeVisitor):
    def __init__(self):
        self.found = []

    def visit_Call(self, node):
        if is_plain(node):
            self.found.append(node)
        self.generic_visit(node)

    def visited(self):
        return len(self.found)

    def leave_Call(self, node):
        self.found.remove(node)


def is_plain(node):
    return not node.keywords


def calls(text):
    finder = CallFinder()
    finder.visit(ast.parse(text))
    return finder.found
