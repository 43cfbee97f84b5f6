"""What a test of a suite is told to be about."""

from __future__ import annotations

import pytest

from crashwright.engine.sessions.suite_telling import is_visible


@pytest.mark.parametrize(
    ("function", "subject", "visible"),
    [
        ("fee", "fee", True),
        ("FeeTable.__init__", "FeeTable", True),
        ("fee.<locals>.part", "fee", True),
        ("_parts", "fee", True),
        ("FeeTable._late", "FeeTable.fee", True),
        ("Loan.days_late", "FeeTable.fee", False),
        ("FeeTable.__init__", "FeeTable.fee", False),
    ],
)
def test_decisions_of_other_public_functions_are_not_in_the_name(function: str, subject: str, visible: bool) -> None:
    assert is_visible(function, subject) is visible
