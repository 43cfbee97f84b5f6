"""Statements as expressions: calls, attributes, items and operators, with dunder methods written as what invokes them."""

# ruff: noqa: ARG001 (all writers have one signature)
from __future__ import annotations

from collections.abc import Callable
from keyword import iskeyword

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.operators import BINARY, BUILTIN, UNARY
from crashwright.engine.testcase.printing.imports import Imports
from crashwright.engine.testcase.printing.layout import Doc, Level, at_least, group, prefixed
from crashwright.engine.testcase.printing.literals import quoted, value_doc
from crashwright.engine.testcase.statements import Arguments, Named, Statement, Variable

Refer = Callable[[Variable], Doc]

_LEVELS: dict[str, Level] = {
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"), Level.COMPARISON),
    "|": Level.BIT_OR,
    "^": Level.BIT_XOR,
    "&": Level.BIT_AND,
    **dict.fromkeys(("<<", ">>"), Level.SHIFT),
    **dict.fromkeys(("+", "-"), Level.SUM),
    **dict.fromkeys(("*", "/", "//", "%", "@"), Level.PRODUCT),
    "**": Level.POWER,
}


def arguments_docs(arguments: Arguments, refer: Refer) -> tuple[Doc, ...]:
    """The arguments as the items of a call."""
    docs = [refer(variable) for variable in arguments.positional]
    if arguments.star is not None:
        docs.append(_starred("*", refer(arguments.star)))
    odd: list[Doc] = []
    for name, variable in arguments.keywords:
        if name.isidentifier() and not iskeyword(name):
            docs.append(prefixed(f"{name}=", refer(variable)))
        else:
            odd.append(prefixed(f"{quoted(name)}: ", refer(variable)))
    if odd:
        docs.append(prefixed("**", group("{", tuple(odd), "}")))
    if arguments.double_star is not None:
        docs.append(_starred("**", refer(arguments.double_star)))
    return tuple(docs)


def expression(statement: Statement, refer: Refer, imports: Imports) -> Doc | None:
    """The right-hand side of the statement; None for statements that are more than an expression."""
    writer = _WRITERS.get(type(statement))
    return None if writer is None else writer(statement, refer, imports)


def call(function: str, *items: Doc) -> Doc:
    """``function(items)``"""
    return group(f"{function}(", items, ")")


def limited(iterable: Doc, limit: int | None, imports: Imports) -> Doc:
    """The first ``limit`` items of an iterable."""
    return iterable if limit is None else call(imports.text("itertools", "islice"), iterable, Doc(str(limit)))


def attribute(receiver: Doc, name: str) -> str:
    """``receiver.name``"""
    return f"{at_least(receiver, Level.ATOM).flat}.{name}"


def named(reference: Named, imports: Imports) -> Doc:
    """Something importable."""
    return Doc(imports.text(reference.module, reference.qualname))


def lambda_doc(statement: st.StubCallable, refer: Refer) -> Doc:
    """``lambda parameters: result``"""
    start = f"lambda {statement.parameters}:" if statement.parameters else "lambda:"
    return Doc(f"{start} {value_doc(statement.result, refer).flat}", Level.LAMBDA)


def _starred(stars: str, doc: Doc) -> Doc:
    return prefixed(stars, at_least(doc, Level.ATOM))


def _call(statement: st.Call, refer: Refer, imports: Imports) -> Doc:
    callee = statement.callee
    return group(f"{imports.text(callee.module, callee.qualname)}(", arguments_docs(statement.arguments, refer), ")")


def _method_call(statement: st.MethodCall, refer: Refer, imports: Imports) -> Doc:
    receiver, name, arguments = refer(statement.receiver), statement.name, statement.arguments
    if name.startswith("__") and arguments.star is None and arguments.double_star is None and not arguments.keywords:
        doc = _dunder(receiver, name, [refer(variable) for variable in arguments.positional])
        if doc is not None:
            return doc
    if name == "__call__":
        return group(f"{at_least(receiver, Level.ATOM).flat}(", arguments_docs(arguments, refer), ")")
    if not name.isidentifier():
        head = call("getattr", receiver, Doc(quoted(name))).flat
        return group(f"{head}(", arguments_docs(arguments, refer), ")")
    return group(f"{attribute(receiver, name)}(", arguments_docs(arguments, refer), ")")


