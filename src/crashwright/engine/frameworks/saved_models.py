"""Models whose rows a test stores by one call, ahead of the client: a framework that has such says how they are made.

What others refer to is stored first, under a variable by the name of its model.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from crashwright.engine.subject.introspection import class_name
from crashwright.engine.wants.parameter_names import snake_case

MOST_STORED = 6
"""Models of which one row is stored."""
_NOTHING: Mapping[str, str] = MappingProxyType({})
_KEYS = ("pk", "id")


class SavedModel(NamedTuple):
    """``needed`` and ``optional`` are fields with the source of a value, or with the name of the model that they refer to.
    ``making`` is what of the class makes a row and stores it."""

    live: type
    needed: tuple[tuple[str, str], ...]
    optional: tuple[tuple[str, str], ...]
    refers: frozenset[str]
    making: str

    @property
    def name(self) -> str:
        """Of its class."""
        return class_name(self.live)


def stores(models: Sequence[SavedModel], named: Collection[str], told: Mapping[str, str] = _NOTHING) -> list[list[str]]:
    """Growing rows of statements: the first object, the first two, and so on, each also with its optional fields. Models that the
    code ``named`` come first, after those that they refer to; then those that refer to them. ``told`` are values of fields by their
    names, such as those in the path of a request."""
    chosen = _chosen(models, named)
    flows: list[list[str]] = []
    for count in range(1, len(chosen) + 1):
        plain = [store_of(model, chosen, False, told) for model in chosen[:count]]
        flows += [plain, [*plain[:-1], store_of(chosen[count - 1], chosen, True, told)]]
    return [flow for place, flow in enumerate(flows) if flow not in flows[:place]]


def names_in(models: Sequence[SavedModel], functions: Iterable[ast.AST], modules: Iterable[ast.AST]) -> frozenset[str]:
    """The names in some functions; if no model is among them, those in their modules: what a class says of itself is in no
    function."""
    known = {model.name for model in models}
    for trees in (functions, modules):
        found = frozenset(node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name))
        if not found.isdisjoint(known):
            return found
    return frozenset()


def _chosen(models: Sequence[SavedModel], named: Collection[str]) -> list[SavedModel]:
    by_name = {model.name: model for model in models}
    wanted: dict[str, None] = {}

    def want(model: SavedModel) -> None:
        for name in sorted(model.refers):
            if name in by_name and name not in wanted and name != model.name:
                want(by_name[name])
        wanted.setdefault(model.name)

    for model in models:
        if model.name in named:
            want(model)
    for model in models:  # found through those
        if not model.refers.isdisjoint(wanted):
            want(model)
    return [by_name[name] for name in wanted][:MOST_STORED]


def store_of(model: SavedModel, stored: Sequence[SavedModel], filled: bool, told: Mapping[str, str]) -> str:
    """The statement that stores a row of ``model``, which refers to rows of the others that are ``stored``."""
    names = {one.name: snake_case(one.name) for one in stored}
    optional = [(field, value) for field, value in model.optional if filled or field in told]
    given = [
        (field, _as_told(value, told.get(field, "")) or names.get(value, value))
        for field, value in [*model.needed, *optional]
        if value in names or not value.isidentifier() or value == "False"
    ]
    number = next((told[key] for key in _KEYS if told.get(key, "").isdigit() and told[key] != "1"), "")
    given += [("pk", number)] if number else []
    return f"{names[model.name]} = {model.name}.{model.making}({', '.join(f'{field}={value}' for field, value in given)})"


def _as_told(value: str, told: str) -> str:
    """What the request has for a field of that ``value``, as source; "" where that is of another type."""
    if told and value[:1] in ("'", '"'):
        return repr(told)
    return str(int(told)) if told.isdigit() and value.isdigit() else ""
