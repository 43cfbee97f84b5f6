"""What the code of a candidate does when it is run, as plain statements: a script as it stands, each test of a test file with
what it is given. Nothing is run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from crashwright.core.unparsable import UNPARSABLE
from crashwright.engine.subject.usage.usage import DEFINITIONS

MOST_PROGRAMS = 12
"""Of one candidate: it may be a whole file of tests."""
Function = ast.FunctionDef | ast.AsyncFunctionDef
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SETUP = ("setUp", "setup_method", "setup", "asyncSetUp")
_EXPECTING = frozenset({"raises", "assertRaises", "assertRaisesRegex", "suppress", "warns", "subTest"})
"""What a test puts around a call that it expects something of."""
_GIVEN = {
    "tmp_path": "import pathlib, tempfile\ntmp_path = pathlib.Path(tempfile.mkdtemp())",
    "tmpdir": "import pathlib, tempfile\ntmpdir = pathlib.Path(tempfile.mkdtemp())",
}
"""What pytest gives to tests, made by hand."""
IMPORTS = (ast.Import, ast.ImportFrom)


class Program(NamedTuple):
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


def programs(source: str) -> list[Program]:
    """The programs of a candidate; none where it is no Python, or does nothing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse(source)
    except UNPARSABLE:
        return []
    found = [Program(tuple(_told(one))) for one in _runs(module.body)]
    return [one for one in found if one.body][:MOST_PROGRAMS]


def _runs(body: Sequence[ast.stmt]) -> Iterator[list[ast.stmt]]:
    tests = [one for one in body if _is_test(one) or _is_test_class(one)]
    if not tests:
        yield [*_script(body)]
        return
    around = [one for one in body if one not in tests and not _is_main(one) and not _is_fixture(one)]
    fixtures = {one.name: one for one in body if isinstance(one, _FUNCTIONS) and _is_fixture(one)}
    for test in tests:
        if isinstance(test, _FUNCTIONS):
            for given in _cases(test):
                yield [*around, *_fixtures(test, fixtures), *given, *test.body]
        elif isinstance(test, ast.ClassDef):
            methods = [one for one in test.body if isinstance(one, _FUNCTIONS)]
            before = [line for one in methods if one.name in _SETUP for line in one.body]
            for method in methods:
                if method.name.startswith("test"):
                    body_of = [_OfSelf().visit(line) for line in (*before, *method.body)]
                    yield [*around, *_fixtures(method, fixtures), *body_of]


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


def _is_fixture(node: ast.stmt) -> bool:
    return isinstance(node, _FUNCTIONS) and any("fixture" in ast.dump(one) for one in node.decorator_list)


def _fixtures(test: Function, known: dict[str, Function]) -> Iterator[ast.stmt]:
    """What its parameters are: the bodies of the fixtures, and what pytest gives."""
    for parameter in test.args.args:
        fixture = known.get(parameter.arg)
        if fixture is not None and fixture is not test:
            yield from _fixtures(fixture, {name: one for name, one in known.items() if name != parameter.arg})
            for line in fixture.body:
                yield from _given(line, parameter.arg)
        elif parameter.arg in _GIVEN:
            yield from ast.parse(_GIVEN[parameter.arg]).body


def _given(line: ast.stmt, name: str) -> Iterator[ast.stmt]:
    value = line.value if isinstance(line, ast.Return) else None
    if isinstance(line, ast.Expr) and isinstance(line.value, ast.Yield):
        value = line.value.value
    yield line if value is None else ast.Assign([ast.Name(name, ast.Store())], value, lineno=line.lineno)


def _cases(test: Function) -> Iterator[list[ast.stmt]]:
    """What ``parametrize`` gives, case by case; one empty case where there is none."""
    for decorator in test.decorator_list:
        match decorator:
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[names, ast.List(elts=cases) | ast.Tuple(elts=cases), *_]):
                wanted = _names(names)
                for case in cases:
                    yield [*_bound(wanted, case)]
                return
    yield []


def _names(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant):
        return [name.strip() for name in str(node.value).split(",")]
    parts = node.elts if isinstance(node, ast.List | ast.Tuple) else []
    return [str(one.value) for one in parts if isinstance(one, ast.Constant)]


def _bound(names: Sequence[str], case: ast.expr) -> Iterator[ast.stmt]:
    values: Sequence[ast.expr] = [case]
    if isinstance(case, ast.Call) and isinstance(case.func, ast.Attribute) and case.func.attr == "param":
        values = case.args
    elif len(names) > 1 and isinstance(case, ast.Tuple | ast.List):
        values = case.elts
    for name, value in zip(names, values, strict=False):
        yield ast.Assign([ast.Name(name, ast.Store())], value, lineno=1)


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
