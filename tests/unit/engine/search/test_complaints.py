"""What the words of an exception name."""

from __future__ import annotations

import urllib.request
from collections.abc import Callable
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from ipaddress import ip_address

import pytest

from crashwright.core.refusing import REFUSING, quotes_refusal
from crashwright.engine.execution.confinement.guard import Guard
from crashwright.engine.execution.outcome import Outcome, RaisedFrame
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.search.complaints import (
    LOOKS,
    Complaints,
    NearRaising,
    complained_of,
    near_raising,
    plain_words,
    read_instead,
    texts_accepted,
)
from crashwright.engine.testcase.statements import Display, Literal
from crashwright.engine.testcase.testcase import TestCase


class Talkative(Exception):
    def __str__(self) -> str:
        raise AssertionError("asked")


@pytest.mark.parametrize(
    ("error", "named"),
    [
        (KeyError("ann"), ("ann",)),
        (KeyError(7), (7,)),
        (ValueError("no price for 'bolt'"), ("bolt",)),
        (ValueError("'size' is not in list"), ("size",)),
        (LookupError("unknown node: left"), ("left",)),
        (KeyError(None), ()),
        (KeyError(True), ()),
        (KeyError(""), ()),
        (KeyError("x" * 61), ()),
        (KeyError(("a", 1)), ()),
        (Talkative("'ann'"), ()),
        (TypeError("'<' not supported between instances of 'str' and 'int'"), ()),
        (ValueError("1 of 'b', 'c' and 'd'"), ("b", "c", "d")),
        (TypeError("Item.__init__() missing 2 required positional arguments: 'name' and 'size'"), ("name", "size")),
        (TypeError("make() missing 1 required keyword-only argument: 'unit'"), ("unit",)),
    ],
)
def test_names_and_whole_numbers_are_told(error: BaseException, named: tuple[object, ...]) -> None:
    assert complained_of(error) == named


def refused() -> BaseException:
    """By the guard itself, which keeps in mind what it has refused."""
    guard = Guard("/nowhere")
    try:
        guard._table(frozenset())["os.kill"]((1, 9))
    except PermissionError as error:
        return error
    raise AssertionError


def test_what_our_own_confinement_says_names_nothing() -> None:
    error = refused()
    assert str(error).startswith(REFUSING)
    assert complained_of(error) == complained_of(ValueError(f"cannot ask 'host': {error}")) == ()
    assert not any(quotes_refusal(one) for one in near_raising(error).offered)


def test_the_subject_is_not_asked_for_words() -> None:
    assert plain_words(Talkative()) == ""
    assert plain_words(ValueError(Talkative())) == ""
    assert plain_words(ValueError("two\nlines")) == "two\nlines"


def ended(error: BaseException, line: int = 1) -> Outcome:
    return Outcome(1, error, (RaisedFrame(ended.__code__, line, 0),))


def asking(word: str) -> TestCase:
    return TestCase((Literal(1, Display("list", (f"{word} 1",))),))


FAR, NEAR = CrashScore(0.9, 0, 1, 0), CrashScore(0.5, 0, 1, 0)


def test_look_ups_are_told_whatever_they_lacked_and_others_where_the_test_has_it() -> None:
    complaints = Complaints()
    complaints.note(asking("ann"), ended(KeyError("bob")), FAR)
    complaints.note(asking("ann"), ended(ValueError("no 'ann'"), 2), FAR)
    complaints.note(asking("ann"), ended(ValueError("no 'bob'"), 3), FAR)
    assert [one.named for one in complaints.take()] == [("ann",), ("bob",)]
    assert complaints.take() == []


def test_a_place_is_told_a_few_times_and_each_test_that_is_better_than_all_before() -> None:
    complaints = Complaints()
    for number in range(9):
        complaints.note(asking("ann"), ended(KeyError(number)), FAR)
    assert [one.named for one in complaints.take()] == [(2,), (1,), (0,)]
    complaints.note(asking("ann"), ended(KeyError("x")), NEAR)
    complaints.note(asking("ann"), ended(KeyError("y")), NEAR)
    assert [one.named for one in complaints.take()] == [("x",)]


def test_a_place_is_given_up() -> None:
    complaints = Complaints()
    complaints.note(asking("ann"), ended(KeyError("ann")), FAR)
    complaints.give_up(complaints.take()[0])
    complaints.note(asking("bob"), ended(KeyError("bob")), FAR)
    assert complaints.take() == []


