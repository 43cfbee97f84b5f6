"""Two examining processes, one after the other: nothing unstable survives, and the assertions that are kept kill mutants."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import examined_wares as wares
import pytest

from crashwright.core.messages import EndReason, Examined, Failed, Finished, Incident, IncidentKind, StartSuite, Task
from crashwright.core.settings import Budget, EngineSettings, SearchSettings
from crashwright.core.suite import ModuleTarget
from crashwright.engine.assertions.assertion import AssertedTest
from crashwright.engine.assertions.codec import decode_asserted
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.testcase.codec import encode
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal, MethodCall, Named, Ref, Statement
from crashwright.engine.testcase.testcase import TestCase
from crashwright.supervision.engine_process import EngineProcess

HERE = Path(__file__).parent
MODULE = "examined_wares"
TOLD = (IncidentKind.KILLED, IncidentKind.RENEWED, IncidentKind.REFUSED)
SESSION = "crashwright.engine.sessions.examination"
API = ApiModel(MODULE, [MODULE])


def call(variable: int, name: str, *arguments: int) -> Statement:
    live = getattr(wares, name)
    callee = API.constructor(live) if isinstance(live, type) else API.callee_of(live)
    assert callee is not None
    return Call(variable, callee, Arguments(arguments))


def method(variable: int, receiver: int, name: str, *arguments: int) -> Statement:
    return MethodCall(variable, receiver, name, Arguments(arguments))


def numbers(*values: float) -> Display:
    return Display("list", values)


TESTS: dict[str, tuple[Statement, ...]] = {
    "words": (Literal(0, "a b c d e f g"), call(1, "words", 0)),
    "token": (call(0, "token"),),
    "pick": (Literal(0, numbers(*range(50))), call(1, "pick", 0)),
    "now": (call(0, "now"),),
    "address": (Literal(0, 1), call(1, "address", 0)),
    "count": (call(0, "count"),),
    "count twice": (call(0, "count"), call(1, "count")),
    "leave": (call(0, "leave"),),
    "linger": (call(0, "linger"),),
    "online": (call(0, "online"),),
    "tidy": (Literal(0, numbers(3, 1, 2)), call(1, "tidy", 0)),
    "tidy four": (Literal(0, numbers(3, 1, 2, 5)), call(1, "tidy", 0)),
    "negative": (Literal(0, -1), call(1, "third", 0), call(2, "third", 1)),
    "third": (Literal(0, 10), call(1, "third", 0)),
    "halves": (Literal(0, numbers(1, 3.0)), call(1, "halves", 0)),
    "shelf": (
        *(Literal(0, 2), Literal(1, 5), call(2, "Shelf", 0), method(3, 2, "put", 1), method(4, 3, "put", 0)),
        method(5, 2, "total"),
    ),
    "full shelf": (Literal(0, 0), call(1, "Shelf", 0), method(2, 1, "put", 0)),
}
NAMES = tuple(TESTS)


def ask(seeds: Sequence[dict[str, Any]], hash_seed: int, task: str, budget: Budget) -> tuple[dict[int, Examined], Finished]:
    """What one process tells of ``seeds`` in the end."""
    settings = EngineSettings(SearchSettings(seed=hash_seed), budget, path=(str(HERE),))
    start = StartSuite(settings, ModuleTarget(MODULE), seeds=tuple(seeds), task=task)
    told: dict[int, Examined] = {}
    with EngineProcess(sys.executable, start, SESSION, {"PYTHONHASHSEED": str(hash_seed)}) as engine:
        for message in engine.messages():
            assert not isinstance(message, Failed), message
            if isinstance(message, Examined):
                told[message.index] = message
            elif isinstance(message, Finished):
                return told, message
            else:
                assert not isinstance(message, Incident) or message.kind in TOLD, message
    raise AssertionError("it ended without a word")


def examined() -> dict[str, tuple[AssertedTest | None, Examined]]:
    """Both processes, by name of the test; those that the first one drops keep its reason."""
    budget = Budget(None, None)
    seeds = [encode(TestCase(statements)) for statements in TESTS.values()]
    observed, _ = ask(seeds, 1, Task.OBSERVE, budget)
    assert sorted(observed) == list(range(len(seeds)))
    kept = [index for index in sorted(observed) if observed[index].asserted is not None]
    selected, finished = ask([observed[index].asserted or {} for index in kept], 2, Task.SELECT, budget)
    assert finished.mutants is not None
    last = {**observed, **{kept[index]: message for index, message in selected.items()}}
    return {
        NAMES[index]: (None if message.asserted is None else decode_asserted(message.asserted), message)
        for index, message in last.items()
    }


@pytest.fixture(scope="module")
def found() -> dict[str, tuple[AssertedTest | None, Examined]]:
    """What both processes tell when nothing hurries them."""
    return examined()


def test_only_what_is_stable_is_asserted(found: dict[str, tuple[AssertedTest | None, Examined]]) -> None:
    told = {
        name: None if test is None else [(one.observed, one.kind, one.expected) for one in test.assertions]
        for name, (test, _) in found.items()
    }

    for name in ("token", "now", "address", "pick", "count", "count twice"):
        checks = told[name]
        assert checks is not None
        assert not [check for check in checks if check[1] in ("equals", "approximately")], name
    assert told["words"] == [((1, ("len",)), "equals", 7), ((1, ()), "isinstance", Named("builtins", "list"))]
    assert told["leave"] is None
    assert "ended the process" in found["leave"][1].reason
    assert told["linger"] is None
    assert "too long" in found["linger"][1].reason
    assert told["online"] is None
    assert "confinement refuses" in found["online"][1].reason

    assert told["tidy"] == [((0, ()), "equals", numbers(1, 2, 3))]
    assert ((0, ()), "equals", numbers(1, 2, 3, 5, 0)) in (told["tidy four"] or ())
    assert told["third"] == [((1, ()), "approximately", 10 / 3)]
    assert told["halves"] == [((1, ()), "approximately", numbers(0.5, 1.5))]
    assert ((5, ()), "equals", 14) in (told["shelf"] or ())

    negative = found["negative"][0]
    assert negative is not None
    assert negative.raised is not None
    assert len(negative.test) == 2
    assert negative.raised.exception == Named("builtins", "ValueError")
    assert negative.raised.message == "negative number -1 in <object object"
    full = found["full shelf"][0]
    assert full is not None
    assert full.raised is not None
    assert full.raised.message == "the shelf is full"


def test_the_choice_is_small_and_kills(found: dict[str, tuple[AssertedTest | None, Examined]]) -> None:
    for name, (test, _) in found.items():
        assert test is None or len(test.assertions) <= 5, name
        assert test is None or test.assertions or test.raised, name
    assert found["tidy four"][1].killed > 0
    assert found["shelf"][1].killed > 0


def test_without_a_limit_of_time_it_repeats_exactly(found: dict[str, tuple[AssertedTest | None, Examined]]) -> None:
    first, again = ({name: message for name, (_, message) in one.items()} for one in (found, examined()))
    assert first == again


def test_without_time_there_is_still_an_answer() -> None:
    seeds = [encode(TestCase(statements)) for name, statements in TESTS.items() if name not in ("leave", "linger")]
    told, finished = ask(seeds, 1, Task.OBSERVE, Budget(0.001, None))
    assert finished.reason is EndReason.BUDGET
    assert all(message.asserted is not None for message in told.values())


def test_bare_tests_can_be_selected_from_at_once() -> None:
    told, _ = ask([encode(TestCase(TESTS["shelf"]))], 1, Task.SELECT, Budget(10.0, None))
    asserted = told[0].asserted
    assert asserted is not None
    expected = [one.expected for one in decode_asserted(asserted).assertions]
    assert 14 in expected
    assert Ref(2) not in expected
