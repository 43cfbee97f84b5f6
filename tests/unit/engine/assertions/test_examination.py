"""Mutants that live in the loaded module, and the choice of few assertions that kill what all of them kill."""

from __future__ import annotations

import mutated_things as things
import pytest
from hypothesis import given
from hypothesis import strategies as some

from crashwright.core.location import CodeKey
from crashwright.core.report import Unknown
from crashwright.engine.assertions.assertion import Assertion, Observed
from crashwright.engine.assertions.mutants import LiveModule
from crashwright.engine.assertions.mutation import by_line
from crashwright.engine.assertions.selection import choose, plain_choice, told_by_assertions, worth_keeping
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.api.types import ClassHint, UnionHint
from crashwright.engine.subject.source import Sources
from crashwright.engine.testcase.statements import (
    Arguments,
    CallValue,
    Display,
    GetAttribute,
    Literal,
    MethodCall,
    Named,
    Ref,
    StubCallable,
)
from crashwright.engine.testcase.testcase import TestCase

MODULE = "mutated_things"
TEST = TestCase((StubCallable(0, "", 3), CallValue(1, 0, Arguments()), Literal(2, 1), CallValue(3, 0, Arguments())))


@pytest.fixture(scope="module")
def live() -> LiveModule:
    source = Sources().of_module(MODULE)
    assert not isinstance(source, Unknown)
    return LiveModule(MODULE, source)


def outcomes(live: LiveModule, qualname: str, run: object) -> set[object]:
    """What ``run`` gives under the mutants of one function, one at a time."""
    assert callable(run)
    found: set[object] = set()
    mutator = live.mutator()
    for mutant in live.mutants():
        if mutant.key.qualname != qualname:
            continue
        put = live.put(mutator, mutant)
        assert put is not None, mutant.label
        try:
            found.add(run())
        except (TypeError, ValueError, ArithmeticError, AttributeError, UnboundLocalError) as error:
            found.add(type(error))
        finally:
            put.undo()
    return found


def test_a_mutant_lives_until_it_is_taken_back(live: LiveModule) -> None:
    assert 1 in outcomes(live, "larger", lambda: things.larger(1, 2))
    assert things.larger(1, 2) == 2


def test_decorated_nested_and_methods(live: LiveModule) -> None:
    assert outcomes(live, "doubled", lambda: things.doubled.__wrapped__(5)) - {10}
    assert outcomes(live, "adder.<locals>.add", lambda: things.adder(2)(5)) - {7}
    assert outcomes(live, "Counter.up", lambda: things.Counter().up()) - {1}
    assert (things.doubled.__wrapped__(5), things.adder(2)(5), things.Counter().up()) == (10, 7, 1)


def test_defaults_are_changed_in_the_live_function_and_put_back(live: LiveModule) -> None:
    found = set()
    for mutant in live.mutants():
        if mutant.key.qualname == "priced" and mutant.operator == "default":
            put = live.put(live.mutator(), mutant)
            assert put is not None
            found.add(things.priced(10))
            put.undo()
    assert found == {30, 21}
    assert things.priced(10) == 20


def shown_by_values() -> tuple[object, ...]:
    return (things.Fee(5).of("day"), things.Fee(5).of("week"), things.Fee(7).of("day"), things.Order(), things.Place())


def test_values_of_the_module_and_of_classes_are_changed_until_they_are_taken_back(live: LiveModule) -> None:
    before, seen = shown_by_values(), {}
    for mutant in live.mutants():
        if mutant.operator == "value" and (put := live.put(live.mutator(), mutant)) is not None:
            put.again()
            seen[f"{mutant.key.qualname} {mutant.replacement}"] = shown_by_values() != before
            put.undo()
            assert shown_by_values() == before
    # A member of an Enum, what the module's own functions make and names for annotations are no such values.
    assert seen == {
        "RATES 3": True,
        "RATES 11": False,
        "RATES 'dayXX'": True,
        "RATES 'weekXX'": True,
        "WEEK 8": True,
        "Fee.GRACE 3": True,
        "Fee.HIGHEST 10": True,
        "Order.amount 2": True,
        "Order.unit 'kgXX'": True,
        "Place.row 4": True,
    }


