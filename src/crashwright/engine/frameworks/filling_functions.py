"""Functions of a project that fill its database for whoever tries it out: ``seed(session)``. They are read, and their modules are
imported if nothing but definitions comes of that.

# Deviation: the papers' subjects have no database.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Collection, Iterator
from itertools import islice
from typing import NamedTuple

from crashwright.engine.subject.introspection import loaded_dict, loaded_names
from crashwright.engine.wants.parameter_names import snake_case
from crashwright.engine.wants.reading.package import files_of

MOST_READ = 200
"""Modules that are looked through."""
_ADDS = frozenset({"add", "add_all", "merge", "bulk_save_objects"})


class FillingFunction(NamedTuple):
    """A function that stores rows: by the session that it is given, or, without a parameter, by the application's. ``made`` are the
    objects that its source makes."""

    module: str
    name: str
    takes_session: bool
    made: tuple[str, ...]


def filling_functions(packages: Collection[str], models: Collection[str]) -> Iterator[FillingFunction]:
    """Those of the project's ``packages`` that make objects of several of the ``models``, by the names of these."""
    places = ((package, loaded_dict(package).get("__file__")) for package in sorted(packages))
    folders = ((package, place.removesuffix("/__init__.py")) for package, place in places if type(place) is str)
    files = (one for package, folder in folders for one in files_of(folder, package))
    for module, path in islice(files, MOST_READ):
        try:
            with open(path, encoding="utf-8") as stream:
                tree = ast.parse(stream.read())
        except (OSError, SyntaxError, ValueError):
            continue  # no code that could be run
        found = [one for one in tree.body if isinstance(one, ast.FunctionDef) and _fills(one, models)]
        if found and (module in loaded_names(module.partition(".")[0]) or _is_quiet(tree)) and _is_importable(module):
            for one in found:
                yield FillingFunction(module, one.name, bool(_required(one)), tuple(_made_in(one, models)))


def _fills(function: ast.FunctionDef, models: Collection[str]) -> bool:
    """Whether it makes objects of the models, and adds some to the one thing that it is given, or to something of its module."""
    required = _required(function)
    calls = [one for one in ast.walk(function) if isinstance(one, ast.Call)]
    made = [one for one in calls if isinstance(one.func, ast.Name | ast.Attribute) and _last_name(one.func) in models]
    adding = [one.func.value for one in calls if isinstance(one.func, ast.Attribute) and one.func.attr in _ADDS]
    held = [one for one in adding if isinstance(one, ast.Name) and one.id in required]
    own = [one for one in adding if isinstance(one, ast.Attribute)]
    return len(made) > 1 and ((len(required) == 1 and bool(held)) or (not required and bool(own)))


def _made_in(function: ast.FunctionDef, models: Collection[str]) -> Iterator[str]:
    for one in ast.walk(function):
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name | ast.Attribute) and _last_name(one.func) in models:
            yield f"{snake_case(_last_name(one.func))} = {ast.unparse(one)}"


def _last_name(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr


def _required(function: ast.FunctionDef) -> list[str]:
    arguments = function.args
    places = [*arguments.posonlyargs, *arguments.args]
    with_default = len(arguments.defaults)
    keywords = [one for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if default is None]
    return [one.arg for one in (*places[: len(places) - with_default], *keywords)]


_QUIET = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign, ast.If)


def _is_quiet(tree: ast.Module) -> bool:
    """Whether its import does nothing but define: what stands alone is a text, or is asked whether it is the program."""
    for one in tree.body:
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
            continue
        if not isinstance(one, _QUIET) or (isinstance(one, ast.If) and "__name__" not in ast.unparse(one.test)):
            return False
    return True


def _is_importable(module: str) -> bool:
    try:
        importlib.import_module(module)
    except Exception:  # noqa: BLE001 - it needs what this project has not, or is a script: nothing of it is called then
        return False
    return True
