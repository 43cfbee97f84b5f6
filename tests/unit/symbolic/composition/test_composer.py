"""Whole tests from the preconditions of crashes: what is composed is run."""

from __future__ import annotations

from textwrap import dedent

import pytest
from composed import composed, crash_of, crashes

from crashwright.symbolic.composition.strategies import Strategy

SHELF = """
class Shelf:
    def __init__(self, slots=(), name="a"):
        self.slots = list(slots)
        self.name = name

    def take(self, count):
        taken = []
        while count > 3:
            taken.append(self.slots[count])
            count -= 1
        return taken

def order(shelf, text):
    return shelf.take(int(text))
"""
CART = """
class Cart:
    def __init__(self):
        self.limit = 1

    def allow(self, limit):
        self.limit = limit

    def share(self):
        return 10 // self.limit
"""
BOX = """
class Box:
    def __init__(self, size: int):
        self.size = size if size > 0 else 1
        self.lid = 1

    def close(self):
        return self.size // self.lid
"""
RECORD = """
from dataclasses import dataclass, field

@dataclass
class Point:
    x: int
    tags: list = field(default_factory=list)

def first(point, *, scale=1):
    if scale == 3:
        return point.tags[point.x]
"""
COLOUR = """
import enum

class Colour(enum.Enum):
    RED = 1
    GREEN = 2

def price(colour: Colour, table):
    if colour.value == 2:
        return table[colour.name]
"""

RING = """
import collections

class Ring(collections.UserList):
    def __init__(self, items):
        super().__init__(*items)
        self.place = 0

    def turn(self, steps):
        return 7 // (steps - 3)
"""

SHAPES = """
import abc

class Shape(abc.ABC):
    @abc.abstractmethod
    def size(self): ...

    def part(self, parts):
        return 9 // parts

class Square(Shape):
    def size(self):
        return 4
"""

FACTORY = """
class Ticket:
    @classmethod
    def parsed(cls, text, price):
        ticket = cls()
        ticket.text = text
        ticket.price = price
        return ticket

    def share(self, people):
        return self.price // people
"""
PLAN = """
class Plan:
    def __init__(self, name):
        self.name = name
        self.days = 1

class Planner:
    def __init__(self, plan):
        self.plan = plan

    def pace(self):
        return 12 // self.plan.days

def plan_for(name, days):
    made = Plan(name)
    made.days = days
    return made
"""
BASKET = """
class Basket:
    def __init__(self):
        self.items = []
        self.prices = {}

    def last(self):
        if len(self.items) > 1:
            return 10 // self.items[1]

    def price(self):
        return 10 // self.prices["a"]
"""
HANDLE = """
class Handle:
    def __init__(self, size):
        self._size = size + 1

    def part(self):
        return 12 // self.width
"""
COPIED = """
class Part:
    def __init__(self, size=1):
        self.size = size

    def copy(self):
        return self.__class__(size=self.size)

class Named(Part):
    def __init__(self, name="a", **more):
        super().__init__(3, **more)
"""


def test_values_that_are_refused_by_what_is_written_in_c() -> None:
    source = "def f(number):\n    return int(number)\n"
    tests = composed(source, crash_of(source, "f(float('inf'))"), 1)
    assert any((again := crashes(source, one)) is not None and again.exception == "OverflowError" for one in tests)


def test_receivers_are_of_the_classes_whose_methods_run() -> None:
    [first, *_] = composed(COPIED, crash_of(COPIED, "Named().copy()"), 2)
    assert first.splitlines()[-1] == "Named().copy()"


@pytest.mark.parametrize(
    ("source", "call", "level"),
    [
        pytest.param("def f(items, place):\n    return items[place + 2]\n", "f([1], 3)", 1, id="literals"),
        pytest.param("def f(table, *, key):\n    return table[key + 'x']\n", "f({}, key='a')", 1, id="keywords"),
        pytest.param(SHELF, "order(Shelf([1]), '5')", 2, id="a constructor, and a text that is a number"),
        pytest.param(SHELF, "order(Shelf([1]), '5')", 1, id="the method alone"),
        pytest.param(CART, "c = Cart(); c.allow(0); c.share()", 1, id="a method that brings about the state"),
        pytest.param(BOX, "b = Box(2); b.lid = 0; b.close()", 1, id="an attribute that nothing else sets"),
        pytest.param(RECORD, "first(Point(2), scale=3)", 1, id="a record"),
        pytest.param(RING, "Ring([]).turn(3)", 1, id="a constructor that is not understood"),
        pytest.param("def f(key, items):\n    key(1)\n    return items[2]\n", "f(str, [])", 1, id="a function"),
        pytest.param(SHAPES, "Square().part(0)", 1, id="a subclass of what is abstract"),
        pytest.param(PLAN, "Planner(plan_for('a', 0)).pace()", 1, id="a function that makes it"),
        pytest.param(BASKET, "b = Basket(); b.items.append(1); b.items.append(0); b.last()", 1, id="what a list gets"),
        pytest.param(BASKET, "b = Basket(); b.prices['a'] = 0; b.price()", 1, id="what a dictionary gets"),
        pytest.param(COLOUR, "price(Colour.GREEN, {})", 1, id="a member of an enumeration"),
    ],
)
def test_the_first_test_that_is_composed_crashes_so(source: str, call: str, level: int) -> None:
    target = crash_of(source, call)
    tests = composed(source, target, level)
    assert tests
    again = crashes(source, tests[0])
    assert again is not None, tests[0]
    assert again.exception == target.exception
    assert [(frame.key, frame.line) for frame in again.frames][-level:] == [(frame.key, frame.line) for frame in target.frames][
        -level:
    ]


@pytest.mark.parametrize("strategy", [*Strategy])
def test_each_strategy_brings_the_state_about(strategy: Strategy) -> None:
    target = crash_of(CART, "c = Cart(); c.allow(0); c.share()")
    again = crashes(CART, composed(CART, target, 1, strategy)[0])
    assert again is not None
    assert again.frames[-1].line == target.frames[-1].line


def test_methods_are_chosen_by_what_contradicts_the_constructor() -> None:
    [first, *_] = composed(CART, crash_of(CART, "c = Cart(); c.allow(0); c.share()"), 1)
    assert first.splitlines()[-3:] == ["cart = Cart()", "cart.allow(0)", "cart.share()"]


def test_an_object_is_changed_as_often_as_its_state_needs() -> None:
    source = dedent("""
    class Oven:
        def __init__(self):
            self._on = False
            self._heat = 0
            self._tray = 1

        def switch(self):
            self._on = True

        def warm(self):
            self._heat += 1

        def remove(self):
            self._tray = None

        def bake(self):
            if self._on:
                if self._heat > 1:
                    return self._tray + 1
    """)
    target = crash_of(source, "o = Oven()\no.switch()\no.warm()\no.warm()\no.remove()\no.bake()")
    [found, *_] = composed(source, target, 1)
    assert crashes(source, found) is not None
    assert sorted(line.partition(".")[2] for line in found.splitlines()[2:-1]) == ["remove()", "switch()", "warm()", "warm()"]
