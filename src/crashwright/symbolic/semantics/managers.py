"""``with``: what a context manager gives."""

from __future__ import annotations

from crashwright.symbolic.ir.nodes import Local
from crashwright.symbolic.semantics.step import Step

REASON = "what the with statement gives"


def entered(step: Step) -> None:
    """The manager itself, where the methods of all classes that it may be of return it and write nothing."""
    if step.post is None:
        return
    program = step.program
    known = step.types(0) - {"NoneType"}
    methods = [program.method(one, "__enter__") for owner in sorted(known) for one in program.subclasses(owner)]
    for method in methods:
        if method is None or not method.parameters or program.heap_written(method):
            step.unknown(REASON)
            return
        own = Local(method.parameters[0].name)
        if any(method.nodes[number].operands != (own,) for number in method.returns):
            step.unknown(REASON)
            return
    if methods:
        step.define(step.value(step.node.operands[0]))
    else:
        step.unknown(REASON)
