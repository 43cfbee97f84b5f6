"""Assertions as source: what is looked at, how it is compared, and with what."""

from __future__ import annotations

from typing import NamedTuple

from crashwright.engine.testcase.checks import Check, Given
from crashwright.engine.testcase.printing.expressions import Refer, attribute, call, named, subscript
from crashwright.engine.testcase.printing.imports import Imports
from crashwright.engine.testcase.printing.layout import Doc, Level, at_least
from crashwright.engine.testcase.printing.literals import quoted, value_doc


class CheckParts(NamedTuple):
    """``assert left operator right``; a plain condition has neither operator nor right side."""

    left: Doc
    operator: str = ""
    right: Doc = Doc("")

    @property
    def opening(self) -> str:
        """All that comes before the right side."""
        return f"assert {self.left.flat} {self.operator} "

    @property
    def flat(self) -> str:
        """On one line."""
        return self.opening + self.right.flat if self.operator else f"assert {self.left.flat}"


def check_parts(check: Check, refer: Refer, imports: Imports) -> CheckParts:
    """The parts of the assertion. Raises ValueError where its kind is unknown."""
    left = _observed(check, refer)
    if check.kind == "nan":
        return CheckParts(call(imports.text("math", "isnan"), left))
    expected = _expected(check, refer, imports)
    if check.kind == "isinstance":
        return CheckParts(call("isinstance", left, expected))
    if check.kind not in ("equals", "approximately", "is"):
        raise ValueError(f"no such kind of assertion: {check.kind}")
    if check.kind == "approximately":
        expected = call(f"{imports.module('pytest')}.approx", expected)
    tighter = Level(Level.COMPARISON + 1)
    return CheckParts(at_least(left, tighter), "is" if check.kind == "is" else "==", at_least(expected, tighter))


def _expected(check: Check, refer: Refer, imports: Imports) -> Doc:
    expected = check.expected
    if isinstance(expected, Given):
        return Doc(expected.name)
    return value_doc(expected, refer, lambda one: named(one, imports))


def _observed(check: Check, refer: Refer) -> Doc:
    doc = refer(check.variable)
    for step in check.path:
        if step.endswith(")"):
            name, _, arguments = step[1:].partition("(")
            doc = Doc(f"{attribute(doc, name)}({arguments}")
        elif step.startswith("."):
            name = step[1:]
            doc = Doc(attribute(doc, name)) if name.isidentifier() else call("getattr", doc, Doc(quoted(name)))
        elif step.startswith("["):
            doc = Doc(subscript(doc, Doc(step[1:-1])))
        elif step == "type":
            doc = Doc(f"type({doc.flat}).__name__")
        else:
            doc = call(step, doc)
    return doc
