"""Usage examples of a package: doctests and code blocks of its docstrings and of the description that is installed with it (or lies
beside its source), and its own tests.

Only texts are read; nothing is run. Realistic input is what random search lacks most, and here the authors have written it down.
"""

from __future__ import annotations

import ast
import inspect
import os
import re
import sys
import textwrap
import types
import warnings
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from crashwright.engine.subject.introspection import class_dict, is_class
from crashwright.engine.subject.shipped_tests import shipped_tests

MOST_TEXT = 400_000
"""Characters of documentation that are looked at."""
LONGEST_BLOCK = 1500
MOST_STATEMENTS = 8
"""Statements of one example."""
_DOCTEST = re.compile(r"^[ \t]*(?:>>>|In \[\d+\]:|\.\.\.)(?: (.*)|)$", re.MULTILINE)
_FENCE = re.compile(r"^\s*(`{3,}|~{3,})\s*\{?\.?([\w+-]*)")
_DIRECTIVE = re.compile(r"^\s*\.\. (?:code|code-block|sourcecode|doctest|testcode)::\s*([\w+-]*)|::\s*$")
_INLINE = re.compile(r"``(.{2,80}?)``(?!`)|(?<!`)`([^`\n]{2,80})`(?!`)")
_PRINT = re.compile(r"^(\s*)print (?!\()(.+)$", re.MULTILINE)
_PYTHON = frozenset({"", "python", "py", "python3", "pycon", "ipython", "default"})
_SHELL = frozenset({"sh", "bash", "shell", "console", "zsh", "shell-session", "toml", "ini", "cfg"})
_READMES = ("README.md", "README.rst", "README.txt", "README", "readme.md")
_PROJECT = ("pyproject.toml", "setup.py", "setup.cfg")


class Documentation(NamedTuple):
    """``sessions`` are statements that belong together, in order; ``texts`` code that is no Python: blocks and inline code."""

    sessions: tuple[tuple[ast.stmt, ...], ...]
    texts: tuple[str, ...]


def documentation_of(package: str, modules: Iterable[str], wanted: frozenset[str] = frozenset()) -> Documentation:
    """What the documentation of ``package`` shows, and its own tests that call something named in ``wanted``; ``modules`` are its
    loaded modules."""
    sessions: list[tuple[ast.stmt, ...]] = list(shipped_tests(package, wanted))
    texts: dict[str, None] = {}
    left = MOST_TEXT
    for text in dict.fromkeys((description(package), *_docstrings(modules))):
        if len(text) > left:
            break
        left -= len(text)
        found = read(text)
        sessions += found.sessions
        texts |= dict.fromkeys(found.texts)
    return Documentation(tuple(sessions), tuple(texts))


def read(text: str) -> Documentation:
    """The examples of one text."""
    text = text.expandtabs(4)
    sessions: list[tuple[ast.stmt, ...]] = []
    texts: dict[str, None] = {}
    doctest = tuple(_doctest_statements(text))
    if doctest:
        sessions.append(doctest)
    for language, block in _blocks(text):
        if ">>> " in block or language in _SHELL or len(block) > LONGEST_BLOCK or not block.strip():
            continue
        statements = _parsed(block) if language in _PYTHON else ()
        if statements:
            sessions.append(statements)
        elif language not in _PYTHON or len(block) < LONGEST_BLOCK // 2:
            texts[block] = None
    for match in _INLINE.finditer(text):
        texts[match[1] or match[2]] = None
    return Documentation(tuple(sessions), tuple(texts))


def uses(session: tuple[ast.stmt, ...], wanted: frozenset[str]) -> Iterator[tuple[ast.stmt, ...]]:
    """For each statement that calls something named in ``wanted``: that call, after the statements before it that it depends on."""
    for index, statement in enumerate(session):
        call = _call(statement, wanted)
        if call is None:
            continue
        last = ast.copy_location(ast.Expr(call), statement)
        needed = _loaded(last)
        kept: list[ast.stmt] = [last]
        for earlier in reversed(session[:index]):
            bound = _bound(earlier)
            if bound & needed:
                needed -= bound
            elif not _changed(earlier) & needed:
                continue
            needed |= _loaded(earlier)
            kept.append(earlier)
            if len(kept) == MOST_STATEMENTS:
                break
        yield tuple(reversed(kept))


def description(package: str) -> str:
    """The long description in the metadata of the distribution that ``package`` belongs to, or the README of its project; "" where
    there is none."""
    module = sys.modules.get(package)
    place = next(iter(getattr(module, "__path__", ())), None) or getattr(module, "__file__", None)
    if not isinstance(place, str):
        return ""
    folder = os.path.dirname(os.path.abspath(place))
    metadata = _metadata_folder(folder, package)
    if metadata is not None:
        text = _contents(os.path.join(metadata, "METADATA")) or _contents(os.path.join(metadata, "PKG-INFO"))
        return _body(text)
    for _ in range(3):
        if any(os.path.exists(os.path.join(folder, name)) for name in _PROJECT):
            return next((text for name in _READMES if (text := _contents(os.path.join(folder, name)))), "")
        folder = os.path.dirname(folder)
    return ""


