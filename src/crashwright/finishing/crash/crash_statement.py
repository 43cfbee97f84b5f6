"""The statement of a printed test that crashes: found by line, given a comment, or put under ``pytest.raises``."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from crashwright.finishing.crash.header import visible


class Lines(NamedTuple):
    """Lines of a block from ``first`` to ``last``, both included, counted from 0."""

    first: int
    last: int


def crashing_lines(body: list[str], line: int | None) -> Lines:
    """The simple statement of ``body`` (statements of a function, not indented) that holds ``line`` (from 0), or the last one where
    that is not known."""
    # Wrapped in a function, for a body may contain ``return`` or ``await``.
    tree = ast.parse("\n".join(["async def test():", *(" " + text if text else text for text in body)]))
    function = tree.body[0]
    assert isinstance(function, ast.AsyncFunctionDef)
    statement: ast.stmt = _at(function.body, line + 2) if line is not None else _last(function.body)
    first = min([statement.lineno, *(node.lineno for node in getattr(statement, "decorator_list", []))])
    return Lines(first - 2, (statement.end_lineno or statement.lineno) - 2)


def commented(body: list[str], place: Lines, comment: str, width: int) -> list[str]:
    """``body`` with ``# comment`` behind the statement, or above it where the line would be longer than ``width``."""
    comment = visible(comment)
    inside = body[place.first : place.last + 1]
    indent = _indent(inside[0])
    if len(inside) == 1 and len(inside[0]) + 2 + len(f"# {comment}") <= width:
        return [*body[: place.first], f"{inside[0]}  # {comment}", *body[place.last + 1 :]]
    room = width - len(indent) - 2
    shown = comment if len(comment) <= room else comment[: room - 3].rstrip() + "..."
    return [*body[: place.first], f"{indent}# {shown}", *body[place.first :]]


def expected(body: list[str], place: Lines, exception: str, message: str, width: int) -> list[str]:
    """``body`` with the statement under ``with pytest.raises(exception, match=...)``; no ``match`` where the line would be longer
    than ``width``."""
    inside = body[place.first : place.last + 1]
    indent = _indent(inside[0])
    pattern = match_pattern(message)
    opening = f"{indent}with pytest.raises({exception}{f', match={pattern}' if pattern else ''}):"
    if len(opening) > width:
        opening = f"{indent}with pytest.raises({exception}):"
    return [*body[: place.first], opening, *(f"    {line}" if line else line for line in inside), *body[place.last + 1 :]]


def match_pattern(message: str) -> str:
    """The regular expression for ``message`` as a literal; empty where there is nothing to match."""
    first = message.partition("\n")[0][:80]
    if not first.strip() or not first.isprintable():
        return ""
    escaped = re.escape(first).replace("\\ ", " ")
    pattern = re.sub(r"0x[0-9a-fA-F]+", "0x[0-9a-fA-F]+", escaped)
    return _raw_literal(pattern) if "\\" in pattern else _literal(pattern)


def _literal(text: str) -> str:
    return f'"{text}"' if '"' not in text else repr(text)


def _raw_literal(text: str) -> str:
    if '"' not in text:
        return f'r"{text}"'
    return f"r'{text}'" if "'" not in text else repr(text)


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _at(statements: list[ast.stmt], line: int) -> ast.stmt:
    for statement in statements:
        if statement.lineno <= line <= (statement.end_lineno or statement.lineno):
            if isinstance(statement, ast.With | ast.AsyncWith) and statement.body[0].lineno <= line and not _is_empty(statement):
                return _at(statement.body, line)
            return statement
    return _last(statements)


def _last(statements: list[ast.stmt]) -> ast.stmt:
    last = statements[-1]
    while isinstance(last, (ast.With, ast.AsyncWith)) and not _is_empty(last):
        last = last.body[-1]
    return last


def _is_empty(block: ast.With | ast.AsyncWith) -> bool:
    """Nothing is done in it but to enter, or to leave by an exception: that is the statement."""
    return len(block.body) == 1 and isinstance(block.body[0], ast.Pass | ast.Raise)
