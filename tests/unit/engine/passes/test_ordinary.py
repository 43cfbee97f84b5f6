"""Which values are usual for a parameter, and how a test that is small comes to have them."""

from __future__ import annotations

import ast
import random
import types
from collections.abc import Iterable, Mapping

import pytest

from crashwright.engine.passes.ordinary import MOST_TESTS, STRANGE, UNKNOWN, Ordinary
from crashwright.engine.sources.values.named_texts import NamedTexts
from crashwright.engine.sources.values.shown_arguments import ShownArguments
from crashwright.engine.sources.values.usual_types import UsualTypes, is_degenerate, ordinary_values
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.api.signatures import SignatureReader
from crashwright.engine.subject.api.types import ClassHint, Hint
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.making.casting import recast
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.guessing import NameModel
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal, Statement, Value
from crashwright.engine.testcase.testcase import TestCase


class Customer:
    def __init__(self, name: str) -> None: ...


def bill(customer, amount: int, note="none", *more): ...


def callee_of(function, kind=CalleeKind.FUNCTION):
    reader = SignatureReader(lambda _name: None)
    signature = reader.constructor(function) if kind is CalleeKind.CLASS else reader.function(function)
    owner = function if kind is CalleeKind.CLASS else None
    return Callee("shop", function.__name__, kind, signature.parameters, signature.returns, function, owner)


BILL, CUSTOMER = callee_of(bill), callee_of(Customer, CalleeKind.CLASS)


class Shop:
    callables = (BILL, CUSTOMER)
    constants = ()

    def methods_of(self, cls):
        return ()

    def constructors_of(self, hint):
        return (CUSTOMER,) if hint == ClassHint(Customer) else ()

    def producers(self, hint):
        return ()


def shown(*examples: str) -> ShownArguments:
    sessions = [tuple(ast.parse(text).body) for text in examples]
    made = {"Customer": Customer}
    return ShownArguments(sessions, (), lambda node: made.get(node.id) if isinstance(node, ast.Name) else None)


def usual(*examples: str, used: dict[str, Hint] | None = None, known: str = "") -> UsualTypes:
    """``known``: functions and calls that are written elsewhere."""
    told = used or {}
    tree = ast.parse(known)
    calls = [part for part in ast.walk(tree) if isinstance(part, ast.Call)]
    hints = shown(*examples), lambda _callee, name: ((told[name], 1.0),) if name in told else ()
    return UsualTypes(*hints, NameModel(()), NamedTexts([tree], lambda: calls))


def ordinary(types_: UsualTypes, kept: Mapping[int, Value] | None = None) -> Ordinary:
    return Ordinary(types_, Factory(Shop(), SeedPool(), (BILL,)), random.Random(1), kept or {})


def call(*given: Statement, callee: Callee = BILL) -> TestCase:
    return TestCase((*given, Call(99, callee, Arguments(tuple(one[0] for one in given)))))


def values_of(test: TestCase) -> list[Value]:
    """What the last call is passed: values of literals, callees of calls."""
    known = {one[0]: one[1] for one in test.statements if isinstance(one, Literal | Call)}
    last = test.statements[-1] if test.statements else None
    return [known.get(variable) for variable in last.arguments.positional] if isinstance(last, Call) else []


def bills(count: int):
    """Whether a test still makes the call, with so many arguments."""
    return lambda test: len(values_of(test)) == count and test.statements[-1].callee is BILL


def parameter(name: str):
    return next(one for one in BILL.parameters if one.name == name)


def test_calls_that_are_written_show_what_is_passed():
    arguments = shown("who = Customer('Ada')\nbill(who, 12, note='thanks')", "bill(None, -3, *rest, 'more')")
    assert arguments.of(BILL, "customer").classes == (Customer, type(None))
    assert arguments.of(BILL, "amount").values == (12, -3)
    assert arguments.of(BILL, "note").values == ("thanks",)
    assert arguments.of(BILL, "more") == ((), ())


def test_methods_that_many_objects_have_show_nothing():
    get = Callee("shop", "Table.get", CalleeKind.METHOD, BILL.parameters)
    assert shown("cache.get('x', 3)").of(get, "customer") == ((), ())


def test_annotations_come_before_anything_else():
    types_ = usual("bill(1, 'twelve', 'n')", used={"amount": ClassHint(str)})
    told = types_.of(BILL, parameter("amount"))
    assert told.hints == (ClassHint(int),)
    assert told.values == ()  # what is shown is of another type
    assert not told.takes(bool)


