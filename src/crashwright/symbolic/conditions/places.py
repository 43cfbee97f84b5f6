"""Which instructions of a frame may be those that the report shows: by the carets where there are some, else by the line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from crashwright.core.location import Position
from crashwright.symbolic.conditions.implicit import as_call
from crashwright.symbolic.ir.nodes import Binary, Call, Edge, Function, Kind, Local, MethodCallee, NamedCallee, Node
from crashwright.symbolic.semantics.tables import FAILURES

_RUNNING: Final = tuple(
    map(
        Kind,
        (
            "call, attribute, index, slice, binary, compare, unary, format, iterate, more, next, unpack, set index, set attribute, "
            "enter, exit, await, yield, import"
        ).split(", "),
    )
)

_MERGING: Final = frozenset({Kind.COPY, Kind.NEXT, Kind.ELEMENT})


def failing(function: Function, line: int, caret: Position | None) -> Iterator[Node]:
    """Instructions that can fail there, those first that stand for exactly what the carets show."""
    here = [node for node in function.nodes if node.kind in FAILURES and _is_on(node, line)]
    if caret is None:
        yield from here
        return
    exact = [node for node in here if node.position == caret]
    yield from exact or [node for node in here if node.position and _is_within(node.position, caret)] or here


def deciding(function: Function, place: Position, outcome: bool) -> Iterator[Node]:
    """ASSUME instructions for one outcome of the condition that stands at ``place``. Of a chain of comparisons the last one says
    that it holds, and each may say that it does not. A condition whose value is used, and not branched on, is assumed where it is
    made."""
    here = [node for node in function.nodes if node.position == place]
    assumed = [node for node in here if node.kind is Kind.ASSUME and node.detail is outcome]
    if assumed:
        yield from assumed[-1:] if outcome else assumed
        return
    for node in here:
        if isinstance(node.target, Local) and node.kind not in _MERGING:
            yield Node(node.number, Kind.ASSUME, None, (node.target,), outcome, place, [Edge(node.number)])


def unmodelled(nodes: Sequence[Node]) -> list[Node]:
    """Of instructions that are shown those that can fail for reasons that are not known: calls, the outermost one last, else what
    is left. A ``raise`` of what is no name of a class needs no reason."""
    raises = [node for node in nodes if node.kind is Kind.RAISE]
    calls = [node for node in nodes if node.kind is Kind.CALL]
    return (raises or calls or list(nodes))[-1:]


def described(node: Node) -> str:
    """An instruction as it is called in a reason."""
    if isinstance(node.detail, Call):
        callee = node.detail.callee
        name = callee.text if isinstance(callee, NamedCallee) else callee.name if isinstance(callee, MethodCallee) else ""
        return f"{name}()" if name else "a call"
    if isinstance(node.detail, Binary):
        return f"operator {node.detail.operator}"
    return node.kind.value


def running_others(function: Function, line: int, caret: Position | None) -> Iterator[Node]:
    """Instructions there that run what has no instructions here, calls first: those that stand for exactly what the carets show,
    else all."""
    here = [node for node in function.nodes if node.kind in _RUNNING and _is_on(node, line)]
    exact = [node for node in here if node.position == caret]
    yield from sorted(exact or here, key=lambda node: _RUNNING.index(node.kind))


def calling(function: Function, line: int, caret: Position | None, callee: str) -> Iterator[Node]:
    """Calls there of what has the callee's name, or instructions that call it by themselves; ``callee`` is the qualified name of
    the next frame."""
    owner, _, last = callee.rpartition(".")
    here = [node for node in function.nodes if _is_on(node, line)]
    calls = [node for node in here if node.kind is Kind.CALL]
    implicit = [call for node in here if (call := as_call(node, last)) is not None]
    exact = [node for node in calls if node.position == caret]
    found = []
    for node in exact or calls:
        name = called_name(node)
        is_made = last in ("__init__", "__new__", "__call__") and name == owner.rpartition(".")[2]
        if name in (None, last) or is_made or (exact and not implicit):
            found.append(node)
    shown = [node for node in implicit if node.position == caret]
    yield from found or shown or implicit


def called_name(node: Node) -> str | None:
    """The last part of the name that a call has for what it calls; None where that is a value."""
    callee = node.detail.callee if isinstance(node.detail, Call) else None
    if isinstance(callee, MethodCallee):
        return callee.name
    return callee.text.rpartition(".")[2] if isinstance(callee, NamedCallee) else None


def _is_on(node: Node, line: int) -> bool:
    return node.position is not None and node.position.line <= line <= node.position.end_line


def _is_within(inner: Position, outer: Position) -> bool:
    start, end = (inner.line, inner.column), (inner.end_line, inner.end_column)
    return (outer.line, outer.column) <= start and end <= (outer.end_line, outer.end_column)
