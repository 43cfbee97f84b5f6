"""Texts and numbers for parameters that say what they have to look like: ``date.fromisoformat(day)`` wants no other text
(``subject.usage.shapes``)."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.types import ClassHint, accepts, is_any
from crashwright.engine.subject.source import Sources
from crashwright.engine.subject.usage.shapes import looks_of_parameters
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.statements import Literal


def learn_looks(factory: Factory, callables: Iterable[Callee], beside: Sequence[ast.AST], api: ApiModel, sources: Sources) -> None:
    """Let ``factory`` pass what the parameters of ``callables`` are turned into something from, by them or by the functions
    ``beside`` them that they hand it to."""
    for callee in callables:
        own = [node for key in sorted(api.keys_of(callee)) if (node := sources.node_of(key)) is not None]
        looks = looks_of_parameters([*own, *(node for node in beside if node not in own)]) if own else {}
        for node in own:
            for name, values in looks.get(id(node), {}).items():
                hint = next((one.hint for one in callee.parameters if one.name == name), ClassHint(type(None)))
                for value in values:
                    if is_any(hint) or accepts(hint, type(value)):
                        factory.shaped.learn(callee, name, (Literal(factory.new(), value),))