def test_examples_defaults_and_use_come_together_and_names_last():
    types_ = usual("bill(Customer('Ada'), 2)", used={"note": ClassHint(bytes)})
    assert types_.of(BILL, parameter("customer")).hints == (ClassHint(Customer),)
    assert types_.of(BILL, parameter("note")).hints == (ClassHint(str), ClassHint(bytes))
    assert usual().of(BILL, parameter("customer")).hints == ()

    def send(text): ...

    said = usual().of(callee_of(send), callee_of(send).parameters[0])
    assert said.guessed
    assert said.hints == (ClassHint(str),)


def test_values_are_shown_ones_then_the_default_then_plain_ones():
    types_ = usual("bill(0, 12, 'a longer note')", "bill(0, 3, 'short')")
    note = parameter("note")
    assert ordinary_values(types_.of(BILL, note), note) == ["short", "a longer note", "none", "note"]
    amount = parameter("amount")
    assert ordinary_values(types_.of(BILL, amount), amount) == [3, 12, 1]


@pytest.mark.parametrize("value", [None, 0, 0.0, "", b""])
def test_nothing_is_degenerate(value):
    assert is_degenerate(value)
    assert not is_degenerate(False)
    assert not is_degenerate(Display("list", ()))


@pytest.mark.parametrize(
    "given",
    [
        Literal(0, None),
        Literal(0, 0),
        st.StubCallable(0, "*args", None),
        st.Reference(0, st.Named("builtins", "len", len)),
        st.Reference(0, st.Named("builtins", "int", int)),
        st.Reference(0, st.Named("types", "", types)),
    ],
)
def test_what_is_no_customer_becomes_one(given):
    made = ordinary(usual("bill(Customer('Ada'), 2)")).made_of(call(given, Literal(1, 7)), bills(2))
    assert values_of(made)[0] is CUSTOMER


def test_empty_values_become_ordinary_ones_where_the_run_stays_as_it_is():
    types_ = usual("bill(Customer('Ada'), 2, 'thanks')")
    start = call(Literal(0, "x"), Literal(1, 0), Literal(2, ""))

    def stays(test: TestCase) -> bool:
        return bills(3)(test) and values_of(test)[-1] == ""

    assert values_of(ordinary(types_).made_of(start, bills(3)))[-2:] == [2, "thanks"]
    assert values_of(ordinary(types_).made_of(start, stays))[-2:] == [2, ""]


def test_what_the_report_quotes_stays():
    pass_over = ordinary(usual("bill(Customer('Ada'), 2, 'thanks')"), {1: 0, 2: ""})
    start = call(Literal(0, "x"), Literal(1, 0), Literal(2, ""))
    assert values_of(pass_over.made_of(start, bills(3)))[-2:] == [0, ""]


def test_content_is_kept_where_no_other_value_does():
    types_ = usual("bill([4], 2)")
    start = call(Literal(0, b"aa"), Literal(1, 2))
    assert ordinary(types_).oddness(start) > 0
    made = ordinary(types_).made_of(start, lambda test: bills(2)(test) and values_of(test)[0] in (b"aa", Display("list", (97, 97))))
    assert values_of(made)[0] == Display("list", (97, 97))


def test_two_values_that_belong_together_change_together():
    start = call(Literal(0, None), Literal(1, 0), Literal(2, 0))
    types_ = usual("bill('Ada', 2, 'thanks')")
    made = ordinary(types_).made_of(start, lambda test: values_of(test) in ([None, 0, 0], ["Ada", 2, "thanks"]))
    assert values_of(made) == ["Ada", 2, "thanks"]


def test_tests_are_counted_and_time_is_asked_for():
    run: list[TestCase] = []
    many = usual(*(f"bill({number}, {number})" for number in range(1, 200)))
    start = call(Literal(0, None), Literal(1, 0), Literal(2, 0))
    assert ordinary(many).made_of(start, lambda test: bool(run.append(test))) is start
    assert 40 < len(run) <= MOST_TESTS
    run.clear()
    assert ordinary(many).made_of(start, lambda test: bool(run.append(test)), lambda: False) is start
    assert not run


def test_a_seed_repeats_the_pass():
    start = call(Literal(0, None), Literal(1, 0), Literal(2, 0))
    types_ = usual("bill(Customer('Ada'), 2, 'thanks')")
    first, again = (ordinary(types_).made_of(start, bills(3)) for _ in range(2))
    assert first.key() == again.key()


