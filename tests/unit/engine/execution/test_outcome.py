"""Positions of instructions."""

from __future__ import annotations

from crashwright.core.location import Position
from crashwright.engine.execution.outcome import position_of


def raising(x: object) -> object:
    return [x][0].strip(x)  # type: ignore[attr-defined]


def test_position_of_every_instruction() -> None:
    code = raising.__code__
    for index, place in enumerate(code.co_positions()):
        line, end_line, column, end_column = place
        expected = None if None in place else Position(line, column, end_line, end_column)  # type: ignore[arg-type]
        assert position_of(code, 2 * index) == expected
    assert position_of(code, 10**6) is None
