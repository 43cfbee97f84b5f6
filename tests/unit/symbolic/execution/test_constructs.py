"""Constructs that call other code, or change part of a sequence: preconditions against what Python does."""

from __future__ import annotations

from textwrap import dedent

import pytest
from crash_cases import Case, holds_just_where_it_crashes
from walked import loaded, of_level, target_of, walked

from crashwright.engine.goals.crash.precondition import distance

CASES = {
    "not among numbers": Case(
        """
        def f(x, number):
            if x not in (2, 2.5):
                return 12 // number
            return 0
        """,
        ("3, 0", "7, 0"),
        ("2, 0", "2.5, 0", "2.0, 0", "3, 1"),
    ),
    "among a bool and a float": Case(
        """
        def f(x, number):
            if x in [True, 0.5]:
                return 12 // number
            return 0
        """,
        ("True, 0",),
        ("2, 0", "0.25, 0", "'a', 0", "False, 0"),
    ),
    "static method": Case(
        """
        class Scale:
            @staticmethod
            def rest(number):
                return number - 3

            def part(self, number):
                return 12 // self.rest(number)

        def f(scale, number):
            return scale.part(number)
        """,
        ("Scale(), 3",),
        ("Scale(), 4", "Scale(), 0"),
    ),
    "method of a class": Case(
        """
        class Scale:
            least = 2

            @classmethod
            def rest(cls, number):
                return number - 5

        def f(number):
            return 12 // Scale.rest(number)
        """,
        ("5",),
        ("4", "0"),
    ),
    "property": Case(
        """
        class Scale:
            def __init__(self, number):
                self.number = number

            @property
            def rest(self):
                if self.number > 9:
                    return 1
                return self.number - 3

            def part(self):
                return 12 // self.rest

        def f(scale):
            return scale.part()
        """,
        ("Scale(3)",),
        ("Scale(4)", "Scale(10)"),
    ),
    "constant of a class": Case(
        """
        class Scale:
            least = 2

            @classmethod
            def rest(cls, number):
                return number - cls.least - Scale.least

        def f(number):
            return 12 // Scale.rest(number)
        """,
        ("4",),
        ("2", "0"),
    ),
    "class of a class method": Case(
        """
        class Scale:
            def __init__(self, number):
                self.number = number

            @classmethod
            def made(cls, number):
                return cls(number + 1)

        def f(number):
            return 12 // Scale.made(number).number
        """,
        ("-1",),
        ("0", "1"),
    ),
    "base called by its name": Case(
        """
        class Base:
            def rest(self, number):
                return number - 2

        class Lower(Base):
            def less(self, number):
                return Base.rest(self, number) - 1

        def f(lower, number):
            return 12 // lower.less(number)
        """,
        ("Lower(), 3",),
        ("Lower(), 2", "Lower(), 0"),
    ),
    "inner function": Case(
        """
        def f(items, least):
            def wide(place):
                return items[place + least]

            return wide(1)
        """,
        ("[1, 2, 3], 2", "[], 0"),
        ("[1, 2, 3], 1",),
    ),
    "result of an inner function": Case(
        """
        def f(number, less):
            def rest(other):
                return other - less

            return 12 // rest(number)
        """,
        ("3, 3", "0, 0"),
        ("3, 2",),
    ),
    "lambda": Case(
        """
        def f(number):
            rest = lambda other: other - 7
            return 12 // rest(number)
        """,
        ("7",),
        ("3", "0"),
    ),
    "cached": Case(
        """
        from functools import lru_cache

        @lru_cache(maxsize=None)
        def rest(number):
            return number - 4

        def f(number):
            return 12 // rest(number)
        """,
        ("4",),
        ("3", "0"),
    ),
    "generator in a loop": Case(
        """
        def wide(rows, least):
            for row in rows:
                if row > least:
                    yield row - 5

        def f(rows, least):
            total = []
            for row in wide(rows, least):
                total.append(12 // row)
            return total
        """,
        ("[5], 3", "[1, 5], 3"),
        ("[5], 6", "[6], 3", "[], 0"),
    ),
    "generator in a list": Case(
        """
        def both(first, second):
            yield first
            if second:
                yield second

        def f(first, second):
            return list(both(first, second))[1]
        """,
        ("1, 0", "0, 0"),
        ("1, 2",),
    ),
    "generator within a generator": Case(
        """
        def inner(number):
            yield number
            yield number - 3

        def outer(number):
            yield 5
            yield from inner(number)

        def f(number):
            rows = list(outer(number))
            return 12 // rows[2]
        """,
        ("3",),
        ("2", "0"),
    ),
    "slice replaced": Case(
        """
        def f(rows, new):
            rows[1:3] = new
            return 12 // rows[1]
        """,
        ("[1, 2, 3, 0], []", "[1, 2], [0]", "[1, 5, 6, 7], [0, 4]"),
        ("[0, 0, 0, 1], []", "[1, 0, 0], [2]"),
    ),
    "slice deleted": Case(
        """
        def f(rows, start):
            del rows[start:2]
            return rows[1]
        """,
        ("[1, 2, 3], 0", "[1], 0", "[1, 2], -1"),
        ("[1, 2, 3], 1", "[1, 2], 2", "[1, 2, 3, 4], 0", "[1, 2, 3], 3"),
    ),
    "a context manager that gives itself": Case(
        """
        class Shelf:
            def __init__(self, size):
                self.size = size

            def __enter__(self):
                return self

            def __exit__(self, *error):
                pass

        def f(shelf: Shelf):
            with shelf as held:
                return 12 // held.size
        """,
        ("Shelf(0)",),
        ("Shelf(1)",),
    ),
    "a sum": Case(
        """
        def f(values, number):
            return number // sum(values)
        """,
        ("[], 3", "[0], 3", "[2, -2], 1"),
        ("[1], 3", "[2, -1], 3"),
    ),
    "what a decorator lets through": Case(
        """
        import functools

        def logged(function):
            @functools.wraps(function)
            def wrapper(*args, **kwargs):
                return function(*args, **kwargs)

            return wrapper

        @logged
        def rest(number):
            return number - 4

        def f(number):
            return 12 // rest(number)
        """,
        ("4",),
        ("3", "0"),
    ),
    "extended": Case(
        """
        def f(rows, more):
            rows.extend(more)
            return 12 // rows[2]
        """,
        ("[1, 2], [0]", "[1], [2, 0]", "[1, 2, 0], [4]"),
        ("[0, 0], [1]", "[1], [0, 2]"),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_they_hold_just_where_the_crash_happens(name: str) -> None:
    (*_, last) = holds_just_where_it_crashes(CASES[name])
    assert not last.unmodelled


def test_what_is_awaited_at_once_is_what_the_coroutine_returns() -> None:
    source = dedent(
        """
        async def rest(number):
            return number - 9

        async def f(number):
            return 12 // await rest(number)
        """
    )
    with pytest.raises(ZeroDivisionError) as caught:
        loaded(source).f(9).send(None)
    found, _ = walked(source, target_of(caught.value))
    assert [distance(of_level(found, 1), {"number": number}) == 0 for number in (9, 8, 0)] == [True, False, False]
    assert not any(one.unmodelled for one in found)


def test_a_generator_that_reads_what_the_loop_changes_is_not_known() -> None:
    source = dedent(
        """
        def shrinking(rows):
            place = 0
            while place < len(rows):
                yield place
                place += 1

        def f(rows):
            last = 0
            for place in shrinking(rows):
                rows.pop()
                last = place
            return 12 // last
        """
    )
    with pytest.raises(ZeroDivisionError) as caught:
        loaded(source).f([1, 2])
    found, _ = walked(source, target_of(caught.value), unrolled=2)
    assert any("what shrinking() returns" in one.unmodelled for one in of_level(found, 1))


def test_a_shared_parameter_is_that_of_the_call_that_defines_the_function() -> None:
    source = dedent(
        """
        def f(items, least):
            def wide(place):
                return items[place + least]

            return wide(1)
        """
    )
    with pytest.raises(IndexError) as caught:
        loaded(source).f([1, 2, 3], 2)
    found, _ = walked(source, target_of(caught.value))
    outermost = of_level(found, 2)
    assert distance(outermost, {"items": [1, 2, 3], "least": 2}) == 0
    assert distance(outermost, {"items": [1, 2, 3], "least": 1}) > 0


def test_the_first_parameter_of_a_class_method_is_the_class() -> None:
    source = dedent(
        """
        class Scale:
            @classmethod
            def part(cls, number):
                return 12 // number

        def f(number):
            return Scale.part(number)
        """
    )
    with pytest.raises(ZeroDivisionError) as caught:
        loaded(source).f(0)
    found, _ = walked(source, target_of(caught.value))
    assert distance(of_level(found, 2), {"number": 0}) == 0
    assert distance(of_level(found, 2), {"number": 1}) > 0


def test_among_collections_is_told_to_be_open() -> None:
    source = dedent(
        """
        def f(x, number):
            if x not in ([1], [2]):
                return 12 // number
            return 0
        """
    )
    with pytest.raises(ZeroDivisionError) as caught:
        loaded(source).f(3, 0)
    found = of_level(walked(source, target_of(caught.value))[0], 1)
    assert found
    assert all("whether it equals an object in there" in one.unmodelled for one in found)
