"""The columns that functions ask of tables."""

from __future__ import annotations

import ast

from crashwright.engine.subject.usage.table_columns import columns_asked

OFFERS = """
def best(offers: pd.DataFrame, limit: int):
    open_ones = offers[offers["stock"] > 3]
    return open_ones.groupby("sku")["cost"].idxmin()

def matrix(offers: "table") -> None:
    return offers["price"]

def by_supplier(offers: pd.DataFrame):
    return offers.pivot(index="sku", columns="supplier", values=["cost", "not a name"])

def logged(logger):
    logger.info("started")
"""


def test_what_is_asked_of_one_name_is_one_table() -> None:
    functions = ast.parse(OFFERS).body
    found = columns_asked(functions, lambda name: ["acme"] if name == "supplier" else [])
    assert {"sku", "supplier", "cost"} in [one.keys() for one in found]
    whole = found[-1]
    assert whole.keys() == {"stock", "sku", "cost", "supplier", "price"}
    assert whole["supplier"] == ("acme",)
    assert 3 in whole["stock"] or 4 in whole["stock"]
    assert not any("started" in one for one in found)


def test_functions_without_tables_ask_for_none() -> None:
    assert columns_asked(ast.parse("def f(x: int):\n    return x + 1").body, lambda _name: []) == ()
