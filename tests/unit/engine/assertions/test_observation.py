"""What is seen of a test while it runs, and whether it is still true in the next run."""

from __future__ import annotations

import sys
import time

import observed_things as things
import pytest

from crashwright.engine.assertions.assertion import Assertion, Observed, Raised
from crashwright.engine.assertions.checking import Checker, same_exception
from crashwright.engine.assertions.observation import Observation, Observer
from crashwright.engine.assertions.raised import common_message
from crashwright.engine.assertions.values import Present, ValueNames, has_floats
from crashwright.engine.execution.executor import Executor
from crashwright.engine.execution.heartbeat import Heartbeat
from crashwright.engine.execution.limits import TestClock
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.testcase.statements import (
    Arguments,
    Call,
    CallValue,
    Definition,
    Display,
    Iterate,
    Literal,
    Made,
    MethodCall,
    Named,
    Ref,
    Reference,
    Statement,
    StubCallable,
)
from crashwright.engine.testcase.testcase import TestCase

MODULE = "observed_things"
API = ApiModel(MODULE, [MODULE])
NAMES = ValueNames(API.address_of)


def call(variable: int, name: str, *arguments: int) -> Statement:
    live = getattr(things, name)
    callee = API.constructor(live) if isinstance(live, type) else API.callee_of(live)
    assert callee is not None
    return Call(variable, callee, Arguments(arguments))


def observe(*statements: Statement, executor: Executor | None = None, thorough: bool = True) -> Observation:
    test = TestCase(statements)
    seen = Observer(executor or Executor(), NAMES, Present("", time.time())).observe(test, thorough)
    if not seen.timed_out:
        checked = Checker(Executor(), NAMES, Present("", time.time())).check(test, seen.assertions)
        assert all(checked.held), [one for one, held in zip(seen.assertions, checked.held, strict=True) if not held]
        assert (checked.executed, checked.raised) == (seen.executed, seen.raised)
    return seen


def facts(seen: Observation, variable: int) -> list[tuple[tuple[str, ...], str, object]]:
    return [(one.observed.path, one.kind, one.expected) for one in seen.assertions if one.observed.variable == variable]


def given(what: str) -> list[tuple[tuple[str, ...], str, object]]:
    return facts(observe(Literal(0, what), call(1, "give", 0)), 1)


def test_what_confinement_says_is_not_asserted() -> None:
    present = Present("", time.time())
    assert present.shows_in("error: crashwright refused to use the network")
    assert present.shows_in(b"crashwright refused to write /a; --allow write:/a permits it")
    assert not present.shows_in("a server refused to answer")


def test_values_that_can_be_written_down() -> None:
    assert given("colour") == [((), "is", Named(MODULE, "Colour.RED"))]
    assert given("class") == [((), "is", Named(MODULE, "Colour"))]
    assert given("nan")[0] == ((), "nan", None)
    assert given("pair")[0] == ((), "equals", Display("tuple", (1, "b")))
    assert given("counter")[0] == ((), "equals", Display("dict", (("a", 2), ("b", 1))))


def test_objects_are_seen_through_their_attributes() -> None:
    assert sorted(given("point"), key=repr) == [
        ((".x",), "equals", 1),
        ((".y",), "approximately", 0.5),
        ((), "equals", Made(Named(MODULE, "Point"), (), (("x", 1), ("y", 0.5)))),
        ((), "isinstance", Named(MODULE, "Point")),
    ]
    assert {fact[0] for fact in given("words")} <= {(), (".x",), (".y",)}
    inside = given("points")
    assert (("len",), "equals", 2) in inside
    assert ("[1]",) in {fact[0] for fact in inside}


@pytest.mark.parametrize("what", ["address", "today", "endless"])
def test_what_changes_is_not_written_down(what: str) -> None:
    assert all(kind == "isinstance" or path == ("len",) for path, kind, _ in given(what))


def test_of_a_large_container_only_parts_are_written_down() -> None:
    parts = given("large")
    assert (("len",), "equals", 500) in parts
    assert (("[2]",), "equals", 2) in parts
    assert all(path or kind == "isinstance" for path, kind, _ in parts)


