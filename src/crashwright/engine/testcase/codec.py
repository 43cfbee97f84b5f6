"""Tests as JSON values and back: callees by address, floats, bytes and complex numbers without loss.

Without a resolver the decoded test has no live objects: enough to print it, not to run it.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol, cast

from crashwright.core.codec import Undecodable
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Arguments, Display, Named, Ref, Statement, Value, one_nan
from crashwright.engine.testcase.testcase import TestCase

# JSON has no static type; everything that leaves this module does.
Json = Any


class Resolver(Protocol):
    """Finds live objects by address; None for those that are not known (any more)."""

    def callee(self, module: str, qualname: str, kind: CalleeKind) -> Callee | None: ...
    def named(self, module: str, qualname: str) -> Named | None: ...


def encode(test: TestCase) -> dict[str, Json]:
    """``test`` as lists, dicts and scalars."""
    callees: dict[Callee, int] = {}
    statements = [_encode_statement(statement, callees) for statement in test.statements]
    return {"callees": [_encode_callee(callee) for callee in callees], "statements": statements}


def decode(data: Mapping[str, Json], resolver: Resolver | None = None) -> TestCase:
    """The inverse of :func:`encode`. Raises Undecodable on other data, and where ``resolver`` refuses a name."""
    with undecodable():
        callees = [_decode_callee(item, resolver) for item in data["callees"]]
        return TestCase(tuple([_decode_statement(item, callees, resolver) for item in data["statements"]]))


@contextmanager
def undecodable() -> Iterator[None]:
    """Whatever is wrong with the data inside is one error."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, ImportError) as error:
        raise Undecodable(str(error)) from error


def _encode_callee(callee: Callee) -> dict[str, Json]:
    return {
        "module": callee.module,
        "qualname": callee.qualname,
        "kind": callee.kind.value,
        "parameters": [[parameter.name, int(parameter.kind), parameter.required] for parameter in callee.parameters],
        "async": callee.is_async,
        "generator": callee.is_generator,
    }


def _decode_callee(data: Mapping[str, Json], resolver: Resolver | None) -> Callee:
    kind = CalleeKind(data["kind"])
    found = None if resolver is None else resolver.callee(data["module"], data["qualname"], kind)
    if found is not None:
        return found
    parameters = tuple(
        [Parameter(name, ParameterKind(parameter_kind), required=required) for name, parameter_kind, required in data["parameters"]]
    )
    return Callee(data["module"], data["qualname"], kind, parameters, is_async=data["async"], is_generator=data["generator"])


def _encode_statement(statement: Statement, callees: dict[Callee, int]) -> list[Json]:
    fields: list[Json] = []
    for name, value in zip(statement._fields, statement, strict=True):
        if isinstance(value, Callee):
            fields.append(callees.setdefault(value, len(callees)))
        elif name in _ENCODERS and value is not None:
            fields.append(_ENCODERS[name](value))
        elif name in _VALUES:
            fields.append(encode_value(cast(Value, value)))
        else:
            fields.append(value)
    return [type(statement).__name__, *fields]


def _decode_statement(data: list[Json], callees: list[Callee], resolver: Resolver | None) -> Statement:
    kind = _KINDS.get(data[0])
    if kind is None:
        raise Undecodable(f"no kind of statement: {data[0]!r}")
    fields: list[Json] = []
    for name, value in zip(kind._fields, data[1:], strict=True):  # type: ignore[attr-defined]
        if name == "callee":
            fields.append(None if value is None else callees[value])
        elif name == "named":
            fields.append(_decode_named(value, resolver))
        elif name == "bases":
            fields.append(tuple([_decode_named(item, resolver) for item in value]))
        elif name == "names":
            fields.append(tuple([(one, _decode_bound(item, resolver)) for one, item in value]))
        elif name in _DECODERS and value is not None:
            fields.append(_DECODERS[name](value))
        elif name in _VALUES and not (name == "value" and kind in (st.SetAttribute, st.SetItem)):
            fields.append(decode_value(value))
        else:
            fields.append(value)
    return cast(Statement, kind(*fields))


def encode_value(value: Value) -> Json:
    """A literal tree: JSON scalars as they are, the rest as an object with one telling key."""
    if isinstance(value, Ref):
        return {"ref": value.variable}
    if isinstance(value, Display):
        items = [[encode_value(part) for part in item] if type(item) is tuple else encode_value(item) for item in value.items]  # type: ignore[arg-type]
        return {"display": value.kind, "items": items}
    if isinstance(value, bytes):
        return {"bytes": base64.b64encode(value).decode("ascii")}
    if isinstance(value, complex):
        return {"complex": [encode_value(value.real), encode_value(value.imag)]}
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(value)}
    if isinstance(value, int) and abs(value) >= 1 << 53:
        return {"int": hex(value)}  # exact in every JSON reader, and free of the limit on decimal digits
    return value


def decode_value(data: Json) -> Value:
    """The inverse of :func:`encode_value`."""
    if not isinstance(data, dict):
        return cast(Value, data)
    if "ref" in data:
        return Ref(data["ref"])
    if "display" in data:
        pairs = data["display"] == "dict"
        items = [tuple([decode_value(part) for part in item]) if pairs else decode_value(item) for item in data["items"]]
        return Display(data["display"], tuple(items))
    if "bytes" in data:
        return base64.b64decode(data["bytes"])
    if "complex" in data:
        real, imaginary = data["complex"]
        return complex(cast(float, decode_value(real)), cast(float, decode_value(imaginary)))
    return one_nan(float(data["float"])) if "float" in data else int(data["int"], 16)


def _encode_named(named: Named) -> list[str]:
    return [named.module, named.qualname]


def _decode_named(data: list[str], resolver: Resolver | None) -> Named:
    found = None if resolver is None else resolver.named(*data)
    return Named(*data) if found is None else found


def _decode_bound(data: Json, resolver: Resolver | None) -> Named | Ref:
    return Ref(data["ref"]) if isinstance(data, dict) else _decode_named(data, resolver)


def _decode_arguments(data: list[Json]) -> Arguments:
    positional, keywords, star, double_star = data
    return Arguments(tuple(positional), tuple([(name, variable) for name, variable in keywords]), star, double_star)


def _encode_members(members: tuple[tuple[str, str, Value], ...]) -> list[Json]:
    return [[name, kind, encode_value(value)] for name, kind, value in members]


def _decode_members(data: list[Json]) -> tuple[tuple[str, str, Value], ...]:
    return tuple([(name, kind, decode_value(value)) for name, kind, value in data])


_VALUES = frozenset({"value", "result", "content"})
_ENCODERS: dict[str, Callable[[Any], Json]] = {
    "named": _encode_named,
    "arguments": lambda arguments: [list(arguments.positional), [list(pair) for pair in arguments.keywords], *arguments[2:]],
    "bases": lambda bases: [_encode_named(base) for base in bases],
    "members": _encode_members,
    "names": lambda names: [[one, {"ref": bound.variable} if isinstance(bound, Ref) else [*bound[:2]]] for one, bound in names],
    "operands": list,
}
_DECODERS: dict[str, Callable[[Json], object]] = {"arguments": _decode_arguments, "members": _decode_members, "operands": tuple}
_KINDS: dict[str, type] = {kind.__name__: kind for kind in st.Statement.__args__}
