"""By what names code looks things up."""

from __future__ import annotations

import ast

from crashwright.engine.subject.usage.index_names import index_names


def test_the_last_names_of_what_is_looked_up_and_of_the_key_are_known() -> None:
    tree = ast.parse(
        "show.prices[category]\norder.code in codes\nself.rates.get(currency, 1)\n"
        "rows[0]\nwords[len(x)]\nprices[other]\nmake()[kind]\n"
    )
    assert index_names([tree]) == {"prices": "category", "codes": "code", "rates": "currency"}