def test_a_receiver_that_changes_and_returns_itself() -> None:
    seen = observe(Literal(0, 5), call(1, "Box", 0), MethodCall(2, 1, "add", Arguments((0,))))
    assert Assertion(1, Observed(1, (".items",)), "equals", Display("list", (5,))) in seen.assertions
    assert Assertion(2, Observed(2), "is", Ref(1)) in seen.assertions
    last = facts(seen, 2)
    assert (("len",), "equals", 2) in last
    assert (("list",), "equals", Display("list", (5, 5))) in last
    assert ((".first",), "equals", 5) in last
    assert (("str",), "equals", "box of 2") in last
    assert not any("secret" in str(path) or "broken" in str(path) for path, _, _ in last)


def test_the_middle_of_a_test_runs_no_code_of_the_subject() -> None:
    things.Box.reads = 0
    observe(Literal(0, 5), call(1, "Box", 0), MethodCall(2, 1, "add", Arguments((0,))), thorough=False)
    assert things.Box.reads == 0


def test_an_argument_that_is_changed_in_place() -> None:
    seen = observe(Literal(0, Display("list", (1, 2))), call(1, "reverse", 0))
    assert facts(seen, 0) == [((), "equals", Display("list", (2, 1)))]


def test_a_generator_is_read_once_and_only_where_nothing_else_reads_it() -> None:
    assert facts(observe(Literal(0, 3), call(1, "up_to", 0)), 1) == [(("list",), "equals", Display("list", (0, 1, 2)))]
    seen = observe(Literal(0, 3), call(1, "up_to", 0), Iterate(2, 1, "next"))
    assert facts(seen, 1) == []
    assert facts(seen, 2)[0] == ((), "equals", 0)


def test_stubs_and_references_are_not_looked_at() -> None:
    defined = Definition(3, "def f():\n    return 1")
    seen = observe(
        StubCallable(0, "", 3), Reference(1, Named(MODULE, "Colour", things.Colour)), defined, CallValue(2, 0, Arguments())
    )
    assert {one.observed.variable for one in seen.assertions} == {2}


@pytest.mark.parametrize(
    ("kind", "exception", "message"),
    [
        ("hidden", Named("builtins", "ValueError"), None),
        ("odd", Named(MODULE, "Odd"), "an odd thing happened to <Thing"),
        ("lines", Named("builtins", "KeyError"), "'first line\\nsecond line'"),
    ],
)
def test_exceptions(kind: str, exception: Named, message: str | None) -> None:
    seen = observe(Literal(0, kind), call(1, "fail", 0))
    assert seen.raised == Raised(exception, message)
    assert seen.executed == 1


@pytest.mark.parametrize("kind", ["permission", "memory"])
def test_what_our_limits_raise_is_no_behaviour_of_the_subject(kind: str) -> None:
    seen = observe(Literal(0, kind), call(1, "fail", 0))
    assert seen.refused
    assert seen.raised is None


def test_a_property_that_never_returns_ends_with_the_time_of_the_test() -> None:
    heartbeat = Heartbeat()
    clock = TestClock(heartbeat, 0.02)
    clock.start()
    try:
        executor = Executor(heartbeat, clock)
        assert observe(call(0, "Sleepy"), executor=executor).timed_out
        assert not observe(call(0, "Sleepy"), executor=executor, thorough=False).timed_out
    finally:
        clock.stop()


def test_each_assertion_is_judged_on_its_own() -> None:
    test = TestCase((Literal(0, "point"), call(1, "give", 0)))
    wrong = [
        Assertion(1, Observed(1, (".x",)), "equals", 2),
        Assertion(1, Observed(1, (".x",)), "equals", 1),
        Assertion(1, Observed(1, (".missing",)), "is", None),
        Assertion(1, Observed(1, (".y",)), "approximately", 0.5000001),
        Assertion(1, Observed(1, (".y",)), "approximately", 0.51),
    ]
    assert Checker(Executor(), NAMES, Present("", time.time())).check(test, wrong).held == (False, True, False, True, False)


