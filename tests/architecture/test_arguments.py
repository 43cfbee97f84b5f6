"""What is passed by position can be read by position: of many arguments each says its name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"
MOST = 7
ALIKE = frozenset({"identities"})
"""Functions that take any number of the same."""


def long_calls(source: str) -> Iterator[str]:
    """Calls with more arguments by position, those behind a star not counted."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        if sum(not isinstance(one, ast.Starred) for one in node.args) > MOST and ast.unparse(node.func) not in ALIKE:
            yield f"{node.lineno}: {ast.unparse(node.func)}"


def test_no_call_passes_eight_arguments_by_position() -> None:
    found = [f"{path.relative_to(SOURCE)}:{call}" for path in SOURCE.rglob("*.py") for call in long_calls(path.read_text())]
    assert not found, "\n".join(found)


def test_a_planted_call_is_found() -> None:
    assert list(long_calls("f(1, 2, 3, 4, 5, 6, 7)\ng(1, 2, 3, 4, 5, 6, 7, 8)\ng(1, 2, a=3)")) == ["2: g"]
