"""Random tests for a suite: many calls on one object, themes, twins."""

from __future__ import annotations

import abc
import collections.abc
import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from crashwright.core.settings import SearchSettings
from crashwright.engine.execution.executor import Executor
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.module_api import callables_of
from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.subject.source import ModuleSource, Sources
from crashwright.engine.teaching.lesson import SuiteLesson
from crashwright.engine.teaching.suite_values import fill_pool_for_module
from crashwright.engine.teaching.table import teach_suite
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.numeric import mutate_int
from crashwright.engine.testcase.making.values import random_display
from crashwright.engine.testcase.making.variety import PLAIN, SUITE
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import type_of

MODULE = "varied_heap"
SOURCE = """
import abc, functools, re
class Node:
    def __init__(self, weight):
        self.weight = weight
        self.next = None
class Heap:
    def __init__(self): self.first = None
    def push(self, entry):
        entry.next = self.first
        self.first = entry
    def heaviest(self):
        best, entry = None, self.first
        for _ in range(20):
            if entry is None: break
            if best is None or entry.weight > best: best = entry.weight
            entry = entry.next
        return best
class Plug(abc.ABC):
    def __init__(self, volts): self.volts = volts
    @abc.abstractmethod
    def fit(self) -> int: ...
    def test(self, times): return self.fit() + times
@functools.singledispatch
def shown(value): return "?"
@shown.register
def _(value: bytes): return "b"
def parse(text):
    if text == "magic words": return 1
    return re.match(r"v\\d+:x", text)
def other(value): return value == "far away"
def nearly(left, right): return left == right
"""


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ApiModel, Sources]]:
    folder: Path = tmp_path_factory.mktemp("varied")
    (folder / f"{MODULE}.py").write_text(SOURCE)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        __import__(MODULE)
        yield ApiModel(MODULE, [MODULE], MODULE), Sources()


def _factory(parts: tuple[ApiModel, Sources], *names: str) -> Factory:
    api, sources = parts
    factory = Factory(api, SeedPool(varied=True), callables_of(api, MODULE, names), 40, variety=SUITE)
    lesson = SuiteLesson(factory, api, sources, MODULE, random.Random(0))
    teach_suite(lesson, SearchSettings(without_rows=("constants",)))
    return factory


def _tests(factory: Factory, count: int = 300) -> list[TestCase]:
    rng = random.Random(1)
    return [factory.random_test(rng, 2 + number % 8) for number in range(count)]


def test_untyped_parameters_take_the_class_that_has_the_attributes(parts: tuple[ApiModel, Sources]) -> None:
    factory = _factory(parts, "Heap")
    pushed = []
    for test in _tests(factory):
        kinds = {statement[0]: type_of(statement) for statement in test.statements}
        pushed += [
            kinds[statement.arguments.positional[0]]
            for statement in test.statements
            if isinstance(statement, st.MethodCall) and statement.name == "push"
        ]
    assert sum(cls is not None and cls.__name__ == "Node" for cls in pushed) > 0.6 * len(pushed) > 0


def test_containers_are_filled_with_what_can_be_compared(parts: tuple[ApiModel, Sources]) -> None:
    executor = Executor()
    full = 0
    for test in _tests(_factory(parts, "Heap", "Node"), 600):
        calls = [statement for statement in test.statements if isinstance(statement, st.MethodCall) and statement.name == "push"]
        outcome = executor.run(test) if len(calls) > 1 else None
        full += outcome is not None and outcome.error is None
    assert full > 20


def test_abstract_classes_are_reached_through_stubs_with_arguments(parts: tuple[ApiModel, Sources]) -> None:
    executor = Executor()
    rng = random.Random(2)
    factory = _factory(parts, "Plug.test")
    ran = 0
    for _ in range(200):
        statements: list[st.Statement] = []
        factory.call_entry(statements, rng)
        ran += executor.run(TestCase(tuple(statements))).error is None
        assert any(isinstance(statement, st.StubClass) for statement in statements)
    assert ran > 20


