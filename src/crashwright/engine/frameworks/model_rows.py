"""Rows of the project's mapped classes (SQLAlchemy) that are there before an application is asked: those that a function of the
project stores for whoever tries it out, and plain ones of what the code names.

# Deviation: the papers' subjects have no database.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import NamedTuple, cast

from crashwright.engine.frameworks.filling_functions import filling_functions
from crashwright.engine.frameworks.sqlalchemy import SqlAlchemy, is_used, mapped_classes
from crashwright.engine.frameworks.store import StoreQuestion
from crashwright.engine.frameworks.wanted_rows import Rows, StoredRow
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.introspection import class_module, class_name, derives, live_at
from crashwright.engine.testcase.names.source import Known
from crashwright.engine.wants.parameter_names import snake_case

MOST_MODELS = 8
MOST_FILLING, MOST_FEWER = 2, 10


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
        filling = filling_functions(packages, {class_name(one) for one in self.models}) if self.models else iter(())
        self._filling = list(islice(filling, MOST_FILLING))

    def names(self, api: ApiModel) -> dict[str, Known]:
        """What :meth:`ways` name."""
        known: dict[str, Known] = {class_name(one): api.constructor(one) for one in self.models}
        for field in (field for model in self.models for field in self._fields(model)):
            if field.kind is not None and derives(field.kind, enum.Enum):
                known[class_name(field.kind)] = api.constructor(field.kind)
        for one in self._filling:
            live = live_at(one.module, one.name)
            known[one.name] = api.callee_of(live) or Callee(one.module, one.name, CalleeKind.FUNCTION, live=live)
        return known

    def ways(self, known: Collection[str], named: Collection[str], session: str, entered: bool) -> list[StoringWay]:
        """Statements that store rows with a ``session``, each way in turn. ``named``: what the code that is asked names;
        ``entered``: functions without a parameter find the application's session."""
        usable = [one for one in self._filling if one.name in known and (one.takes_session or entered)]
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
