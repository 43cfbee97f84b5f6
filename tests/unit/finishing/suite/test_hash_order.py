"""Tests that go by the order of a set."""

from __future__ import annotations

from crashwright.finishing.suite.hash_order import ordered_by_hash

FILE = """
import pytest


@pytest.mark.parametrize("value", [{"a", "b"}, {1}])
def test_rows(value):
    assert f(value) == 1


def test_numbers():
    assert f({1, -2, 3.5}) == 1


def test_single():
    assert f({"a"}, {"a": 1, "b": 2}, set()) == 1


class TestTree:
    def test_made(self):
        assert f(frozenset(["a", "b"])) == 1

    def test_none(self):
        assert f(["a", "b"]) == 1
"""


def test_sets_of_what_hashes_otherwise_in_each_process() -> None:
    assert ordered_by_hash(FILE) == {"test_rows", "TestTree::test_made"}
