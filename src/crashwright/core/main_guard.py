"""What of a module only runs where it is a script."""

from __future__ import annotations

import ast


def in_main_guard(tree: ast.Module, line: int) -> bool:
    """Does ``line`` stand in the body of ``if __name__ == "__main__":``, which no import runs?"""
    guards = (node for node in tree.body if isinstance(node, ast.If) and "__main__" in ast.unparse(node.test))
    return any(node.body[0].lineno <= line <= (node.body[-1].end_lineno or line) for node in guards)
