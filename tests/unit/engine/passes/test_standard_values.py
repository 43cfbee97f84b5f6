"""Dates and amounts of a test become those that somebody would write."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Callable

from crashwright.engine.passes.standard_values import standard_plain
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Arguments, Call, Literal, Value
from crashwright.engine.testcase.testcase import TestCase

DATE = Callee("datetime", "date", CalleeKind.CLASS, live=datetime.date)
DECIMAL = Callee("decimal", "Decimal", CalleeKind.CLASS, live=decimal.Decimal)
TAKE = Callee("shop", "take", CalleeKind.FUNCTION)


class Nothing:
    callables = ()
    constants = ()

    def methods_of(self, _cls):
        return ()

    def constructors_of(self, _hint):
        return ()

    def producers(self, _hint):
        return ()


def made(*calls: tuple[Callee, tuple[Value, ...]]) -> TestCase:
    statements: list[Literal | Call] = []
    passed = []
    for callee, values in calls:
        literals = [Literal(len(statements) + place, value) for place, value in enumerate(values)]
        statements += literals
        passed.append(len(statements))
        statements.append(Call(len(statements), callee, Arguments(tuple(one.variable for one in literals))))
    statements.append(Call(len(statements), TAKE, Arguments(tuple(passed))))
    return TestCase(tuple(statements))


def plain(test: TestCase, good: Callable[[list[tuple[Value, ...]]], bool] = lambda _values: True) -> list[tuple[Value, ...]]:
    found = standard_plain(test, Factory(Nothing(), SeedPool(), (), fresh=iter(range(100, 200))), lambda one: good(values(one)))
    assert found.is_valid()
    return values(found)


def values(test: TestCase) -> list[tuple[Value, ...]]:
    literals = {one.variable: one.value for one in test.statements if isinstance(one, Literal)}
    calls = [one for one in test.statements if isinstance(one, Call) and one.callee is not TAKE]
    return [tuple(literals[variable] for variable in call.arguments.positional) for call in calls]


def test_what_need_not_be_so_is_plain() -> None:
    assert plain(made((DATE, (9, 9, 9)), (DECIMAL, ("1E-30",)), (DECIMAL, ()))) == [(2024, 1, 1), ("1",), ("1",)]


def test_years_move_together() -> None:
    def is_a_year_later(found: list[tuple[Value, ...]]) -> bool:
        return found[1][0] == int(str(found[0][0])) + 1 and found[1][2] == 7

    assert plain(made((DATE, (1, 1, 1)), (DATE, (2, 7, 7))), is_a_year_later) == [(2024, 1, 1), (2025, 7, 7)]


def test_what_has_to_be_so_stays() -> None:
    assert plain(made((DECIMAL, ("1E+30",))), lambda found: found == [("1E+30",)]) == [("1E+30",)]
    assert plain(made((DECIMAL, ("4.75",)))) == [("4.75",)]


def test_a_date_that_the_report_shows_stays() -> None:
    test = made((DATE, (9, 9, 9)))
    factory = Factory(Nothing(), SeedPool(), (), fresh=iter(range(100, 200)))
    assert standard_plain(test, factory, lambda _one: True, kept={0}) is test


def test_a_database_is_in_memory() -> None:
    assert plain(made((Callee("sqlite3", "connect", CalleeKind.FUNCTION), ("x\x00",)))) == [(":memory:",)]
