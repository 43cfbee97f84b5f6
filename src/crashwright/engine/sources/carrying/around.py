"""All that is one change away from a test of an inner frame: what was compared becomes what was wanted, each argument of its call
in turn each value that the code holds, and beside that every other single change of the test (``editing.neighbourhood``). Such a
test is short, so that is soon done."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from itertools import chain, zip_longest

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.editing.neighbourhood import KnownValues, neighbourhood
from crashwright.engine.testcase.editing.substitution import answered
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.shape import shape_of
from crashwright.engine.testcase.statements import Literal, Statement, Value, Variable
from crashwright.engine.testcase.testcase import TestCase

_CALLS = (st.Call, st.MethodCall, st.CallValue)
EACH = 16
"""Values of one type."""
TYPES = (int, str, float, bytes)


def around(
    test: TestCase, pool: SeedPool, kept: Container[Variable], fresh: Callable[[], Variable], most: int
) -> Iterator[TestCase]:
    """At most so many of each kind, each once."""
    known = KnownValues({cls: pool.likeliest(cls, EACH) for cls in TYPES}, kept)
    values: list[Value] = [value for values in zip_longest(*known.values.values()) for value in values if value is not None]
    seen = {shape_of(test)}
    ways = (answered(test, pool.answers, most), _with_arguments(test, values, fresh), neighbourhood(test, known, fresh, most))
    for one in chain.from_iterable(zip_longest(*ways)):
        if one is not None and one.is_valid() and (shape := shape_of(one)) not in seen:
            seen.add(shape)
            yield one


def _with_arguments(test: TestCase, values: Sequence[Value], fresh: Callable[[], Variable]) -> Iterator[TestCase]:
    """With each of the values for each argument of the last call."""
    *before, last = test.statements
    if not isinstance(last, _CALLS):
        return
    for value in values:
        arguments = last.arguments
        for place, _ in enumerate(arguments.positional):
            literal = Literal(fresh(), value)
            positional = (*arguments.positional[:place], literal.variable, *arguments.positional[place + 1 :])
            yield _made(before, literal, last._replace(arguments=arguments._replace(positional=positional)))
        for place, (name, _) in enumerate(arguments.keywords):
            literal = Literal(fresh(), value)
            keywords = (*arguments.keywords[:place], (name, literal.variable), *arguments.keywords[place + 1 :])
            yield _made(before, literal, last._replace(arguments=arguments._replace(keywords=keywords)))


def _made(before: Sequence[Statement], literal: Literal, call: Statement) -> TestCase:
    return TestCase((*before, literal, call))
