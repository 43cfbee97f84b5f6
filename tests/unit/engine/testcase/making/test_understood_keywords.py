from __future__ import annotations

import random

from dummy_api import DummyApi, parameter

from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.keywords import Understood
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Call

GIFT = Parameter("gift", ParameterKind.KEYWORD_ONLY, ClassHint(bool), required=False)
SIZE = Parameter("size", ParameterKind.KEYWORD_ONLY, ClassHint(int), required=False)
REST = parameter("details", kind=ParameterKind.VAR_KEYWORD)


def enter(**details: object) -> None: ...


ENTER = Callee("shop", "enter", CalleeKind.FUNCTION, (REST,), live=enter)


def test_calls_give_some_of_what_is_understood() -> None:
    factory = Factory(DummyApi(), SeedPool(), (ENTER,))
    factory.understood.add(ENTER, [GIFT, SIZE])
    given: list[tuple[str, ...]] = []
    for seed in range(60):
        statements = factory.random_test(random.Random(seed), 1).statements
        given += [tuple(name for name, _ in one.arguments.keywords) for one in statements if isinstance(one, Call)]
    assert set(given) == {(), ("gift",), ("size",), ("gift", "size")}


def test_unknown_callables_get_none() -> None:
    assert Understood().draw(ENTER, REST, [], random.Random(0)) == []


def test_a_token_is_given_now_and_then_where_it_can_be_a_keyword() -> None:
    def drawn(token: str) -> list[list[tuple[str, Parameter]]]:
        return [Understood().draw(ENTER, REST, [token], random.Random(seed)) for seed in range(60)]

    assert all(one == [] for token in ("class", "no name") for one in drawn(token))
    assert [("colour", REST)] in drawn("colour")


def test_what_is_known_of_a_keyword_takes_the_place_of_the_rest() -> None:
    understood = Understood()
    understood.add(ENTER, [GIFT])
    assert understood.of(ENTER, "gift", REST) is GIFT
    assert understood.of(ENTER, "other", REST) is REST
    plain = parameter("gift")
    assert understood.of(ENTER, "gift", plain) is plain
