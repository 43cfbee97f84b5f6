"""Any test that the factory and the edits make is valid, prints as code that compiles, and does the same printed as interpreted."""

from __future__ import annotations

import asyncio
import json
import pathlib
import random
import sys
import tempfile
import warnings

import pytest
import toy_shop
from hypothesis import assume, example, given, settings
from hypothesis import strategies as hs

from crashwright.engine.execution.executor import Executor
from crashwright.engine.execution.handlers import build
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.types import ANY, VARIADIC, ClassHint, UnionHint
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.codec import decode, decode_value, encode, encode_value
from crashwright.engine.testcase.editing import edits
from crashwright.engine.testcase.editing.minimise import minimise
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.values import SCALARS, mutate_value, random_value
from crashwright.engine.testcase.printing.literals import quoted, value_doc
from crashwright.engine.testcase.printing.printing import PrintedTest, print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Display, Literal
from crashwright.engine.testcase.testcase import TestCase

seeds = hs.integers(0, 2**32)
pytestmark = pytest.mark.filterwarnings("ignore:coroutine .* was never awaited:RuntimeWarning")


@pytest.fixture(scope="module")
def factory() -> Factory:
    api = ApiModel("toy_shop", ["toy_shop"])
    pool = SeedPool()
    for token in ("bolt", "nut", "(", "0", "a b\nc"):
        pool.add(token)
    entry = (*tuple(api.callee_of(f) for f in (toy_shop.stock, toy_shop.count)), api.member(toy_shop.Shelf, "take"))
    return Factory(api, pool, entry)


def evolved(factory: Factory, seed: int, steps: int = 6) -> TestCase:
    rng = random.Random(seed)
    test, other = (factory.random_test(rng, 1 + int(rng.random() * 10)) for _ in range(2))
    for _ in range(int(rng.random() * steps)):
        if rng.random() < 0.3:
            test, other = edits.crossover(test, other, factory, rng)
        test = edits.mutate(test, factory, rng)
    return test


@given(seed=seeds)
@settings(max_examples=150, deadline=None)
def test_a_random_test_is_valid_and_calls_an_entry(factory, seed):
    test = factory.random_test(random.Random(seed), 1 + seed % 12)
    assert test.is_valid()
    assert edits.has_entry(test, factory.entry_set)


@given(seed=seeds)
@settings(max_examples=300, deadline=None)
def test_every_edit_keeps_definition_before_use(factory, seed):
    rng = random.Random(seed)
    test, other = evolved(factory, seed), evolved(factory, seed + 1)
    assume(len(test) > 0)
    index = int(rng.random() * len(test))
    results = [
        edits.delete(test, index, rng, factory.observed),
        edits.change(test, index, factory, rng),
        edits.insert(test, index, factory, rng),
        edits.mutate(test, factory, rng),
        edits.truncate(test, index),
        edits.chop(test, index),
        edits.prune(test),
        *edits.crossover(test, other, factory, rng),
    ]
    for result in results:
        assert result.is_valid(), (test.statements, result.statements)
    assert len(results[2]) <= factory.max_length
    assert max(map(len, results[-2:])) <= factory.max_length


@given(seed=seeds)
@settings(max_examples=150, deadline=None)
def test_the_decoded_test_prints_the_same(factory, seed):
    test = evolved(factory, seed)
    decoded = decode(json.loads(json.dumps(encode(test))))
    assert decoded.is_valid()
    assert print_test(decoded) == print_test(test)


@given(seed=seeds)
@settings(max_examples=300, deadline=None, derandomize=True)  # random tests may ask for any amount of memory
def test_printed_and_interpreted_tests_do_the_same(factory, seed):
    test = evolved(factory, seed)
    with tempfile.TemporaryDirectory() as folder:
        interpreted = run(lambda: Executor(folder=folder).run(test).error, folder)
    with tempfile.TemporaryDirectory() as folder:
        printed = print_test(test)
        executed = run(lambda: execute(printed, folder), folder)
    assert executed == interpreted, "\n".join(printed.body)


def run(action, folder: str) -> tuple[list[str], str]:
    """What the subject noted, and the type of what was raised."""
    toy_shop.DEFAULT.width, toy_shop.DEFAULT.items = 7, []
    toy_shop.LOG.clear()
    error = action()
    return [line.replace(folder, "folder") for line in toy_shop.LOG], type(error).__name__


