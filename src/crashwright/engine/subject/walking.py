"""The nodes of a syntax tree in order, remembered: many readers walk the same modules, and to walk one takes longer than to look at
all of its nodes."""

from __future__ import annotations

import ast
from functools import lru_cache

REMEMBERED = 512
"""Trees whose nodes are remembered: modules of the path, and functions of it."""


@lru_cache(maxsize=REMEMBERED)
def nodes_of(tree: ast.AST) -> tuple[ast.AST, ...]:
    """As ``ast.walk``, for trees that nobody changes."""
    return tuple(ast.walk(tree))
