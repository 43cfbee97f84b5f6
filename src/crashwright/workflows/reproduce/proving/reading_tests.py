"""The tests of a project that may have to do with a crash, by what their files say: they name a function on its path, or what leads
there. Texts are read, nothing is run."""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from crashwright.core.report import CrashReport
from crashwright.core.target import CrashTarget, TargetFrame, belongs
from crashwright.crash.ownership import is_test_path
from crashwright.environment.source_roots import sources_below
from crashwright.finishing.write import earlier_test

MOST_FILES = 600
"""Files of tests that are read."""
LONGEST_FILE = 300_000
MOST_TESTS, MOST_OTHERS = 40, 12
"""Tests that are run; of these, tests that name nothing of the path, but whose files import the package."""
_SHORTEST = 3
"""Letters of a text that tells something."""
_COMMON = 0.5
"""What more tests than this share of all say tells nothing."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class OwnTest(NamedTuple):
    """A test of the project: its ``file``, and its ``name`` there as pytest has it, without parameters. ``reported``: the report is
    of this test."""

    file: Path
    name: str
    reported: bool = False


class _ReadTest(NamedTuple):
    file: Path
    name: str
    said: frozenset[str]
    """Names, and texts."""
    imports: bool
    """Its file imports the package."""


def tests_on_the_path(root: Path, target: CrashTarget, report: CrashReport) -> list[OwnTest]:
    """The tests below ``root`` that name something of the path of the crash, those first that name what is nearest to it; ahead of
    all the one that the ``report`` is of, and last some others of the package."""
    reported = {(Path(frame.path).name, frame.function) for frame in report.crash.frames if is_test_path(frame.path)}
    clues = [_clues(frame) for frame in reversed(target.own_frames)]
    tests = list(_tests(root, target.package, frozenset[str]().union(*clues)))
    often = Counter(word for one in tests for word in one.said)
    rare = {word for word, count in often.items() if count <= _COMMON * len(tests)} if len(tests) > MOST_TESTS else set(often)
    named: list[tuple[tuple[bool, float, float], OwnTest]] = []
    others: list[OwnTest] = []
    for one in tests:
        is_reported = (one.file.name, one.name.rpartition("::")[2]) in reported
        near, rarity = _nearness(one, clues, rare, often)
        own = OwnTest(one.file, one.name, is_reported)
        if is_reported or near:
            named.append(((not is_reported, -near, -rarity), own))
        elif one.imports:
            others.append(own)
    named.sort(key=lambda pair: pair[0])
    return [*(one for _, one in named), *others[:MOST_OTHERS]][:MOST_TESTS]


def _nearness(test: _ReadTest, clues: Sequence[frozenset[str]], rare: set[str], often: Mapping[str, int]) -> tuple[float, float]:
    """What it names counts the more, the nearer to the crash; of what is as near, the rarer."""
    named = [(place, words & test.said & rare) for place, words in enumerate(clues, 1)]
    near = sum(1 / place for place, words in named if words)
    return near, sum(1 / often[word] for _, words in named for word in words)


def _clues(frame: TargetFrame) -> frozenset[str]:
    """What a test says that leads to a function: its name, its class for what is called without being named, and the texts of its
    decorators, such as the path of a request."""
    parts = [part for part in frame.key.qualname.split(".") if part.isidentifier()]
    names = [part for part in parts[-1:] if not part.startswith("__")] or parts[-2:-1]
    function = _function(frame)
    texts = [
        text.partition("{")[0].partition("<")[0]
        for decorator in (function.decorator_list if function is not None else ())
        for node in ast.walk(decorator)
        if isinstance(node, ast.Constant) and isinstance(text := node.value, str)
    ]
    return frozenset((*names, *(text for text in texts if len(text) >= _SHORTEST)))


def _function(frame: TargetFrame) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    tree = _parsed(Path(frame.path))
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, _FUNCTIONS) and node.name == frame.key.name:
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            if first <= frame.line <= (node.end_lineno or node.lineno):
                return node
    return None


def _tests(root: Path, package: str, clues: frozenset[str]) -> Iterator[_ReadTest]:
    """The tests below ``root``. What we wrote for a crash is kept elsewhere, and no test of the project's yet."""
    files = (file for file in sources_below(root) if is_test_path(str(file)) and file.name != "conftest.py")
    for file in islice(dict.fromkeys(files), MOST_FILES):
        if earlier_test(file) is not None:
            continue
        around = [one for folder in (file.parent, file.parent.parent) if (one := folder / "conftest.py").is_file()]
        trees = [tree for one in (*around, file) if (tree := _parsed(one)) is not None]
        own = _parsed(file)
        if own is None:
            continue
        functions = {node.name: node for tree in trees for node in _functions(tree)}
        imports = any(belongs(name, package) for tree in trees for name in _imported(tree))
        for name, node, before in _named_tests(own):
            said = _said((node, *before), functions)
            yield _ReadTest(file, name, frozenset((*said, *_beginnings(said, clues))), imports)


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def _beginnings(said: Iterable[str], wanted: frozenset[str]) -> Iterator[str]:
    """Of texts that begin as one of the clues, that clue: the path of a request goes on with what is filled in."""
    texts = [text for text in said if "/" in text]
    return (word for word in wanted if "/" in word and any(text.startswith(word) for text in texts))


def _said(nodes: Iterable[ast.AST], functions: Mapping[str, ast.AST]) -> frozenset[str]:
    """The names and texts in a test, and in the fixtures and functions of its file that it uses in turn."""
    found: set[str] = set()
    open_, seen = list(nodes), set[str]()
    while open_:
        for node in ast.walk(open_.pop()):
            words = [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else list(_names(node))
            found.update(words)
            for word in words:
                if word in functions and word not in seen:
                    seen.add(word)
                    open_.append(functions[word])
    return frozenset(found)


def _names(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
            yield name


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, _FUNCTIONS) and not node.name.startswith("test"):
            yield node


def _named_tests(tree: ast.Module) -> Iterator[tuple[str, ast.AST, tuple[ast.AST, ...]]]:
    """Each with its name, and what of its class runs before it."""
    for node in tree.body:
        if isinstance(node, _FUNCTIONS) and node.name.startswith("test"):
            yield node.name, node, ()
        elif isinstance(node, ast.ClassDef):
            methods = [one for one in node.body if isinstance(one, _FUNCTIONS)]
            before = tuple(one for one in methods if one.name.lower().startswith(("setup", "asyncsetup")))
            yield from ((f"{node.name}::{one.name}", one, before) for one in methods if one.name.startswith("test"))


def _parsed(file: Path) -> ast.Module | None:
    try:
        if file.stat().st_size > LONGEST_FILE:
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None  # pytest says what is wrong with a file of tests, if it is one
