from __future__ import annotations

from unittest.mock import Mock

import pytest

from crashwright.engine.subject.api.callee import MOCKS, Callee, CalleeKind
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.editing.minimise import Minimiser, minimise
from crashwright.engine.testcase.editing.simpler import simpler_values
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal, Ref
from crashwright.engine.testcase.testcase import TestCase

F = Callee("m", "f", CalleeKind.FUNCTION)


def args(*positional, **keywords):
    return Arguments(positional, tuple(keywords.items()))


def literals(test: TestCase) -> list[object]:
    return [s.value for s in test.statements if isinstance(s, Literal)]


def shrunk(value, good, **options):
    test = TestCase((Literal(0, value), Call(1, F, args(0))))
    smallest = minimise(test, lambda t: len(t) == 2 and good(literals(t)[0]), **options)
    return literals(smallest)[0]


def test_statements_go_with_what_only_they_need():
    keep = Call(9, F, args(0))
    test = TestCase((Literal(0, ""), Literal(1, 5), Call(2, F, args(1)), Call(3, F, args(2)), keep, Call(4, F, args(3))))
    assert minimise(test, lambda t: keep in t.statements).statements == (Literal(0, ""), keep)


def test_each_place_of_something_that_the_code_has_keeps_a_double_of_its_own():
    double = Callee("m", "Double", CalleeKind.CLASS, live=Double)
    places = [st.Ambient(10 + number, "attribute", f"m:{name}", Ref(number)) for number, name in enumerate("gh")]
    test = TestCase((Call(0, double, args()), Call(1, double, args()), *places, Call(20, F, args())))
    smallest = minimise(test, lambda t: [one.name for one in ambients(t)] == ["m:g", "m:h"])
    assert [one.content for one in ambients(smallest)] == [Ref(0), Ref(1)]
    shared = TestCase((Call(0, double, args()), Call(1, double, args()), Call(2, F, args(0, 1))))
    assert len(minimise(shared, lambda t: len(t.statements[-1].arguments.positional) == 2)) == 2


def test_each_mock_has_answers_of_its_own():
    mock = Callee(MOCKS, "Mock", CalleeKind.CLASS, live=Mock)
    test = TestCase((Call(0, mock, args()), Call(1, mock, args()), Call(2, F, args(0, 1))))
    assert len(minimise(test, lambda t: len(t.statements[-1].arguments.positional) == 2)) == 3


class Double:
    """What nothing simple stands for."""


def ambients(test):
    return [one for one in test.statements if isinstance(one, st.Ambient)]


def test_what_a_method_returns_is_the_object_itself_where_others_go_on_with_it():
    through = [Call(0, F, args()), st.MethodCall(1, 0, "__iter__", args()), st.MethodCall(2, 1, "__next__", args())]
    smallest = minimise(TestCase(tuple(through)), lambda t: type(t.statements[0]) is Call and ends_with(t, "__next__"))
    assert smallest.statements == (through[0], st.MethodCall(2, 0, "__next__", args()))


def test_what_a_method_returns_stays_where_it_is_an_argument():
    made, read = Call(0, F, args()), st.MethodCall(1, 0, "read", args())
    asked = []
    minimise(TestCase((made, read, Call(2, F, args(1)))), lambda t: bool(asked.append(t.statements)))
    assert (made, Call(2, F, args(0))) not in asked


def ends_with(test, name):
    last = test.statements[-1]
    return isinstance(last, st.MethodCall) and last.name == name


def test_a_test_without_any_smaller_one_is_left_alone():
    test = TestCase((Call(0, F, args()),))
    assert minimise(test, lambda t: False) is test


def test_keywords_stars_and_arguments_go():
    test = TestCase((Literal(0, 0), Call(1, F, Arguments((0, 0), (("a", 0), ("b", 0)), 0, 0))))

    def good(candidate):
        call = candidate.statements[-1]
        return isinstance(call, Call) and "b" in dict(call.arguments.keywords)

    assert minimise(test, good).statements[-1] == Call(1, F, args(b=0))


