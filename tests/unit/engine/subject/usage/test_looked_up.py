"""Values are read by the names of what is compared with them or looked up among them."""

from __future__ import annotations

import ast

from crashwright.engine.subject.usage.looked_up import MOST, looked_up

SOURCE = """
PRICES = {"free": 0, "team": 1500}
KINDS: frozenset[str] = frozenset(("a", "b"))

def charge(account, kind, count):
    if kind not in KINDS or count >= 3 or "x" == account.owner:
        return None
    match account.mode:
        case "fast" | "slow":
            return 1
        case "lazy":
            return 2
    return PRICES[account.plan] + PRICES.get(account.other, 0) + account.rows[0:2]
"""


def test_tables_are_found_where_the_module_assigns_them() -> None:
    found = looked_up(ast.parse(SOURCE))
    assert found["plan"] == found["other"] == ("free", "team")
    assert found["kind"] == ("a", "b")


def test_comparisons_count_from_both_sides() -> None:
    found = looked_up(ast.parse(SOURCE))
    assert (found["count"], found["owner"], found["mode"]) == ((3,), ("x",), ("lazy",))


def test_a_long_table_is_cut_short() -> None:
    table = {str(number): number for number in range(3 * MOST)}
    assert len(looked_up(ast.parse(f"TABLE = {table}\nTABLE[name]"))["name"]) == MOST
