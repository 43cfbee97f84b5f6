"""The texts of some modules, and of those that they import from their own package: what names in them stand for.

Found beside the files that are known; nothing is imported, and a module that is not there is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from importlib.util import decode_source
from pathlib import Path
from typing import Final

MOST_MODULES: Final = 16
"""Beyond those that were asked for."""
MOST_CHARACTERS: Final = 600_000
"""Of all of these."""


def _text(path: str) -> str:
    """As Python reads it."""
    return decode_source(Path(path).read_bytes())


def with_imported(files: Mapping[str, str]) -> dict[str, str]:
    """The texts by module: those of ``files`` (paths by module) first, then what they import, nearest first. Raises as
    :func:`source_text` does for ``files`` alone."""
    texts = {module: _text(path) for module, path in files.items()}
    paths = dict(files)
    left = MOST_CHARACTERS
    waiting = list(files)
    while waiting and len(texts) < len(files) + MOST_MODULES:
        module = waiting.pop(0)
        offered = (module.partition(".")[0],) if module in files else ()  # what users of the package see
        for name in (*_imported(texts[module], module, paths[module].endswith("__init__.py")), *offered):
            path = _beside(module, paths[module], name)
            if name in texts or path is None or len(texts) >= len(files) + MOST_MODULES:
                continue
            try:
                text = _text(path)
            except (OSError, SyntaxError, UnicodeError):
                continue  # it tells nothing, and is not needed
            if len(text) > left:
                continue
            left -= len(text)
            texts[name], paths[name] = text, path
            waiting.append(name)
    return texts


def _imported(text: str, module: str, is_package: bool) -> Iterator[str]:
    """Modules that the statements of a module import, and what may be modules."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    package = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            name = ".".join([*above, *([node.module] if node.module else [])])
            if name:
                yield name
                yield from (f"{name}.{alias.name}" for alias in node.names)


def _beside(module: str, path: str, wanted: str) -> str | None:
    """The file of a module of the same package."""
    parts = module.split(".")
    if wanted.partition(".")[0] != parts[0]:
        return None
    file = Path(path)
    depth = len(parts) if file.name == "__init__.py" else len(parts) - 1
    if depth >= len(file.parents):
        return None
    place = file.parents[depth].joinpath(*wanted.split("."))
    return next((str(one) for one in (place.with_suffix(".py"), place / "__init__.py") if one.is_file()), None)
