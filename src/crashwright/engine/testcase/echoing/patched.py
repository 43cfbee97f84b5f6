"""What a shown test changes of its process by pytest's ``monkeypatch``, or by itself, in the terms of an ``Ambient``."""

from __future__ import annotations

import ast
from typing import NamedTuple

from crashwright.engine.subject.introspection import loaded_module
from crashwright.engine.testcase.statements import Display


class Patched(NamedTuple):
    """The ``place``, ``name`` and ``content`` of an ``Ambient``."""

    place: str
    name: str
    content: str | Display | None


def patched_by(node: ast.stmt) -> Patched | None:
    """What the statement changes; None where it changes nothing, or no test can say it."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="monkeypatch"), attr=method), args=args)):
            return _by_fixture(method, args)
        case ast.Assign(
            targets=[ast.Subscript(value=held, slice=ast.Constant(value=str() as name))], value=ast.Constant(value=value)
        ):
            return Patched("environ", name, value) if ast.unparse(held) == "os.environ" and type(value) is str else None
        case _:
            return None


def attribute_set_by(node: ast.stmt) -> str:
    """The attribute of an object that the statement sets until the test is over, as an ``Ambient`` names it: ``shop:app.state`` of
    ``monkeypatch.setattr("shop.app.state", ...)``. "" for what a module has itself: a test leaves the subject as it is."""
    match node:
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Name(id="monkeypatch"), attr="setattr"), args=[ast.Constant(value=str() as address), _]
            )
        ):
            parts = address.split(".")
            for count in range(len(parts) - 1, 0, -1):
                if loaded_module(module := ".".join(parts[:count])) is not None:
                    return f"{module}:{'.'.join(parts[count:])}" if len(parts) - count > 1 else ""
    return ""


def _by_fixture(method: str, args: list[ast.expr]) -> Patched | None:
    match method, args:
        case "setenv", [ast.Constant(value=str() as name), ast.Constant(value=value), *_]:
            return Patched("environ", name, str(value))
        case "delenv", [ast.Constant(value=str() as name), *_]:
            return Patched("environ", name, None)
        case "setattr", [ast.Constant(value="sys.argv"), ast.List(elts=[_, *words])]:
            given = [one.value for one in words if isinstance(one, ast.Constant) and type(one.value) is str]
            return Patched("argv", "", Display("list", tuple(given))) if len(given) == len(words) else None
        case "chdir", [ast.Name(id="tmp_path")]:
            return Patched("folder", "", None)
        case _:
            return None
