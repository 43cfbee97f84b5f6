"""The case distinction that ``if x`` makes of a value without a type, recognised again: one question is plainer than cases."""

from __future__ import annotations

from crashwright.core.terms import Op, Term


def truth_asked(term: Term) -> tuple[Term, bool] | None:
    """The value that has to be true, or has to be false, where that is what a condition asks of any type."""
    holds = term.op is not Op.NOT
    asked = term if holds else term.args[0]
    if asked.op is not Op.CHOICE:
        return None
    condition, then, otherwise = asked.args
    if condition.op is not Op.IS_TRUTH or then.op is not Op.TRUTH_IN or otherwise.op is not Op.CHOICE:
        return None
    value = condition.args[0]
    next_condition = otherwise.args[0]
    if then.args[0] != value or next_condition.op is not Op.IS_INTEGER or next_condition.args[0] != value:
        return None
    return value, holds
