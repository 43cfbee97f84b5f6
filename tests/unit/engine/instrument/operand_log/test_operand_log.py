"""What each kind of decision notes, of values that come from the test and of no others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from crashwright.engine.instrument.operand_log.changes import AskedDecision, ChangeKind
from crashwright.engine.instrument.operand_log.log import MOST_OF_ONE, OperandLog
from crashwright.engine.instrument.operand_log.rewriting import asked_functions


class Box:
    """Something of the subject's; it must not be asked anything."""

    def __eq__(self, other: object) -> bool:
        raise AssertionError("was compared")

    def __hash__(self) -> int:
        return 1

    def __bool__(self) -> bool:
        raise AssertionError("was asked for its truth")


def ran(source: str, *given: Any, elsewhere: tuple[Any, ...] = ()) -> list[AskedDecision]:
    """What ``f(*given)`` asks of what it is given; the place of an argument is its number."""
    log = OperandLog()
    codes = asked_functions(source, "subject.py", log, 0).codes
    values: dict[str, Any] = {}
    exec(source, values)
    function = values["f"]
    function.__code__ = next(code for (name, _), code in codes.items() if name == "f")

    def places(value: object) -> tuple[object, ...]:
        known = (*given, *elsewhere)
        return tuple(number for number, one in enumerate(known) if one is value or (type(one) in (str, int) and one == value))

    log.begin(places)
    try:
        function(*given)
    except (KeyError, IndexError):
        pass  # what it looks for is told of all the same
    finally:
        found = log.end()
    return found


def wanted(asked: list[AskedDecision]) -> list[tuple[object, ChangeKind, object]]:
    return [(one.wanted.spots[0], one.wanted.way, one.wanted.what) for one in asked]


@pytest.mark.parametrize(
    ("body", "given", "expected"),
    [
        pytest.param("return a == 'end'", "begin", (ChangeKind.VALUE, "end"), id="equals a constant"),
        pytest.param("return a != 'end'", "begin", (ChangeKind.VALUE, "end"), id="does not differ from it"),
        pytest.param("return a > 700", 3, (ChangeKind.VALUE, 701), id="beyond a boundary"),
        pytest.param("return a in ('north', 'south')", "here", (ChangeKind.VALUE, "south"), id="one of several"),
        pytest.param("return 'key' in a", {}, (ChangeKind.ITEM, "key"), id="holds a key"),
        pytest.param("return 'item' in a", ["x"], (ChangeKind.ITEM, "item"), id="holds an element"),
        pytest.param("return a['key']", {}, (ChangeKind.ITEM, "key"), id="a key that is read"),
        pytest.param("return a.get('key')", {}, (ChangeKind.ITEM, "key"), id="a key that is asked for"),
        pytest.param("return isinstance(a, (list, tuple))", 1, (ChangeKind.INSTANCE, tuple), id="an instance"),
        pytest.param("return hasattr(a, 'name')", Box(), (ChangeKind.ATTRIBUTE, "name"), id="has an attribute"),
        pytest.param("return getattr(a, 'name', None)", Box(), (ChangeKind.ATTRIBUTE, "name"), id="an attribute with a default"),
        pytest.param("return len(a) == 4", [1, 2], (ChangeKind.LENGTH, 4), id="a length"),
        pytest.param("return a.startswith('--')", "x", (ChangeKind.VALUE, "--x"), id="a beginning"),
        pytest.param("return a.endswith('.py')", "x", (ChangeKind.VALUE, "x.py"), id="an end"),
        pytest.param("return a.isdigit()", "x", (ChangeKind.VALUE, "0"), id="a kind of text"),
        pytest.param("return 1 if a else 2", [], (ChangeKind.LENGTH, 1), id="not empty"),
        pytest.param("return 1 if not a else 2", [1], (ChangeKind.LENGTH, 0), id="empty"),
        pytest.param("for one in a: pass", [], (ChangeKind.LENGTH, 1), id="something to go through"),
        pytest.param("return a is None", 5, (ChangeKind.VALUE, None), id="None"),
        pytest.param("return a is None or a", None, (ChangeKind.VALUE, 1), id="not None"),
        pytest.param("return 1 < a < 5", 7, (ChangeKind.VALUE, 4), id="a chain"),
        pytest.param("return [b for b in 'x' if a]", 0, (ChangeKind.VALUE, 1), id="the condition of a comprehension"),
    ],
)
def test_what_is_wanted(body: str, given: object, expected: tuple[ChangeKind, object]) -> None:
    assert (0, *expected) in wanted(ran(f"def f(a):\n    {body}\n", given))


def test_two_values_of_the_test_may_become_one() -> None:
    one, other = object(), object()
    assert (0, ChangeKind.SAME, 1) in wanted(ran("def f(a, b):\n    return a is b\n", one, other))


def test_the_side_that_came_out() -> None:
    assert {one.side for one in ran("def f(a):\n    return a == 3\n", 3)} == {True}
    assert {one.side for one in ran("def f(a):\n    return a == 3\n", 4)} == {False}


def test_what_comes_from_elsewhere_is_not_noted() -> None:
    assert ran("def f(a):\n    b = [*a]\n    return b == [5] or len(b) == 9\n", (1, 2)) == []


def test_nothing_is_asked_of_the_subjects_own_objects() -> None:
    source = "def f(a, b):\n    return a is b or isinstance(a, int) or [one for one in (a,) if one is not b]\n"
    assert ran(source, Box(), Box())


def test_one_decision_is_noted_so_often_and_no_more() -> None:
    found = ran(
        "def f(a):\n    for one in a:\n        if one == 'x': return 1\n", "abcdefghijklmnop", elsewhere=(*"abcdefghijklmnop",)
    )
    times = [sum(one.site == site for one in found) for site in {one.site for one in found}]
    assert max(times) == MOST_OF_ONE


def test_after_the_end_nothing_is_noted() -> None:
    log = OperandLog()
    log.begin(lambda _: (0,))
    log.end()
    assert log.compare("==", 1, 2, 0) is False
    assert log.end() == []


@pytest.mark.parametrize("probed", [lambda log: log.wrap(locals, 0), lambda log: log.wrap(Box, 0)])
def test_what_nobody_has_a_row_for_is_called_as_it_is(probed: Callable[[OperandLog], object]) -> None:
    log = OperandLog()
    log.begin(lambda _: (0,))
    assert probed(log) in (locals, Box)
