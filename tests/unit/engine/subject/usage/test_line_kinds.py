"""The kinds of lines that functions tell apart."""

from __future__ import annotations

import ast
import re

import pytest

from crashwright.engine.subject.usage.line_kinds import MOST, line_kinds, reads_lines

SOURCE = """
def read(text):
    for line in text.splitlines():
        if line.startswith("# "):
            yield line[2:]
        elif line[0] in "+-":
            note(line[1:])
        else:
            instruction(line)

def note(text):
    if text.startswith("..."):
        more()

def instruction(line):
    word, _, rest = line.partition(":")
    match word:
        case "BEGIN" | "END":
            return word
"""


def functions(source: str) -> list[ast.AST]:
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]


def matching(pattern: str, flags: int) -> str | None:
    return "[name]" if re.compile(pattern, flags).match("[name]") else None


def test_beginnings_marks_words_patterns_and_what_is_nested() -> None:
    found = line_kinds(functions(SOURCE), [(r"\[\w+\]$", 0)], ["a=1"], matching)
    assert found[:2] == ("# text", "#")
    assert {"+text", "-text", "[name]", "a=1", "BEGIN:text", "BEGIN", "END:text"} <= set(found)
    assert "+...text" in found  # what one function takes off is asked on by the other
    assert found[-1] == ""
    assert len(found) == len(set(found)) <= MOST + 3


@pytest.mark.parametrize(
    ("source", "reads"),
    [
        ("def f(text):\n return text.splitlines()", True),
        ("def f(text):\n return text.split('\\n')", True),
        ("def f(file):\n for line in file: pass", True),
        ("def f(self, new_line): pass", True),
        ("def f(text):\n return text.split(',')", False),
        ("def f(online):\n for outline in online: pass", False),
    ],
)
def test_only_where_a_text_is_divided_into_lines(source: str, reads: bool) -> None:
    assert reads_lines(functions(source)) is reads
    with_word = functions(source + "\ndef g(x):\n return x.startswith('#')")
    assert bool(line_kinds(with_word, (), (), matching)) is reads
