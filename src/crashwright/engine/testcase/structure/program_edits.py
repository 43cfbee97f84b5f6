"""Edits of texts that are Python programs: one expression becomes another, stands within another, or is repeated elsewhere. Edits
of characters rarely leave a program."""

from __future__ import annotations

import ast
import re
from random import Random
from typing import cast

from crashwright.core.unparsable import UNPARSABLE
from crashwright.engine.testcase.samples.python_code import EXPRESSIONS

LONGEST_PROGRAM = 2000
_LINE_END = re.compile(r"\r\n|\r|\n")
AROUND = (
    "%s()", "%s.alpha", "%s[0]", "%s(alpha)", "alpha(%s)", "alpha(key=%s)", "[%s]", "(%s,)", "{%s: 1}", "alpha[%s]", "not %s",
    "-%s", "%s + 1", "1 + %s", "%s < 2", "%s and alpha", "%s if alpha else 0", "lambda: %s", "[%s for alpha in beta]", "*%s",
    "f'{%s}'", "(alpha := %s)", "%s is None", "'a' % %s", "await %s", "yield %s",
)  # fmt: skip
"""What an expression may stand in."""


def edited_program(rng: Random, text: str) -> str | None:
    """``text`` with one of its expressions changed; None where it is no program that has any."""
    if len(text) > LONGEST_PROGRAM or not text.isascii():
        return None  # offsets are in bytes
    try:
        tree = ast.parse(text)
    except UNPARSABLE:
        return None
    starts = _starts(text)
    # Within an f-string positions may be of anywhere.
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.expr) and cast(int, node.end_lineno) <= len(starts)]
    if not nodes:
        return None
    start, end = _span(starts, nodes[int(rng.random() * len(nodes))])
    roll = rng.random()
    if roll < 0.5:
        new = AROUND[int(rng.random() * len(AROUND))].replace("%s", text[start:end])
    elif roll < 0.8:
        new = EXPRESSIONS[int(rng.random() * len(EXPRESSIONS))]
    else:
        other = _span(starts, nodes[int(rng.random() * len(nodes))])
        new = text[other[0] : other[1]]
    return text[:start] + new + text[end:]


def _starts(text: str) -> list[int]:
    """Where each line begins, as the parser counts them."""
    return [0, *(match.end() for match in _LINE_END.finditer(text))]


def _span(starts: list[int], node: ast.expr) -> tuple[int, int]:
    first, last = starts[node.lineno - 1], starts[cast(int, node.end_lineno) - 1]
    return first + node.col_offset, last + cast(int, node.end_col_offset)
