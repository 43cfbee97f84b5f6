"""Usage examples of a package: doctests and code blocks of its docstrings and of the description that is installed with it (or lies
beside its source).

Only texts are read; nothing is run. Realistic input is what random search lacks most, and here the authors have written it down.
"""

from __future__ import annotations

import ast
import inspect
import os
import re
import textwrap
import types
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from crashwright.core.unparsable import UNPARSABLE
from crashwright.engine.subject.introspection import class_dict, class_module, function_module, is_class, loaded_module, module_dict
from crashwright.engine.subject.project import folder_around, project_around
from crashwright.engine.subject.usage.usage import Session
from crashwright.engine.subject.walking import walk

MOST_TEXT = 400_000
"""Characters of documentation that are looked at."""
LONGEST_BLOCK = 1500
_DOCTEST = re.compile(r"^[ \t]*(?:>>>|In \[\d+\]:|\.\.\.)(?: (.*)|)$", re.MULTILINE)
_FENCE = re.compile(r"^\s*(`{3,}|~{3,})\s*\{?\.?([\w+-]*)")
_DIRECTIVE = re.compile(r"^\s*\.\. (?:code|code-block|sourcecode|doctest|testcode)::\s*([\w+-]*)|::\s*$")
_INLINE = re.compile(r"``(.{2,80}?)``(?!`)|(?<!`)`([^`\n]{2,80})`(?!`)")
_PRINT = re.compile(r"^(\s*)print (?!\()(.+)$", re.MULTILINE)
_PYTHON = frozenset({"", "python", "py", "python3", "pycon", "ipython", "default"})
_SHELL = frozenset({"sh", "bash", "shell", "console", "zsh", "shell-session", "toml", "ini", "cfg"})
_READMES = ("README.md", "README.rst", "README.txt", "README", "readme.md")


class Documentation(NamedTuple):
    """``texts`` are code that is no Python: blocks and inline code. So many of the sessions, the first ones, are ``suggested`` by
    somebody."""

    sessions: tuple[Session, ...]
    texts: tuple[str, ...]
    suggested: int = 0


def documentation_of(
    package: str, modules: Iterable[str], near: Collection[str] = (), names: Collection[str] = ()
) -> Documentation:
    """What the documentation of ``package`` shows; ``modules`` are its loaded modules. More than :data:`MOST_TEXT` is not read:
    first come the description and the texts of the modules ``near``, and among texts those that mention most of ``names``."""
    sessions: list[Session] = []
    texts: dict[str, None] = {}
    left = MOST_TEXT
    for text in _ranked({description(package): True}, _docstrings(modules, near), names):
        if len(text) > left:
            continue
        left -= len(text)
        found = read(text)
        sessions += found.sessions
        texts |= dict.fromkeys(found.texts)
    return Documentation(tuple(sessions), tuple(texts))


def _ranked(described: dict[str, bool], docstrings: Iterable[tuple[str, bool]], names: Collection[str]) -> list[str]:
    """Each text once. A name is mentioned where it stands as a word."""
    is_near = dict(described)
    for text, near in docstrings:
        is_near[text] = near or is_near.get(text, False)
    wanted = [re.escape(name) for name in names if name.isidentifier() and not name.startswith("__")]
    mentions = re.compile(rf"\b(?:{'|'.join(wanted)})\b") if wanted else None
    count = {text: len(set(mentions.findall(text))) if mentions is not None else 0 for text in is_near}
    return sorted(is_near, key=lambda text: (not is_near[text], -count[text]))


def read(text: str, longest: int = LONGEST_BLOCK) -> Documentation:
    """The examples of one text; blocks of more than ``longest`` characters are passed over."""
    text = text.expandtabs(4)
    sessions: list[Session] = []
    texts: dict[str, None] = {}
    doctest = tuple(_doctest_statements(text))
    if doctest:
        sessions.append(doctest)
    for language, block in _blocks(text):
        if ">>> " in block or language in _SHELL or len(block) > longest or not block.strip():
            continue
        statements = _parsed(block) if language in _PYTHON else ()
        if statements:
            sessions.append(statements)
        elif language not in _PYTHON or len(block) < LONGEST_BLOCK // 2:
            texts[block] = None
    for match in _INLINE.finditer(text):
        texts[match[1] or match[2]] = None
    return Documentation(tuple(sessions), tuple(texts))


def description(package: str) -> str:
    """The long description in the metadata of the distribution that ``package`` belongs to, or the README of its project; "" where
    there is none."""
    folder = folder_around(package)
    if folder is None:
        return ""
    metadata = _metadata_folder(folder, package)
    if metadata is not None:
        text = _contents(os.path.join(metadata, "METADATA")) or _contents(os.path.join(metadata, "PKG-INFO"))
        return _body(text)
    project = project_around(folder)
    if project is None:
        return ""
    return next((text for name in _READMES if (text := _contents(os.path.join(project, name)))), "")


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


def _docstrings(modules: Iterable[str], near: Collection[str]) -> Iterator[tuple[str, bool]]:
    """With whether each is one of a module ``near``."""
    for name in sorted(modules):
        module = loaded_module(name)
        if module is not None:
            for text in _within(module_dict(module), name, 0):
                if ">>>" in text or "::" in text or "`" in text:
                    yield inspect.cleandoc(text), name in near


def _within(names: Mapping[str, object], module: str, depth: int) -> Iterator[str]:
    """The docstrings of a namespace and of the functions and classes made in it."""
    text = names.get("__doc__")
    if type(text) is str:
        yield text
    for value in list(names.values()):
        value = value.__func__ if type(value) is classmethod or type(value) is staticmethod else value
        if type(value) is types.FunctionType and function_module(value) == module:
            if type(value.__doc__) is str:
                yield value.__doc__
        elif depth < 2 and is_class(value) and class_module(value) == module:
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


def _parsed(code: str) -> Session:
    """The statements of ``code``; none where it is not Python, or nothing but a name or a constant."""
    for text in (code, _PRINT.sub(r"\1print(\2)", code)):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                statements = ast.parse(text).body
        except UNPARSABLE:
            continue
        if any(isinstance(node, ast.Call | ast.Assign | ast.Subscript) for statement in statements for node in walk(statement)):
            return tuple(statements)
        return ()
    return ()
