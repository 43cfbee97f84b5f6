"""Probing runs ask what code wants of values without a type; the tests that are built pass real values that answer."""

from __future__ import annotations

import argparse
import collections.abc
import email.message
import linecache
import random
import re
import sys
import types
from collections.abc import Iterator
from typing import Any

import pytest
from no_tracer import NoTracer

from crashwright.core.settings import Budget
from crashwright.engine.execution.executor import Executor
from crashwright.engine.execution.recording import Decided, RecordingSession
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.sources.recording_runs import RecordingNeeds, RecordingRuns
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.subject.api.types import ANY, NONE, ClassHint
from crashwright.engine.testcase.making.demanded import Demanded
from crashwright.engine.testcase.making.demands import Demand, DemandKind
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal
from crashwright.engine.testcase.testcase import TestCase

SOURCE = """
SHARED = []

class Rate:
    def __init__(self):
        self.amount = 3
    @property
    def parts(self):
        return 0

def label(order, rates):
    if order["customer"].get("country") != "FR":
        return None
    if order["carrier"].startswith("express:"):
        rate = rates.lookup(order["carrier"])
        SHARED.append(rate.amount / rate.zone.parts)
"""
RUNS = 40


@pytest.fixture
def label() -> Iterator[tuple[ApiModel, Callee]]:
    module = types.ModuleType("parcels_asked")
    exec(compile(SOURCE, "parcels_asked.py", "exec"), vars(module))
    sys.modules["parcels_asked"] = module
    api = ApiModel("parcels_asked", ["parcels_asked"])
    yield api, next(callee for callee in api.callables if callee.name == "label")
    del sys.modules["parcels_asked"]
    linecache.clearcache()


def built(api: ApiModel, entry: Callee, classes: Any = lambda _names: ()) -> tuple[list[TestCase], BudgetMeter, Executor, Factory]:
    factory = Factory(api, SeedPool(), (entry,))
    executor, meter = Executor(), BudgetMeter(Budget(None, 1000), lambda: 0.0)
    executor.observe(100)
    around = RecordingNeeds(executor, NoTracer(), meter, Quarantine(), lambda _callee, _name: (), classes, {})
    return RecordingRuns(around, factory, (entry,), random.Random(1)).built([], RUNS), meter, executor, factory


def test_a_line_behind_keys_comparisons_and_methods_is_met_at_once(label: tuple[ApiModel, Callee]) -> None:
    tests, meter, executor, _ = built(*label)
    assert all(executor.run(test).error is None for test in tests)
    assert len(vars(sys.modules["parcels_asked"])["SHARED"]) > 3
    assert any("FR" in text and "express:" in text and "lookup=lambda" in text for text in map(_text, tests))
    assert meter.evaluations <= RUNS


def test_no_recording_value_is_left_in_a_test(label: tuple[ApiModel, Callee]) -> None:
    tests, _, executor, factory = built(*label)
    assert tests
    assert not any("Recorded" in _text(test) or "value =" in _text(test) for test in tests)
    assert not any("Recorded" in cls.__name__ for classes in executor.observed.values() for cls in classes)
    assert factory.shaped


def test_values_that_answer_are_given_to_their_parameter_again(label: tuple[ApiModel, Callee]) -> None:
    api, entry = label
    *_, factory = built(api, entry)
    texts = [_text(factory.random_test(random.Random(seed), 1)) for seed in range(30)]
    assert sum("lookup=lambda" in text for text in texts) > 3


def test_the_same_seed_asks_the_same(label: tuple[ApiModel, Callee]) -> None:
    one, other = (built(*label)[0] for _ in range(2))
    assert [_text(test) for test in one] == [_text(test) for test in other]


def test_a_namespace_gets_the_attributes_that_are_read() -> None:
    def ship(args: argparse.Namespace) -> object:
        return args.target.split("/")[2] if args.mode == "express" else None

    hint = ClassHint(argparse.Namespace)
    parameter = Parameter("args", ParameterKind.POSITIONAL_OR_KEYWORD, hint, True, None, True)
    entry = Callee("m", "ship", CalleeKind.FUNCTION, (parameter,), live=ship)
    tests, *_ = built(ApiModel("argparse", ["argparse"]), entry)
    assert 'ship(Namespace(mode="express", target="1/1"))' in {_text(test) for test in tests}


def _text(test: TestCase) -> str:
    return "\n".join(print_test(test).body)


def test_a_list_of_somebodys_own_objects_is_described_and_a_list_of_texts_is_not(label: tuple[ApiModel, Callee]) -> None:
    def first(values: list[object]) -> object:
        return values[0]

    def asked(element: type) -> bool:
        hint = ClassHint(list, (ClassHint(element),))
        parameter = Parameter("values", ParameterKind.POSITIONAL_OR_KEYWORD, hint, True, None, True)
        entry = Callee("m", "first", CalleeKind.FUNCTION, (parameter,), live=first)
        return bool(built(label[0], entry)[1].evaluations)

    assert asked(str)
    assert not asked(vars(sys.modules["parcels_asked"])["Rate"])


async def ship_all(receive: Any, report: Any, scope: dict[str, Any]) -> object:
    """Takes what comes one after the other."""
    assert scope["kind"] in ("parcel", "letter")
    if scope["kind"] != "letter":
        return None
    first = await receive()
    if first["step"] != "begin":
        return None
    await report("begun")
    second = await receive()
    if second["step"] not in {"weigh", "send"}:
        return None
    return 1 / len(second["step"]) + second.get("weight", 0)