def _dunder(receiver: Doc, name: str, arguments: list[Doc]) -> Doc | None:
    count = len(arguments)
    if name in BINARY and count == 1:
        return _binary(BINARY[name], receiver, arguments[0])
    if name in UNARY and count == 0:
        return _unary(UNARY[name], receiver)
    if (name, count) in BUILTIN:
        return call(BUILTIN[name, count], receiver, *arguments)
    if name == "__contains__" and count == 1:
        return _binary("in", arguments[0], receiver)
    if name == "__getitem__" and count == 1:
        return Doc(subscript(receiver, arguments[0]))
    return None


def subscript(receiver: Doc, key: Doc) -> str:
    """``receiver[key]``"""
    return f"{at_least(receiver, Level.ATOM).flat}[{key.flat}]"


def _binary(operator: str, left: Doc, right: Doc) -> Doc:
    level = _LEVELS[operator]
    tighter = Level(min(level + 1, Level.ATOM))
    if operator == "**":
        left, right = at_least(left, Level.AWAIT), at_least(right, Level.UNARY)
        simple = all(side.flat.isidentifier() or side.flat.isdigit() for side in (left, right))
        return Doc(f"{left.flat}{'**' if simple else ' ** '}{right.flat}", level)
    left = at_least(left, tighter if level == Level.COMPARISON else level)
    return Doc(f"{left.flat} {operator} {at_least(right, tighter).flat}", level)


def _unary(operator: str, operand: Doc) -> Doc:
    if operator == "not":
        return Doc(f"not {at_least(operand, Level.COMPARISON).flat}", Level.NOT)
    return Doc(f"{operator}{at_least(operand, Level.AWAIT).flat}", Level.UNARY)


def _operation(statement: st.Operation, refer: Refer, imports: Imports) -> Doc:
    operands = [refer(operand) for operand in statement.operands]
    if statement.operator == "slice":
        return call("slice", *operands)
    if len(operands) == 1:
        return _unary(statement.operator, operands[0])
    return _binary(statement.operator, *operands)


def _iterate(statement: st.Iterate, refer: Refer, imports: Imports) -> Doc | None:
    iterable = refer(statement.iterable)
    if statement.mode == "list":
        return call("list", limited(iterable, statement.limit, imports))
    return call("next", call("iter", iterable)) if statement.mode == "next" else None


def _await(statement: st.Await, refer: Refer, imports: Imports) -> Doc:
    awaitable = refer(statement.awaitable)
    if statement.mode == "list":
        return Doc(f"[item async for item in {at_least(awaitable, Level.NOT).flat}]")
    return Doc(f"await {at_least(awaitable, Level.ATOM).flat}", Level.AWAIT)


def _get_attribute(statement: st.GetAttribute, refer: Refer, imports: Imports) -> Doc:
    receiver = refer(statement.receiver)
    if not statement.name.isidentifier():
        return call("getattr", receiver, Doc(quoted(statement.name)))
    return Doc(attribute(receiver, statement.name))


def _call_value(statement: st.CallValue, refer: Refer, imports: Imports) -> Doc:
    function = at_least(refer(statement.function), Level.ATOM)
    return group(f"{function.flat}(", arguments_docs(statement.arguments, refer), ")")


def _get_item(statement: st.GetItem, refer: Refer, imports: Imports) -> Doc:
    return Doc(subscript(refer(statement.receiver), refer(statement.key)))


def _literal(statement: st.Literal, refer: Refer, imports: Imports) -> Doc:
    return value_doc(statement.value, refer)


def _reference(statement: st.Reference, refer: Refer, imports: Imports) -> Doc:
    return named(statement.named, imports)


def _stub_callable(statement: st.StubCallable, refer: Refer, imports: Imports) -> Doc | None:
    return lambda_doc(statement, refer) if statement.raises is None else None


_WRITERS: dict[type, Callable[..., Doc | None]] = {
    st.Literal: _literal,
    st.Reference: _reference,
    st.Call: _call,
    st.MethodCall: _method_call,
    st.CallValue: _call_value,
    st.GetAttribute: _get_attribute,
    st.GetItem: _get_item,
    st.Operation: _operation,
    st.Iterate: _iterate,
    st.Await: _await,
    st.StubCallable: _stub_callable,
}