def test_a_text_that_may_be_any_is_one_that_others_pass_by_that_name():
    types_ = usual(known="send(1, note='thanks', amount='x')")
    start = call(Literal(0, "x"), Literal(1, 2), Literal(2, "a"))
    assert values_of(ordinary(types_).made_of(start, bills(3)))[2] == "thanks"
    assert values_of(ordinary(types_, {2: "a"}).made_of(start, bills(3)))[2] == "a"
    assert ordinary(types_).of_other_types(start) == {}
    written = usual("bill(1, 2, 'a')", known="send(note='thanks')")
    assert values_of(ordinary(written).made_of(start, bills(3)))[2] == "a"


def test_what_others_may_leave_out_is_left_out_where_nothing_else_is_known():
    types_ = usual(known="def send(customer=None, amount=None): ...")
    start = call(Literal(0, 7), Literal(1, 2))
    assert values_of(ordinary(types_).made_of(start, bills(2))) == [None, 2]
    assert ordinary(types_).oddness(call(Literal(0, None), Literal(1, 2))) == 0
    assert (
        ordinary(usual("bill('Ada', 2)", known="def send(customer=None): ...")).oddness(call(Literal(0, None), Literal(1, 2))) > 0
    )


def test_objects_made_up_in_the_test_are_rarely_data():
    space = Callee("types", "SimpleNamespace", CalleeKind.CLASS, (), live=types.SimpleNamespace, owner=types.SimpleNamespace)
    for made_up in (Call(0, space, Arguments()), st.StubCallable(0, "*args", None)):
        assert set(ordinary(usual()).of_other_types(call(made_up, Literal(1, 2))).values()) == {UNKNOWN}
        assert ordinary(usual("bill('Ada', 2)")).is_made_up(call(made_up, Literal(1, 2)))
    for real in (Literal(0, None), Literal(0, 7), Call(0, CUSTOMER, Arguments())):
        assert not ordinary(usual("bill('Ada', 2)")).is_made_up(call(real, Literal(1, 2)))


class Shelf(dict): ...


Shelf.__module__ = "shop"


def test_an_object_of_the_subject_is_strange_where_plain_values_are_gone_through():
    def label(words: Iterable[str] | str, parts: Iterable): ...

    told = ordinary(usual())
    shelf = Callee("shop", "Shelf", CalleeKind.CLASS, (), live=Shelf, owner=Shelf)
    assert set(told.of_other_types(call(Call(0, shelf, Arguments()), callee=callee_of(label))).values()) == {STRANGE}
    assert told.of_other_types(call(Literal(0, "a"), Call(1, shelf, Arguments()), callee=callee_of(label))) == {}
    assert told.of_other_types(call(Literal(0, Display("list", ("a",))), callee=callee_of(label))) == {}


def test_another_type_alone_counts_while_a_test_is_made_smaller():
    odd = ordinary(usual("bill(Customer('Ada'), 2, 'thanks')"))
    assert odd.of_other_types(call(Literal(0, "a"), Literal(1, 2)))
    assert odd.of_other_types(call(Literal(1, 1), callee=CUSTOMER))
    empty = call(Literal(1, ""), callee=CUSTOMER)
    assert not odd.of_other_types(empty)
    assert odd.oddness(empty)


@pytest.mark.parametrize(
    ("value", "cls", "same"),
    [
        (b"ab", list, Display("list", (97, 98))),
        ("ab", list, Display("list", ("a", "b"))),
        ("ab", bytes, b"ab"),
        (b"ab", str, "ab"),
        (Display("list", (1,)), tuple, Display("tuple", (1,))),
        (Display("list", (Display("list", ()),)), set, None),
        (3, list, None),
        ("ab", str, None),
    ],
)
def test_content_in_another_type(value, cls, same):
    assert recast(value, cls) == same


def test_nothing_is_known_of_what_nobody_shows():
    assert ordinary(usual()).oddness(call(Literal(0, "x"), Literal(1, 2))) == 0
    assert ordinary(usual()).oddness(call(Literal(0, None), Literal(1, 2))) > 0
    assert usual().of(BILL, parameter("customer")).hints == ()


def test_long_values_are_not_shown_again():
    digits = hex(1 << 20_000)
    told = shown(f"bill('{'x' * 100}', {digits})").of(BILL, "amount")
    assert told == ((int,), ())
    assert shown(f"bill('{'x' * 100}', 1)").of(BILL, "customer") == ((str,), ())
