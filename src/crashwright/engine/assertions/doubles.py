"""What the doubles of a test were called with: the other half of what a call did."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, cast

from crashwright.engine.assertions.looks import SeenFact
from crashwright.engine.subject.api.callee import MOCKS
from crashwright.engine.subject.introspection import derives, loaded_module
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Display, Expected, Made, Named, Ref, Variable

MOST_CALLS = 12
"""Calls of one double that are told of."""
MOST_OPENED, MOST_SHOWN = 3, 16
"""Calls whose objects are looked at, and what is told of one of these."""
_SETTINGS = ("spec", "return_value", "side_effect")
_Called = tuple[tuple[object, ...], dict[str, object]]


def doubles_in(statements: Sequence[object]) -> tuple[Variable, ...]:
    """The variables that are put in the place of something, or handed over."""
    replaced = [one.content.variable for one in statements if isinstance(one, st.Ambient) and type(one.content) is Ref]
    mocks = [one for one in statements if st.is_mock(one)]
    inner = {given for one in mocks for _, given in one.arguments.keywords}
    made = [one.variable for one in mocks if one.variable not in inner]
    return tuple(dict.fromkeys((*replaced, *made)))


def calls_of(double: object, direct: Callable[[object], SeenFact | None]) -> SeenFact | None:
    """All calls of a mock, in order; what cannot be written down may be anything. None where nothing of it can, or nothing is a
    mock."""
    function = _function_in(double)
    return None if function is None else _told((".call_args_list",), _calls(function.call_args_list), direct)


def count_of_calls(double: object) -> Iterator[SeenFact]:
    """How often a mock was called that stands for a function."""
    function = _function_in(double)
    if function is not None and function.call_count:
        yield SeenFact((".call_count",), "equals", function.call_count)


def objects_given(
    double: object, direct: Callable[[object], SeenFact | None], all_of: Callable[[object], Iterable[SeenFact]]
) -> Iterator[SeenFact]:
    """What objects show that a mock was called with and that cannot be written down: the address, headers and body of a request."""
    function, mock = _function_in(double), _mocks()
    calls = [] if function is None else _calls(function.call_args_list)
    for number, (positional, _) in enumerate(calls[:MOST_OPENED]):
        call = (".call_args",) if len(calls) == 1 else (".call_args_list", f"[{number}]")
        for place, value in enumerate(positional):
            if _written(value, direct, mock.ANY)[1] or derives(type(value), mock.Mock):
                continue
            for fact in islice(all_of(value), MOST_SHOWN):
                yield fact._replace(path=(*call, ".args", f"[{place}]", *fact.path))


def method_calls_of(double: object, direct: Callable[[object], SeenFact | None], named: Iterable[str]) -> Iterator[SeenFact]:
    """All calls of each method of a mock, in order of the first ones; of those that are ``named`` also that nothing calls them.
    Last how many there were: with what may be another thing in each run."""
    if not _is_mock(double):
        return
    by_name: dict[str, list[Any]] = {}
    for one in cast(Any, double).method_calls:
        by_name.setdefault(one[0], []).append(one)
    for name in named:
        by_name.setdefault(name, [])
    for name, calls in by_name.items():
        fact = _told((f".{name}", ".call_args_list"), _calls(calls), direct) if name.isidentifier() else None
        if fact is not None:
            yield fact
    for name, calls in by_name.items():
        if calls and name.isidentifier():
            yield SeenFact((f".{name}", ".call_count"), "equals", len(calls))


def methods_named(statements: Sequence[object], variable: Variable) -> list[str]:
    """The methods of a double that the test gives an answer of its own."""
    mocks = {one.variable for one in statements if st.is_mock(one)}
    made = next((one for one in statements if isinstance(one, st.Call) and one.variable == variable), None)
    return [] if made is None else [name for name, given in made.arguments.keywords if given in mocks and name not in _SETTINGS]


def _mocks() -> Any:
    """The module, where the subject or a test has loaded it."""
    return loaded_module(MOCKS)


def _is_mock(double: object) -> bool:
    mock = _mocks()
    return mock is not None and derives(type(double), mock.Mock)


def _function_in(double: object) -> Any:
    """The mock, if it stands for a function; None for what stands for an object, of which methods are called, and for no mock."""
    mock = cast(Any, double)
    return mock if _is_mock(double) and mock._spec_class is None else None


def _told(path: tuple[str, ...], calls: Sequence[_Called], direct: Callable[[object], SeenFact | None]) -> SeenFact | None:
    mock = _mocks()
    made: list[object] = []
    told = 0
    for positional, keywords in calls:
        given = [_written(value, direct, mock.ANY) for value in positional]
        named = [(name, _written(value, direct, mock.ANY)) for name, value in keywords.items()]
        told += sum(known for _, known in given) + sum(known for _, (_, known) in named)
        made.append(
            Made(Named(MOCKS, "call", mock.call), tuple(one for one, _ in given), tuple((name, one) for name, (one, _) in named))
        )
    if len(made) > MOST_CALLS or (made and not told):
        return None
    return SeenFact(path, "equals", Display("list", tuple(made)))


def _calls(calls: Sequence[Any]) -> list[_Called]:
    return [(tuple(one.args), dict(one.kwargs)) for one in calls[: MOST_CALLS + 1]]


def _written(value: object, direct: Callable[[object], SeenFact | None], anything: object) -> tuple[Expected, bool]:
    """How the value is written, and whether that says anything."""
    fact = direct(value)
    if fact is None or fact.kind not in ("equals", "is", "approximately") or fact.path:
        return Named(MOCKS, "ANY", anything), False
    return fact.expected, True
