"""What a test started from."""

from __future__ import annotations

from crashwright.engine.sources.values.origin import AT_RANDOM, DOCUMENTED, ECHOED, Origins
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal
from crashwright.engine.testcase.testcase import TestCase

CALLEE = Callee("shop", "f", CalleeKind.FUNCTION)


def given(value, variable=0, call=1):
    return TestCase((Literal(variable, value), Call(call, CALLEE, Arguments((variable,)))))


def origins():
    pool = SeedPool()
    pool.add("marker", origin="the message")
    pool.add(17, origin="a constant on the path")
    pool.add(18, origin="a constant of the module")
    return Origins(pool, [given(1, 50, 51)])


def test_a_descendant_of_the_echoed_call_keeps_its_variables():
    assert origins().of(given("marker", 3, 51)) == ECHOED
    assert origins().of(given(5, 50, 9)) == AT_RANDOM, "a literal alone is not the call"


def test_the_most_telling_seed_is_named():
    assert origins().of(given("marker")) == "the message"
    assert origins().of(given(Display("list", (18, 17)))) == "a constant on the path"
    assert origins().of(given(Display("dict", ((18, None),)))) == "a constant of the module"


def test_nothing_known():
    assert origins().of(given(99)) == AT_RANDOM
    assert origins().of(given(True)) == AT_RANDOM
    assert origins().of(TestCase((Call(0, CALLEE, Arguments()),))) == AT_RANDOM


def test_a_descendant_of_an_example():
    known = Origins(SeedPool(), [given(1, 50, 51)], [given(2, 60, 61)])
    assert known.of(given(5, 3, 61)) == DOCUMENTED
    assert known.of(given(5, 3, 51)) == ECHOED
