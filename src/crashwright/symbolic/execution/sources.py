"""The program as its source files tell it (``semantics.program.Program``)."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Final

from crashwright.core.location import CodeKey
from crashwright.symbolic.ir.functions import Functions
from crashwright.symbolic.ir.nodes import Call, Constant, Function, Global, Local, MethodCallee, NamedCallee, Node, Operand
from crashwright.symbolic.semantics.kinds import CONTAINERS, SCALARS
from crashwright.symbolic.semantics.program import Target, Types
from crashwright.symbolic.semantics.tables import written_by

_KNOWN: Final = frozenset({*SCALARS, *CONTAINERS})
_MOST_TARGETS: Final = 4


class Module:
    """One file."""

    def __init__(self, name: str, source: str, version: tuple[int, int]) -> None:
        self.name = name
        tree = ast.parse(source)
        self.functions = Functions(name, tree, version)
        self.classes = {one.name: one for one in tree.body if isinstance(one, ast.ClassDef)}
        self.defined = {one.name for one in tree.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))}
        assigned: dict[str, list[ast.expr]] = {}
        for one in tree.body:
            if isinstance(one, ast.Assign):
                for target in one.targets:
                    if isinstance(target, ast.Name):
                        assigned.setdefault(target.id, []).append(one.value)
        self.constants = {
            name: values[0].value for name, values in assigned.items() if len(values) == 1 and isinstance(values[0], ast.Constant)
        }


class SourceProgram:
    """Modules that were read."""

    def __init__(self, modules: Mapping[str, Module]) -> None:
        self._modules = modules
        self._written: dict[tuple[str, str, int], frozenset[str]] = {}
        self._types: dict[int, dict[str, Types]] = {}
        self._made_by: dict[int, dict[object, list[Node]]] = {}

    def holder(self, key: CodeKey) -> Function | None:
        """The function whose instructions a frame ran: of a comprehension that about it."""
        module = self._modules.get(key.module)
        return None if module is None else module.functions.holder(key.qualname, key.first_line)

    def classes_named(self, last: str) -> tuple[str, ...]:
        """Classes by the last part of their name."""
        return tuple([one for one in self._all() if one.rpartition(":")[2].rpartition(".")[2] == last])

    def types(self, function: Function, operand: Operand) -> Types:
        if isinstance(operand, Constant):
            return frozenset({type(operand.value).__name__})
        if not isinstance(operand, Local):
            return frozenset()
        known = self._types.setdefault(id(function), {})
        if operand.name not in known:
            known[operand.name] = frozenset()  # of what is made of itself
            known[operand.name] = self._of_local(function, operand)
        return known[operand.name]

    def _writers(self, function: Function) -> dict[object, list[Node]]:
        if id(function) not in self._made_by:
            found: dict[object, list[Node]] = {}
            for node in function.nodes:
                if node.target is not None:
                    found.setdefault(node.target, []).append(node)
            self._made_by[id(function)] = found
        return self._made_by[id(function)]

    def _of_local(self, function: Function, operand: Local) -> Types:
        writers = self._writers(function).get(operand, [])
        for place, one in enumerate(function.parameters):
            if one.name == operand.name and not writers:
                if place == 0 and function.class_name and one.form == "either":
                    return frozenset({f"{function.module}:{function.class_name}"})
                return self._annotated(function.module, one.annotation)
        return self._made(function, writers[0]) if len(writers) == 1 else frozenset()

    def _made(self, function: Function, node: Node) -> Types:
        kind = node.kind.value
        if kind in ("copy", "load", "iterate", "unpack"):
            return self.types(function, node.operands[0])
        if kind == "compare" or (kind == "unary" and node.detail == "not") or kind == "more":
            return frozenset({"bool"})
        if kind in ("text", "format"):
            return frozenset({"str"})
        if kind == "display":
            return frozenset({getattr(node.detail, "kind", "")})
        if kind == "call" and isinstance(node.detail, Call):
            return self._called(function, node, node.detail)
        if kind in ("binary", "unary"):
            known = [self.types(function, one) for one in node.operands]
            whole = all(one == {"int"} for one in known) and getattr(node.detail, "operator", "") != "/"
            return known[0] if whole else frozenset()
        return frozenset()

    def _called(self, function: Function, node: Node, call: Call) -> Types:
        if isinstance(call.callee, NamedCallee) and self.named(function.module, call.callee.text) is None:
            name = call.callee.text
            return frozenset({name}) if name in _KNOWN else frozenset({"int"}) if name in ("len", "ord") else frozenset()
        targets = self.targets(function, node)
        if len(targets) == 1:
            (one,) = targets
            if one.makes and one.receiver:
                return frozenset({one.receiver})
            if one.function is not None:
                return self._annotated(one.function.module, one.function.return_annotation)
        return frozenset()

    def _annotated(self, module: str, text: str) -> Types:
        found: set[str] = set()
        for part in text.strip("'\"").replace("Optional[", "None | ").replace("]", "").split("|"):
            name = part.strip().partition("[")[0]
            if name == "None":
                found.add("NoneType")
            elif name in _KNOWN:
                found.add(name)
            elif (address := self.named(module, name)) is not None and self.is_class(address):
                found.add(address)
            else:
                return frozenset()
        return frozenset(found)

    def constant(self, module: str, name: str) -> tuple[object] | None:
        constants = self._modules[module].constants
        return (constants[name],) if name in constants else None

    def named(self, module: str, text: str) -> str | None:
        known = self._modules.get(module)
        return f"{module}:{text}" if known and (text in known.classes or text in known.defined) else None

    def is_class(self, address: str) -> bool:
        module, _, name = address.partition(":")
        return module in self._modules and name in self._modules[module].classes

    def _class(self, address: str) -> ast.ClassDef | None:
        module, _, name = address.partition(":")
        return self._modules[module].classes.get(name) if module in self._modules else None

    def _above(self, address: str) -> Iterator[tuple[str, ast.ClassDef]]:
        """A class and those that it inherits from, nearest first."""
        node = self._class(address)
        if node is None:
            return
        yield address, node
        for base in node.bases:
            if isinstance(base, ast.Name) and (above := self.named(address.partition(":")[0], base.id)) not in (None, address):
                yield from self._above(above or "")

    def _all(self) -> Iterator[str]:
        for module in self._modules.values():
            for name in module.classes:
                yield f"{module.name}:{name}"

    def having(self, attribute: str) -> tuple[str, ...]:
        return tuple([address for address in self._all() if any(attribute in _members(node) for _, node in self._above(address))])

    def fields(self, address: str) -> frozenset[str]:
        return frozenset(
            one.attr
            for _, node in self._above(address)
            for one in ast.walk(node)
            if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store) and isinstance(one.value, ast.Name)
        )

    def method(self, address: str, name: str) -> Function | None:
        for above, node in self._above(address):
            for one in node.body:
                if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) and one.name == name:
                    module, _, class_name = above.partition(":")
                    return self._modules[module].functions.function(f"{class_name}.{name}")
        return None

    def function(self, address: str) -> Function | None:
        module, _, name = address.partition(":")
        return self._modules[module].functions.function(name) if module in self._modules else None

    def class_value(self, address: str, name: str) -> tuple[object] | None:
        for _, node in self._above(address):
            for one in node.body:
                if not isinstance(one, ast.Assign) or not isinstance(one.value, ast.Constant):
                    continue
                if any(isinstance(target, ast.Name) and target.id == name for target in one.targets):
                    return (one.value.value,)
        return None

    def subclasses(self, address: str) -> tuple[str, ...]:
        return tuple([one for one in self._all() if any(above == address for above, _ in self._above(one))]) or (address,)

    def targets(self, function: Function, node: Node) -> tuple[Target, ...]:
        call = node.detail
        if not isinstance(call, Call):
            return ()
        if isinstance(call.callee, NamedCallee):
            address = self.named(function.module, call.callee.text) if isinstance(call.callee.start, Global) else None
            if address is None:
                return ()
            if self.is_class(address):
                return (Target(self.method(address, "__init__"), address, True, True),)
            found = self.function(address)
            return (Target(found),) if _is_plain(found) else ()
        if isinstance(call.callee, MethodCallee) and not call.callee.by_super:
            known = self.types(function, node.operands[0])
            if known & _KNOWN:
                return ()
            owners = [one for one in known if self.is_class(one)] or ([] if known else list(self.having(call.callee.name)))
            methods = [(one, self.method(one, call.callee.name)) for one in owners]
            found_ones = [Target(one, owner, False, True) for owner, one in methods if _is_plain(one)]
            return tuple(found_ones) if len(found_ones) == len(methods) and len(methods) <= _MOST_TARGETS else ()
        return ()

    def heap_written(self, function: Function) -> frozenset[str]:
        key = function.module, function.qualname, function.first_line
        if key not in self._written:
            self._written[key] = frozenset()  # of a recursion, nothing more than of the call
            found: set[str] = set()
            for node in function.nodes:
                found.update(written_by(self, function, node))
                for target in self.targets(function, node):
                    if target.function is not None:
                        found |= self.heap_written(target.function)
            self._written[key] = frozenset(found)
        return self._written[key]


def _is_plain(function: Function | None) -> bool:
    return function is not None and function.kind == "function" and not function.decorators


def _members(node: ast.ClassDef) -> set[str]:
    found = {one.name for one in node.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))}
    for one in node.body:
        targets = (
            one.targets if isinstance(one, ast.Assign) else [one.target] if isinstance(one, ast.AnnAssign) and one.value else []
        )
        found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found
