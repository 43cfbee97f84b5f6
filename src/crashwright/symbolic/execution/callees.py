"""What a call may lead to: functions by their names, methods by their receivers, closures by where they are defined, constructors.

Nothing is said of a call that may lead elsewhere too. Decorators are looked through where what they return does the same. A
coroutine is entered where it is awaited at once, a generator where it is used up (``consumers``).
"""

from __future__ import annotations

import io
import re
from collections import deque
from collections.abc import Iterator
from typing import Final

from crashwright.symbolic.execution.consumers import Called, Written, is_awaited, is_used_up
from crashwright.symbolic.execution.declarations import Declarations
from crashwright.symbolic.ir.nodes import (
    Call,
    Cell,
    Definition,
    Function,
    Global,
    Kind,
    Local,
    MethodCallee,
    NamedCallee,
    Node,
    Operand,
    Place,
)
from crashwright.symbolic.semantics.builtin_types import CONTAINERS, SCALARS
from crashwright.symbolic.semantics.program import Target

_KNOWN: Final = frozenset({*SCALARS, *CONTAINERS})
_OF_BUILTINS: Final = frozenset(
    name
    for kind in (str, bytes, list, tuple, dict, set, deque, re.Pattern, re.Match, io.StringIO, io.BytesIO)
    for name in dir(kind)
    if not name.startswith("_")
)
"""Names of methods that objects of no class of the program mostly have."""
_MOST_TARGETS: Final = 4
_LOOKED_THROUGH: Final = frozenset(
    "staticmethod classmethod abstractmethod override final cache lru_cache wraps no_type_check".split()
)
"""Decorators of which a call does what the function does. (What is cached is done once; its result is the same.)"""
_PLAIN: Final = frozenset({"function", "lambda"})


class Callees:
    """Of the calls of a program. ``written``: what an instruction writes; ``called``: what it may call."""

    def __init__(self, program: Declarations, written: Written, called: Called) -> None:
        self._program = program
        self._written = written
        self._called = called

    def of(self, function: Function, node: Node) -> list[Target]:
        """Nothing where that is not known, or cannot be walked into."""
        call = node.detail
        assert isinstance(call, Call)
        if isinstance(call.callee, MethodCallee):
            found = self._methods(function, node, call.callee)
        elif isinstance(call.callee, NamedCallee):
            found = self._named(function, call.callee)
        else:
            found = []
        entered = [self._entered(function, node, one) for one in found]
        return [] if None in entered else [one for one in entered if one is not None]

    def of_property(self, function: Function, node: Node) -> list[Target]:
        """What reading an attribute runs, where the types say that it is a property, of all classes that it may be of."""
        program, name = self._program, str(node.detail)
        known = program.types(function, node, node.operands[0]) - {"NoneType"}
        if not known or known & _KNOWN:
            return []
        owners = sorted({one for owner in known for one in program.subclasses(owner)})
        getters = [program.method(one, name) for one in owners if program.form(one, name) == "property"]
        plain = [one for one in getters if one is not None and one.kind == "function" and one.decorators == ("property",)]
        if len(plain) != len(owners) or len(owners) > _MOST_TARGETS:
            return []
        return [Target(getter, owner, False, True) for owner, getter in zip(owners, plain, strict=True)]

    def _entered(self, function: Function, node: Node, target: Target) -> Target | None:
        """With the instructions that it runs; None where it runs when nobody knows."""
        callee = target.function
        if callee is None:
            return target
        if not all(self._is_looked_through(callee.module, text) for text in callee.decorators):
            return None
        if callee.kind in _PLAIN or (callee.kind == "async" and is_awaited(function, node)):
            return target
        if callee.kind != "generator":
            return None
        collecting = self._program.defined(callee.module, callee.qualname, callee.first_line, collecting=True)
        if collecting is None or not is_used_up(function, node, collecting, self._written, self._called):
            return None
        return target._replace(function=collecting)

    def _is_looked_through(self, module: str, decorator: str) -> bool:
        """Whether a call of what is decorated so does what the function does."""
        if _last(decorator) in _LOOKED_THROUGH:
            return True
        address = self._program.named(module, decorator)
        made = None if address is None else self._program.function(address)
        if made is None or len(made.parameters) != 1 or made.decorators:
            return False
        definitions = [one.detail for one in made.nodes if one.kind is Kind.FUNCTION]
        wrapper = None
        if len(definitions) == 1 and isinstance(definitions[0], Definition):
            wrapper = self._program.defined(made.module, definitions[0].qualname, definitions[0].first_line)
        if wrapper is None or any(_maker_of(made, made.nodes[number].operands[0]) is None for number in made.returns):
            return False
        writes = any(self._written(wrapper, one) for one in wrapper.nodes)
        return not writes and passes_on(wrapper, Cell(made.parameters[0].name, made.qualname))

    # -- by a name

    def _named(self, function: Function, callee: NamedCallee) -> list[Target]:
        if not isinstance(callee.start, Global):
            return self._variable(function, callee.start)
        program = self._program
        address = program.named(function.module, callee.text)
        if address is None:
            return self._of_class(function, callee.text)
        if program.is_class(address):
            return self._constructed(address)
        found = program.function(address)
        return [Target(found)] if found is not None else []

    def _constructed(self, address: str) -> list[Target]:
        made = self._program.method(address, "__init__")
        is_known = self._program.has_no_constructor(address) if made is None else made.kind == "function"
        return [Target(made, address, True, True)] if is_known else []

    def _of_class(self, function: Function, text: str) -> list[Target]:
        """``Class.name``: a plain method takes its receiver as an argument."""
        before, _, name = text.rpartition(".")
        address = self._program.named(function.module, before) if before else None
        if address is None or not self._program.is_class(address):
            return []
        form, method = self._program.form(address, name), self._program.method(address, name)
        if method is None or form not in ("method", "static", "class"):
            return []
        return [Target(method, None, False, form == "class", address if form == "class" else "")]

    def _variable(self, function: Function, place: Place) -> list[Target]:
        """A function that is defined in this one, or in one about it, and the class of a class method (``cls``)."""
        if place == _class_parameter(function, self._program):
            found = [self._constructed(one) for one in self._program.subclasses(f"{function.module}:{function.class_name}")]
            return [one for targets in found for one in targets] if all(found) and len(found) <= _MOST_TARGETS else []
        owner = function
        if isinstance(place, Cell) and place.owner != function.qualname:
            about = self._program.defined(function.module, place.owner)
            if about is None:
                return []
            owner = about
        definition = _definition(owner, place)
        if definition is None:
            return []
        found_function = self._program.defined(function.module, definition.qualname, definition.first_line)
        return [Target(found_function)] if found_function is not None else []

    # -- of a receiver

    def _methods(self, function: Function, node: Node, callee: MethodCallee) -> list[Target]:
        program, name, receiver = self._program, callee.name, node.operands[0]
        if callee.by_super:
            return self._above(function, name)
        if receiver == _class_parameter(function, program):
            own = f"{function.module}:{function.class_name}"
            return list(self._each(program.subclasses(own), name, asked=True))
        known = program.types(function, node, receiver) - {"NoneType"}
        if not known and name in _OF_BUILTINS:
            return []  # rather one of those
        owners = sorted(known) if known else list(program.having(name))
        if known & _KNOWN or len(owners) > _MOST_TARGETS:
            return []
        if known:
            owners = sorted({one for owner in owners for one in program.subclasses(owner)})
        return list(self._each(tuple(owners), name, asked=False))

    def _each(self, owners: tuple[str, ...], name: str, asked: bool) -> Iterator[Target]:
        """The methods of all of these, or none. ``asked``: of the classes themselves, and not of their objects."""
        program = self._program
        forms = [program.form(owner, name) for owner in owners]
        methods = [program.method(owner, name) for owner in owners]
        wanted = ("static", "class") if asked else ("method", "static", "class")
        if len(owners) > _MOST_TARGETS or None in methods or not set(forms) <= set(wanted):
            return
        for owner, form, method in zip(owners, forms, methods, strict=True):
            yield Target(method, owner, False, form != "static", owner if form == "class" else "", asked)

    def _above(self, function: Function, name: str) -> list[Target]:
        """What ``super().name`` is in a method, where all that its class inherits from is known, one after the other."""
        program = self._program
        classes = list(program.lineage(f"{function.module}:{function.class_name}")) if function.class_name else []
        if None in classes or any(one is not None and len(one.bases) > 1 for one in classes):
            return []
        found = next((one.methods[name] for one in classes[1:] if one is not None and name in one.methods), None)
        if found is None or found.form != "method":
            return []
        return [Target(program.defined(found.key.module, found.key.qualname, found.key.first_line), None, False, True)]


