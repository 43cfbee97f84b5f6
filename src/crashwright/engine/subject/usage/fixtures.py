"""Tests of pytest as plain statements: the fixtures that a test is given are written out around it, those of its file and of the
``conftest.py`` files around that, and each case of ``parametrize`` is a run. Nothing is run here.
"""

from __future__ import annotations

import ast
import copy
import itertools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from crashwright.engine.subject.walking import children, walk

MOST_RUNS = 12
"""Of one test: cases, and parameters of its fixtures."""
MOST_FOLDERS = 6
"""Folders around a test that are looked into for a ``conftest.py``."""
Function = ast.FunctionDef | ast.AsyncFunctionDef
_ROOTS = ("pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "pytest.ini", ".git")


class DeclaredFixture(NamedTuple):
    """``params`` are what it is made with, one by one; each test has it if it ``is_everywhere`` (autouse)."""

    name: str
    function: Function
    is_everywhere: bool = False
    params: tuple[ast.expr, ...] = ()


class Fixtures:
    """Those of ``scopes``, the outermost first: what an inner one defines takes the place of an outer one's of that name, which it
    may ask for itself."""

    def __init__(self, *scopes: Iterable[ast.stmt]) -> None:
        self._scopes = tuple(tuple(scope) for scope in scopes)
        self._known: dict[str, list[DeclaredFixture]] = {}
        for fixture in (found for scope in self._scopes for found in map(fixture_of, scope) if found is not None):
            self._known.setdefault(fixture.name, []).append(fixture)

    def within(self, body: Iterable[ast.stmt]) -> Fixtures:
        """With those of a class of tests."""
        return Fixtures(*self._scopes, body)

    def runs(self, test: Function, before: Sequence[ast.stmt] = ()) -> Iterator[list[ast.stmt]]:
        """What each run of ``test`` does, after what is done ``before`` each test of its class."""
        order = self._order(test)
        choices: list[tuple[ast.expr | None, ...]] = [fixture.params or (None,) for fixture in order]
        made = ((case, params) for case in _cases(test) for params in itertools.product(*choices))
        for case, params in itertools.islice(made, MOST_RUNS):
            rest = [*before, *case, *test.body]
            taken = {fixture.name for fixture in order} | {one.arg for one in walk(test.args) if isinstance(one, ast.arg)}
            for fixture, param in zip(reversed(order), reversed(params), strict=True):
                rest = _around(fixture, param, rest, taken)
            yield rest

    def _order(self, test: Function) -> list[DeclaredFixture]:
        """What ``test`` gets, each behind what it needs itself."""
        found: dict[int, DeclaredFixture] = {}
        waiting: set[int] = set()

        def ask(name: str, below: int | None = None) -> None:
            versions = self._known.get(name, [])[:below]
            if not versions or id(versions[-1].function) in waiting:
                return
            fixture = versions[-1]
            waiting.add(id(fixture.function))
            for other in _parameters(fixture.function):
                ask(other, len(versions) - 1 if other == name else None)
            found.setdefault(id(fixture.function), fixture)

        everywhere = [name for name, versions in self._known.items() if versions[-1].is_everywhere]
        for name in (*everywhere, *_marked(test), *_parameters(test)):
            ask(name)
        return list(found.values())


def fixture_of(node: ast.stmt) -> DeclaredFixture | None:
    """The fixture that ``node`` defines."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    for decorator in node.decorator_list:
        if _last_name(decorator).endswith("fixture"):
            keywords = decorator.keywords if isinstance(decorator, ast.Call) else []
            told = {one.arg: one.value for one in keywords}
            name, everywhere, params = told.get("name"), told.get("autouse"), told.get("params")
            return DeclaredFixture(
                str(name.value) if isinstance(name, ast.Constant) else node.name,
                node,
                isinstance(everywhere, ast.Constant) and everywhere.value is True,
                tuple(_values(one)[0] for one in params.elts) if isinstance(params, ast.List | ast.Tuple) else (),
            )
    return None


def conftests(path: str) -> list[str]:
    """The ``conftest.py`` files that are for the test file at ``path``, the outermost first."""
    found: list[str] = []
    folder = os.path.dirname(os.path.abspath(path))
    for _ in range(MOST_FOLDERS):
        if os.path.isfile(os.path.join(folder, "conftest.py")):
            found.insert(0, os.path.join(folder, "conftest.py"))
        if any(os.path.exists(os.path.join(folder, name)) for name in _ROOTS) or os.path.dirname(folder) == folder:
            break
        folder = os.path.dirname(folder)
    return found


def _around(fixture: DeclaredFixture, param: ast.expr | None, rest: list[ast.stmt], taken: set[str]) -> list[ast.stmt]:
    """``rest`` with the fixture written out around it: what follows its ``yield`` follows ``rest``."""
    function = copy.deepcopy(fixture.function)
    if param is not None:
        function = _OfRequest(param).visit(function)
    own = {one.id for one in walk(function) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    clashing = {name: f"{name}_of_{fixture.name}" for name in (own & taken) - {fixture.name}}
    body: list[ast.stmt] = [_Renamed(clashing).visit(line) for line in function.body]
    leaving = [one for line in body for one in _in_scope(line) if isinstance(one, ast.Yield | ast.Return)]
    if any(isinstance(one, ast.Yield) for one in leaving):
        placed = _AtYield(fixture.name, rest)
        made = [one for line in body for one in placed.put(line)]
        return made if placed.is_put else [*made, *rest]
    if not leaving:
        return [*body, *rest]
    last = body[-1]
    if len(leaving) == 1 and isinstance(last, ast.Return):
        return [*body[:-1], *_assigned(fixture.name, last.value, last), *rest]
    return [*_called(fixture.name, function), *rest]


def _called(name: str, function: Function) -> list[ast.stmt]:
    """A fixture that returns here and there is called."""
    function.name, function.decorator_list = f"make_{name}", []
    given: list[ast.expr] = [ast.Name(one, ast.Load()) for one in _parameters(function)]
    call: ast.expr = ast.Call(ast.Name(function.name, ast.Load()), given, [])
    value = ast.Await(call) if isinstance(function, ast.AsyncFunctionDef) else call
    return [function, *_assigned(name, value, function)]


def _assigned(name: str, value: ast.expr | None, at: ast.stmt) -> list[ast.stmt]:
    if isinstance(value, ast.Name) and value.id == name:
        return []
    made = ast.Assign([ast.Name(name, ast.Store())], value or ast.Constant(None))
    return [ast.fix_missing_locations(ast.copy_location(made, at))]


def _cases(test: Function) -> list[list[ast.stmt]]:
    """What ``parametrize`` gives, case by case; one empty case where there is none."""
    found: list[list[ast.stmt]] = [[]]
    for decorator in test.decorator_list:
        match decorator:
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[names, ast.List(elts=cases) | ast.Tuple(elts=cases), *_]):
                wanted = _names(names)
                found = [[*one, *_bound(wanted, case)] for one in found for case in cases] or found
    return found


def _names(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant):
        return [name.strip() for name in str(node.value).split(",")]
    parts = node.elts if isinstance(node, ast.List | ast.Tuple) else []
    return [str(one.value) for one in parts if isinstance(one, ast.Constant)]


def _bound(names: Sequence[str], case: ast.expr) -> Iterator[ast.stmt]:
    values = _values(case)
    if len(names) > 1 and len(values) == 1 and isinstance(values[0], ast.Tuple | ast.List):
        values = values[0].elts
    for name, value in zip(names, values, strict=False):
        yield ast.Assign([ast.Name(name, ast.Store())], value, lineno=1)


def _values(case: ast.expr) -> Sequence[ast.expr]:
    """What a case has, without what is said of it (``pytest.param``)."""
    return case.args if isinstance(case, ast.Call) and _last_name(case) == "param" and case.args else [case]


def _marked(test: Function) -> Iterator[str]:
    for decorator in test.decorator_list:
        if isinstance(decorator, ast.Call) and _last_name(decorator) == "usefixtures":
            yield from (str(one.value) for one in decorator.args if isinstance(one, ast.Constant))


def _parameters(function: Function) -> list[str]:
    named = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    return [one.arg for one in named if one.arg not in ("self", "cls", "request")]


def _last_name(node: ast.expr) -> str:
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _in_scope(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
        for child in children(node):
            yield from _in_scope(child)


class _AtYield:
    """Puts statements where a fixture yields, wherever that is in it."""

    def __init__(self, name: str, rest: list[ast.stmt]) -> None:
        self._name, self._rest = name, rest
        self.is_put = False

    def put(self, node: ast.stmt) -> list[ast.stmt]:
        """``node`` with them, once."""
        if not self.is_put and isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield):
            self.is_put = True
            return [*_assigned(self._name, node.value.value, node), *self._rest]
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for part in ("body", "orelse", "finalbody"):
                inner = getattr(node, part, None)
                if isinstance(inner, list):
                    setattr(node, part, [one for line in inner for one in self.put(line)])
        return [node]


class _OfRequest(ast.NodeTransformer):
    """``request.param`` is what it is."""

    def __init__(self, param: ast.expr) -> None:
        self._param = param

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if node.attr == "param" and isinstance(node.value, ast.Name) and node.value.id == "request":
            return ast.copy_location(copy.deepcopy(self._param), node)
        return self.generic_visit(node)


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Name(self._names.get(node.id, node.id), node.ctx), node)