def test_where_all_runs_are_alike_each_is_heard_with_its_end() -> None:
    complaints = Complaints()
    complaints.hear(asking("ann"), ended(KeyError("bob"), 4))
    assert complaints.latest == ("KeyError", id(ended.__code__), 4)
    assert [one.named for one in complaints.take()] == [("bob",)]
    complaints.hear(asking("ann"), Outcome(2))
    assert complaints.latest is None


def test_the_crash_itself_is_no_complaint() -> None:
    complaints = Complaints()
    complaints.note(asking("ann"), ended(KeyError("ann")), CrashScore(0.1, 3, 1, 0))
    complaints.note(asking("ann"), Outcome(1), FAR)
    assert complaints.take() == []


class Shelf:
    def __init__(self, prices: dict[str, int]) -> None:
        self.prices = prices

    def asked_of(self, known: set[str | None]) -> int:
        return self.prices["x" if known else "y"]

    def price(self, record: dict[str, str]) -> int:
        return self.prices[record["name"]]


def test_what_the_raising_frame_has_at_hand() -> None:
    try:
        Shelf({"nut": 1, "bolt": 2}).price({"name": "ann"})
    except KeyError as error:
        seen = near_raising(error)
    assert seen.offered == ("nut", "bolt", "name")
    assert seen.tables == frozenset({("name",)})
    assert near_raising(KeyError("never raised")) == NearRaising()


@pytest.mark.parametrize(
    ("refuse", "read"),
    [
        (lambda: int("x1"), int),
        (lambda: float("x1"), float),
        (lambda: date.fromisoformat("x1"), date.fromisoformat),
        (lambda: datetime.strptime("x1", "%d.%m.%Y %H:%M"), lambda text: datetime.strptime(text, "%d.%m.%Y %H:%M")),
        (lambda: ip_address("x1"), ip_address),
        (lambda: bytes.fromhex("x1"), bytes.fromhex),
        (lambda: parsedate_to_datetime("x1"), parsedate_to_datetime),
    ],
)
def test_what_the_standard_library_would_have_read(refuse: Callable[[], object], read: Callable[[str], object]) -> None:
    """In the words of the interpreter that runs this."""
    with pytest.raises(ValueError, match=r"x1|hexadecimal") as refused:
        refuse()
    first, *_ = texts_accepted(plain_words(refused.value))
    read(first)


def test_a_text_that_was_refused_has_another_in_its_place() -> None:
    with pytest.raises(ValueError, match="unknown url type") as refused:
        urllib.request.Request("shop/parts/1")
    words = plain_words(refused.value)
    assert read_instead(TestCase((Literal(0, "shop"),)), words) == ("shop", "http://example.org")
    assert read_instead(TestCase((Literal(0, "parts"),)), words) is None
    assert read_instead(TestCase((Literal(0, "shop"),)), "no price for 'shop'") is None
    urllib.request.Request("http://example.org/parts/1")


def test_what_code_has_put_more_behind_is_named() -> None:
    complaints = Complaints()
    complaints.note(asking("shop"), ended(ValueError("unknown url type: 'shop/parts/1'")), NEAR)
    [one] = complaints.take()
    assert (one.named, one.accepted) == (("shop",), ("http://example.org",))


def test_nothing_is_known_of_other_words() -> None:
    assert texts_accepted("no price for 'x'") == ()
    assert texts_accepted("time data 'x' does not match format '\ud800'") == ()


def test_what_names_nothing_is_read_a_few_times() -> None:
    complaints = Complaints()
    for _ in range(LOOKS):
        complaints.note(asking("ann"), ended(ValueError("nothing")), FAR)
    complaints.note(asking("ann"), ended(ValueError("no 'ann'")), FAR)
    assert complaints.take() == []
    complaints.note(asking("ann"), ended(ValueError("no 'ann'")), NEAR)
    assert [one.named for one in complaints.take()] == [("ann",)]


def test_errors_of_type_are_read_more_often_and_told_whatever_the_test_has() -> None:
    complaints = Complaints()
    for _ in range(LOOKS):
        complaints.note(asking("ann"), ended(TypeError("argument after ** must be a mapping, not int")), FAR)
    complaints.note(asking("ann"), ended(TypeError("make() missing 1 required positional argument: 'unit'")), FAR)
    assert [one.named for one in complaints.take()] == [("unit",)]


def test_of_a_set_those_come_first_that_do_by_their_spelling() -> None:
    with pytest.raises(KeyError) as raised:
        Shelf({}).asked_of({"c", "b", "a", None})
    assert near_raising(raised.value).offered == ("a", "b", "c")
