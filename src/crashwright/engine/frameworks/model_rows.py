"""Rows of the project's mapped classes (SQLAlchemy) that are there before an application is asked: those that a function of the
project stores for whoever tries it out, and plain ones of what the code names.

# Deviation: the papers' subjects have no database.
"""

from __future__ import annotations

import ast
import enum
import importlib
import os
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, cast

from crashwright.engine.frameworks.sqlalchemy import SqlAlchemy, is_used, mapped_classes
from crashwright.engine.frameworks.store import StoreQuestion
from crashwright.engine.frameworks.wanted_rows import Rows, StoredRow
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.introspection import class_module, class_name, derives, live_at, loaded_dict, loaded_names
from crashwright.engine.testcase.names.source import Known
from crashwright.engine.wants.parameter_names import snake_case

MOST_MODELS = 8
MOST_READ = 200
"""Modules that are looked through for functions that fill a database."""
MOST_SEEDS, MOST_FEWER = 2, 10
_ADDS = frozenset({"add", "add_all", "merge", "bulk_save_objects"})


class Seed(NamedTuple):
    """A function that stores rows: by the session that it is given, or, without a parameter, by the application's. ``made`` are the
    objects that its source makes."""

    module: str
    name: str
    takes_session: bool
    made: tuple[str, ...]


class StoringWay(NamedTuple):
    """``lines`` are statements that store rows; ``made`` those that make objects, for whoever wants to know what is in them."""

    lines: list[str]
    made: Sequence[str]


class ModelRows:
    """Of the project's ``packages``."""

    def __init__(self, packages: Collection[str]) -> None:
        found = mapped_classes() if is_used() else []
        self.models = [one for one in found if class_module(one).partition(".")[0] in packages][:MOST_MODELS]
        self._fields = SqlAlchemy().fields
        self._seeds = list(_seeds(packages, {class_name(one) for one in self.models}))[:MOST_SEEDS] if self.models else []

    def names(self, api: ApiModel) -> dict[str, Known]:
        """What :meth:`ways` name."""
        known: dict[str, Known] = {class_name(one): api.constructor(one) for one in self.models}
        for field in (field for model in self.models for field in self._fields(model)):
            if field.kind is not None and derives(field.kind, enum.Enum):
                known[class_name(field.kind)] = api.constructor(field.kind)
        for one in self._seeds:
            live = live_at(one.module, one.name)
            known[one.name] = api.callee_of(live) or Callee(one.module, one.name, CalleeKind.FUNCTION, live=live)
        return known

    def ways(self, known: Collection[str], named: Collection[str], session: str, entered: bool) -> list[StoringWay]:
        """Statements that store rows with a ``session``, each way in turn. ``named``: what the code that is asked names;
        ``entered``: functions without a parameter find the application's session."""
        usable = [one for one in self._seeds if one.name in known and (one.takes_session or entered)]
        seeded = [StoringWay([f"{one.name}({session if one.takes_session else ''})"], one.made) for one in usable]
        full = self._plain(named, session, optional=True)
        fewer = islice(self._fewer(full, named), MOST_FEWER)
        plain = dict.fromkeys(map(tuple, (full, self._plain(named, session, optional=False), *fewer)))
        return [*seeded, *(StoringWay([*lines], lines) for lines in plain if lines)]

    def _fewer(self, lines: Sequence[str], named: Collection[str]) -> Iterator[list[str]]:
        """Without one of the optional fields that the code reads."""
        fields = {class_name(model): {one.name: one for one in self._fields(model)} for model in self.models}
        for place, line in enumerate(lines):
            made = ast.parse(line).body[0]
            if not (isinstance(made, ast.Assign) and isinstance(made.value, ast.Call) and isinstance(made.value.func, ast.Name)):
                continue
            known, keywords = fields[made.value.func.id], made.value.keywords
            for one in keywords:
                field = known.get(one.arg or "")
                if field is not None and not field.required and field.name in named:
                    made.value.keywords = [other for other in keywords if other is not one]
                    yield [*lines[:place], ast.unparse(made), *lines[place + 1 :]]

    def _plain(self, named: Collection[str], session: str, optional: bool) -> list[str]:
        """One row of each model that is named, of what these refer to, and of what refers to them; of all where none is named. With
        the ``optional`` fields, as most rows are, or without."""
        chosen = [one for one in self.models if class_name(one) in named]
        about = [one for one in self.models if any(field.refers in chosen for field in self._fields(one))]
        rows = Rows(self._fields)
        rows.answer([StoreQuestion(None, (one,)) for one in dict.fromkeys((*chosen, *about)) or self.models])
        rows.fill(optional)
        variables: dict[int, str] = {}
        lines: list[str] = []
        for row in rows.all:
            name = snake_case(class_name(row.model))
            variable = name if name not in variables.values() else f"{name}_{len(variables)}"
            given = [(key, _source(value, variables)) for key, value in row.given.items() if value is not None]
            variables[id(row)] = variable
            said = ", ".join(f"{key}={value}" for key, value in given if value)
            lines += [f"{variable} = {class_name(row.model)}({said})", f"{session}.add({variable})"]
        return [*lines, f"{session}.commit()"] if lines else []


def _source(value: object, variables: dict[int, str]) -> str:
    """Of a value, as a test has it; "" where it has none."""
    if isinstance(value, StoredRow):
        return variables.get(id(value), "")
    if derives(type(value), enum.Enum):
        return f"{class_name(type(value))}({cast(enum.Enum, value).value!r})"
    module = class_module(type(value))
    text = repr(value)
    return text if module == "builtins" or text.startswith(f"{module}.") else f"{module}.{text}"


def _seeds(packages: Collection[str], models: Collection[str]) -> Iterator[Seed]:
    for path, module in list(_files_of(packages))[:MOST_READ]:
        try:
            with open(path, encoding="utf-8") as stream:
                tree = ast.parse(stream.read())
        except (OSError, SyntaxError, ValueError):
            continue  # no code that could be run
        found = [one for one in tree.body if isinstance(one, ast.FunctionDef) and _fills(one, models)]
        if found and (module in loaded_names(module.partition(".")[0]) or _is_quiet(tree)) and _is_importable(module):
            for one in found:
                yield Seed(module, one.name, bool(_required(one)), tuple(_made_in(one, models)))


def _files_of(packages: Collection[str]) -> Iterator[tuple[str, str]]:
    """The modules of the packages, loaded or not."""
    for package in sorted(packages):
        place = loaded_dict(package).get("__file__")
        if type(place) is not str:
            continue
        if os.path.basename(place) != "__init__.py":
            yield place, package
            continue
        top = os.path.dirname(place)
        for folder, _, names in os.walk(top):
            for name in sorted(one for one in names if one.endswith(".py")):
                inner = os.path.relpath(os.path.join(folder, name), top).removesuffix(".py").removesuffix("__init__")
                yield os.path.join(folder, name), ".".join([package, *inner.split(os.sep)]).rstrip(".")


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
        imported: Any = importlib.import_module(module)
    except Exception:  # noqa: BLE001 - it needs what this project has not, or is a script
        return False
    return imported is not None


def named_in(trees: Sequence[ast.AST]) -> frozenset[str]:
    """The names and attributes that some code has."""
    nodes = [node for tree in trees for node in ast.walk(tree)]
    return frozenset(
        node.id if isinstance(node, ast.Name) else node.attr for node in nodes if isinstance(node, ast.Name | ast.Attribute)
    )
