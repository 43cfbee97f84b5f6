from __future__ import annotations

import json
import random

import pytest

from crashwright.core.codec import Undecodable
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.codec import decode, encode
from crashwright.engine.testcase.echoing.echo import as_value
from crashwright.engine.testcase.making.numeric import mutate_float
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal, Named, Ref, Reference
from crashwright.engine.testcase.testcase import TestCase

LOADS = Callee(
    "json",
    "loads",
    CalleeKind.FUNCTION,
    (Parameter("s", ParameterKind.POSITIONAL_OR_KEYWORD), Parameter("kw", ParameterKind.VAR_KEYWORD, required=False)),
    live=json.loads,
    is_generator=True,
)
TEST = TestCase(
    (
        Literal(0, Display("dict", ((1.5, b"\xff"), ("nan", float("nan")), (2**80, complex(1, float("inf")))))),
        Reference(1, Named("json", "loads", json.loads)),
        Call(2, LOADS, Arguments((0,), (("kw", 1),), 0, None)),
        st.MethodCall(3, 2, "m", Arguments(), LOADS),
        st.MethodCall(4, 2, "m", Arguments((3,)), None),
        st.CallValue(5, 1, Arguments((), (), None, 0)),
        st.SetAttribute(5, "a", 0),
        st.SetItem(5, 0, 1),
        st.Operation(6, "slice", (0, 1, 2)),
        st.StubCallable(7, "x", Display("list", (Ref(0),)), None),
        st.StubClass(8, "S", (Named("json", "JSONDecoder"),), (("a", "method", b"x"),), False),
        st.FileFixture(9, "f", b"\x00"),
        st.FileFixture(10, "g", "text"),
        st.Iterate(11, 5, "list", 50),
        st.Enter(12, 5, True),
        st.Await(13, 5, "list"),
        st.Within(19, 5),
        st.Within(20, 5, 1, True),
        st.RunModule(14, "m", None),
        st.GetItem(15, 5, 0),
        st.DeleteItem(5, 0),
        st.DeleteAttribute(5, "a"),
        st.GetAttribute(16, 5, "b"),
        st.Definition(17, "class A(loads):\n    x = kept", (("loads", Named("json", "loads", json.loads)), ("kept", Ref(16)))),
        st.CallValue(18, 17, Arguments(), LOADS),
    )
)


class Resolver:
    def callee(self, module, qualname, kind):
        return LOADS if (module, qualname, kind) == ("json", "loads", CalleeKind.FUNCTION) else None

    def named(self, module, qualname):
        return Named(module, qualname, json.loads) if qualname == "loads" else None


def through_json(test: TestCase, resolver=None) -> TestCase:
    return decode(json.loads(json.dumps(encode(test), allow_nan=False)), resolver)


def test_a_resolver_gives_live_objects_back():
    decoded = through_json(TEST, Resolver())
    assert repr(decoded.statements) == repr(TEST.statements)
    assert decoded.statements[2].callee is LOADS
    assert decoded.statements[1].named.live is json.loads


def test_without_one_addresses_and_signatures_remain():
    decoded = through_json(TEST)
    callee = decoded.statements[2].callee
    assert callee.address == "json:loads"
    assert callee.live is None
    assert callee.is_generator
    assert [(p.name, p.kind, p.required) for p in callee.parameters] == [(p.name, p.kind, p.required) for p in LOADS.parameters]
    assert decoded.statements[3].callee is callee
    assert decoded.statements[1].named.live is None
    assert encode(decoded) == encode(TEST)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"callees": 1, "statements": []},
        {"callees": [], "statements": [1]},
        {"callees": [], "statements": [["Nothing"]]},
        {"callees": [], "statements": [["Literal", 1]]},
        {"callees": [], "statements": [["Call", 1, 0, [[], [], None, None]]]},
    ],
)
def test_other_data_is_refused(data):
    with pytest.raises(Undecodable):
        decode(data)


def test_an_unknown_kind_of_statement_is_named():
    with pytest.raises(Undecodable, match="no kind of statement: 'Nothing'"):
        decode({"callees": [], "statements": [["Nothing"]]})


def test_test_with_nan_has_the_same_key_after_a_checkpoint() -> None:
    for value in (as_value(float("nan")), mutated_to_nan()):
        test = TestCase((st.Literal(0, value), st.Literal(1, st.Display("list", (value,)))))
        assert decode(encode(test)).key() == test.key()


def mutated_to_nan() -> st.Value:
    rng, pool = random.Random(1), SeedPool()
    return next(value for _ in range(1000) if (value := mutate_float(rng, float("nan"), pool)) != value)
