"""Which type the variable of a statement has: read off the statement, declared by the callee, or observed in earlier runs."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import cast

from crashwright.engine.subject.callee import Callee, CalleeKind
from crashwright.engine.subject.introspection import is_class, is_sound
from crashwright.engine.subject.types import ClassHint
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.seeds import class_of_value
from crashwright.engine.testcase.statements import Statement

ObservationKey = Callee | str
Observed = Mapping[ObservationKey, type]
NOTHING_OBSERVED: Observed = types.MappingProxyType({})

_CLASS = CalleeKind.CLASS  # members of an enum are looked up slowly
_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not", "not"})


def type_of(statement: Statement, observed: Observed = NOTHING_OBSERVED) -> type | None:
    """The class of the statement's value, as far as it is known."""
    kind = type(statement)
    if kind is st.Literal:
        return class_of_value(statement[1])  # type: ignore[arg-type]
    if kind is st.Call:
        callee: Callee = statement[1]  # type: ignore[assignment]
        if callee.kind is _CLASS and is_class(callee.live):
            return callee.live  # type: ignore[return-value]
        return _result(callee, observed)
    if kind is st.MethodCall:
        if statement.callee is not None:  # type: ignore[union-attr]
            return _result(statement.callee, observed)  # type: ignore[union-attr]
        return observed.get(f"{statement.name}()")  # type: ignore[union-attr]
    if kind is st.GetAttribute:
        return observed.get(statement.name)  # type: ignore[union-attr]
    if kind is st.Reference:
        live = statement.named.live  # type: ignore[union-attr]
        return None if live is None or not is_sound(type(live)) else type(live)
    if kind is st.Operation:
        return _operation(statement)  # type: ignore[arg-type]
    if kind is st.StubClass:
        return _stubbed(statement)  # type: ignore[arg-type]
    if kind is st.Iterate:
        return list if statement.mode == "list" else None  # type: ignore[union-attr]
    return _FIXED.get(kind)


def _result(callee: Callee, observed: Observed) -> type | None:
    if callee.is_generator:
        return types.AsyncGeneratorType if callee.is_async else types.GeneratorType
    if callee.is_async:
        return types.CoroutineType
    seen = observed.get(callee)
    if seen is not None:
        return seen
    returns = callee.returns
    return returns.cls if isinstance(returns, ClassHint) else None


def _stubbed(statement: st.StubClass) -> type | None:
    """An instance of a stub counts as one of the class that it fills in for."""
    if not statement.instantiate:
        return type
    live = statement.bases[0].live if statement.bases else None
    return cast(type, live) if is_class(live) else None


def _operation(statement: st.Operation) -> type | None:
    if statement.operator in _COMPARISONS:
        return bool
    return slice if statement.operator == "slice" else None


_FIXED: dict[type, type] = {
    st.StubCallable: types.FunctionType,
    st.FileFixture: str,
    st.RunModule: types.ModuleType,
}