def execute(printed: PrintedTest, folder: str) -> BaseException | None:
    """Runs the printed test as the finished file does."""
    source = source_of(printed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        code = compile(source, "printed.py", "exec")
    space: dict[str, object] = {"asyncio": asyncio}
    try:
        exec(code, space)
        space["test_it"](*(pathlib.Path(folder) for _ in printed.fixtures))  # type: ignore[operator]
    except BaseException as error:  # noqa: BLE001 - whatever the subject raises is the result
        return error
    return None


def source_of(printed: PrintedTest) -> str:
    head = [*printed.imports, "", "", f"def test_it({', '.join(printed.fixtures)}):"]
    if not printed.is_async:
        return "\n".join([*head, *("    " + line for line in printed.body)])
    body = ["        " + line for line in printed.body]
    return "\n".join([*head, "    async def scenario():", *body, "    asyncio.run(scenario())"])


@given(seed=seeds)
@settings(max_examples=40, deadline=None)
def test_minimising_keeps_what_matters_and_never_grows(factory, seed):
    test = evolved(factory, seed)

    def still_good(candidate: TestCase) -> bool:
        assert candidate.is_valid()
        return edits.has_entry(candidate, factory.entry_set)

    if still_good(test):
        small = minimise(test, still_good, 300)
        assert still_good(small)
        assert len(small) <= len(test)


scalars = hs.one_of(
    hs.none(),
    hs.booleans(),
    hs.integers(),
    hs.floats(),
    hs.text(),
    hs.binary(),
    hs.complex_numbers(),
    hs.just(2**64 + 1),
    hs.just(-(10**30)),
)
repeats = hs.builds(lambda unit, times, rest: unit * times + rest, hs.text(min_size=1, max_size=9), hs.integers(0, 60), hs.text())
keys = hs.one_of(hs.text(), hs.integers())
trees = hs.recursive(
    hs.one_of(scalars, repeats),
    lambda inner: hs.one_of(
        hs.builds(Display, hs.sampled_from(["list", "tuple"]), hs.lists(inner, max_size=4).map(tuple)),
        hs.builds(Display, hs.sampled_from(["set", "frozenset"]), hs.lists(keys, max_size=4).map(tuple)),
        hs.builds(Display, hs.just("dict"), hs.lists(hs.tuples(keys, inner), max_size=4).map(tuple)),
        hs.builds(Display, hs.just("bytearray"), hs.tuples(hs.binary())),
    ),
    max_leaves=8,
)


@given(tree=trees)
@settings(max_examples=400, deadline=None)
def test_a_literal_printed_is_the_value(tree):
    source = value_doc(tree, lambda variable: pytest.fail("no variables here"))
    expected = built(tree)
    assert toy_shop.plain(eval(source.flat)) == toy_shop.plain(expected)
    test = TestCase((Literal(0, tree), st.Reference(1, st.Named("toy_shop", "note")), st.CallValue(2, 1, st.Arguments((0, 0)))))
    printed = print_test(test)
    space: dict[str, object] = {}
    exec("\n".join([*printed.imports, *printed.body]).replace("note(", "kept = (", 1), space)
    assert toy_shop.plain(space["kept"][0]) == toy_shop.plain(expected)  # type: ignore[index]


def built(tree: object) -> object:
    return build(tree, {})  # type: ignore[arg-type]


@given(tree=trees)
@settings(max_examples=200, deadline=None)
def test_literals_survive_json(tree):
    assert repr(decode_value(json.loads(json.dumps(encode_value(tree))))) == repr(tree)


@given(text=hs.one_of(hs.text(), hs.binary()))
@settings(deadline=None)
def test_quotes_are_double_unless_that_needs_more_escapes(text):
    source = quoted(text)
    assert eval(source) == text
    body = source.lstrip("b")
    assert body.startswith('"') or repr(text).count('"') > repr(text).count("'") - 2


@given(seed=seeds, tree=trees)
@example(seed=185762, tree=Display("set", ("", "0")))  # ends with nan twice
@settings(max_examples=300, deadline=None)
def test_mutated_values_can_be_printed_and_run(seed, tree):
    rng, pool = random.Random(seed), SeedPool()
    pool.add("bolt")
    for _ in range(5):
        tree = mutate_value(rng, tree, pool)
    source = value_doc(tree, lambda variable: pytest.fail("no variables here")).flat
    assert toy_shop.plain(eval(source)) == toy_shop.plain(built(tree))


@given(seed=seeds)
@settings(max_examples=200, deadline=None)
def test_random_values_obey_their_hint(seed):
    rng, pool = random.Random(seed), SeedPool()
    text, number = ClassHint(str), ClassHint(int)
    assert type(random_value(rng, text, pool)) is str
    assert type(random_value(rng, UnionHint((text, number)), pool)) in (str, int)
    for hint in (ClassHint(tuple, (number, VARIADIC)), ClassHint(list, (number,)), ClassHint(set, (number,))):
        display = random_value(rng, hint, pool)
        assert isinstance(display, Display)
        assert display.kind == hint.cls.__name__
        assert all(type(item) is int for item in display.items)
    pair = random_value(rng, ClassHint(tuple, (text, number)), pool)
    assert isinstance(pair, Display)
    assert [type(item) for item in pair.items] == [str, int]
    mapping = random_value(rng, ClassHint(dict, (text, ANY)), pool)
    assert isinstance(mapping, Display)
    assert all(type(key) is str for key, _ in mapping.items)  # type: ignore[misc]
    assert type(random_value(rng, ANY, pool)) in (*SCALARS, Display)


def test_the_same_seed_gives_the_same_tests(factory):
    def texts() -> list[str]:
        fresh = Factory(factory.api, factory.pool, factory.entry)
        return ["\n".join(print_test(evolved(fresh, seed)).body) for seed in range(20)]

    assert texts() == texts()
    assert sys.modules["toy_shop"] is toy_shop
