"""By kind of instruction: when it fails, what it makes, which arrays of the heap it writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from crashwright.symbolic.ir.nodes import Function, Kind, Node
from crashwright.symbolic.semantics import attributes, calls, displays, items, loops, managers, names, operators, raising, slices
from crashwright.symbolic.semantics.failure import Failure
from crashwright.symbolic.semantics.program import Program
from crashwright.symbolic.semantics.step import Step

FAILURES: Final[dict[Kind, Callable[[Step], Iterator[Failure]]]] = {
    Kind.LOAD: names.loading_fails,
    Kind.ATTRIBUTE: attributes.reading_fails,
    Kind.METHOD: attributes.reading_fails,
    Kind.SET_ATTRIBUTE: attributes.writing_fails,
    Kind.DELETE_ATTRIBUTE: attributes.reading_fails,
    Kind.INDEX: items.reading_fails,
    Kind.SET_INDEX: items.writing_fails,
    Kind.DELETE_INDEX: items.writing_fails,
    Kind.SLICE: slices.slicing_fails,
    Kind.SET_SLICE: slices.storing_fails,
    Kind.DELETE_SLICE: slices.storing_fails,
    Kind.UNARY: operators.negation_fails,
    Kind.BINARY: operators.operation_fails,
    Kind.COMPARE: operators.operation_fails,
    Kind.ITERATE: loops.iterating_fails,
    Kind.UNPACK: loops.unpacking_fails,
    Kind.CALL: calls.call_fails,
    Kind.RAISE: raising.raises,
}
EFFECTS: Final[dict[Kind, Callable[[Step], None]]] = {
    Kind.COPY: names.copy,
    Kind.LOAD: names.copy,
    Kind.DELETE: names.delete,
    Kind.ASSUME: names.assume,
    Kind.ATTRIBUTE: attributes.read,
    Kind.SET_ATTRIBUTE: attributes.write,
    Kind.DELETE_ATTRIBUTE: attributes.delete,
    Kind.INDEX: items.read,
    Kind.SET_INDEX: items.write,
    Kind.DELETE_INDEX: items.delete,
    Kind.SLICE: slices.read,
    Kind.SET_SLICE: slices.write,
    Kind.DELETE_SLICE: slices.delete,
    Kind.UNARY: operators.negation,
    Kind.BINARY: operators.operation,
    Kind.COMPARE: operators.operation,
    Kind.DISPLAY: displays.display,
    Kind.FORMAT: displays.field_text,
    Kind.TEXT: displays.joined_text,
    Kind.ITERATE: loops.iterate,
    Kind.MORE: loops.more,
    Kind.NEXT: loops.next_part,
    Kind.UNPACK: loops.unpack,
    Kind.ELEMENT: loops.element,
    Kind.CALL: calls.call,
    Kind.AWAIT: calls.awaited,
    Kind.ENTER: managers.entered,
}
"""Kinds that are not here, and have a target, make something that is not known."""


def written_by(program: Program, function: Function, node: Node) -> tuple[str, ...]:
    """Arrays of the heap that an instruction itself may write; what it calls is not looked into."""
    if node.kind in (Kind.SET_ATTRIBUTE, Kind.DELETE_ATTRIBUTE):
        return (f".{node.detail}",)
    if node.kind in (Kind.SET_INDEX, Kind.DELETE_INDEX):
        return items.WRITTEN
    if node.kind in (Kind.SET_SLICE, Kind.DELETE_SLICE):
        return slices.WRITTEN
    return calls.written_by_call(program, function, node) if node.kind is Kind.CALL else ()
