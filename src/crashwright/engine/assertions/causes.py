"""Which arguments of a call have to do with what it raises. ``Settings(log_level="tre")`` raises because a database is missing: the
level is never looked at, and a test that passes it says something else than it tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import FrameType
from typing import Any

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.editing.deletion import prune
from crashwright.engine.testcase.testcase import TestCase

Trace = Callable[[FrameType, str, Any], Any]


def recording(own: Mapping[str, object], lines: set[int]) -> Trace:
    """A trace function that adds the lines of the module with the globals ``own`` that are run to ``lines``."""

    def trace(frame: FrameType, _event: str, _argument: Any) -> Any:
        if frame.f_globals is not own:
            return None
        lines.add(frame.f_lineno)
        return trace

    return trace


def without_idle_arguments(test: TestCase, same: Callable[[TestCase], bool]) -> TestCase:
    """``test``, whose last call raises, without the optional arguments without which it goes the ``same`` way."""
    for candidate in _without_all(test):
        if same(candidate):
            return candidate
    place = 0
    while True:
        fewer = list(_without_one(test))
        if place >= len(fewer):
            return test
        if same(fewer[place]):
            test = fewer[place]
        else:
            place += 1


def _without_all(test: TestCase) -> Iterator[TestCase]:
    """Without every optional argument, where there are several."""
    smaller = test
    count = 0
    while (fewer := next(_without_one(smaller), None)) is not None:
        smaller, count = fewer, count + 1
    if count > 1:
        yield smaller


def _without_one(test: TestCase) -> Iterator[TestCase]:
    """Without a keyword that the call can do without, each in turn; without the last positional argument, if it can do without."""
    call = test.statements[-1] if test.statements else None
    if not isinstance(call, st.Call | st.MethodCall) or call.callee is None:
        return
    arguments, parameters = call.arguments, call.callee.parameters
    required = {one.name for one in parameters if one.required}
    for place in range(len(arguments.keywords) - 1, -1, -1):
        if arguments.keywords[place][0] not in required:
            rest = (*arguments.keywords[:place], *arguments.keywords[place + 1 :])
            yield _with(test, call, arguments._replace(keywords=rest))
    last = len(arguments.positional) - 1
    if 0 <= last < len(parameters) and not parameters[last].required and arguments.star is None:
        yield _with(test, call, arguments._replace(positional=arguments.positional[:last]))


def _with(test: TestCase, call: st.Call | st.MethodCall, arguments: st.Arguments) -> TestCase:
    return prune(TestCase((*test.statements[:-1], call._replace(arguments=arguments))))