def _metadata_folder(folder: str, package: str) -> str | None:
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith((".dist-info", ".egg-info")))
    except OSError:
        return None
    wanted = _normal(package)
    for name in names:
        if _normal(name.partition("-")[0].removesuffix(".egg")) == wanted:
            return os.path.join(folder, name)
    for name in names:
        if package in _contents(os.path.join(folder, name, "top_level.txt")).split():
            return os.path.join(folder, name)
    start = re.compile(rf"^{re.escape(package)}(?:/|\.py,)", re.MULTILINE)
    for name in names:
        if start.search(_contents(os.path.join(folder, name, "RECORD"))):
            return os.path.join(folder, name)
    return None


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _contents(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(MOST_TEXT)
    except OSError:
        return ""  # metadata and a README are optional


def _body(metadata: str) -> str:
    """The description of a metadata file: its body, or (before version 2.1) a header with indented lines."""
    head, _, body = metadata.partition("\n\n")
    if body.strip() and body.strip() != "UNKNOWN":
        return body
    _, _, old = head.partition("\nDescription: ")
    return textwrap.dedent(re.sub(r"^(?: {8}|\s*\|)", "", old, flags=re.MULTILINE))


def _docstrings(modules: Iterable[str]) -> Iterator[str]:
    for name in sorted(modules):
        module = sys.modules.get(name)
        if isinstance(module, types.ModuleType):
            for text in _within(vars(module), name, 0):
                if ">>>" in text or "::" in text or "`" in text:
                    yield inspect.cleandoc(text)


def _within(names: object, module: str, depth: int) -> Iterator[str]:
    """The docstrings of a namespace and of the functions and classes made in it."""
    if not isinstance(names, dict | types.MappingProxyType):
        return
    text = names.get("__doc__")
    if type(text) is str:
        yield text
    for value in list(names.values()):
        value = value.__func__ if type(value) in (classmethod, staticmethod) else value
        if type(value) is types.FunctionType and value.__module__ == module:
            if type(value.__doc__) is str:
                yield value.__doc__
        elif depth < 2 and is_class(value) and class_dict(value).get("__module__") == module:
            yield from _within(class_dict(value), module, depth + 1)


def _doctest_statements(text: str) -> Iterator[ast.stmt]:
    """The statements behind prompts; those that are not Python (3) are left out."""
    pending: list[str] = []
    for match in _DOCTEST.finditer(text):
        if not match[0].lstrip().startswith("...") and pending:
            yield from _parsed("\n".join(pending))
            pending = []
        pending.append(match[1] or "")
    if pending:
        yield from _parsed("\n".join(pending))


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """Fenced and indented blocks with their language."""
    lines = text.split("\n")
    index = 0
    while index < len(lines):
        fence = _FENCE.match(lines[index])
        if fence is not None:
            end = next((at for at in range(index + 1, len(lines)) if lines[at].strip().startswith(fence[1])), len(lines))
            yield fence[2].lower(), textwrap.dedent("\n".join(lines[index + 1 : end]))
            index = end + 1
            continue
        directive = _DIRECTIVE.search(lines[index])
        language = (directive[1] or "").lower() if directive is not None else ""
        start = index + 1
        if directive is not None or not lines[index].strip():
            while start < len(lines) and not lines[start].strip():
                start += 1
            end = _block_end(lines, start, _indent(lines[index]) if lines[index].strip() else 0)
            if end > start:
                yield language, textwrap.dedent("\n".join(lines[start:end])).strip("\n")
                index = end
                continue
        index += 1


def _block_end(lines: list[str], start: int, outer: int) -> int:
    """The end of the block that is indented by two or more from ``outer``, where one begins at ``start``."""
    if start >= len(lines) or _indent(lines[start]) < outer + 2:
        return start
    end = start
    while end < len(lines) and (not lines[end].strip() or _indent(lines[end]) >= outer + 2):
        end += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    return end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _parsed(code: str) -> tuple[ast.stmt, ...]:
    """The statements of ``code``; none where it is not Python, or nothing but a name or a constant."""
    for text in (code, _PRINT.sub(r"\1print(\2)", code)):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                statements = ast.parse(text).body
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            continue
        if any(isinstance(node, ast.Call | ast.Assign | ast.Subscript) for statement in statements for node in ast.walk(statement)):
            return tuple(statements)
        return ()
    return ()


def _call(statement: ast.stmt, wanted: frozenset[str]) -> ast.Call | None:
    """The outermost call of something wanted, without what is done with its result."""
    for node in ast.walk(statement):  # breadth first
        if isinstance(node, ast.Call):
            function = node.func
            name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            if name in wanted:
                return node
    return None


def _loaded(statement: ast.stmt) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _bound(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.Assign):
        return {target.id for target in statement.targets if isinstance(target, ast.Name)}
    return set()


def _changed(statement: ast.stmt) -> set[str]:
    """Names of objects whose state the statement may change: assigned attributes and items, receivers of calls."""
    roots: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        roots += [target for target in statement.targets if isinstance(target, ast.Attribute | ast.Subscript)]
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        roots += [statement.value.func] if isinstance(statement.value.func, ast.Attribute) else []
    names = set()
    for node in roots:
        while isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        if isinstance(node, ast.Name):
            names.add(node.id)
    return names
