"""Members of enumerations by their names, as people write them: ``Country.DE`` in place of ``Country("DE")``."""

from __future__ import annotations

import enum
from typing import cast

from crashwright.engine.subject.api.hints import named_members
from crashwright.engine.subject.introspection import derives, instance_dict, is_class
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.editing.deletion import prune
from crashwright.engine.testcase.statements import Literal, Named, Statement, Value, Variable, same_value
from crashwright.engine.testcase.testcase import TestCase


def with_members(test: TestCase) -> TestCase:
    """``test`` with a reference in the place of each call that only looks a member up by its value."""
    values = {one.variable: one.value for one in test.statements if isinstance(one, Literal)}
    changed = [_member(one, values) or one for one in test.statements]
    return test if all(new is old for new, old in zip(changed, test.statements, strict=True)) else prune(TestCase(tuple(changed)))


def _member(statement: Statement, values: dict[Variable, Value]) -> Statement | None:
    if not isinstance(statement, st.Call) or len(statement.arguments.positional) != 1 or statement.arguments.keywords:
        return None
    callee, given = statement.callee, statement.arguments.positional[0]
    if given not in values or not is_class(callee.live) or not derives(callee.live, enum.Enum):
        return None
    for name, member in named_members(callee.live):
        if same_value(cast(Value, instance_dict(member).get("_value_")), values[given]):
            return st.Reference(statement.variable, Named(callee.module, f"{callee.qualname}.{name}", member))
    return None
