"""The checked-in tables are what z3 derives, and hold for operands beyond those that it looked at."""

from __future__ import annotations

import importlib.util
import operator
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from crashwright.engine.goals.coverage.subsumption_tables import ARITHMETIC, BITWISE, RELATIONAL, RELATIONAL_OF_BRANCHES, Table

ROOT = next(folder for folder in Path(__file__).parents if (folder / "pyproject.toml").exists())
Operation = Callable[[int, int], object]
ORDER: dict[str, Operation] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
    "True": lambda a, b: True,
    "False": lambda a, b: False,
}
NUMBERS: dict[str, Operation] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
}
BITS: dict[str, Operation] = {"&": operator.and_, "|": operator.or_, "^": operator.xor}
ANY = list(product(range(-9, 10), repeat=2))
POSITIVE = list(product(range(1, 41), repeat=2))


def killers(operations: dict[str, Operation], original: str, mutant: str, operands: list[tuple[int, int]]) -> set[tuple[int, int]]:
    def outcome(name: str, a: int, b: int) -> tuple[type, object]:
        found = operations[name](a, b)
        return type(found), found

    return {(a, b) for a, b in operands if outcome(original, a, b) != outcome(mutant, a, b)}


def test_module_is_what_z3_derives() -> None:
    spec = importlib.util.spec_from_file_location("derive_subsumption", ROOT / "scripts" / "derive_subsumption.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.main(["--check"]) == 0


@pytest.mark.parametrize(
    ("table", "operations", "operands"),
    [(RELATIONAL, ORDER, ANY), (ARITHMETIC, NUMBERS, POSITIVE), (BITWISE, BITS, ANY)],
    ids=["relational", "arithmetic", "bitwise"],
)
def test_what_kills_the_kept_kills_all(table: Table, operations: dict[str, Operation], operands: list[tuple[int, int]]) -> None:
    for original, kept in table.items():
        killed = {other: killers(operations, original, other, operands) for other in operations if other != original}
        for other, by in killed.items():
            assert other in kept or any(killed[one] <= by for one in kept), (original, other)
        for one, other in product(kept, repeat=2):
            assert one == other or not killed[one] <= killed[other], (original, one, other)


def test_both_outcomes_kill_what_branches_leave_out() -> None:
    for original, kept in RELATIONAL.items():
        for dropped in set(kept) - set(RELATIONAL_OF_BRANCHES[original]):
            by = killers(ORDER, original, dropped, ANY)
            outcomes = [{where for where in ANY if ORDER[original](*where) is outcome} for outcome in (True, False)]
            assert any(outcome <= by for outcome in outcomes), (original, dropped)


def test_tables_of_the_paper() -> None:
    assert {one: set(kept) for one, kept in RELATIONAL_OF_BRANCHES.items()} == {
        "==": {">=", "<="},
        "!=": {">", "<"},
        ">": {"!=", ">="},
        ">=": {"==", ">"},
        "<": {"<=", "!="},
        "<=": {"==", "<"},
    }
    assert {one: set(kept) for one, kept in BITWISE.items()} == {"&": {"|"}, "^": {"|"}, "|": {"^", "&"}}
    assert ARITHMETIC["+"] == ("*",)
