"""A source of names: one place that they are looked up in (``names.chain`` says in which order)."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from random import Random
from typing import Protocol, TypeAlias

from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase.statements import Named

Known: TypeAlias = Callee | Named
"""What a name stands for: something to call, or an object."""


class NameSource(Protocol):
    """One link of the chain."""

    def meaning(self, parts: Sequence[str], rng: Random | None) -> Known | None:
        """What ``a.b.c`` stands for; None where this does not know it. With ``rng`` it is called: of several namesakes any one is
        meant. Without, it is a value: the first is."""


def dotted_parts(node: ast.expr) -> list[str] | None:
    """``a.b.c`` as its parts."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return [node.id, *reversed(parts)]


def standard_callee(api: ApiModel, module: str, name: str) -> Callee | None:
    """A callable of the standard library; None where there is none of that name, which then means something else."""
    try:
        return api.standard(module, name)
    except (AttributeError, ImportError, ValueError):
        return None