Receive = ClassHint(
    collections.abc.Callable,  # type: ignore[arg-type]
    (ClassHint(collections.abc.Awaitable, (ClassHint(collections.abc.MutableMapping, (ClassHint(str), ANY)),)),),
)
Report = ClassHint(collections.abc.Callable, (ANY, ClassHint(collections.abc.Awaitable, (NONE,))))  # type: ignore[arg-type]
BY_POSITION = ParameterKind.POSITIONAL_OR_KEYWORD


def test_what_an_asynchronous_function_gives_is_asked_one_after_the_other() -> None:
    parameters = (
        Parameter("receive", BY_POSITION, Receive, True, None, True),
        Parameter("report", BY_POSITION, Report, True, None, True),
        Parameter("scope", BY_POSITION, ClassHint(dict), True, None, True),
    )
    entry = Callee("m", "ship_all", CalleeKind.FUNCTION, parameters, live=ship_all, is_async=True)
    tests, *_ = built(ApiModel("argparse", ["argparse"]), entry)
    texts = "\n".join(_text(test) for test in tests)
    assert '{"step": "begin"}, {"step": "send", "weight": ' in texts
    assert '{"step": "begin"}, {"step": "weigh", "weight": ' in texts
    assert "return None" in texts
    assert '{"kind": "letter"}' in texts


def test_what_is_awaited_without_a_type_is_a_function_of_that_kind() -> None:
    async def ship(queue: Any) -> object:
        return (await queue.following())["step"] == "send" and (await queue.following())["step"] == "end"

    parameter = Parameter("queue", BY_POSITION)
    entry = Callee("m", "ship", CalleeKind.FUNCTION, (parameter,), live=ship, is_async=True)
    tests, *_ = built(ApiModel("argparse", ["argparse"]), entry)
    assert any('[{"step": "send"}, {"step": "end"}]' in _text(test) and "following=function" in _text(test) for test in tests)


def test_two_arguments_that_are_the_same_variable_get_values_of_their_own() -> None:
    def ship(one: Any, other: Any) -> object:
        return one["left"], other["right"]

    entry = Callee("m", "ship", CalleeKind.FUNCTION, (Parameter("one", BY_POSITION), Parameter("other", BY_POSITION)), live=ship)
    factory = Factory(ApiModel("argparse", ["argparse"]), SeedPool(), (entry,))
    executor, meter = Executor(), BudgetMeter(Budget(None, 1000), lambda: 0.0)
    around = RecordingNeeds(executor, NoTracer(), meter, Quarantine(), lambda _callee, _name: (), lambda _names: (), {})
    shared = TestCase((Literal(0, 1), Call(1, entry, Arguments((0,), (("other", 0),)))))
    tests = RecordingRuns(around, factory, (entry,), random.Random(1)).built([shared], RUNS, only=True)
    assert any(re.fullmatch(r'ship\(\{"left": \S+\}, other=\{"right": \S+\}\)', _text(test)) for test in tests)


def test_now_and_then_an_item_is_none() -> None:
    demand = Demand("parcels", 0, DemandKind.LIST)
    demand.item(0).key("weight")
    demand.item(0).kind = DemandKind.MAPPING
    factory = Factory(ApiModel("argparse", ["argparse"]), SeedPool(), ())
    makers = [Demanded(factory, factory.names, lambda _names: (), random.Random(seed), is_full=False) for seed in range(40)]
    lists = [maker.part(demand)[-1] for maker in makers]
    without = [one for one in lists if isinstance(one, Literal) and one.value == Display("list", (None,))]
    assert 0 < len(without) < 10
    full = Demanded(factory, factory.names, lambda _names: (), random.Random(1), is_full=True).part(demand)[-1]
    assert "weight" in str(full)


def test_special_methods_of_an_object_with_a_class_are_asked_for_as_others_are() -> None:
    demand = Demand("message", 0, DemandKind.OBJECT, email.message.Message)
    session = RecordingSession()
    message = session.value(demand)
    with pytest.raises(Decided):
        assert message["Subject"].strip() == "text"
    assert list(demand.attributes) == ["__getitem__"]
    assert demand.attributes["__getitem__"].kind is DemandKind.CALLABLE
    assert demand.kind is DemandKind.OBJECT
    with pytest.raises(TypeError, match="__enter__"), message:
        pass


def test_what_made_an_argument_goes_with_it(label: tuple[ApiModel, Callee]) -> None:
    api, entry = label
    factory, executor = Factory(api, SeedPool(), (entry,)), Executor()
    text, order, rates, result = (factory.new() for _ in range(4))
    made = Call(order, Callee("builtins", "dict", CalleeKind.CLASS, live=dict), Arguments((text,)))
    asked = Call(result, entry, Arguments((order, rates)))
    test = TestCase((Literal(text, "not a mapping"), made, Literal(rates, None), asked))
    meter = BudgetMeter(Budget(None, 1000), lambda: 0.0)
    around = RecordingNeeds(executor, NoTracer(), meter, Quarantine(), lambda _callee, _name: (), lambda _names: (), {})
    tests = RecordingRuns(around, factory, (entry,), random.Random(1)).built([test], RUNS, only=True)
    assert any(executor.run(one).error is None for one in tests), "the call that was replaced would raise"


class Forgetting(RecordingRuns):
    teaches = False


def test_values_may_be_for_these_tests_alone(label: tuple[ApiModel, Callee]) -> None:
    api, entry = label
    factory = Factory(api, SeedPool(), (entry,))
    meter = BudgetMeter(Budget(None, 1000), lambda: 0.0)
    around = RecordingNeeds(Executor(), NoTracer(), meter, Quarantine(), lambda _callee, _name: (), lambda _names: (), {})
    assert Forgetting(around, factory, (entry,), random.Random(1)).built([], RUNS)
    assert not factory.shaped
