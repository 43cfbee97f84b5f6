"""The dotted names that a module imports, by its import statements."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from crashwright.engine.subject.walking import walk


def imported_names(tree: ast.AST, module: str, is_package: bool) -> Iterator[str]:
    """In the order of the source, those that may be modules too: ``from .deps import Service`` names ``deps`` and
    ``deps.Service``."""
    for node in walk(tree):
        match node:
            case ast.Import(names=aliases):
                yield from (one.name for one in aliases)
            case ast.ImportFrom(module=named, names=aliases, level=level):
                parts = module.split(".")
                base = parts[: len(parts) - level + is_package] if level else []
                origin = ".".join([*base, *([named] if named else [])])
                yield origin
                yield from (f"{origin}.{one.name}" for one in aliases)