def test_table_of_modules_that_a_test_replaced_is_not_asked() -> None:
    modules, test = sys.modules, TestCase((call(0, "fail_without_modules"),))
    observer = Observer(Executor(), ValueNames(API.address_of), Present("", time.time()))
    try:
        seen = observer.observe(test)
    finally:
        sys.modules = modules
    assert seen.raised == Raised(Named("builtins", "ValueError"), "left without modules")


def test_what_approx_takes() -> None:
    assert has_floats(0.5)
    assert has_floats(Display("list", (1, 0.5)))
    assert has_floats(Display("dict", (("a", 0.5),)))
    assert not has_floats(Display("list", (Display("list", (0.5,)),)))
    assert not has_floats(float("inf"))
    assert not has_floats(Display("set", (0.5,)))


def test_messages_in_common() -> None:
    assert common_message("no such key: 'a'", "no such key: 'b'") == "no such key:"
    assert common_message("abc", "abd") is None
    full, cut = Raised(Named("builtins", "KeyError"), "no such key: 'a'"), Raised(Named("builtins", "KeyError"), "no such key:")
    assert same_exception(cut, full)
    assert not same_exception(full, cut)


def test_what_depends_on_the_date_is_not_asserted() -> None:
    seen = observe(Literal(0, "lunch"), call(1, "Ticket", 0), Literal(2, 3), call(3, "weekend", 2))
    assert ((".title",), "equals", "lunch") in facts(seen, 1)
    assert not any(path == (".year",) for path, _, _ in facts(seen, 1))
    assert facts(seen, 3) == []
    assert facts(observe(Literal(0, "x"), call(1, "noted", 0)), 1)[0] == ((), "equals", 1)
    assert all(path != (".seconds",) for path, _, _ in facts(observe(call(0, "Old")), 0))


def test_methods_that_only_answer_are_asked_and_others_are_not() -> None:
    seen = observe(
        *(call(0, "Ledger"), Literal(1, "a"), MethodCall(2, 0, "put", Arguments((1,))), Literal(3, "b")),
        *(MethodCall(4, 0, "put", Arguments((3,))), MethodCall(5, 0, "drop", Arguments((1,)))),
    )
    told = {one.observed.path: one.expected for one in seen.assertions if one.observed.variable == 0}
    assert told[(".names()",)] == Display("list", ("b",))
    assert (told[('.has("a")',)], told[('.has("b")',)]) == (False, True)
    assert not {(".take()",), (".clear()",), (".touch()",)} & set(told)


def test_a_method_that_turns_out_to_do_harm_is_asked_no_more() -> None:
    observer = Observer(Executor(), NAMES, Present("", time.time()))
    empty = TestCase((call(0, "Shrinking"),))
    full = TestCase((call(0, "Shrinking"), Literal(1, 3), MethodCall(2, 0, "fill", Arguments((1,)))))
    asked = {one.observed.path for one in observer.observe(empty).assertions}
    assert (".left()",) in asked, "nothing has shown yet what it does"
    paths = {one.observed.path for one in observer.observe(full).assertions}
    assert (".left()",) not in paths
    assert (".total()",) in paths


def test_a_class_that_a_property_hands_out_is_no_state() -> None:
    told = {one.observed.path for one in observe(call(0, "Connection")).assertions}
    assert (".size",) in told
    assert (".Warning",) not in told


def test_what_a_connection_says_of_itself_is_nothing_that_its_holder_does() -> None:
    told = {one.observed.path[:2] for one in observe(call(0, "Store")).assertions}
    assert (".box", ".items") in told
    assert {path[:1] for path in told} & {(".connection",)} == set()


def test_of_another_day_that_depends_on_the_date_its_class_is_asserted() -> None:
    assert facts(observe(call(0, "in_a_year")), 0) == [((), "isinstance", Named("datetime", "date"))]


def test_what_was_written_into_a_text_in_memory_is_asked_for() -> None:
    stream = Call(0, API.standard("io", "StringIO"), Arguments())
    seen = observe(stream, call(1, "note", 0))
    assert ((".getvalue()",), "equals", "noted\r\n") in facts(seen, 0)
