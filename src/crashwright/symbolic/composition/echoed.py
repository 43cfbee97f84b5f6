"""Expressions of the line that a report shows, as statements of a test. What their names mean is looked up in the sources."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable
from typing import Final

from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.echoing.symbols import DISPLAYS
from crashwright.symbolic.composition.drafts import ComposedDraft
from crashwright.symbolic.execution.sources import SourceProgram

_STANDARD: Final = frozenset(sys.stdlib_module_names)


class EchoedNames:
    """What names of the callers' code are, by the sources and the package that crashed. The callers' own are not known."""

    def __init__(self, program: SourceProgram, package: str) -> None:
        self._program = program
        self._package = package
        self._known: dict[str, st.Named | None] = {}

    def named(self, text: str) -> st.Named | None:
        """What a name, or one with dots, is likely to be; None where nothing is known of it."""
        if text not in self._known:
            self._known[text] = self._found(text)
        return self._known[text]

    def _found(self, text: str) -> st.Named | None:
        head, _, rest = text.partition(".")
        last = text.rpartition(".")[2]
        if not rest and callable(getattr(builtins, text, None)):
            return st.Named("builtins", text)
        if rest and head in _STANDARD:
            return st.Named(head, rest)
        if rest and head == self._package:
            return st.Named(head, rest)
        own = [*self._program.classes_named(last), *self._program.functions_named(last)]
        own.sort(key=lambda one: one.partition(".")[0].partition(":")[0] != self._package)
        for address in own:
            module, _, name = address.partition(":")
            if name == last:
                return st.Named(module, name)
        imported = None if rest else self._program.imported(text)
        return None if imported is None else st.Named(*imported)

    def of(self, node: ast.expr) -> st.Named | None:
        """What an expression that is a name is."""
        text = _dotted(node)
        return self.named(text) if text else None

    def is_open(self, node: ast.expr) -> bool:
        """Whether the report does not tell what it is."""
        match node:
            case ast.Constant(value=value):
                return value is ...
            case ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
                return False
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float())):
                return False
            case ast.Name() | ast.Attribute():
                return self.of(node) is None and not (isinstance(node, ast.Attribute) and not self.is_open(node.value))
            case ast.Call(func=ast.Name() as function):
                return self.of(function) is None
            case ast.Call(func=ast.Attribute(value=receiver) as function):
                return self.of(function) is None and self.is_open(receiver)
            case ast.Lambda():
                return False
        return True


class EchoWriter:
    """Puts expressions into a draft. ``fill`` gives a variable for what is not known, by its text."""

    def __init__(self, draft: ComposedDraft, names: EchoedNames, fill: Callable[[str], st.Variable]) -> None:
        self._draft = draft
        self._names = names
        self._fill = fill

    def variable(self, node: ast.expr) -> st.Variable:
        """That holds its value."""
        return self._draft.held(self.value(node))

    def value(self, node: ast.expr) -> st.Value:
        """What it is."""
        if self._names.is_open(node):
            return st.Ref(self._fill(ast.unparse(node)))
        match node:
            case ast.Constant(value=value):
                assert value is not ...
                return value
            case ast.UnaryOp(operand=ast.Constant(value=int() | float() as number)):
                return -number
            case ast.List() | ast.Tuple() | ast.Set():
                return st.Display(DISPLAYS[type(node)], tuple([self.value(one) for one in node.elts]))
            case ast.Dict():
                pairs = [(self.value(key), self.value(held)) for key, held in zip(node.keys, node.values, strict=True) if key]
                return st.Display("dict", tuple(pairs))
            case ast.Call():
                return st.Ref(self._called(node))
            case ast.Lambda(body=body):
                result = body.value if isinstance(body, ast.Constant) and body.value is not ... else _negative(body)
                return st.Ref(self._draft.append(lambda one: st.StubCallable(one, "*args, **kwargs", result)))
            case ast.Name() | ast.Attribute() if (named := self._names.of(node)) is not None:
                return st.Ref(self._draft.append(lambda one: st.Reference(one, named)))
            case ast.Attribute(value=inner, attr=name):
                receiver = self.variable(inner)
                return st.Ref(self._draft.append(lambda one: st.GetAttribute(one, receiver, name)))
        return st.Ref(self._fill(ast.unparse(node)))

    def _called(self, node: ast.Call) -> st.Variable:
        function = node.func
        named = self._names.of(function)
        if named is None and isinstance(function, ast.Attribute):
            receiver = self.variable(function.value)
            arguments, name = self._arguments(node), function.attr
            return self._draft.append(lambda one: st.MethodCall(one, receiver, name, arguments))
        assert named is not None
        arguments = self._arguments(node)
        last = named.qualname.rpartition(".")[2]
        kind = CalleeKind.CLASS if last[:1].isupper() or isinstance(getattr(builtins, last, None), type) else CalleeKind.FUNCTION
        return self._draft.append(lambda one: st.Call(one, Callee(named.module, named.qualname, kind), arguments))

    def _arguments(self, node: ast.Call) -> st.Arguments:
        positional = [self.variable(one) for one in node.args if not isinstance(one, ast.Starred)]
        return st.Arguments(tuple(positional), tuple([(one.arg, self.variable(one.value)) for one in node.keywords if one.arg]))


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (head := _dotted(node.value)):
        return f"{head}.{node.attr}"
    return ""


def _negative(node: ast.expr) -> st.Scalar:
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
    return None
