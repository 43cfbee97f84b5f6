"""Which type the variable of a statement has: read off the statement, declared by the callee, or observed in earlier runs."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping

from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.subject.introspection import class_module, is_class, is_sound
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.definitions.source import is_class_source
from crashwright.engine.testcase.seeds import class_of_value
from crashwright.engine.testcase.statements import Statement

ObservationKey = Callee | str
Observed = Mapping[ObservationKey, type]
NOTHING_OBSERVED: Observed = types.MappingProxyType({})

_CLASS = CalleeKind.CLASS  # members of an enum are looked up slowly
_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not", "not"})


def type_of(statement: Statement, observed: Observed = NOTHING_OBSERVED) -> type | None:
    """The class of the statement's value, as far as it is known."""
    known = _TYPES.get(type(statement))
    return None if known is None else known(statement, observed)


def is_shared(statement: Statement) -> bool:
    """Whether it refers to an object of a library's class that a module holds, such as an application: what is set there stays, for
    all tests."""
    if type(statement) is not st.Reference or statement.named.live is None:
        return False
    home = class_module(type(statement.named.live)).partition(".")[0]
    return home not in ("builtins", statement.named.module.partition(".")[0])


def _called(statement: st.Call, observed: Observed) -> type | None:
    callee = statement[1]
    if callee.kind is _CLASS and is_class(callee.live):
        return callee.live
    return _result(callee, observed)


def _method(statement: st.MethodCall, observed: Observed) -> type | None:
    callee = statement.callee
    return observed.get(f"{statement.name}()") if callee is None else _result(callee, observed)


def _referred(statement: st.Reference, _: Observed) -> type | None:
    live = statement.named.live
    return None if live is None or not is_sound(type(live)) else type(live)


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


def _stubbed(statement: st.StubClass, _: Observed) -> type | None:
    """An instance of a stub counts as one of the class that it fills in for."""
    if not statement.instantiate:
        return type
    live = statement.bases[0].live if statement.bases else None
    return live if is_class(live) else None


def _constructed(statement: st.CallValue, observed: Observed) -> type | None:
    """An instance of a class that the test defines counts as one of the class that it derives from."""
    callee = statement.callee
    if callee is None:
        return None
    return callee.live if callee.kind is _CLASS and is_class(callee.live) else _result(callee, observed)


def _operation(statement: st.Operation, _: Observed) -> type | None:
    if statement.operator in _COMPARISONS:
        return bool
    return slice if statement.operator == "slice" else None


_TYPES: dict[type, Callable[..., type | None]] = {
    st.Literal: lambda statement, _: class_of_value(statement[1]),
    st.Call: _called,
    st.MethodCall: _method,
    st.GetAttribute: lambda statement, observed: observed.get(statement.name),
    st.Reference: _referred,
    st.Operation: _operation,
    st.StubClass: _stubbed,
    st.CallValue: _constructed,
    st.Definition: lambda statement, _: type if is_class_source(statement.source) else types.FunctionType,
    st.Iterate: lambda statement, _: list if statement.mode == "list" else None,
    st.StubCallable: lambda *_: types.FunctionType,
    st.FileFixture: lambda *_: str,
    st.RunModule: lambda *_: types.ModuleType,
}
