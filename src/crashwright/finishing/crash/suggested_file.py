"""What somebody suggests as a reproduction, as a file of pytest: a test as its author wrote it, or a script put into one test.

Lines are moved, never printed anew, so that the author's own words, comments and layout stay.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from crashwright.core.preparation import Preparation
from crashwright.finishing import preparation_lines
from crashwright.finishing.crash.crash_statement import crashing_lines, expected
from crashwright.finishing.crash.pytest_file import WIDTH

_DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_PLAIN = (ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.UnaryOp, ast.unaryop, ast.Name, ast.expr_context)
_RAISES = frozenset({"raises", "assertRaises", "assertRaisesRegex"})


class SuggestedCrash(NamedTuple):
    """What a test of the file raises: ``exception`` by the name ``module`` imports it as, at ``line`` of the file (from 1)."""

    exception: str
    module: str
    message: str
    line: int


def tests_in(source: str) -> tuple[str, ...]:
    """The tests as pytest names them within the file, without parameters."""
    found: list[str] = []
    for node in ast.parse(source).body:
        if isinstance(node, _FUNCTIONS) and node.name.startswith("test"):
            found.append(node.name)
        elif isinstance(node, ast.ClassDef):
            found += [f"{node.name}::{one.name}" for one in _test_methods(node)]
    return tuple(found)


def as_test_files(source: str, name: str) -> tuple[str, ...]:
    """The file as it is, if it has tests; else its statements within one test called ``name``: first with what it defines outside
    of the test, as a test file has it, then with nothing but the imports there."""
    if tests_in(source):
        return (source,)
    body = ast.parse(source).body
    start = 1 if body and _is_docstring(body[0]) else 0
    imports = next(
        (at for at, node in enumerate(body) if at >= start and not isinstance(node, ast.Import | ast.ImportFrom)), len(body)
    )
    defined = max((at + 1 for at, node in enumerate(body) if isinstance(node, _DEFINITIONS)), default=start)
    acting = next((at for at, node in enumerate(body) if at >= start and _acts(node)), len(body))
    splits = dict.fromkeys((min(defined, acting), imports))
    return tuple(_wrapped(source, body, split, name) for split in splits if split < len(body))


def alone(source: str, name: str) -> str:
    """The file with no other test than ``name`` (``test_x`` or ``TestX::test_x``, with parameters or without)."""
    wanted = name.partition("[")[0].split("::")
    spare: list[ast.stmt] = []
    for node in ast.parse(source).body:
        if isinstance(node, _FUNCTIONS) and node.name.startswith("test") and [node.name] != wanted:
            spare.append(node)
        elif isinstance(node, ast.ClassDef) and _test_methods(node):
            others = [one for one in _test_methods(node) if [node.name, one.name] != wanted]
            spare += [node] if len(others) == len(_test_methods(node)) else others
    return without_unused_imports(source, _without(source, spare))


def without_idle(source: str) -> str:
    """The file without names that are given plain values, or defined, and never used: what trying leaves behind."""
    while True:
        tree = ast.parse(source)
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store)}
        blocks = [tree.body, *(node.body for node in tree.body if isinstance(node, _FUNCTIONS) and node.name.startswith("test"))]
        spare = [node for block in blocks for node in block if len(block) > 1 and _is_idle(node, used)]
        if not spare:
            return source
        source = _without(source, spare[:1])


def unexpected(source: str) -> str:
    """The file with what its tests expect to raise simply done, so that the crash shows: the block of ``pytest.raises`` or
    ``assertRaises`` without that line, and without what is said of the exception afterwards."""
    while True:
        tree = ast.parse(source)
        found = next(((block, item) for block in ast.walk(tree) if isinstance(block, ast.With) if (item := _expects(block))), None)
        if found is None:
            return source
        block, item = found
        bound = item.optional_vars.id if isinstance(item.optional_vars, ast.Name) else ""
        spoken = [
            line
            for node in ast.walk(tree)
            if not isinstance(node, ast.Lambda)
            for line in getattr(node, "body", ())
            if bound and isinstance(line, ast.stmt) and line.lineno > (block.end_lineno or 0) and _names(line, bound)
            if not isinstance(line, (*_FUNCTIONS, ast.ClassDef))
        ]
        changed = _opened(_without(source, spoken), block, item)
        if changed == source:
            return source
        source = changed


def in_form(source: str, form: str, crash: SuggestedCrash) -> str:
    """The file with the statement of ``crash`` under ``pytest.raises``, or its test as an expected failure; ``fail``: as it is."""
    if form == "fail":
        return source
    function = _function_at(ast.parse(source), crash.line)
    if function is None:
        return source
    lines = source.splitlines()
    if form == "xfail":
        at = min([function.lineno, *(one.lineno for one in function.decorator_list)]) - 1
        indent = " " * function.col_offset
        lines.insert(at, f"{indent}@pytest.mark.xfail(strict=True, raises={crash.exception})")
    else:
        first, last = function.body[0].lineno - 1, (function.end_lineno or len(lines)) - 1
        indent = " " * function.body[0].col_offset
        body = [line.removeprefix(indent) for line in lines[first : last + 1]]
        place = crashing_lines(body, crash.line - 1 - first)
        body = expected(body, place, crash.exception, crash.message, WIDTH - len(indent))
        lines[first : last + 1] = [f"{indent}{line}" if line else line for line in body]
    needed = ["import pytest"]
    if crash.module not in ("", "builtins"):
        needed.append(f"from {crash.module} import {crash.exception}")
    return with_lines("\n".join(lines) + "\n", [line for line in needed if line not in source.splitlines()])


def prepared(source: str, preparation: Preparation) -> str:
    """The file with what the subject's functions need set up, unless it does so itself. A test class of a framework opens its
    transaction before fixtures of single tests are made: the database is there before it."""
    fixtures = preparation_lines.fixtures(preparation, "module")
    while fixtures and not fixtures[-1]:
        fixtures.pop()
    lines = [*preparation_lines.with_imports(preparation, []), *preparation_lines.imports(preparation)]
    made = with_lines(source, lines) if lines and not preparation_lines.is_set_up_by(source) else source
    marks = [one.removeprefix("@") for one in preparation_lines.marks(preparation)]
    mark = [f"pytestmark = {one}" for one in marks[:1] if "pytestmark" not in source]
    after = [*([""] * 2 if fixtures or mark else []), *fixtures, *mark]
    return "\n".join([*made.rstrip("\n").splitlines(), *after]) + "\n"


def headed(source: str, header: Sequence[str]) -> str:
    """The file under ``header``, the lines of a docstring: as comments if it has a docstring of its own."""
    body = ast.parse(source).body
    if not body or not _is_docstring(body[0]):
        return "\n".join([*header, "", *source.splitlines()]) + "\n"
    said = "\n".join(header).strip('"').splitlines()
    return "\n".join([*(f"# {line}".rstrip() for line in said), *source.splitlines()]) + "\n"


def _test_methods(node: ast.ClassDef) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [one for one in node.body if isinstance(one, _FUNCTIONS) and one.name.startswith("test")]


def _is_idle(node: ast.stmt, used: set[str]) -> bool:
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return name not in used and all(isinstance(one, _PLAIN) for one in ast.walk(value))
        case ast.FunctionDef(name=name, decorator_list=[]) | ast.ClassDef(name=name, decorator_list=[], bases=[], keywords=[]):
            return name not in used and not name.lower().startswith("test")
    return False


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _acts(node: ast.stmt) -> bool:
    """It does more than to define or to name something."""
    return not isinstance(node, (*_DEFINITIONS, ast.Assign, ast.AnnAssign))


def _wrapped(source: str, body: Sequence[ast.stmt], split: int, name: str) -> str:
    lines = source.splitlines()
    first = min([body[split].lineno, *(one.lineno for one in getattr(body[split], "decorator_list", ()))]) - 1
    inner: list[str] = []
    fixed = inside_texts(body)
    for number, node in enumerate(body[split:], split):
        last = body[number + 1].lineno - 1 if number + 1 < len(body) else len(lines)
        begin = first if number == split else node.lineno - 1
        if _is_main(node):
            assert isinstance(node, ast.If)
            begin = node.body[0].lineno - 1
            shift = node.body[0].col_offset
            inner += [line if at in fixed else f"    {line[shift:]}" for at, line in enumerate(lines[begin:last], begin)]
        else:
            inner += [
                line if at in fixed or not line.strip() else f"    {line}" for at, line in enumerate(lines[begin:last], begin)
            ]
    return "\n".join([*lines[:first], "", "", f"def {name}():", *inner]).rstrip() + "\n"


def _is_main(node: ast.stmt) -> bool:
    match node:
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__")), orelse=[]):
            return True
    return False


def inside_texts(nodes: Iterable[ast.AST]) -> frozenset[int]:
    """The lines (from 0) that begin within a text: what is put before these would be part of it."""
    texts = (one for node in nodes for one in ast.walk(node) if isinstance(one, ast.Constant | ast.JoinedStr))
    return frozenset(at for one in texts for at in range(one.lineno, one.end_lineno or one.lineno))


def _without(source: str, spare: Sequence[ast.stmt]) -> str:
    """The source without some of its statements, and without the blank lines that stood before them."""
    lines: list[str | None] = list(source.splitlines())
    for node in spare:
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))]) - 1
        while first and not (lines[first - 1] or "").strip():
            first -= 1
        end = node.end_lineno or node.lineno
        lines[first:end] = [None] * (end - first)
    return "\n".join(line for line in lines if line is not None) + "\n"


def without_unused_imports(before: str, source: str) -> str:
    """Without the imports at the top that only what was left out has used."""
    if before == source:
        return source
    tree = ast.parse(source)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    known = {node.id for node in ast.walk(ast.parse(before)) if isinstance(node, ast.Name)}
    left_over = known - used
    spare = [
        node
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        and all((one.asname or one.name).partition(".")[0] in left_over for one in node.names)
    ]
    return _without(source, spare)


def _expects(block: ast.With) -> ast.withitem | None:
    """The part of a ``with`` that expects an exception."""
    for item in block.items:
        match item.context_expr:
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=args) if name in _RAISES and len(args) < 3:
                return item
    return None


def _opened(source: str, block: ast.With, item: ast.withitem) -> str:
    lines = source.splitlines()
    first, last = block.lineno - 1, (block.end_lineno or block.lineno) - 1
    head = block.body[0].lineno - 1
    others = [one for one in block.items if one is not item]
    indent = " " * block.col_offset
    fixed = inside_texts(block.body)
    if head <= max(first, (item.context_expr.end_lineno or 0) - 1):  # on one line
        body = [indent + lines[head][block.body[0].col_offset :], *lines[head + 1 : last + 1]]
    else:
        shift = block.body[0].col_offset - block.col_offset
        body = [
            line if at in fixed else line[:shift].lstrip() + line[shift:] for at, line in enumerate(lines[head : last + 1], head)
        ]
    if others:
        kept = ", ".join(ast.unparse(one) for one in others)
        body = [f"{indent}with {kept}:", *lines[head : last + 1]]
    return "\n".join([*lines[:first], *body, *lines[last + 1 :]]) + "\n"


def _names(node: ast.AST, name: str) -> bool:
    return any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(node))


def _function_at(tree: ast.Module, line: int) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The test that holds ``line``."""
    around = [node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS) and node.lineno <= line <= (node.end_lineno or 0)]
    return next((node for node in around if node.name.startswith("test")), None)


def with_lines(source: str, new: Sequence[str]) -> str:
    """The source with ``new`` lines at its top, after its docstring and what has to come first."""
    body = ast.parse(source).body
    before = 0
    for node in body:
        future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if not (future or _is_docstring(node)):
            break
        before = node.end_lineno or node.lineno
    lines = source.splitlines()
    return "\n".join([*lines[:before], *new, *lines[before:]]) + "\n"
