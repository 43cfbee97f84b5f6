"""How a test calls the function that a precondition is about."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from crashwright.core.location import CodeKey
from crashwright.symbolic.execution.sources import SourceProgram
from crashwright.symbolic.ir.nodes import Call, Function, Kind, Local, NamedCallee, Parameter


class EntranceShape(Enum):
    """What stands in a test."""

    FUNCTION = "function"
    METHOD = "method"
    STATIC = "static"
    CLASS_METHOD = "class"
    PROPERTY = "property"
    CONSTRUCTOR = "constructor"


class Entrance(NamedTuple):
    """``owner``: the qualified name of the class; ``receiver``: the name of the first parameter, which the call does not write;
    ``parameters``: the others."""

    shape: EntranceShape
    function: Function
    owner: str = ""
    receiver: str = ""
    parameters: tuple[Parameter, ...] = ()

    @property
    def module(self) -> str:
        """Where it is."""
        return self.function.module

    @property
    def address(self) -> str:
        """Of its class, ``module:qualname``."""
        return f"{self.module}:{self.owner}"


def entrance(program: SourceProgram, key: CodeKey) -> Entrance | None:
    """None where no test can call it by its name: it stands within another function, or is no function."""
    function = program.holder(key)
    if function is None or "<" in function.qualname or function.kind in ("module", "class", "lambda"):
        return None
    owner, _, name = function.qualname.rpartition(".")
    if not owner:
        return Entrance(EntranceShape.FUNCTION, function, "", "", function.parameters)
    form = program.form(f"{function.module}:{owner}", name)
    if form == "static" and name != "__new__":
        return Entrance(EntranceShape.STATIC, function, owner, "", function.parameters)
    shape = {"method": EntranceShape.METHOD, "class": EntranceShape.CLASS_METHOD, "property": EntranceShape.PROPERTY}.get(form)
    if shape is None or not function.parameters:
        return None
    if name in ("__init__", "__post_init__"):
        shape = EntranceShape.CONSTRUCTOR
    receiver, *others = function.parameters
    return Entrance(shape, function, owner, receiver.name, tuple(others))


def called(function: Function) -> frozenset[str]:
    """Parameters that a function calls."""
    found: set[str] = set()
    for node in function.nodes:
        if node.kind is Kind.CALL and isinstance(node.detail, Call):
            callee = node.detail.callee
            if isinstance(callee, NamedCallee) and isinstance(callee.start, Local) and callee.text == callee.start.name:
                found.add(callee.text)
    return frozenset(found & {one.name for one in function.parameters})
