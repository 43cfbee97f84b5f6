"""Reading echoed lines that may be only part of a statement."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as some

from crashwright.engine.testcase.echoing.source import closed, goes_through, missing_end, parse_echo


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("f(x, style='a')", "f(x, style='a')"),
        ("value = f(x)", "value = f(x)"),
        ("return f(x)", "return f(x)"),
        ("for item in f(x):", "for item in f(x):\n    pass"),
        ("with open_it(x) as y:", "with open_it(x) as y:\n    pass"),
        ("result = sort_stream(", "result = sort_stream()"),
        ("f(a, [1,", "f(a, [1])"),
        ("await f(x)", "await f(x)"),
        ("@retry(times=3)", "retry(times=3)(lambda *args, **kwargs: None)"),
        ("@cached", "cached(lambda *args, **kwargs: None)"),
        ("if f(x) and", "f"),
    ],
)
def test_lines_and_parts_of_lines(source: str, expected: str) -> None:
    nodes = list(parse_echo(source))
    if expected == "f":
        assert nodes == []
    else:
        assert ast.unparse(nodes[0]) == expected


def test_closing_respects_quotes() -> None:
    assert closed("f('(', [1") == "f('(', [1])"


@given(some.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for node in parse_echo(text):
        assert isinstance(node, ast.stmt)


def test_what_is_open_is_closed_from_the_inside() -> None:
    for text, end in (("[a]\n[", "]"), ("f(x[{", "}])"), ("f('x", "')"), ("()", ""), (")(", ")"), ("", "")):
        assert missing_end(text) == end


def test_lines_that_go_through_what_they_call() -> None:
    for line in ("for row in rows(data):", "total = sum(row for row in rows(data))", "return [row for row in rows(data)]"):
        assert goes_through(line)
    for line in ("rows(data)", "next(rows(data))", "if rows(data):", "??"):
        assert not goes_through(line)
