"""What a report mentions and nothing has imported yet: lazy attributes of the package, and modules of its whose sources define the
names. Files are read, nothing is imported here."""

from __future__ import annotations

import ast
import builtins
import os
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple, cast

from crashwright.engine.subject.imported_names import imported_names
from crashwright.engine.subject.introspection import MODULES, loaded_dict, loaded_names, text
from crashwright.engine.subject.walking import walk

MOST_MODULES = 3
"""Modules that are loaded because a report mentions something in them."""
MOST_LAZY = 40
"""Lazy names of a package that are touched beside those that the report mentions."""
MOST_IMPORTING, DEEPEST_IMPORTING, MOST_IMPORTED = 6, 4, 400
"""Modules that are loaded because they import others, how many imports away they may be, and the modules of a package in which they
are looked for: a library of that size is no application."""
MOST_FILES = 3000
_LARGEST = 400_000
_TESTS = frozenset({"tests", "test", "testing", "__pycache__"})


class Mentioned(NamedTuple):
    """``called`` are names and attributes that are called or written like classes, ``roots`` the names before a dot."""

    called: tuple[str, ...]
    roots: tuple[str, ...]


def mentioned_in(statements: Sequence[ast.stmt]) -> Mentioned:
    """The names in echoed lines that may be the package's."""
    nodes = [node for statement in statements for node in walk(statement)]
    functions = [node.func for node in nodes if isinstance(node, ast.Call)]
    called = [name for function in functions for name in _last(function)]
    classes = [name for node in nodes for name in _last(node) if name[:1].isupper()]
    roots = [node.value.id for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]
    return Mentioned(tuple(dict.fromkeys((*called, *classes))), tuple(dict.fromkeys(roots)))


def lazy_names(package: str, mentioned: Mentioned) -> Iterator[str]:
    """Names that the package says it has and that are not there yet: those that are mentioned, and the first of the others."""
    live = loaded_dict(package)
    listed = live.get("__all__")
    said = _texts(listed)
    names = [*mentioned.called, *mentioned.roots] if "__getattr__" in live else []
    names += [name for name in said if name not in names][:MOST_LAZY]
    yield from (name for name in dict.fromkeys(names) if name not in live and not hasattr(builtins, name))


def modules_defining(package: str, mentioned: Mentioned) -> list[str]:
    """Modules of the package that are not loaded and define what is mentioned and no loaded module has, those first that are named
    in the line too, then the nearest to the top."""
    loaded = [loaded_dict(name) for name in loaded_names(package)]
    missing = [name for name in mentioned.called if not any(name in live for live in loaded) and _is_telling(name, mentioned)]
    ends = {name.rpartition(".")[2] for name in loaded_names(package)}
    roots = [name for name in mentioned.roots if name not in ends and name not in sys.stdlib_module_names]
    if not missing and not roots:
        return []
    any_of, those_of = _defining(mentioned.called), _defining(missing)
    found: list[tuple[bool, int, str]] = []
    for module, path in _unloaded(package):
        named = module.rpartition(".")[2] in roots
        if _says(path, any_of if named else those_of):
            found.append((not named, module.count("."), module))
    return [module for *_, module in sorted(found)][:MOST_MODULES]


def modules_importing(package: str, modules: Sequence[str]) -> list[str]:
    """Modules of the package that are not loaded and import one of ``modules``, or a module that does, the nearest first: where
    what a decorator has registered in these is put together. None in a large package."""
    files = list(islice(_unloaded(package), MOST_IMPORTED + 1))
    if len(files) > MOST_IMPORTED:
        return []
    imports = {module: _imports(module, path) for module, path in files}
    found: dict[str, None] = {}
    near = set(modules)
    for _ in range(DEEPEST_IMPORTING):
        near = {module for module, names in imports.items() if module not in found and not near.isdisjoint(names)}
        found.update(dict.fromkeys(sorted(near)))
    return list(found)[:MOST_IMPORTING]


def _imports(module: str, path: str) -> set[str]:
    """The dotted names that a file imports, those that may be modules too."""
    try:
        with open(path, "rb") as file:
            tree = ast.parse(file.read(_LARGEST))
    except (OSError, SyntaxError, ValueError):
        return set()  # it cannot be imported, either
    return set(imported_names(tree, module, os.path.basename(path) == "__init__.py"))


def modules_among(modules: Sequence[str], mentioned: Mentioned) -> list[str]:
    """Those of ``modules``, which the report's calls go through, that define what is called in the user's own lines: a library's
    client, say, that nothing in the package imports. Files are looked for where an import would find them."""
    either = _defining([name for name in mentioned.called if not hasattr(builtins, name)])
    found = (module for module in dict.fromkeys(modules) if module.partition(".")[0] not in sys.stdlib_module_names)
    return [module for module in found if any(_says(path, either) for path in _files_of(module))][:MOST_MODULES]


def _files_of(module: str) -> Iterator[str]:
    for root in _texts(list(sys.path)):
        stem = os.path.join(root, *module.split("."))
        yield from (f"{stem}.py", os.path.join(stem, "__init__.py"))


def _defining(names: Sequence[str]) -> re.Pattern[bytes]:
    """A definition of one of ``names`` at the top of a module; of no names at all, nothing."""
    either = "|".join(map(re.escape, names)) or "(?!)"
    return re.compile(rf"^(?:class|def|async def) (?:{either})\b".encode(), re.MULTILINE)


def _is_telling(name: str, mentioned: Mentioned) -> bool:
    return not hasattr(builtins, name) and name not in sys.stdlib_module_names and (name[:1].isupper() or bool(mentioned.roots))


def _texts(values: object) -> list[str]:
    """The texts in a list or tuple; none in anything else."""
    return (
        [name for one in cast(list[object], values) if (name := text(one))] if type(values) is list or type(values) is tuple else []
    )


def _last(node: ast.AST) -> tuple[str, ...]:
    if isinstance(node, ast.Attribute):
        return (node.attr,)
    return (node.id,) if isinstance(node, ast.Name) else ()


def _unloaded(package: str) -> Iterator[tuple[str, str]]:
    """The modules of the package that are not loaded, with their files, in the order of folders."""
    count = 0
    for root in _texts(loaded_dict(package).get("__path__")):
        for folder, inner, files in os.walk(root):
            inner[:] = sorted(name for name in inner if name not in _TESTS and name.isidentifier())
            for name in sorted(files):
                count += 1
                if count > MOST_FILES:
                    return
                stem, extension = os.path.splitext(name)
                parts = [package, *os.path.relpath(folder, root).split(os.sep), stem]
                module = ".".join(part for part in parts if part not in (".", "__init__"))
                if extension == ".py" and stem != "__main__" and not stem.startswith("test_") and module not in MODULES:
                    yield module, os.path.join(folder, name)


def _says(path: str, pattern: re.Pattern[bytes]) -> bool:
    try:
        with open(path, "rb") as file:
            return pattern.search(file.read(_LARGEST)) is not None
    except OSError:
        return False  # a broken link, say: nothing can be imported from there
