"""Which variable a statement defines and which it uses, and how to rename the used ones: the algebra under every edit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.checks import Check, Given
from crashwright.engine.testcase.statements import Arguments, Display, Ref, Statement, Value, Variable

DEFINES_NOTHING = frozenset({st.SetAttribute, st.DeleteAttribute, st.SetItem, st.DeleteItem, Check})
TREES = frozenset({Display, Ref})
"""Literal values that may refer to variables."""


def defined(statement: Statement) -> Variable | None:
    """The variable that the statement defines."""
    return None if type(statement) in DEFINES_NOTHING else statement[0]


def is_async(statements: Iterable[Statement | Check | Given]) -> bool:
    """Whether the test runs within an event loop."""
    return any(type(s) is st.Await or (isinstance(s, st.Enter | st.Within) and s.is_async) for s in statements)


def value_refs(value: Value) -> Iterator[Variable]:
    """The variables inside a literal tree, in order."""
    kind = type(value)
    if kind is Ref:
        yield value.variable  # type: ignore[union-attr]
    elif kind is Display:
        for item in value.items:  # type: ignore[union-attr]
            if type(item) is tuple:
                for part in item:
                    yield from value_refs(part)
            else:
                yield from value_refs(item)  # type: ignore[arg-type]


def argument_refs(arguments: Arguments) -> tuple[Variable, ...]:
    """All variables passed, in order."""
    refs, keywords, star, double_star = arguments
    if keywords:
        refs += tuple([variable for _, variable in keywords])
    if star is not None:
        refs += (star,)
    if double_star is not None:
        refs += (double_star,)
    return refs


def used(statement: Statement) -> tuple[Variable, ...]:
    """The variables that the statement reads, in order of evaluation, with repetitions."""
    return _USED[type(statement)](statement)


def map_value(value: Value, rename: Callable[[Variable], Variable]) -> Value:
    """``value`` with every reference renamed."""
    if type(value) is Ref:
        return Ref(rename(value.variable))
    if type(value) is Display:
        items = tuple(
            tuple(map_value(part, rename) for part in item) if type(item) is tuple else map_value(item, rename)  # type: ignore[arg-type]
            for item in value.items
        )
        return Display(value.kind, items)
    return value


def map_arguments(arguments: Arguments, rename: Callable[[Variable], Variable]) -> Arguments:
    """``arguments`` with every variable renamed."""
    positional, keywords, star, double_star = arguments
    return Arguments(
        tuple([rename(variable) for variable in positional]),
        tuple([(name, rename(variable)) for name, variable in keywords]) if keywords else keywords,
        None if star is None else rename(star),
        None if double_star is None else rename(double_star),
    )


def map_used(statement: Statement, rename: Callable[[Variable], Variable]) -> Statement:
    """``statement`` with the variables that it reads renamed; what it defines stays."""
    mapper = _MAP.get(type(statement))
    return statement if mapper is None else mapper(statement, rename)


def with_variable(statement: Statement, variable: Variable) -> Statement:
    """``statement`` defining another variable."""
    return statement._replace(variable=variable)  # type: ignore[call-arg]


def _nothing(_: Statement) -> tuple[Variable, ...]:
    return ()


_USED: dict[type, Callable[..., tuple[Variable, ...]]] = {
    st.Literal: lambda s: tuple(value_refs(s[1])) if type(s[1]) in TREES else (),
    st.Reference: _nothing,
    st.Call: lambda s: argument_refs(s[2]),
    st.MethodCall: lambda s: (s[1], *argument_refs(s[3])),
    st.CallValue: lambda s: (s.function, *argument_refs(s.arguments)),
    st.GetAttribute: lambda s: (s.receiver,),
    st.SetAttribute: lambda s: (s.receiver, s.value),
    st.DeleteAttribute: lambda s: (s.receiver,),
    st.GetItem: lambda s: (s.receiver, s.key),
    st.SetItem: lambda s: (s.receiver, s.key, s.value),
    st.DeleteItem: lambda s: (s.receiver, s.key),
    st.Operation: lambda s: s.operands,
    st.Iterate: lambda s: (s.iterable,),
    st.Enter: lambda s: (s.manager,),
    st.Within: lambda s: (s.manager, *value_refs(s.content), *(() if s.error is None else (s.error,))),
    st.Await: lambda s: (s.awaitable,),
    st.StubCallable: lambda s: tuple(value_refs(s.result)),
    st.StubClass: lambda s: tuple(ref for _, _, value in s.members for ref in value_refs(value)),
    st.Definition: lambda s: tuple(value.variable for _, value in s.names if type(value) is Ref),
    st.FileFixture: _nothing,
    st.Ambient: lambda s: tuple(value_refs(s.content)) if type(s.content) in TREES else (),
    st.RunModule: _nothing,
    Given: _nothing,
    Check: lambda s: (s.variable, *(value_refs(s.expected) if type(s.expected) in TREES else ())),
}

_MAP: dict[type, Callable[..., Statement]] = {
    st.Literal: lambda s, f: st.Literal(s.variable, map_value(s.value, f)),
    st.Call: lambda s, f: st.Call(s.variable, s.callee, map_arguments(s.arguments, f)),
    st.MethodCall: lambda s, f: st.MethodCall(s.variable, f(s.receiver), s.name, map_arguments(s.arguments, f), s.callee),
    st.CallValue: lambda s, f: st.CallValue(s.variable, f(s.function), map_arguments(s.arguments, f), s.callee),
    st.GetAttribute: lambda s, f: st.GetAttribute(s.variable, f(s.receiver), s.name),
    st.SetAttribute: lambda s, f: st.SetAttribute(f(s.receiver), s.name, f(s.value)),
    st.DeleteAttribute: lambda s, f: st.DeleteAttribute(f(s.receiver), s.name),
    st.GetItem: lambda s, f: st.GetItem(s.variable, f(s.receiver), f(s.key)),
    st.SetItem: lambda s, f: st.SetItem(f(s.receiver), f(s.key), f(s.value)),
    st.DeleteItem: lambda s, f: st.DeleteItem(f(s.receiver), f(s.key)),
    st.Operation: lambda s, f: st.Operation(s.variable, s.operator, tuple(f(operand) for operand in s.operands)),
    st.Iterate: lambda s, f: s._replace(iterable=f(s.iterable)),
    st.Enter: lambda s, f: s._replace(manager=f(s.manager)),
    st.Within: lambda s, f: s._replace(
        manager=f(s.manager), error=None if s.error is None else f(s.error), content=map_value(s.content, f)
    ),
    st.Await: lambda s, f: s._replace(awaitable=f(s.awaitable)),
    st.StubCallable: lambda s, f: s._replace(result=map_value(s.result, f)),
    st.StubClass: lambda s, f: s._replace(members=tuple((name, kind, map_value(value, f)) for name, kind, value in s.members)),
    st.Ambient: lambda s, f: s._replace(content=map_value(s.content, f)) if type(s.content) in TREES else s,
    st.Definition: lambda s, f: s._replace(names=tuple((n, Ref(f(v.variable)) if type(v) is Ref else v) for n, v in s.names)),
}