def test_tests_that_may_tell_a_value_are_those_that_read_it(live: LiveModule) -> None:
    lines = {mutant.key.qualname: live.lines_of(mutant) for mutant in live.mutants() if mutant.operator == "value"}
    of_fee = things.Fee.of.__code__.co_firstlineno
    assert lines["Fee.GRACE"] is not None
    assert of_fee + 1 in lines["Fee.GRACE"]
    assert lines["RATES"] == {of_fee + 2}
    assert lines["Order.amount"] is None, "the generated constructor reads it"


def test_functions_take_turns(live: LiveModule) -> None:
    first = [mutant.key for mutant in live.mutants()[:4]]
    assert len(set(first)) == 4
    assert live.mutants() == live.mutants()


def test_only_what_is_named() -> None:
    source = Sources().of_module(MODULE)
    assert not isinstance(source, Unknown)
    keys = {mutant.key for mutant in LiveModule(MODULE, source, ("Counter",)).mutants()}
    assert {key.qualname for key in keys} <= {"Counter.__init__", "Counter.up"}
    assert keys
    assert CodeKey(MODULE, "larger", 9) not in keys


def result(after: int, expected: int) -> Assertion:
    return Assertion(after, Observed(TEST.statements[after][0]), "equals", expected)


def test_results_of_calls_are_worth_most() -> None:
    assertions = (
        Assertion(3, Observed(3), "isinstance", Named("builtins", "int")),
        Assertion(3, Observed(3), "is", Ref(1)),
        Assertion(3, Observed(1, (".size",)), "equals", 3),
        result(1, 3),
        result(3, 3),
    )
    assert plain_choice(TEST, assertions, 1) == [4]
    assert plain_choice(TEST, assertions, 2) == [3, 4]
    assert plain_choice(TEST, assertions[:1]) == [0]


def test_of_the_parts_of_an_object_those_are_told_first_in_which_there_is_something() -> None:
    parts = {".flag": False, ".note": None, ".rest": Display("list", ()), ".label": "a", ".size": 0}
    assertions = tuple(Assertion(3, Observed(3, (path,)), "equals", value) for path, value in parts.items())
    assert plain_choice(TEST, assertions, 1) == [3]


def test_one_assertion_stays_where_none_kills() -> None:
    tests = {0: (TEST, (result(1, 3), result(3, 3))), 1: (TEST, ())}
    assert choose(tests, {}) == {0: [0, 1], 1: []}, "the first call is there for something as well"
    assert choose(tests, {}, {0: 0}) == {0: [], 1: []}


KILLS = some.dictionaries(
    some.integers(0, 30),
    some.dictionaries(some.integers(0, 3), some.lists(some.integers(0, 4), min_size=1, max_size=4, unique=True), max_size=3),
    max_size=25,
)


@given(KILLS)
def test_what_all_kill_the_chosen_kill(kills: dict[int, dict[int, list[int]]]) -> None:
    tests = {index: (TEST, tuple(result(1, number) for number in range(5))) for index in range(4)}
    chosen = choose(tests, kills, dict.fromkeys(tests, 0))
    for by_test in kills.values():
        assert not by_test or any(set(chosen[index]) & set(numbers) for index, numbers in by_test.items())
    for index, numbers in chosen.items():
        for number in numbers:  # each one has a victim of its own at the time it was chosen: none is there for nothing
            assert any(number in by_test.get(index, ()) for by_test in kills.values())


