"""The imports of a file: the standard library, a blank line, the rest; sorted as formatters do, one statement a module."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from crashwright.engine.testcase.printing.layout import INDENT
from crashwright.engine.testcase.printing.printing import WIDTH

Entry = tuple[str, str, str]
"""Module, name (empty: the module itself), local name."""


def import_lines(entries: Iterable[Entry]) -> list[str]:
    """The lines that import ``entries``."""
    known = list(entries)
    standard = [entry for entry in known if _is_standard(entry[0])]
    others = [entry for entry in known if not _is_standard(entry[0])]
    first, second = _section(standard), _section(others)
    return [*first, *([""] if first and second else []), *second]


def _is_standard(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names


def _section(entries: list[Entry]) -> list[str]:
    plain = sorted((module, local) for module, name, local in entries if not name)
    lines = [f"import {module}" if module == local else f"import {module} as {local}" for module, local in plain]
    by_module: dict[str, list[tuple[str, str]]] = {}
    for module, name, local in entries:
        if name:
            by_module.setdefault(module, []).append((name, local))
    for module in sorted(by_module, key=lambda module: (module.lower(), module)):
        lines.extend(_from(module, sorted(by_module[module], key=_order)))
    return lines


def _from(module: str, names: list[tuple[str, str]]) -> list[str]:
    """One statement for the names that keep their names, and one for each of the others, in the order of their first names."""
    plain = [pair for pair in names if pair[0] == pair[1]]
    statements = [plain] if plain else []
    statements.extend([pair] for pair in names if pair[0] != pair[1])
    statements.sort(key=lambda pairs: _order(pairs[0]))
    return [line for pairs in statements for line in _statement(module, pairs)]


def _statement(module: str, names: list[tuple[str, str]]) -> list[str]:
    texts = [name if name == local else f"{name} as {local}" for name, local in names]
    line = f"from {module} import {', '.join(texts)}"
    if len(line) <= WIDTH:
        return [line]
    return [f"from {module} import (", *(f"{INDENT}{text}," for text in texts), ")"]


def _order(pair: tuple[str, str]) -> tuple[int, str, str]:
    """Constants, classes, the rest."""
    name = pair[0]
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return kind, name.lower(), name
