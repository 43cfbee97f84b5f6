"""What a function does with the result of one of its calls: whether it awaits it at once, and whether it uses up a generator while
nothing that the generator reads is written, so that it is as if all that it yields were there from the start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from crashwright.symbolic.ir.lowering.graph import heap_written
from crashwright.symbolic.ir.nodes import Block, Call, Display, Function, Kind, Local, MethodCallee, NamedCallee, Node, Operand

_USE_UP: Final = frozenset({"list", "tuple", "set", "frozenset", "sorted", "sum", "min", "max", "dict"})
_METHODS_USE_UP: Final = frozenset({"join", "extend", "update"})
_CONTENTS: Final = frozenset({"size", "elements", "keys", "mappings"})
_READ_CONTENTS: Final = frozenset(
    {Kind.INDEX, Kind.SLICE, Kind.ITERATE, Kind.MORE, Kind.NEXT, Kind.UNPACK, Kind.COMPARE, Kind.CALL}
)
_OWNERS: Final = frozenset({Kind.INDEX, Kind.SET_INDEX, Kind.DELETE_INDEX, Kind.METHOD, Kind.CALL})
Written = Callable[[Function, Node], frozenset[str]]
"""The arrays of the heap that an instruction writes, with what it calls."""
Called = Callable[[Function, Node], list[Function]]
"""The functions that it may call."""


def is_awaited(function: Function, node: Node) -> bool:
    """Whether the only use of the result is to await it."""
    reader = _only_reader(function, node)
    return reader is not None and reader.kind is Kind.AWAIT


def is_used_up(function: Function, node: Node, generator: Function, written: Written, called: Called) -> bool:
    """Whether all that the generator yields is wanted, and may be made at once."""
    reader = _only_reader(function, node)
    if reader is None:
        return False
    if reader.kind is not Kind.ITERATE:
        return _takes_all(reader, node.target)
    loop = _loop_over(function, reader)
    if loop is None or any(_writes(generator, one, written) for one in generator.nodes):
        return False
    here = function.nodes[loop.start : loop.end + 1]
    changed = frozenset().union(*[_writes(function, one, written) for one in here])
    return not changed & _read(generator, called) if "*" not in changed else False


def _only_reader(function: Function, node: Node) -> Node | None:
    target = node.target
    if not isinstance(target, Local) or sum(one.target == target for one in function.nodes) != 1:
        return None
    readers = [one for one in function.nodes if target in one.operands]
    return readers[0] if len(readers) == 1 and not any(one.name == target.name for one in function.parameters) else None


def _takes_all(reader: Node, value: object) -> bool:
    if reader.kind is not Kind.CALL or not isinstance(reader.detail, Call) or any(reader.detail.passed):
        return reader.kind is Kind.UNPACK
    callee = reader.detail.callee
    if isinstance(callee, MethodCallee):
        return callee.name in _METHODS_USE_UP and value in reader.operands[1:]
    return isinstance(callee, NamedCallee) and callee.text in _USE_UP and reader.operands == (value,)


def _loop_over(function: Function, iterate: Node) -> Block | None:
    """The loop that goes through an iterator."""
    mores = [one for one in function.nodes if one.kind is Kind.MORE and one.operands[0] == iterate.target]
    if len(mores) != 1:
        return None
    about = [one for one in function.blocks if one.start <= mores[0].number <= one.end]
    heads = [one for one in about if function.nodes[one.start].kind is Kind.HEAD]
    return max(heads, key=lambda one: one.start, default=None)


def _writes(function: Function, node: Node, written: Written) -> frozenset[str]:
    """Not what is written into containers that the function has made, and that nothing else has."""
    found = heap_written(node) | written(function, node)
    return found - _CONTENTS if found and node.operands and is_own(function, node.operands[0]) else found


def is_own(function: Function, operand: Operand) -> bool:
    """Whether a variable is a display that the function has made, and has given to nothing else but what it returns."""
    makers = [one for one in function.nodes if one.target == operand]
    if not isinstance(operand, Local) or any(one.name == operand.name for one in function.parameters):
        return False
    made = all(one.kind is Kind.DISPLAY and isinstance(one.detail, Display) and one.detail.kind != "tuple" for one in makers)
    return bool(makers) and made and all(_only_asks(one, operand) for one in function.nodes if operand in one.operands)


def _only_asks(node: Node, operand: Operand) -> bool:
    if node.kind is Kind.RETURN or node.operands.count(operand) > 1:
        return node.kind is Kind.RETURN
    if node.kind is Kind.CALL and not (isinstance(node.detail, Call) and isinstance(node.detail.callee, MethodCallee)):
        return False
    return node.kind in _OWNERS and node.operands[0] == operand


def _read(generator: Function, called: Called) -> frozenset[str]:
    """Arrays that a generator may read, by itself and by what it calls."""
    found: set[str] = set()
    waiting, seen = [generator], set[int]()
    while waiting:
        function = waiting.pop()
        if id(function) in seen:
            continue
        seen.add(id(function))
        for node in function.nodes:
            if node.kind is Kind.ATTRIBUTE:
                found.add(f".{node.detail}")
            if node.kind in _READ_CONTENTS:
                found |= _CONTENTS
            waiting += called(function, node)
    return frozenset(found)