def test_registered_classes_are_tried_where_dispatch_is_by_type(parts: tuple[ApiModel, Sources]) -> None:
    (callee,) = callables_of(parts[0], MODULE, ("shown",))
    assert ClassHint(bytes) in getattr(callee.parameters[0].hint, "members", ())


def test_constants_and_patterns_of_a_function_are_seeds_for_it(parts: tuple[ApiModel, Sources]) -> None:
    factory = _factory(parts)
    (parse,) = callables_of(parts[0], MODULE, ("parse",))
    strings = {value for value in factory.pools[parse].strings if isinstance(value, str)}
    assert "magic words" in strings
    assert "far away" not in strings
    assert any(value.startswith("v") and value.endswith(":x") for value in strings)


def test_twins_are_nearly_the_same(parts: tuple[ApiModel, Sources]) -> None:
    factory = _factory(parts, "nearly")
    lengths = []
    for test in _tests(factory):
        texts = [s.value for s in test.statements if isinstance(s, st.Literal) and isinstance(s.value, str) and len(s.value) > 4]
        lengths += [one == other for one, other in itertools.pairwise(texts) if one[:2] == other[:2]]
    assert len(lengths) > 10


def test_a_seed_repeats_the_tests(parts: tuple[ApiModel, Sources]) -> None:
    one, other = (_tests(_factory(parts), 60) for _ in range(2))
    assert [test.statements for test in one] == [test.statements for test in other]


def test_crash_reproduction_keeps_its_plain_tests(parts: tuple[ApiModel, Sources]) -> None:
    factory = Factory(parts[0], SeedPool(), callables_of(parts[0], MODULE), 40)
    assert factory.variety == PLAIN != SUITE
    assert not factory.pools
    assert not factory.pool.varied


def _mixed(pool: SeedPool) -> int:
    """How many of a thousand lists of at least three elements hold those of several types."""
    rng = random.Random(3)
    lists = [random_display(rng, "list", (), pool) for _ in range(1000)]
    return sum(len(made.items) > 2 and len({type(item) for item in made.items}) > 1 for made in lists)


def test_only_pools_for_suites_have_lists_of_one_type_and_far_numbers() -> None:
    plain, varied = SeedPool(), SeedPool(varied=True)
    assert _mixed(varied) < 0.7 * _mixed(plain)
    near = {pool.varied: {mutate_int(random.Random(seed), 10**9, pool) for seed in range(2000)} for pool in (plain, varied)}
    strides = {10**9 + sign * 2**power for power in range(12, 27) for sign in (1, -1)}
    assert len(near[True] & strides) > len(near[False] & strides)


def test_sequences_for_suites_are_mostly_texts(parts: tuple[ApiModel, Sources]) -> None:
    texts = []
    for varied in (False, True):
        factory = Factory(parts[0], SeedPool(varied), callables_of(parts[0], MODULE), 40)
        rng = random.Random(4)
        count = 0
        for _ in range(400):
            made: list[st.Statement] = []
            factory.argument(made, ClassHint(collections.abc.Sequence), rng, legal=True)
            count += isinstance(made[-1], st.Literal) and isinstance(made[-1].value, str)
        texts.append(count / 400)
    assert texts[0] < 0.4 < texts[1]


def test_the_modules_constants_and_patterns_are_seeds(parts: tuple[ApiModel, Sources]) -> None:
    source = parts[1].of_module(MODULE)
    assert isinstance(source, ModuleSource)
    pool = SeedPool()
    fill_pool_for_module(pool, (source.tree,), ({},), random.Random(0))
    assert {"magic words", "far away"} <= {value for value in pool.strings if isinstance(value, str)}


class Abstract(abc.ABC):
    @abc.abstractmethod
    def run(self) -> int: ...


def test_an_instance_of_a_stub_counts_as_its_base() -> None:
    stub = st.StubClass(0, "StubAbstract", (st.Named(__name__, "Abstract", Abstract),), (("run", "method", 1),))
    assert type_of(stub) is Abstract
    assert type_of(stub._replace(instantiate=False)) is type
