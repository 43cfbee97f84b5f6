"""What the code of a candidate does when it is run, as plain statements: a script as it stands, each test of a test file with
what it is given. Nothing is run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from crashwright.core.unparsable import UNPARSABLE
from crashwright.engine.subject.usage.fixtures import Fixtures, fixture_of
from crashwright.engine.subject.usage.usage import DEFINITIONS

MOST_PROGRAMS = 12
"""Of one candidate: it may be a whole file of tests."""
Function = ast.FunctionDef | ast.AsyncFunctionDef
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SETUP = ("setUp", "setup_method", "setup", "asyncSetUp")
_EXPECTING = frozenset({"raises", "assertRaises", "assertRaisesRegex", "suppress", "warns", "subTest"})
"""What a test puts around a call that it expects something of."""
_GIVEN = """
@fixture
def tmp_path():
    import pathlib, tempfile
    return pathlib.Path(tempfile.mkdtemp())
@fixture
def tmpdir():
    import pathlib, tempfile
    return pathlib.Path(tempfile.mkdtemp())
"""
"""What pytest gives to tests, made by hand."""
IMPORTS = (ast.Import, ast.ImportFrom)


class CandidateProgram(NamedTuple):
    """Statements in order, imports among them."""

    statements: tuple[ast.stmt, ...]

    @property
    def imports(self) -> tuple[ast.Import | ast.ImportFrom, ...]:
        """The imports at its top."""
        return tuple(one for one in self.statements if isinstance(one, IMPORTS))

    @property
    def body(self) -> tuple[ast.stmt, ...]:
        """Everything else."""
        return tuple(one for one in self.statements if not isinstance(one, IMPORTS))


def programs(source: str) -> list[CandidateProgram]:
    """The programs of a candidate; none where it is no Python, or does nothing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse(source)
    except UNPARSABLE:
        return []
    found = [CandidateProgram(tuple(_told(one))) for one in _runs(module.body)]
    return [one for one in found if one.body][:MOST_PROGRAMS]


def _runs(body: Sequence[ast.stmt]) -> Iterator[list[ast.stmt]]:
    tests = [one for one in body if _is_test(one) or _is_test_class(one)]
    if not tests:
        yield [*_script(body)]
        return
    around = [one for one in body if one not in tests and not _is_main(one) and fixture_of(one) is None]
    fixtures = Fixtures(ast.parse(_GIVEN).body, body)
    for test in tests:
        if isinstance(test, _FUNCTIONS):
            yield from ([*around, *run] for run in fixtures.runs(test))
        elif isinstance(test, ast.ClassDef):
            methods = [one for one in test.body if isinstance(one, _FUNCTIONS)]
            before = [line for one in methods if one.name in _SETUP for line in one.body]
            within = fixtures.within(test.body)
            for method in methods:
                if method.name.startswith("test"):
                    yield from ([*around, *map(_OfSelf().visit, run)] for run in within.runs(method, before))


def _script(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """A script as it runs; one that only defines functions is taken to mean the last of them."""
    lines = [line for one in body for line in (one.body if _is_main(one) and isinstance(one, ast.If) else [one])]
    yield from lines
    last = next((one for one in reversed(lines) if isinstance(one, _FUNCTIONS)), None)
    if last is not None and all(isinstance(one, (*DEFINITIONS, *IMPORTS, ast.Assign, ast.AnnAssign)) for one in lines):
        needed = len(last.args.args) + len(last.args.posonlyargs) - len(last.args.defaults)
        if needed == 0 and not any(one is None for one in last.args.kw_defaults):
            call: ast.expr = ast.Call(ast.Name(last.name, ast.Load()), [], [])
            yield ast.Expr(ast.Await(call) if isinstance(last, ast.AsyncFunctionDef) else call)


def _is_test(node: ast.stmt) -> bool:
    return isinstance(node, _FUNCTIONS) and node.name.startswith("test")


def _is_test_class(node: ast.stmt) -> bool:
    return isinstance(node, ast.ClassDef) and any(_is_test(one) for one in node.body)


def _is_main(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "__name__" in ast.dump(node.test) and "__main__" in ast.dump(node.test)


def _told(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """``body`` without what a test only expects, and without what is said to the reader."""
    for statement in body:
        match statement:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                continue
            case ast.With(items=items, body=inner) if all(_expects(item.context_expr) for item in items):
                yield from _told(inner)
            case ast.Assert(test=test):
                yield ast.copy_location(ast.Expr(test), statement)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name), args=arguments)) if (
                name.startswith("assert")
            ):
                for argument in arguments:
                    yield ast.copy_location(ast.Expr(argument), statement)
            case ast.Import(names=names) if any(one.name.partition(".")[0] in ("pytest", "unittest") for one in names):
                continue
            case ast.ImportFrom(module="__future__" | "pytest" | "unittest"):
                continue
            case ast.Return(value=value):
                if value is not None:
                    yield ast.copy_location(ast.Expr(value), statement)
                return
            case _:
                yield statement


def _expects(node: ast.expr) -> bool:
    function = node.func if isinstance(node, ast.Call) else None
    name = function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    return name in _EXPECTING


class _OfSelf(ast.NodeTransformer):
    """What a test keeps on itself becomes a variable; what it asserts stays."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id == "self" and not node.attr.startswith("assert"):
            return ast.copy_location(ast.Name(node.attr, node.ctx), node)
        return self.generic_visit(node)
