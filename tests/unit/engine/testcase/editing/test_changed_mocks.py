"""What a mock answers comes and goes less often than an optional argument does."""

from __future__ import annotations

import random

from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.testcase.editing.changes import change
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Arguments, Call, Literal, Statement
from crashwright.engine.testcase.testcase import TestCase

API = ApiModel("textwrap", ["textwrap"])
ROUNDS = 400


def toggled(made: Call, before: tuple[Statement, ...]) -> int:
    """How often a change adds or drops a keyword of ``made``."""
    factory, rng = Factory(API, SeedPool(), API.callables), random.Random(1)
    test = TestCase((*before, made))
    changed = 0
    for _ in range(ROUNDS):
        after = change(test, len(before), factory, rng)
        calls = [one for one in after.statements if isinstance(one, Call) and one.callee is made.callee]
        changed += any(len(one.arguments.keywords) != len(made.arguments.keywords) for one in calls)
    return changed


def test_a_mock_mostly_keeps_what_it_answers() -> None:
    before = (Literal(0, "text"), Literal(1, 30))
    mock = Call(9, API.standard("unittest.mock", "Mock"), Arguments((), (("read", 0), ("return_value", 1))))
    shorten = next(one for one in API.callables if one.name == "shorten")
    plain = Call(9, shorten, Arguments((), (("text", 0), ("width", 1))))
    assert 0 < toggled(mock, before) < toggled(plain, before) / 2


def test_mocks_fail_by_an_error_of_their_own_alone() -> None:
    mock = API.standard("unittest.mock", "Mock")
    assert [one.name for one in mock.parameters] == ["return_value", "side_effect", "attributes"]
