"""Whether a function ever gives something back: where it does, None is an answer, and else it is what all commands return."""

from __future__ import annotations

import dis
import inspect
from types import CodeType

from crashwright.engine.subject.layers import function_of

_ITS_OWN = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
"""What these return is not what their call gives."""


def returns_something(value: object) -> bool:
    """Whether the Python function behind ``value`` has a way on which it returns something other than None."""
    function = function_of(value)
    return function is not None and _gives(function.__code__)


def _gives(code: CodeType) -> bool:
    if code.co_flags & _ITS_OWN:
        return False
    before: dis.Instruction | None = None
    for step in dis.get_instructions(code):
        if step.opname == "RETURN_CONST" and step.argval is not None:
            return True
        if step.opname == "RETURN_VALUE" and (step.is_jump_target or not _is_none(before)):
            return True
        before = step
    return False


def _is_none(step: dis.Instruction | None) -> bool:
    return step is not None and step.opname == "LOAD_CONST" and step.argval is None
