"""Statements that store what a view finds in its database: a few of the models of the application, plain and small.

# Deviation: none of the papers does this; the state of their subjects is in objects.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from crashwright.engine.subject.models import Model
from crashwright.engine.wants.parameter_names import snake_case

MOST = 6
"""Models of which one is stored."""


_NOTHING: Mapping[str, str] = MappingProxyType({})
_KEYS = ("pk", "id")


def stores(models: Sequence[Model], named: Collection[str], told: Mapping[str, str] = _NOTHING) -> list[list[str]]:
    """Growing rows of statements: the first object, the first two, and so on, each also with its optional fields. Models that the
    code ``named`` come first, after those that they refer to; then those that refer to them. ``told`` are values of fields by their
    names, such as those in the path of a request."""
    chosen = _chosen(models, named)
    flows: list[list[str]] = []
    for count in range(1, len(chosen) + 1):
        plain = [_store(model, chosen, False, told) for model in chosen[:count]]
        flows += [plain, [*plain[:-1], _store(chosen[count - 1], chosen, True, told)]]
    return [flow for place, flow in enumerate(flows) if flow not in flows[:place]]


def names_in(models: Sequence[Model], functions: Iterable[ast.AST], modules: Iterable[ast.AST]) -> frozenset[str]:
    """The names in some functions; if no model is among them, those in their modules: what a class says of itself is in no
    function."""
    known = {model.name for model in models}
    for trees in (functions, modules):
        found = frozenset(node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name))
        if not found.isdisjoint(known):
            return found
    return frozenset()


def _chosen(models: Sequence[Model], named: Collection[str]) -> list[Model]:
    by_name = {model.name: model for model in models}
    wanted: dict[str, None] = {}

    def want(model: Model) -> None:
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
    return [by_name[name] for name in wanted][:MOST]


def _store(model: Model, stored: Sequence[Model], filled: bool, told: Mapping[str, str]) -> str:
    names = {one.name: snake_case(one.name) for one in stored}
    optional = [(field, value) for field, value in model.optional if filled or field in told]
    given = [
        (field, _as_told(value, told.get(field, "")) or names.get(value, value))
        for field, value in [*model.needed, *optional]
        if value in names or not value.isidentifier() or value == "False"
    ]
    number = next((told[key] for key in _KEYS if told.get(key, "").isdigit() and told[key] != "1"), "")
    given += [("pk", number)] if number else []
    return f"{names[model.name]} = {model.name}.objects.create({', '.join(f'{field}={value}' for field, value in given)})"


def _as_told(value: str, told: str) -> str:
    """What the request has for a field of that ``value``, as source; "" where that is of another type."""
    if told and value[:1] in ("'", '"'):
        return repr(told)
    return str(int(told)) if told.isdigit() and value.isdigit() else ""