def passes_on(wrapper: Function, function: Place) -> bool:
    """Whether a wrapper returns what the function returns that it is given, called with all of its own arguments."""
    if [one.form for one in wrapper.parameters] != ["*", "**"]:
        return False
    own = tuple([Local(one.name) for one in wrapper.parameters])
    for number in wrapper.returns:
        called = _maker_of(wrapper, wrapper.nodes[number].operands[0])
        if called is None or not isinstance(called.detail, Call) or called.detail.passed != ("*", "**"):
            return False
        loaded = _maker_of(wrapper, called.operands[0])
        if called.operands[1:] != own or loaded is None or loaded.operands != (function,):
            return False
    return bool(wrapper.returns)


def _maker_of(function: Function, operand: Operand) -> Node | None:
    """The one instruction that makes it."""
    makers = [one for one in function.nodes if one.target == operand]
    return makers[0] if len(makers) == 1 else None


def _class_parameter(function: Function, program: Declarations) -> Place | None:
    """``cls`` of a class method."""
    if function.class_name is None or not function.parameters:
        return None
    form = program.form(f"{function.module}:{function.class_name}", function.qualname.rpartition(".")[2])
    return Local(function.parameters[0].name) if form == "class" else None


def _definition(owner: Function, place: Place) -> Definition | None:
    """What a variable certainly is, where it is assigned once and that is a definition."""
    writers = [one for one in owner.nodes if one.target == place]
    if len(writers) != 1 or any(Local(one.name) == place for one in owner.parameters):
        return None
    (writer,) = writers
    if writer.kind is Kind.COPY:
        makers = [one for one in owner.nodes if one.target == writer.operands[0]]
        writer = makers[0] if len(makers) == 1 else writer
    return writer.detail if writer.kind is Kind.FUNCTION and isinstance(writer.detail, Definition) else None


def _last(decorator: str) -> str:
    return decorator.partition("(")[0].rpartition(".")[2]
