"""All that is one change away from a short test: arguments, what was compared, and every single change."""

from __future__ import annotations

import itertools

from crashwright.engine.sources.carrying.around import around
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Arguments, Call, Literal
from crashwright.engine.testcase.testcase import TestCase

TAKE = Callee("shop", "take", CalleeKind.FUNCTION)
TEST = TestCase((Literal(0, "a"), Literal(1, 3), Call(2, TAKE, Arguments((0,), (("size", 1),)))))


def found(pool: SeedPool, most: int = 200) -> list[str]:
    tests = list(around(TEST, pool, frozenset(), itertools.count(10).__next__, most))
    assert all(one.is_valid() for one in tests)
    return ["; ".join(print_test(one).body) for one in tests]


def test_each_argument_becomes_each_value_of_the_code_whatever_its_type() -> None:
    pool = SeedPool()
    pool.add(37)
    pool.add("night")
    made = found(pool)
    assert {"take(37, size=3)", 'take("a", size=37)', 'take("night", size=3)', 'take("a", size="night")'} <= set(made)
    assert made.index('take("a", size=37)') < 10, "what the code holds comes early"


def test_each_once_and_so_many_of_each_kind() -> None:
    made = found(SeedPool())
    assert len(made) == len(set(made))
    assert len(found(SeedPool(), 5)) <= 10
