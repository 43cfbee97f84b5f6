"""Calls that are not walked into: of the builtins, and of what has no source here."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from crashwright.core.terms import Sort, Term
from crashwright.symbolic.ir.nodes import Call, Function, MethodCallee, NamedCallee, Node
from crashwright.symbolic.semantics import builtin_functions, builtin_methods, matching
from crashwright.symbolic.semantics.builtin_types import SCALARS
from crashwright.symbolic.semantics.failure import Failure
from crashwright.symbolic.semantics.loops import lazy_call
from crashwright.symbolic.semantics.program import Program
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.values import literals, tags


def written_by_call(program: Program, function: Function, node: Node) -> tuple[str, ...]:
    """Arrays that a builtin method may write, and those that functions may write that are handed to what is not known."""
    if program.targets(function, node):
        return ()
    known = builtin_methods.WRITES.get(_method(node) or "", ())
    handed = [program.heap_written(one) for one in program.handed(function, node)]
    return (*known, *sorted(frozenset().union(*handed) - frozenset(known))) if handed else known


def call_fails(step: Step) -> Iterator[Failure]:
    """As the tables of the builtins say."""
    method, function = _method(step.node), _function(step)
    known: Callable[[Step], Iterator[Failure]] | None = None
    if _last_name(step.node) in matching.NAMES:
        known = matching.fails
    elif method is not None and builtin_methods.applies(step, method):
        known = builtin_methods.FAILURES.get(method)
    elif function is not None and step.node.operands:
        known = builtin_functions.FAILURES.get(function)
    if known is not None:
        yield from known(step)


def call(step: Step) -> None:
    """The result, and what the heap is afterwards."""
    method, function = _method(step.node), _function(step)
    known: Callable[[Step], Term | None] | None = None
    if _last_name(step.node) in matching.NAMES:
        known = matching.result
    elif method is not None and builtin_methods.applies(step, method):
        known = builtin_methods.RESULTS.get(method)
    elif function is not None and (step.node.operands or function not in builtin_functions.NEEDS_ONE):
        known = builtin_functions.RESULTS.get(function)
    looked_through = step.node.target is not None and lazy_call(step, step.node.target) is not None
    if known is None or (step.post is None and method is None) or looked_through:
        result = None
    else:
        result = known(step)
    if result is not None:
        step.define(result)
    elif not looked_through and step.post is not None:
        step.define(_some(step, f"what {_shown(step)} returns"))
    for name in written_by_call(step.program, step.function, step.node):
        step.forget(name, f"what {_shown(step)} leaves")


def awaited(step: Step) -> None:
    """What a coroutine returns that was made just before, by a call that was walked into: then the call has made it already. What
    else runs meanwhile is not looked at."""
    makers = [one for one in step.function.nodes if one.target == step.node.operands[0]]
    called = [target.function for one in makers for target in step.program.targets(step.function, one)]
    if len(makers) == 1 and called and all(one is not None and one.kind == "async" for one in called):
        step.define(step.value(step.node.operands[0]))
    else:
        step.unknown("what is awaited")


def _some(step: Step, reason: str) -> Term:
    """Something that is not known, but of the type that it always has."""
    known = step.known_types(step.node.target) if step.node.target is not None else frozenset()
    if len(known) == 1:
        (name,) = known
        if name in SCALARS and name != "NoneType" and (sort := SCALARS[name][0].value.sort) is not None:
            return tags.of(step.path.not_modelled(sort, reason))
        if name == "NoneType":
            return literals.NONE
    return step.path.not_modelled(Sort.VALUE, reason)


def _method(node: Node) -> str | None:
    detail = node.detail
    if not isinstance(detail, Call) or any(detail.passed) or not isinstance(detail.callee, MethodCallee):
        return None
    return None if detail.callee.by_super else detail.callee.name


def _last_name(node: Node) -> str:
    callee = node.detail.callee if isinstance(node.detail, Call) else None
    if isinstance(callee, NamedCallee):
        return callee.text.rpartition(".")[2]
    return callee.name if isinstance(callee, MethodCallee) else ""


def _function(step: Step) -> str | None:
    detail = step.node.detail
    if not isinstance(detail, Call) or any(detail.passed) or not isinstance(detail.callee, NamedCallee):
        return None
    text = detail.callee.text
    return text if "." not in text and step.program.named(step.function.module, text) is None else None


def _shown(step: Step) -> str:
    detail = step.node.detail
    if isinstance(detail, Call):
        callee = detail.callee
        if isinstance(callee, MethodCallee):
            return f"{callee.name}()"
        if isinstance(callee, NamedCallee):
            return f"{callee.text}()"
    return "a call"
