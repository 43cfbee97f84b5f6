"""Tests that fail, each in its own way; ``tool_reports.py`` copies this file to where pytest finds it."""

import asyncio

import pytest
import shop
from shop import Shelf


@pytest.fixture
def shelf():
    return Shelf({"bolt": [1, 2]})


@pytest.fixture
def broken(shelf):
    shop.take(shelf, "nut")


@pytest.fixture
def closing(shelf):
    yield shelf
    shop.take(shelf, "nut")


def test_take(shelf):
    shop.take(shelf, "nut")


def test_total(shelf):
    shop.total([shelf, Shelf({"bolt": "x" * 300})], "bolt")


def test_order(shelf):
    shop.order(shelf, "nut")


def test_reorder(shelf):
    shop.reorder(shelf, "nut")


def test_fetch(shelf):
    asyncio.run(shop.fetch(shelf, "nut"))


def test_noted(shelf):
    shop.noted(shelf)


def test_many(shelf):
    shop.many(shelf)


def test_deep():
    shop.deep(0)


def test_pick():
    shop.pick([])


def test_password():
    shop.password("hunter2")


def test_assert(shelf):
    value = {"a": [1, 2, 3]}
    assert value == {"a": [1, 2, 4]}, "not equal"


def test_assert_plain():
    assert [1, 2] == [1, 3]


def test_syntax():
    compile("a b", "x.py", "exec")


def test_exec():
    exec("1/0")


@pytest.mark.parametrize("name", ["two words"])
def test_each(shelf, name):
    shop.take(
        shelf,
        name,
    )


def test_values():
    class Odd:
        def __repr__(self):
            return "Odd\n  of = lines\nname = 3"

    odd = Odd()
    many = list(range(20))
    cut = "y" * 400
    assert many
    assert cut
    shop.take(Shelf({}), odd)


def test_broken(broken):
    pass


def test_closing(closing):
    print("captured output\n> not a line\nE   neither\nshop.py:3: in nowhere")


class TestShelf:
    def test_method(self, shelf):
        with pytest.raises(ZeroDivisionError):
            shop.take(shelf, "nut")

    def test_empty_message(self):
        raise RuntimeError

    def test_fail(self):
        pytest.fail("did not work")
