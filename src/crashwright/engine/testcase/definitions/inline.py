"""Statements written into a definition as one expression: what a class attribute holds, what a method returns."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import cast

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Arguments, Display, Named, Ref, Statement, Value, Variable


class InlineNames:
    """Identifiers for what is importable, each used for one thing: those that a definition will take from around it."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self.known: dict[str, Named | Ref] = {}

    def of(self, named: Named) -> str:
        """The identifier for ``named``: the last part of its address where that is free."""
        if named.module == "builtins":
            return named.qualname
        wanted = named.qualname.rpartition(".")[2]
        name, number = wanted, 1
        while name in self._taken or self.known.get(name, named) != named:
            number += 1
            name = f"{wanted}_{number}"
        self.known[name] = named
        return name


def expression_of(statements: Iterable[Statement], variable: Variable, names: InlineNames) -> str | None:
    """The text of what ``variable`` holds; None where that takes more than literals, references and calls."""
    made = {statement[0]: statement for statement in statements if isinstance(statement, st.Literal | st.Reference | st.Call)}
    try:
        return ast.unparse(_Inliner(made, names).variable(variable, 0))
    except LookupError:
        return None


_DEEPEST = 4
_LONGEST = 60


class _Inliner:
    """Raises LookupError for what cannot be written in place, or should not: what is long or nested deeply."""

    def __init__(self, made: Mapping[Variable, Statement], names: InlineNames) -> None:
        self._made = made
        self._names = names

    def variable(self, variable: Variable, depth: int) -> ast.expr:
        statement = self._made[variable]
        if depth > _DEEPEST:
            raise LookupError(depth)
        match statement:
            case st.Literal(value=value):
                return self._value(value, depth)
            case st.Reference(named=named):
                return self._named(named)
            case st.Call(callee=callee, arguments=arguments):
                return self._call(self._named(Named(callee.module, callee.qualname, callee.live)), arguments, depth)
        raise LookupError(variable)

    def _named(self, named: Named) -> ast.expr:
        return ast.parse(self._names.of(named), mode="eval").body

    def _call(self, function: ast.expr, arguments: Arguments, depth: int) -> ast.expr:
        if arguments.star is not None or arguments.double_star is not None:
            raise LookupError("a spread argument")
        positional = [self.variable(variable, depth + 1) for variable in arguments.positional]
        return ast.Call(function, positional, [ast.keyword(k, self.variable(v, depth + 1)) for k, v in arguments.keywords])

    def _value(self, value: Value, depth: int) -> ast.expr:
        if isinstance(value, Ref):
            return self.variable(value.variable, depth + 1)
        if isinstance(value, Display):
            return self._display(value, depth)
        text = repr(value)
        if len(text) > _LONGEST or ((type(value) is float or type(value) is complex) and not text.strip("(-+)")[:1].isdigit()):
            raise LookupError("no short literal")
        return ast.parse(text, mode="eval").body

    def _display(self, value: Display, depth: int) -> ast.expr:
        if depth > _DEEPEST or len(value.items) > _DEEPEST:
            raise LookupError("a large container")
        if value.kind == "dict":
            pairs = cast(tuple[tuple[Value, Value], ...], value.items)
            held = [self._value(item, depth + 1) for _, item in pairs]
            return ast.Dict([self._value(key, depth + 1) for key, _ in pairs], held)
        items = [self._value(item, depth + 1) for item in value.items]  # type: ignore[arg-type]
        if value.kind == "list":
            return ast.List(items, ast.Load())
        if value.kind == "tuple":
            return ast.Tuple(items, ast.Load())
        if value.kind == "bytearray":
            return ast.Call(ast.Name("bytearray", ast.Load()), items, [])
        if value.kind == "set" and items:
            return ast.Set(items)
        return ast.Call(ast.Name(value.kind, ast.Load()), [ast.List(items, ast.Load())] if items else [], [])
