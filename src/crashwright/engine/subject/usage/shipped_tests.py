"""The project's own tests as usage examples: what the test functions that call the entry do, as plain statements.

Texts are read, nothing is run. Found are the tests inside the package's folder, those in its modules too, and in the test
folders of its project.
"""

from __future__ import annotations

import ast
import itertools
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence

from crashwright.core.unparsable import UNPARSABLE
from crashwright.engine.subject.project import folder_around, package_folder, project_around
from crashwright.engine.subject.usage.fixtures import Fixtures, conftests, fixture_of
from crashwright.engine.subject.usage.usage import DEFINITIONS, Session, called_name, flat
from crashwright.engine.subject.walking import walk

MOST_FILES = 3000
"""Files that are looked at."""
MOST_READ, LONGEST_FILE = 12, 300_000
"""Files that are parsed: those that call the entry most often; and the bytes of one."""
MOST_SESSIONS = 60
MOST_RUNS = 3
"""Of one test that has parameters."""
_TEST_FILE = re.compile(r"(?:test_.*|.*_tests?|tests?)\.py$")
_FOLDERS = ("tests", "test", "testing")


def shipped_tests(package: str, wanted: frozenset[str], definitions: bool = False) -> tuple[Session, ...]:
    """What the tests of ``package`` do that call something named in ``wanted``, one session a test function; with the
    ``definitions`` in them and around them."""
    return tests_in(_test_files(package), wanted, definitions)


def imports_of_tests(package: str) -> dict[str, tuple[str, str]]:
    """What the tests of ``package``, and what is beside them, import from modules: the name, the module and the name there."""
    found: dict[str, tuple[str, str]] = {}
    for path in itertools.islice(_test_files(package), MOST_READ):
        for file in (*conftests(path), path):
            for line in _parsed(_contents(file)):
                if isinstance(line, ast.ImportFrom) and line.module and not line.level:
                    for one in line.names:
                        found.setdefault(one.asname or one.name, (line.module, one.name))
    return found


def tests_in(files: Iterable[str], wanted: frozenset[str], definitions: bool) -> tuple[Session, ...]:
    """As :func:`shipped_tests`, of ``files``."""
    names = sorted(name for name in wanted if name.isidentifier() and not name.startswith("__"))
    if not names:
        return ()
    calls = re.compile(rb"\b(?:" + "|".join(names).encode() + rb")\(")
    counted = []
    for number, path in enumerate(files):
        count = len(calls.findall(_contents(path)))
        if count:
            counted.append((-count, number, path))
    sessions: list[Session] = []
    for _, _, path in sorted(counted)[:MOST_READ]:
        sessions += _sessions(path, frozenset(names), definitions)
    return tuple(sessions[:MOST_SESSIONS])


def _test_files(package: str) -> Iterator[str]:
    own, around = package_folder(package), folder_around(package)
    project = None if around is None else project_around(around)
    folders = [] if own is None else [own]
    if project is not None:
        folders += [os.path.join(project, name) for name in _FOLDERS]
    seen = 0
    for start in folders:
        for root, inner, files in os.walk(start):
            inner.sort()
            seen += len(files)
            if seen > MOST_FILES:
                return
            for name in sorted(files):
                path = os.path.join(root, name)
                if _TEST_FILE.match(name) or (start == own and name.endswith(".py") and b"\ndef test_" in _contents(path)):
                    yield path


def _contents(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(LONGEST_FILE)
    except OSError:
        return b""  # another user's file: one example less


def _sessions(path: str, wanted: frozenset[str], definitions: bool) -> Iterator[Session]:
    own = _parsed(_contents(path))
    scopes = [*(_parsed(_contents(file)) for file in conftests(path)), own]
    fixtures = Fixtures(*scopes)
    shared = [
        statement
        for body in scopes
        for statement in body
        if isinstance(statement, ast.Assign) or (definitions and _is_aid(statement))
    ]
    for statement in own:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _of_test(shared, fixtures, statement, (), wanted, definitions)
        elif isinstance(statement, ast.ClassDef):
            methods = [member for member in statement.body if isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef)]
            before = [line for method in methods if method.name in ("setUp", "setup_method") for line in method.body]
            for method in methods:
                yield from _of_test(shared, fixtures.within(statement.body), method, before, wanted, definitions)


def _parsed(source: bytes) -> list[ast.stmt]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source).body
    except UNPARSABLE:
        return []  # another Python's, a template, or cut off: one example less


def _is_aid(statement: ast.stmt) -> bool:
    """Something that tests use."""
    return isinstance(statement, DEFINITIONS) and not statement.name.lower().startswith("test") and fixture_of(statement) is None


def _of_test(
    shared: list[ast.stmt],
    fixtures: Fixtures,
    test: ast.FunctionDef | ast.AsyncFunctionDef,
    before: Sequence[ast.stmt],
    wanted: frozenset[str],
    definitions: bool,
) -> Iterator[Session]:
    for run in itertools.islice(fixtures.runs(test, before), MOST_RUNS) if test.name.startswith("test") else ():
        calls = (node for statement in run for node in walk(statement) if isinstance(node, ast.Call))
        if any(called_name(node) in wanted for node in calls):
            attributes = _AttributesOfSelf()
            yield tuple(attributes.visit(statement) for statement in (*shared, *flat(run, definitions)))


class _AttributesOfSelf(ast.NodeTransformer):
    """``self.key`` becomes the variable ``key``: test methods share values so."""

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node  # with a ``self`` of its own

    def visit_Call(self, node: ast.Call) -> ast.AST:
        # A method of the test class is no variable.
        function = node.func if _is_self(node.func) else self.visit(node.func)
        arguments = [self.visit(argument) for argument in node.args]
        keywords = [self.visit(keyword) for keyword in node.keywords]
        return ast.copy_location(ast.Call(function, arguments, keywords), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if _is_self(node):
            return ast.copy_location(ast.Name(node.attr, node.ctx), node)
        return self.generic_visit(node)


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
