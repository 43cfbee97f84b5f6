"""What makes a value that a test passes, with the statements that change it: cut out of that test to be put into others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, cast

from crashwright.engine.sources.carrying.arrivals import ArrivedValue, PathStep
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.slices import graft
from crashwright.engine.testcase.statements import Display, Literal, Ref, Scalar, Statement, Value, Variable
from crashwright.engine.testcase.variables import defined, map_value, used

EFFECTS = (st.MethodCall, st.SetAttribute, st.DeleteAttribute, st.SetItem, st.DeleteItem)
MOST_STATEMENTS = 24
_KINDS = {id(list): "list", id(tuple): "tuple", id(dict): "dict"}


class Supply(NamedTuple):
    """``value`` refers to what the ``statements`` define."""

    statements: tuple[Statement, ...]
    value: Value

    def copied(self, fresh: Callable[[], Variable]) -> Supply:
        """With variables of its own; those of the test that it is put into stay."""
        copied = graft(self.statements, iter(fresh, None))
        names = {
            cast(Variable, defined(old)): cast(Variable, defined(new)) for old, new in zip(self.statements, copied, strict=True)
        }
        return Supply(tuple(copied), map_value(self.value, lambda one: names.get(one, one)))


def supplied(node: ArrivedValue, statements: Sequence[Statement], fresh: Callable[[], Variable]) -> Supply | None:
    """What makes the value of ``node`` in a test that begins with these ``statements``; None where nothing there does."""
    if node.is_scalar:
        return Supply((), cast(Scalar, node.value))
    for spot in sorted(node.same, key=lambda spot: len(spot.path)):
        made = making(statements, spot.variable)
        if made is not None:
            found, variable = [*made], spot.variable
            for step in spot.path:
                variable = taken(found, variable, step, fresh)
            return Supply(tuple(found), Ref(variable)) if len(found) <= MOST_STATEMENTS else None
    kind = _KINDS.get(id(node.cls))
    if kind is None or not node.whole:
        return None
    parts = [supplied(part, statements, fresh) for _, part in node.parts]
    if any(part is None for part in parts):
        return None
    known = cast("list[Supply]", parts)
    needed = tuple(dict.fromkeys(one for part in known for one in part.statements))
    if kind == "dict":
        pairs = tuple((cast(Value, step.key), part.value) for (step, _), part in zip(node.parts, known, strict=True))
        return Supply(needed, Display(kind, pairs))
    return Supply(needed, Display(kind, tuple(part.value for part in known)))


def making(statements: Sequence[Statement], variable: Variable) -> tuple[Statement, ...] | None:
    """What makes the value, and what changes it later, in order."""
    needed, chosen, made_here = {variable}, list[Statement](), False
    for statement in reversed(statements):
        made = defined(statement)
        if made is not None and made in needed:
            if isinstance(statement, st.Enter):
                return None
            needed.discard(made)
            made_here = made_here or made == variable
        elif not (isinstance(statement, EFFECTS) and statement.receiver in needed):
            continue
        needed.update(used(statement))
        chosen.append(statement)
    return tuple(reversed(chosen)) if made_here and not needed else None


def taken(statements: list[Statement], receiver: Variable, step: PathStep, fresh: Callable[[], Variable]) -> Variable:
    """The part of what ``receiver`` holds."""
    if step.kind == "attribute":
        found: Statement = st.GetAttribute(fresh(), receiver, cast(str, step.key))
    else:
        key = Literal(fresh(), cast(Scalar, step.key))
        statements.append(key)
        found = st.GetItem(fresh(), receiver, key.variable)
    statements.append(found)
    return cast(Variable, defined(found))
