"""What a raising call passes for nothing is left out of its test."""

from __future__ import annotations

import sys

from crashwright.engine.assertions.causes import recording, without_idle_arguments
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.testcase.statements import Arguments, Call, Literal
from crashwright.engine.testcase.testcase import TestCase


def settings(host: str, database: str = "", *, level: str = "info", days: int = 14) -> None:
    if not host.isalpha():
        raise ValueError("no host")
    if not database:
        raise ValueError("database is missing")
    if level != "info":
        raise ValueError(f"unknown level {level}")
    if days < 1:
        raise ValueError("days")


BODY = range(settings.__code__.co_firstlineno, settings.__code__.co_firstlineno + 9)
ANY_KIND, KEYWORD = ParameterKind.POSITIONAL_OR_KEYWORD, ParameterKind.KEYWORD_ONLY
CALLEE = Callee(
    "m",
    "settings",
    CalleeKind.FUNCTION,
    (
        Parameter("host", ANY_KIND),
        Parameter("database", ANY_KIND, required=False, default=""),
        Parameter("level", KEYWORD, required=False, default="info"),
        Parameter("days", KEYWORD, required=False, default=14),
    ),
)


def made(*positional: object, **keywords: object) -> TestCase:
    values = (*positional, *keywords.values())
    literals = tuple(Literal(number, value) for number, value in enumerate(values))  # type: ignore[arg-type]
    named = tuple((name, len(positional) + number) for number, name in enumerate(keywords))
    return TestCase((*literals, Call(len(values), CALLEE, Arguments(tuple(range(len(positional))), named))))


def passed(test: TestCase) -> tuple[list[object], dict[str, object]]:
    values = {one.variable: one.value for one in test.statements if isinstance(one, Literal)}
    call = test.statements[-1]
    assert isinstance(call, Call)
    return [values[one] for one in call.arguments.positional], {name: values[one] for name, one in call.arguments.keywords}


def course(test: TestCase) -> tuple[str, frozenset[int]]:
    positional, keywords = passed(test)
    lines: set[int] = set()
    before = sys.gettrace()
    sys.settrace(recording(globals(), lines))
    try:
        settings(*positional, **keywords)  # type: ignore[arg-type]
    except ValueError as error:
        return str(error), frozenset(lines.intersection(BODY))
    finally:
        sys.settrace(before)
    return "", frozenset()


def smaller(test: TestCase) -> tuple[list[object], dict[str, object]]:
    wanted = course(test)
    found = without_idle_arguments(test, lambda other: course(other) == wanted)
    assert len(found) == 1 + sum(map(len, passed(found))), "what nobody uses is gone too"
    return passed(found)


def test_an_exception_for_an_earlier_missing_value_is_of_a_test_without_the_later_ones() -> None:
    assert smaller(made("a", level="tre")) == (["a"], {})
    assert smaller(made("a", level="tre", days=0)) == (["a"], {})
    assert smaller(made("1", "b", level="tre")) == (["1"], {})


def test_what_is_needed_to_come_to_the_exception_stays() -> None:
    assert smaller(made("a", "b", level="tre", days=0)) == (["a", "b"], {"level": "tre"})
    assert smaller(made("a", "b", level="info", days=0)) == (["a", "b"], {"days": 0})