def test_spare_tests_stay_where_they_alone_tell_a_mutant() -> None:
    kills: dict[int, dict[int, list[int]]] = {
        1: {0: [0], 5: [0]},  # the core tells it
        2: {5: [0], 6: [0]},
        3: {6: [1], 7: []},
        4: {7: []},  # the run itself goes another way
        5: {},
    }
    assert worth_keeping([0], [5, 6, 7, 8], kills) == {0, 6, 7}
    assert worth_keeping([0], [], kills) == {0}
    assert told_by_assertions(kills, {0, 6}) == {1: {0: [0]}, 2: {6: [0]}, 3: {6: [1]}}
    assert told_by_assertions(kills, {0, 6, 7}) == {1: {0: [0]}, 2: {6: [0]}}


def test_what_became_of_mutants_is_told_by_line(live: LiveModule) -> None:
    mutants = live.mutants()[:3]
    lines = [mutant.position.line for mutant in mutants]
    told = by_line(mutants, {0: {4: [1]}, 1: {}})
    assert sum(one.killed for one in told) == 1
    assert [(one.line, one.survived) for one in told if one.survived] == [
        (lines[1], (f"{mutants[1].original} -> {mutants[1].replacement}",))
    ]
    assert {one.line for one in told} == set(lines[:2])


def test_a_test_of_a_call_that_returns_nothing_says_what_it_has_changed() -> None:
    assertions = (
        result(1, 3),
        Assertion(3, Observed(3), "is", None),
        Assertion(3, Observed(0, (".names()",)), "equals", Display("list", ())),
    )
    kills = {1: {0: [0]}}
    assert choose({0: (TEST, assertions)}, kills)[0] == [0, 2]
    assert choose({0: (TEST, assertions)}, {1: {0: [2]}})[0] == [0, 2]
    states = (Assertion(1, Observed(0, (".size",)), "equals", 1), *assertions[1:])
    assert choose({0: (TEST, states)}, {1: {0: [2]}})[0] == [2], "nothing that was so before the call"


def test_what_a_test_asks_for_and_does_nothing_with_is_asserted() -> None:
    shelf = StubCallable(0, "", 3)
    reads = TestCase((shelf, GetAttribute(1, 0, "top"), GetAttribute(2, 0, "size")))
    top, size = Assertion(1, Observed(1), "is", None), Assertion(2, Observed(2), "equals", 2)
    assert choose({0: (reads, (top, size))}, {1: {0: [1]}})[0] == [0, 1]
    commands = TestCase((shelf, MethodCall(1, 0, "clear", Arguments()), GetAttribute(2, 0, "size")))
    assert choose({0: (commands, (top, size))}, {1: {0: [1]}})[0] == [1], "that a command gives nothing back says nothing"
    passed = TestCase((shelf, GetAttribute(1, 0, "top"), MethodCall(2, 0, "put", Arguments((1,)))))
    assert choose({0: (passed, (top, size))}, {1: {0: [1]}})[0] == [1]


def test_nothing_is_an_answer_where_something_could_have_come_back() -> None:
    asked = Callee("m", "C.tool", CalleeKind.METHOD, returns=UnionHint((ClassHint(int), ClassHint(type(None)))))
    test = TestCase((StubCallable(0, "", 3), MethodCall(1, 0, "tool", Arguments(), asked)))
    told = (Assertion(1, Observed(1), "is", None), Assertion(1, Observed(0, (".size",)), "equals", 3))
    assert plain_choice(test, told, 1) == [0]
    assert choose({0: (test, told)}, {1: {0: [1]}})[0] == [0, 1]


def test_a_result_that_is_told_needs_no_state_that_the_call_has_not_changed() -> None:
    same = Assertion(3, Observed(0, (".due",)), "equals", 3)
    before, after = (Assertion(at, Observed(0, (".left",)), "equals", at) for at in (1, 3))
    assert plain_choice(TEST, (result(3, 3), same)) == [0]
    assert plain_choice(TEST, (result(3, 3), before, after)) == [0, 2]
