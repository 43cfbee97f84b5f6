"""What is on a line of a comprehension: the part that a frame of its own shows if the report has no carets."""

from __future__ import annotations

import ast

from crashwright.core.location import Position
from crashwright.engine.subject.flow.conditions import position_of


def part_at(code: ast.AST, line: int) -> Position | None:
    """What the comprehension ``code`` makes, a condition, or what an inner loop goes through, whichever is on that line, in this
    order; None if nothing is, or ``code`` is no comprehension."""
    match code:
        case ast.ListComp(elt=made) | ast.SetComp(elt=made) | ast.GeneratorExp(elt=made):
            parts = [made]
        case ast.DictComp(key=key, value=value):
            parts = [value, key]
        case _:
            return None
    for number, generator in enumerate(code.generators):
        parts += [*generator.ifs, *([generator.iter] if number else [])]
    return next((position_of(part) for part in parts if part.lineno <= line <= (part.end_lineno or part.lineno)), None)
