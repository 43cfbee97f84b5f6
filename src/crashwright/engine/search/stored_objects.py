"""Statements that store what a view finds in its database: a few of the models of the application, plain and small.

# Deviation: none of the papers does this; the state of their subjects is in objects.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from crashwright.engine.subject.models import Model
from crashwright.engine.testcase.making.guessing import snake_case

MOST = 6
"""Models of which one is stored."""


def stores(models: Sequence[Model], named: Collection[str]) -> list[list[str]]:
    """Growing rows of statements: the first object, the first two, and so on, each also with its optional fields. Models that the
    code ``named`` come first, after those that they refer to; then those that refer to them."""
    chosen = _chosen(models, named)
    flows: list[list[str]] = []
    for count in range(1, len(chosen) + 1):
        plain = [_store(model, chosen, False) for model in chosen[:count]]
        flows += [plain, [*plain[:-1], _store(chosen[count - 1], chosen, True)]]
    return [flow for place, flow in enumerate(flows) if flow not in flows[:place]]


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


def _store(model: Model, stored: Sequence[Model], filled: bool) -> str:
    names = {one.name: snake_case(one.name) for one in stored}
    fields = [*model.needed, *(model.optional if filled else ())]
    given = [
        (field, names.get(value, value))
        for field, value in fields
        if value in names or not value.isidentifier() or value == "False"
    ]
    return f"{names[model.name]} = {model.name}.objects.create({', '.join(f'{field}={value}' for field, value in given)})"
