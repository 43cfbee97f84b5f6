"""What is passed to what: the part of the walk that reads calls (``expressions`` reads what is in them)."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod

from crashwright.engine.wants.reading.scope_names import ScopeNames
from crashwright.engine.wants.reading.values import (
    CallNote,
    ClassSymbol,
    DottedName,
    FunctionSymbol,
    Module,
    Term,
    Value,
    WrittenValue,
    flow,
)

LOOKING_UP = frozenset({"get", "pop", "setdefault"})
_GOING_THROUGH = frozenset({"list", "tuple", "set", "frozenset", "sorted", "iter", "reversed"})


class CallWalk(ABC):
    """Reads the calls of one module; ``sites`` are all of them."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.sites: list[CallNote] = []
        self.names = ScopeNames(None, module.names)

    @abstractmethod
    def term(self, node: ast.expr | None) -> Term:
        """What ``node`` means."""

    def call(self, node: ast.Call) -> Term:
        """What it gives."""
        site = self._site(node)
        for place, argument in enumerate(node.args):
            if isinstance(argument, ast.Starred):
                spread = self.term(argument.value)
                if isinstance(spread, Value):
                    spread.note("iterate", node.lineno)
                self._pass(site, "*", spread)
                break
            self._pass(site, place, self.term(argument))
        for argument in node.args[len([one for one in site.arguments if one[0] != "**"]) :]:
            self.term(argument)
        for keyword in node.keywords:
            self._pass(site, keyword.arg or "**", self.term(keyword.value))
        self.sites.append(site)
        if isinstance(node.func, ast.Name):
            self._builtin(site, node)
        elif site.name == "copy" and not node.args:
            flow(site.receiver, site.result)
        elif site.name == "update" and isinstance(site.receiver, Value):
            for _, term in [one for one in site.arguments if one[0] in (0, "**")]:
                flow(term, site.receiver)
        elif site.name in LOOKING_UP and isinstance(site.receiver, Value) and type(key := literal(site.argument(0))) is str:
            part = site.receiver.key(key, node.lineno)
            flow(part, site.result)
            flow(site.argument(1), part)
        return site.result

    def _site(self, node: ast.Call) -> CallNote:
        function = node.func
        if isinstance(function, ast.Attribute):
            site = CallNote(self.module, node.lineno, function.attr)
            inner = function.value
            if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id == "super":
                site.above = self.names.owner
            else:
                self._of(site, self.term(inner), function.attr)
        else:
            site = CallNote(self.module, node.lineno, function.id if isinstance(function, ast.Name) else "")
            self._of(site, self.term(function), "")
        site.function = self.names.function
        return site

    def _of(self, site: CallNote, base: Term, name: str) -> None:
        if isinstance(base, DottedName):
            site.named = base._replace(parts=(*base.parts, name)) if name else base
        elif isinstance(base, ClassSymbol):
            site.named = DottedName(base.module, (*base.qualname.split("."), name)) if name else base
        elif isinstance(base, FunctionSymbol):
            site.named = base
        else:
            site.receiver, site.of_itself = base, not name
            if isinstance(base, Value):
                if not base.methods:
                    base.methods = []
                base.methods.append(site)

    def _pass(self, site: CallNote, place: int | str, term: Term) -> None:
        site.arguments.append((place, term))
        if isinstance(term, Value):
            if not term.passed:
                term.passed = []
            term.passed.append((site, place))

    def _builtin(self, site: CallNote, node: ast.Call) -> None:
        """What a few builtins say of what they are passed."""
        first = site.argument(0)
        if not isinstance(first, Value):
            return
        if site.name in ("isinstance", "issubclass") and len(node.args) == 2:
            for one in node.args[1].elts if isinstance(node.args[1], ast.Tuple) else (node.args[1],):
                self.test(first, self.term(one), node.lineno)
        elif site.name in ("hasattr", "getattr") and type(name := site.literal(1)) is str:
            part = first.attribute(name, node.lineno)
            flow(part, site.result)
            flow(site.argument(2), part)
        elif site.name in _GOING_THROUGH or site.name in ("enumerate", "zip", "sum", "any", "all", "map", "filter", "min", "max"):
            for _, term in site.arguments:
                if isinstance(term, Value) and term is not site.argument("key"):
                    term.note("iterate" if site.name not in ("min", "max") or len(node.args) == 1 else "order", node.lineno)
            if site.name in _GOING_THROUGH:
                flow(first.item(node.lineno), site.result.item(node.lineno))
        elif site.name == "dict":
            flow(first, site.result)
        elif site.name in ("len", "callable", "next"):
            first.note({"len": "length", "callable": "call", "next": "next"}[site.name], node.lineno)

    def test(self, value: Value, asked: Term, line: int) -> None:
        """It is asked whether ``value`` is an instance of ``asked``."""
        if not value.tested:
            value.tested = []
        value.tested.append((asked, line))


def literal(term: Term) -> object:
    """What is written there, or stands for it as a constant of its module."""
    if isinstance(term, DottedName) and term.module is not None and len(term.parts) == 1:
        written = term.module.written.get(term.parts[0])
        return written.value if isinstance(written, ast.Constant) else None
    return term.literal if isinstance(term, WrittenValue) else None
