"""Tests with assertions as JSON values and back, as ``testcase.codec`` does for tests: decodable without live objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from crashwright.engine.assertions.assertion import AssertedTest, Assertion, Observed, Raised
from crashwright.engine.testcase.codec import Resolver, decode, decode_value, encode, encode_value, undecodable
from crashwright.engine.testcase.statements import Display, Expected, Made, Named

# JSON has no static type; everything that leaves this module does.
Json = Any

KINDS = frozenset({"equals", "approximately", "is", "isinstance", "nan"})


def encode_asserted(asserted: AssertedTest) -> dict[str, Json]:
    """``asserted`` as lists, dicts and scalars."""
    raised = asserted.raised
    return {
        "test": encode(asserted.test),
        "assertions": [encode_assertion(assertion) for assertion in asserted.assertions],
        "raised": None if raised is None else [list(raised.exception[:2]), raised.message],
    }


def decode_asserted(data: Mapping[str, Json], resolver: Resolver | None = None) -> AssertedTest:
    """The inverse of :func:`encode_asserted`. Raises Undecodable as :func:`codec.decode` does."""
    with undecodable():
        raised = data["raised"]
        return AssertedTest(
            decode(data["test"], resolver),
            tuple([decode_assertion(item, resolver) for item in data["assertions"]]),
            None if raised is None else Raised(_named(raised[0], resolver), raised[1]),
        )


def is_asserted(data: Mapping[str, Json]) -> bool:
    """Whether ``data`` encodes a test with assertions, and not a bare test."""
    return "assertions" in data


def encode_assertion(assertion: Assertion) -> list[Json]:
    """``assertion`` as a list."""
    after, (variable, path), kind, expected = assertion
    return [after, variable, list(path), kind, _encode_expected(expected)]


def decode_assertion(data: list[Json], resolver: Resolver | None = None) -> Assertion:
    """The inverse of :func:`encode_assertion`."""
    after, variable, path, kind, expected = data
    if kind not in KINDS:
        raise ValueError(f"no kind of assertion: {kind!r}")
    return Assertion(after, Observed(variable, tuple(path)), kind, _decode_expected(expected, resolver))


def _encode_expected(expected: Expected) -> Json:
    if isinstance(expected, Named):
        return {"named": list(expected[:2])}
    if isinstance(expected, Made):
        made = [_encode_expected(cast(Expected, part)) for part in expected.positional]
        return {"made": list(expected.named[:2]), "with": made, "by": _encode_pairs(expected.keywords)}
    if isinstance(expected, Display):
        items = (
            _encode_pairs(expected.items)
            if expected.kind == "dict"
            else [_encode_expected(cast(Expected, one)) for one in expected.items]
        )
        return {"display": expected.kind, "items": items}
    return encode_value(expected)


def _encode_pairs(pairs: Iterable[object]) -> list[Json]:
    return [[_encode_expected(part) for part in cast("tuple[Expected, Expected]", pair)] for pair in pairs]


def _decode_expected(data: Json, resolver: Resolver | None) -> Expected:
    if not isinstance(data, dict):
        return decode_value(data)
    if "named" in data:
        return _named(data["named"], resolver)
    if "made" in data:
        made = tuple([_decode_expected(item, resolver) for item in data["with"]])
        keywords = tuple([(name, _decode_expected(item, resolver)) for name, item in data["by"]])
        return Made(_named(data["made"], resolver), made, keywords)
    if "display" in data:
        pairs = data["display"] == "dict"
        items = [
            tuple([_decode_expected(one, resolver) for one in item]) if pairs else _decode_expected(item, resolver)
            for item in data["items"]
        ]
        return Display(data["display"], tuple(items))
    return decode_value(data)


def _named(data: list[str], resolver: Resolver | None) -> Named:
    found = None if resolver is None else resolver.named(*data)
    return Named(*data) if found is None else found