@pytest.mark.parametrize(
    ("value", "good", "smallest"),
    [
        (1234567, lambda v: v > 1000, 1001),
        (-77, lambda v: v != 0, 1),
        (12345, lambda v: v >= 0, 0),
        (3.75, lambda v: v > 1, 4.0),
        ("xx(yy(zz", lambda v: v.count("(") == 2, "(("),
        ("one\ntwo\nthree\nfour", lambda v: "three" in v.split("\n"), "three"),
        ("Q" * 100, lambda v: len(v) >= 7, "a" * 7),
        ("\u4e2d", lambda v: len(v) == 1, "a"),
        ("\u4e2d", lambda v: not v.isascii(), "\u4e2d"),
        ("Is 9.8\t", lambda v: len(v) == 7, "aa 1.1 "),
        ("2031-12-05T10:11:12", lambda v: "T" in v, "2026-01-01T00:00:00"),
        ("2024-02-29", lambda v: v.endswith("-29"), "2024-02-29"),
        (b"\x01\x02\x03", lambda v: len(v) == 2, b"\x00\x00"),
        (True, lambda v: isinstance(v, bool), False),
        (Display("list", (1, 2, 3)), lambda v: len(v.items) >= 1, Display("list", (None,))),
        (Display("dict", (("a", 1), ("b", 22))), lambda v: "b" in dict(v.items), Display("dict", (("b", None),))),
        (Display("list", (Display("list", ("ab", 3)),)), lambda v: "'a" in repr(v), Display("list", (Display("list", ("a",)),))),
    ],
)
def test_values_become_simple(value, good, smallest):
    assert shrunk(value, good) == smallest


def test_the_number_of_checks_is_bounded():
    checks = []
    shrunk("x" * 5000, lambda v: checks.append(1) or len(v) > 4000, max_checks=25)
    assert len(checks) <= 25


@pytest.mark.parametrize("value", ["x", "xyz\t1", b"x", b"xyz", 5, -5, 0.04, -3.5, True, 2 + 1j, Display("bytearray", (b"xy",))])
def test_what_is_as_simple_as_can_be_is_left_alone(value):
    checks = []

    def good(simpler):
        checks.append(simpler)
        return type(simpler) is type(value) and bool(simpler.items[0] if type(simpler) is Display else simpler)

    shrunk(value, good)
    assert len(checks) < 40


@pytest.mark.parametrize(
    "value", ["aZ\t", "\u00e9\r9", b"xyz", -123, 2.75, -0.04, 1.5 - 2j, Display("dict", (("k", -2), ("l", b"z")))]
)
def test_no_chain_of_simpler_values_comes_back(value):
    ended = set()

    def follow(value, way):
        assert repr(value) not in way
        if repr(value) not in ended:
            for simpler in simpler_values(value):
                follow(simpler, {*way, repr(value)})
            ended.add(repr(value))

    follow(value, frozenset())


def test_every_simpler_value_is_another():
    for value in (
        0,
        5,
        -5,
        0.5,
        1e300,
        float("nan"),
        "ab",
        b"ab",
        1j,
        True,
        None,
        Display("set", (1,)),
        Display("bytearray", (b"x",)),
    ):
        assert repr(value) not in [repr(simpler) for simpler in simpler_values(value)]


def test_ask_and_tell():
    minimiser = Minimiser(TestCase((Literal(0, 5), Call(1, F, args(0)))))
    asked = 0
    while (candidate := minimiser.ask()) is not None:
        assert minimiser.ask() is candidate
        asked += 1
        minimiser.tell(any(isinstance(s, Call) for s in candidate.statements))
    assert asked == minimiser.checks
    assert minimiser.best.statements == (Call(1, F, args()),)
    with pytest.raises(RuntimeError):
        minimiser.tell(True)


def test_files_stubs_and_limits_become_simple():
    test = TestCase(
        (
            st.FileFixture(0, "a.txt", "line\nother\n"),
            st.StubCallable(1, "x", Display("list", (1, Ref(0)))),
            st.StubClass(2, "S", (), (("a", "attribute", 5), ("b", "method", 6))),
            Call(3, F, args(0, 1, 2)),
            st.Iterate(4, 3, "list", 50),
        )
    )
    kinds = tuple(map(type, test.statements))
    smallest = minimise(test, lambda t: tuple(map(type, t.statements)) == kinds and t.statements[3] == test.statements[3])
    assert smallest.statements == (
        st.FileFixture(0, "a.txt", ""),
        st.StubCallable(1, "x", None),
        st.StubClass(2, "S", (), ()),
        Call(3, F, args(0, 1, 2)),
        st.Iterate(4, 3, "list", None),
    )


def test_options_of_programs_stay_whole_or_go() -> None:
    assert list(simpler_values("--scale")) == ["", "a"]
    assert list(simpler_values("-v")) == ["", "a"]
    assert "scale" in list(simpler_values("scales"))


def test_a_test_without_statements_is_as_small_as_can_be():
    empty = TestCase(())
    assert minimise(empty, lambda t: True) is empty
