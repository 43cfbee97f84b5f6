"""The way to functions that are made within others."""

from __future__ import annotations

import random
from types import CodeType

import gluing
import pytest

from crashwright.core.location import CodeKey
from crashwright.core.target import CallSite, CrashTarget, TargetFrame
from crashwright.engine.sources.values.given_callables import callable_tests, teach_callables
from crashwright.engine.sources.values.used_types import UsedAnywhere, suggest
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.closures import Closure, closure_of, closures_in
from crashwright.engine.subject.api.entry import Entry, entries
from crashwright.engine.subject.source import Sources
from crashwright.engine.testcase.echoing.echoed_tests import echo_tests
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import CallValue, Definition, MethodCall, Statement

API = ApiModel("gluing", ["gluing"])


def code_in(outer: CodeType, *names: str) -> CodeType:
    for name in names:
        outer = next(one for one in outer.co_consts if isinstance(one, CodeType) and one.co_name == name)
    return outer


def key_of(code: CodeType) -> CodeKey:
    return CodeKey("gluing", code.co_qualname, code.co_firstlineno)


WRAPPER = code_in(gluing.limited.__code__, "limit", "wrapper")
FORGET = code_in(gluing.kept.__code__, "forget")


def closure(code: CodeType) -> Closure:
    found = closure_of(key_of(code), Sources())
    assert found is not None
    return found


def entered(code: CodeType, line: str) -> Entry:
    frame = TargetFrame(key_of(code), gluing.__file__, code.co_firstlineno + 1, "", None, True)
    target = CrashTarget("gluing", "KeyError", "'volume'", (frame,), call_sites=(CallSite(line, "<module>", {}),))
    found = entries(API, target, Sources())
    assert isinstance(found, Entry)
    return found


def factory(code: CodeType, line: str) -> Factory:
    made = Factory(API, SeedPool(), entered(code, line).callees)
    made.preferences.closure = way = closure(code)
    suggest(made, UsedAnywhere(API, Sources()).of_inner, (*way.levels, way.last))
    return made


def printed(code: CodeType, line: str, seed: int) -> str | None:
    made = factory(code, line)
    echo = next(echo_tests(line, {}, NameChain(API, made.entry), made, random.Random(seed)), None)
    return None if echo is None else "\n".join(print_test(echo.test).body)


def test_what_is_called_on_the_way_and_how_the_last_one_gets_out() -> None:
    way = closure(WRAPPER)
    assert (way.outer, [level.qualname for level in way.levels], way.attribute) == ("limited", ["limited.<locals>.limit"], False)
    assert [parameter.name for parameter in way.levels[0].parameters] == ["func"]
    forget = closure(FORGET)
    assert (forget.levels, forget.attribute) == ((), True)
    assert [(one.name, one.required) for one in forget.last.parameters] == [("item", True), ("strict", False)]
    assert not closure(code_in(gluing.kept.__code__, "wrapper")).attribute  # an alias of it is returned


@pytest.mark.parametrize("code", [gluing.limited.__code__, code_in(gluing.inner_only.__code__, "pick")])
def test_there_is_none_to_what_has_an_address_or_never_gets_out(code: CodeType) -> None:
    assert closure_of(key_of(code), Sources()) is None


@pytest.mark.parametrize(
    ("line", "first"), [("quiet(int)(data)", "quiet"), ("call(data)", "limited"), ("@limited('x')", "limited")]
)
def test_the_way_in_is_what_the_line_calls_or_what_is_around(line: str, first: str) -> None:
    assert entered(WRAPPER, line).callees[0].name == first


def test_all_that_a_module_gives_back_is_told_with_what_it_is_made_by() -> None:
    found = [(outer.qualname, way.last.qualname.rpartition(".")[2]) for outer, way in closures_in("gluing", Sources())]
    assert found == [("limited", "limit"), ("limited", "wrapper"), ("kept", "wrapper"), ("kept", "forget")]


def test_a_function_that_is_returned_is_called_with_what_the_given_one_takes() -> None:
    called = next(one for one in API.callables if one.name == "limited")
    made = Factory(API, SeedPool(), (called,))
    made.preferences.returned[called] = [closure(WRAPPER)]
    taught = Definition(made.new(), "def function(x, y):\n    return x")
    made.shaped.learn(closure(WRAPPER).levels[0], "func", (taught,))
    numbers = set()
    for seed in range(30):
        statements: list[Statement] = [taught]
        made.call(statements, called, random.Random(seed))
        calls = [one for one in statements if isinstance(one, CallValue)]
        numbers.add((len(calls), len(calls[-1].arguments.positional) if calls else 0))
    assert numbers == {(0, 0), (2, 2)}


def test_each_definition_is_handed_over_once() -> None:
    called = next(one for one in API.callables if one.name == "limited")
    made = Factory(API, SeedPool(), (called,))
    teach_callables(made, API, Sources(), "gluing", (called,), ("KeyError",))
    tests = callable_tests(made, random.Random(1))
    given = [next(one.source for one in test.statements if isinstance(one, Definition)) for test in tests]
    assert set(given) == {f"def func(x):\n    {body}" for body in ("return x", "raise KeyError", "raise RuntimeError")}
    assert sum(len([one for one in test.statements if isinstance(one, CallValue)]) == 2 for test in tests) == len(tests) // 2


def test_a_name_that_is_called_stands_for_what_the_entries_make() -> None:
    texts = {printed(WRAPPER, "call(data, volume=3)", seed) for seed in range(20)}
    assert all(text is not None and "limited(" in text and "volume=3" in text for text in texts)
    assert len(texts) > 10


def test_so_does_one_whose_method_it_is() -> None:
    text = printed(FORGET, "inc.forget(7)", 1)
    assert text is not None
    assert "kept(" in text
    assert ".forget(7)" in text


@pytest.mark.parametrize(("code", "last"), [(WRAPPER, CallValue), (FORGET, MethodCall)])
def test_random_tests_come_to_it(code: CodeType, last: type) -> None:
    made, rng, arrived = factory(code, ""), random.Random(2), 0
    for _ in range(60):
        statements: list[Statement] = []
        made.call_entry(statements, rng)
        arrived += any(type(one) is last for one in statements)
    assert arrived > 30
