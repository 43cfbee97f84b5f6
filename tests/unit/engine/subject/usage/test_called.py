"""What a path depends on beside its frames: functions that it calls, tables in which they look up."""

from __future__ import annotations

import ast

import finders
import stations

from crashwright.core.location import CodeKey
from crashwright.engine.subject.source import Sources
from crashwright.engine.subject.usage.called import called_from
from crashwright.engine.subject.usage.lookups import index_names, keys_by_name, keys_looked_up

READ = CodeKey("stations", "Ledger.read", stations.Ledger.read.__code__.co_firstlineno)


def test_functions_that_are_called_and_those_that_these_call() -> None:
    assert [key.qualname for key, _ in called_from([READ], Sources())] == ["row_of", "moment"]


def test_methods_that_are_called_by_computed_names() -> None:
    calls = CodeKey("finders", "calls", finders.calls.__code__.co_firstlineno)
    assert [key.qualname for key, _ in called_from([calls], Sources())] == [
        "CallFinder.__init__",
        "CallFinder.visit_Call",
        "is_plain",
    ]


def test_keys_of_the_tables() -> None:
    node = Sources().node_of(READ)
    assert node is not None
    assert keys_looked_up([(node, vars(stations))]) == ["mm", "cm"]
    assert keys_looked_up([(node, {})]) == []


def test_keys_by_the_name_of_what_is_looked_up() -> None:
    tree = ast.parse(
        "def f(self, row, code):\n"
        "    RATES[self.currency], SIZES.get(row['size']), RATES[code.upper()]\n"
        "    SIZES[row.get('width')], RATES['EUR'], OTHER[self.x]\n"
    )
    known = {"RATES": {"EUR": 1, "USD": 2}, "SIZES": {1: 2}, "OTHER": {}}
    assert keys_by_name([(tree, known)]) == {"currency": ["EUR", "USD"], "size": [1], "code": ["EUR", "USD"], "width": [1]}


def test_keys_of_a_table_that_stands_in_another() -> None:
    tree = ast.parse(
        "def f(state, event):\n"
        "    moves = MOVES[state]\n"
        "    if event not in moves:\n        return MIXED[state]\n"
        "    return moves[event]\n"
    )
    known = {"MOVES": {1: {"load": 2}, 2: {"miss": 1, "load": 3}}, "MIXED": {1: {"x": 1}, 2: 3}}
    assert keys_by_name([(tree, known)]) == {"state": [1, 2], "event": ["load", "miss"]}


def test_the_last_names_of_what_is_looked_up_and_of_the_key_are_known() -> None:
    tree = ast.parse(
        "show.prices[category]\norder.code in codes\nself.rates.get(currency, 1)\n"
        "rows[0]\nwords[len(x)]\nprices[other]\nmake()[kind]\n"
    )
    assert index_names([tree]) == {"prices": "category", "codes": "code", "rates": "currency"}
