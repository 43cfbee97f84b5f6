"""What comes behind a crash is made to work: the cause is taken away, what then ends otherwise is mended, the cause put back in."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable
from typing import Any, cast

from crashwright.engine.passes.past_the_crash import RUNS, PastTheCrash
from crashwright.engine.search.after_crash import Seen
from crashwright.engine.search.behaviour import COMPLETED, RunEnding
from crashwright.engine.search.complaints import Complaint
from crashwright.engine.sources.corresponding_parts import CorrespondingParts
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal, Value, Variable
from crashwright.engine.testcase.testcase import TestCase

LINES = {"crash": 1, "behind": 2, "last": 3}


def takes(one: object, other: object = None) -> None:
    """What the tests call."""


API = ApiModel(__name__, [__name__])
TAKES = next(one for one in API.callables if one.live is takes)


def calling(*values: Value) -> TestCase:
    given = tuple(Literal(place, value) for place, value in enumerate(values))
    return TestCase((*given, Call(9, TAKES, Arguments(tuple(one.variable for one in given)))))


def values_of(test: TestCase) -> list[Any]:
    def plain(value: object) -> object:
        if isinstance(value, Display):
            items = [(key, plain(one)) for key, one in cast(Any, value.items)] if value.kind == "dict" else map(plain, value.items)
            return dict(cast(Any, items)) if value.kind == "dict" else list(items)
        return value

    held = {one.variable: plain(one.value) for one in test.statements if isinstance(one, Literal)}
    call = test.statements[-1]
    assert isinstance(call, Call)
    return [held[variable] for variable in call.arguments.positional]


class World:
    """Runs ``program`` with the arguments of the call; lines are those of ``LINES``, by the name that an exception has first."""

    def __init__(self, program: Callable[..., object]) -> None:
        self.program = program
        self.runs = 0

    def see(self, test: TestCase) -> Seen:
        self.runs += 1
        try:
            self.program(*values_of(test))
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            place, named = (str(one) for one in (*error.args, "", "")[:2])
            line = LINES.get(place, 3)
            names = (named,) if isinstance(error, KeyError) else ()
            complaint = Complaint(test, names, len(test.statements) - 1, 1.0, (type(error).__name__, 0, line, 1))
            return Seen(RunEnding(type(error).__name__, "f", line), line > 1, (("f", line),), complaint if names else None)
        return Seen(COMPLETED, True)

    def is_crash(self, test: TestCase) -> bool:
        return self.see(test).ending.line == LINES["crash"]

    def mended(
        self, test: TestCase, kept: frozenset[Variable] = frozenset(), goes_on: Callable[[], bool] = lambda: True
    ) -> TestCase:
        factory = Factory(API, SeedPool(), (TAKES,), fresh=itertools.count(100))
        parts = CorrespondingParts(factory, kept, random.Random(1))
        return PastTheCrash(factory, kept, random.Random(2), parts.tests).made_of(test, self.is_crash, self.see, goes_on)


def order(number: int, size: int) -> float:
    if number == 0:
        raise ValueError("crash")
    if type(size) is not int:
        raise TypeError("behind")
    return size / number


def test_another_argument_becomes_what_is_used_behind_the_crash() -> None:
    found = values_of(World(order).mended(calling(0, "top")))
    assert found[0] == 0
    assert type(found[1]) is int


def test_a_test_that_goes_on_is_left_as_it_is() -> None:
    test = calling(0, 7)
    assert World(order).mended(test) is test


def customer(payload: dict[str, Any]) -> object:
    if payload.get("customer") is None:
        raise TypeError("crash")
    if "id" not in payload["customer"]:
        raise KeyError("behind", "id")
    if "amount" not in payload:
        raise KeyError("last", "amount")
    return payload["amount"] + 1


def test_keys_that_are_read_later_are_there_and_the_cause_is_back() -> None:
    start = calling(Display("dict", (("customer", None),)))
    found = values_of(World(customer).mended(start))[0]
    assert found["customer"] is None
    assert type(found["amount"]) in (int, bool)


def test_texts_that_are_documents_are_mended_as_what_they_say() -> None:
    found = values_of(World(lambda text: customer(json.loads(text))).mended(calling('{"customer": null}')))[0]
    assert json.loads(found)["customer"] is None
    assert "amount" in json.loads(found)


def test_what_the_report_shows_stays() -> None:
    test = calling(0, "top")
    assert World(order).mended(test, kept=frozenset({1})) is test


def test_it_comes_to_an_end() -> None:
    def never(number: int, size: object) -> None:
        raise ValueError("crash") if number == 0 else TypeError("behind")

    world = World(never)
    test = calling(0, Display("list", tuple(range(8))))
    assert world.mended(test) is test
    assert world.runs <= 2 * RUNS + 2
    late = World(never)
    assert late.mended(test, goes_on=lambda: False) is test
    assert late.runs == 1
