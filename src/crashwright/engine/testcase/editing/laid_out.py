"""Texts of a test that are Python programs, as people lay them out: what was made as small as can be (``try:a``) reads badly."""

from __future__ import annotations

import ast
from collections.abc import Container

from crashwright.core.unparsable import UNPARSABLE
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Statement, Variable
from crashwright.engine.testcase.testcase import TestCase


def laid_out(test: TestCase, kept: Container[Variable] = ()) -> TestCase:
    """``test`` with its programs laid out, but for those of ``kept`` variables; itself where that changes nothing."""
    changed = [statement if statement[0] in kept else _statement(statement) for statement in test.statements]
    return TestCase(tuple(changed)) if any(one is not was for one, was in zip(changed, test.statements, strict=True)) else test


def _statement(statement: Statement) -> Statement:
    if type(statement) is st.Literal and type(statement.value) is str:
        text = _program(statement.value)
        return statement if text == statement.value else st.Literal(statement.variable, text)
    if type(statement) is st.FileFixture and type(statement.content) is str:
        text = _program(statement.content)
        return statement if text == statement.content else statement._replace(content=text)
    return statement


def _program(text: str) -> str:
    """A text with a statement that has others in it, and a line for each; any other as it is: it may be no program at all."""
    try:
        tree = ast.parse(text)
        if not any("body" in statement._fields for statement in tree.body):
            return text
        return ast.unparse(tree) + "\n"
    except UNPARSABLE:
        return text
