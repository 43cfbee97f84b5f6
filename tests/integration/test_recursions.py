"""Endless recursion, from the traceback that Python prints to a test in which the same cycle fills the stack."""

from __future__ import annotations

from pathlib import Path

import pytest
from printed_crash import PrintedCrash

TREES = """
class Node:
    def __init__(self, label):
        self.label = label
        self.parent = None

    def root(self):
        if self.parent is None:
            return self
        return self.parent.root()


def leaves(items):
    found = []
    for item in items:
        found.extend(leaves(item) if isinstance(item, list) else [item])
    return found


def countdown(number):
    if number == 0:
        return 0
    return countdown(number - 1)


def is_even(number):
    if number == 0:
        return True
    return is_odd(number - 1)


def is_odd(number):
    if number == 0:
        return False
    return is_even(number - 1)


def parse(text):
    return group(list(text))


def group(tokens):
    found = []
    while tokens:
        token = tokens.pop(0)
        if token == "[":
            found.append(group(tokens))
    return found
"""


@pytest.fixture
def crash(tmp_path: Path) -> PrintedCrash:
    made = PrintedCrash(tmp_path)
    made.module("trees", TREES)
    return made


@pytest.mark.parametrize(
    ("script", "cycle"),
    [
        pytest.param("trees.countdown(-1)", ["countdown"], id="a function that calls itself"),
        pytest.param(
            "n = trees.Node('a')\nn.parent = n\nn.root()",
            ["root"],
            id="an object that is its own parent",
            marks=pytest.mark.nightly,
        ),
        pytest.param(
            "items = []\nitems.append(items)\ntrees.leaves(items)", ["leaves"], id="a list in itself", marks=pytest.mark.nightly
        ),
        pytest.param("trees.parse('[' * 5000)", ["group"], id="deep nesting", marks=pytest.mark.nightly),
        pytest.param("trees.is_even(-1)", ["is_even", "is_odd"], id="two functions in turn", marks=pytest.mark.nightly),
    ],
)
def test_the_cycle_is_reproduced(crash: PrintedCrash, script: str, cycle: list[str]) -> None:
    crash.crash(f"import trees\n{script}\n")
    done = crash.reproduce(2000)
    assert done.code == 0, done.out + done.err
    text = crash.run_test()
    assert "RecursionError" in text
    assert all(text.count(f"in {name}\n") >= 2 for name in cycle), text
