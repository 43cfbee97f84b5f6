"""How the factory of an application is called for tests: as the project's own tests do, else with the configuration that it takes.
Texts are read, nothing is run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

_TESTS = re.compile(r"(?:conftest|test_.*|.*_tests?|tests?)\.py$")
_UPDATES = frozenset({"update", "from_mapping"})
"""Methods of an application's configuration that take a dictionary."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Configured(NamedTuple):
    """The ``arguments`` for a factory that takes a configuration, in a project that imports this ``extension``: a test that opens
    the database of the application itself would write to it."""

    extension: str
    arguments: str


def call_for_tests(factory: Function, files: Iterable[Path], configured: Configured | None = None) -> str:
    """The arguments with their brackets, ``("testing")``; "" where the factory needs some that nothing shows. ``files`` are the
    project's."""
    files = list(files)
    shown = next((call for file in files if _TESTS.match(file.name) for call in _calls(factory, file)), "")
    if shown:
        return shown
    if configured is not None and _takes_configuration(factory) and any(configured.extension in _text(file) for file in files):
        return configured.arguments
    return "()" if _needs_nothing(factory.args) else ""


def _calls(factory: Function, file: Path) -> Iterator[str]:
    """The calls of the factory whose arguments are literals; not those of another application's, which takes others."""
    text, name = _text(file), factory.name
    try:
        tree = ast.parse(text) if f"{name}(" in text else None
    except (SyntaxError, ValueError):
        return  # a template, or another Python's: it shows nothing
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == name and _are_literals(node):
            if not _fits(node, factory.args):
                continue
            yield ast.unparse(node)[len(ast.unparse(node.func)) :]


def _are_literals(call: ast.Call) -> bool:
    try:
        for value in (*call.args, *(keyword.value for keyword in call.keywords)):
            ast.literal_eval(value)
    except (ValueError, TypeError):
        return False
    return bool(call.args or call.keywords) and all(keyword.arg for keyword in call.keywords)


def _fits(call: ast.Call, takes: ast.arguments) -> bool:
    """Whether a function with these parameters takes the arguments of the call."""
    by_place = [one.arg for one in (*takes.posonlyargs, *takes.args)]
    by_name = {*by_place[len(takes.posonlyargs) :], *(one.arg for one in takes.kwonlyargs)}
    named = {one.arg for one in call.keywords}
    given = {*by_place[: len(call.args)], *named}
    needed = {*by_place[: len(by_place) - len(takes.defaults)]}
    needed |= {one.arg for one, default in zip(takes.kwonlyargs, takes.kw_defaults, strict=True) if default is None}
    return (
        (len(call.args) <= len(by_place) or takes.vararg is not None)
        and (named <= by_name or takes.kwarg is not None)
        and needed <= given
    )


def _takes_configuration(factory: Function) -> bool:
    """Whether its first parameter is a dictionary that the configuration is updated with, and no other is needed."""
    names = [one.arg for one in (*factory.args.posonlyargs, *factory.args.args)]
    if not names or len(names) - len(factory.args.defaults) > 1:
        return False
    return any(_updates(node, names[0]) for node in ast.walk(factory))


def _updates(node: ast.AST, name: str) -> bool:
    """Whether that is ``app.config.update(name)``, or the like."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="config"), attr=method), args=given, keywords=keywords):
            spread = [one.value for one in keywords if one.arg is None]
            return method in _UPDATES and any(_is_of(one, name) for one in (*given, *spread))
        case _:
            return False


def _is_of(value: ast.expr, name: str) -> bool:
    """Whether it is the parameter, or that where it is given: ``overrides or {}``."""
    match value:
        case ast.Name(id=found):
            return found == name
        case ast.BoolOp(op=ast.Or(), values=[first, *_]) | ast.IfExp(body=first):
            return _is_of(first, name)
        case _:
            return False


def _needs_nothing(arguments: ast.arguments) -> bool:
    plain = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
    return plain == 0 and all(default is not None for default in arguments.kw_defaults)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""  # another user's file
