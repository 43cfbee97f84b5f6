"""Tests one step from another in which a mutant may show: values are changed as what is read at its place suggests.

Where a text is stripped, it gets blanks; where it is made lower, capitals; where a key is read, the key; a number becomes the one
that it is compared with. What is left out of a call is passed, a clock that a test hands over goes on between two calls, and
another function fails, or fails and then works. One table says which method of texts asks for which change.

# Deviation: mutation testing tools leave it to chance whether a value makes a mutant differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest

from crashwright.engine.search.suite.handed_clocks import clocks_in, mocks_in
from crashwright.engine.subject.api.callee import Callee, ParameterKind
from crashwright.engine.subject.introspection import identities
from crashwright.engine.subject.mutants.clues import Clue
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Arguments, Display, Literal, Statement, Value, Variable
from crashwright.engine.testcase.testcase import TestCase

WORDS = 6
"""Of one text that are changed."""
LATER: tuple[int | float, ...] = (1, 60, 3600)
"""By how much a clock goes on, besides the numbers of the test."""
LAST_ASKED = 3
"""Calls from which on it may have gone on."""
FAILING_STEPS = 3
"""Of them that are tried with a function that fails."""
_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_ASKS = (st.Call, st.MethodCall, st.GetAttribute)
_PLAIN = identities(bool, int, float, str)
Given = tuple[str, ...]


def directed(
    test: TestCase,
    clue: Clue,
    new: Callable[[], Variable],
    is_own: Callable[[Callee], bool] = lambda _callee: True,
    error: Callee | None = None,
) -> Iterator[TestCase]:
    """Each value in turn. Options are those of callables that the package has of its own; functions that the test hands over fail
    with an ``error``."""
    ways = [*_in_literals(test, clue), _with_options(test, clue, new, is_own), _later(test, clue, new)]
    if error is not None:
        ways.append(_failing(test, clue, new, error))
    for turn in zip_longest(*ways):
        yield from (one for one in turn if one is not None and one.is_valid())


def _in_literals(test: TestCase, clue: Clue) -> Iterator[Iterator[TestCase]]:
    for place in reversed(range(len(test.statements))):
        one = test.statements[place]
        if isinstance(one, Literal):
            yield _in_literal(test, place, one, clue)


def _in_literal(test: TestCase, place: int, literal: Literal, clue: Clue) -> Iterator[TestCase]:
    for value in others(literal.value, clue, _numbers_in(test)):
        yield TestCase((*test.statements[:place], literal._replace(value=value), *test.statements[place + 1 :]))


def others(value: Value, clue: Clue, numbers: Sequence[int | float] = ()) -> Iterator[Value]:
    """Values for ``value`` in which what the clue tells of may come out differently. ``numbers`` are others of the test."""
    if isinstance(value, Display):
        yield from _displays(value, clue, numbers)
    elif type(value) is bool:
        yield not value
    elif type(value) is int or type(value) is float:
        yield from (type(value)(one) for one in _near(value, clue, numbers))
    elif type(value) is str:
        yield from (text for text in _texts(value, clue, numbers) if text != value)


def _displays(value: Display, clue: Clue, numbers: Sequence[int | float]) -> Iterator[Value]:
    """One item twice, one changed, or one more that is a changed one."""
    if value.kind not in ("list", "tuple", "dict"):
        return
    if value.kind != "dict":
        yield from (value._replace(items=(*value.items, item)) for item in value.items[-1:])
    for place, item in enumerate(value.items):
        before, after = value.items[:place], value.items[place + 1 :]
        for other in _items(item, clue, numbers):
            yield value._replace(items=(*before, other, *after))
            if value.kind != "dict":
                yield value._replace(items=(*value.items, other))


def _items(item: object, clue: Clue, numbers: Sequence[int | float]) -> Iterator[object]:
    if type(item) is tuple:
        key, held = item
        yield from ((key, other) for other in others(held, clue, numbers))
        yield from ((text, held) for text in clue.texts if text != key)
    else:
        yield from others(item, clue, numbers)  # type: ignore[arg-type]


def _near(value: float, clue: Clue, numbers: Sequence[int | float]) -> Iterator[int | float]:
    """What it may be compared with, and what is next to that."""
    found: dict[float, None] = {}
    for one in (*clue.numbers, *(numbers if clue.compares else ()), value):
        found.update(dict.fromkeys((one, one + 1, one - 1)))
    found[-value] = None
    found.pop(value, None)
    yield from found


# Texts


def _texts(text: str, clue: Clue, numbers: Sequence[int | float]) -> Iterator[str]:
    spans = [found.span() for found in _WORD.finditer(text)][:WORDS]
    for name, given in clue.methods:
        yield from _WAYS[name](text, spans, given) if name in _WAYS else ()
    for other in clue.texts:
        yield from (text[:start] + other + text[end:] for start, end in spans)
        yield text + other
    if _NUMBER.fullmatch(text):
        yield from (f"{one:g}" for one in _near(float(text), clue, numbers))


Spans = Sequence[tuple[int, int]]


def _padded(text: str, spans: Spans, given: Given) -> Iterator[str]:
    fill = given[0][:1] if given and given[0] else " "
    yield fill + text + fill
    for start, end in spans:
        yield text[:start] + fill + text[start:end] + fill + text[end:]


def _before(text: str, _spans: Spans, given: Given) -> Iterator[str]:
    yield (given[0][:1] if given and given[0] else " ") + text


def _behind(text: str, _spans: Spans, given: Given) -> Iterator[str]:
    yield text + (given[0][:1] if given and given[0] else " ")


def _other_case(text: str, spans: Spans, _given: Given) -> Iterator[str]:
    yield text.swapcase()
    for start, end in spans:
        word = text[start:end]
        yield text[:start] + word[:1].swapcase() + word[1:] + text[end:]
        yield text[:start] + word.swapcase() + text[end:]


def _with_gaps(text: str, spans: Spans, given: Given) -> Iterator[str]:
    if given:
        return
    for start, end in spans:
        if end - start > 1:
            yield f"{text[: start + 1]}  {text[start + 1 :]}"


def _marked(text: str, spans: Spans, given: Given) -> Iterator[str]:
    """With a mark before, behind, and between two words; where none is given, with gaps within words."""
    for mark in given:
        yield mark + text
        for start, end in spans:
            yield text[:end] + mark + text[start:end] + text[end:]
    yield from _with_gaps(text, spans, given)


_WAYS: dict[str, Callable[[str, Spans, Given], Iterator[str]]] = {
    "strip": _padded,
    "lstrip": _before,
    "rstrip": _behind,
    "lower": _other_case,
    "upper": _other_case,
    "casefold": _other_case,
    "title": _other_case,
    "capitalize": _other_case,
    "swapcase": _other_case,
    **dict.fromkeys("split rsplit partition rpartition replace find rfind index count join".split(), _marked),
    **dict.fromkeys("startswith endswith removeprefix removesuffix".split(), _marked),
}
"""By the method of texts that is called: how a text is changed so that the call matters."""


# Calls


def _with_options(test: TestCase, clue: Clue, new: Callable[[], Variable], is_own: Callable[[Callee], bool]) -> Iterator[TestCase]:
    """One argument more, of those that may be left out, that is not the default; the last call first."""
    for place in reversed(range(len(test.statements))):
        one = test.statements[place]
        if not isinstance(one, st.Call | st.MethodCall) or one.callee is None or not is_own(one.callee):
            continue
        given = {name for name, _ in one.arguments.keywords}
        for index, parameter in enumerate(one.callee.parameters):
            if parameter.required or parameter.name in given or index < len(one.arguments.positional):
                continue
            if parameter.kind in (ParameterKind.VAR_KEYWORD, ParameterKind.VAR_POSITIONAL, ParameterKind.POSITIONAL_ONLY):
                continue
            default = parameter.default
            for value in others(default, clue) if id(type(default)) in _PLAIN else ():  # type: ignore[arg-type]
                literal = Literal(new(), value)
                keywords = (*one.arguments.keywords, (parameter.name, literal.variable))
                called = one._replace(arguments=one.arguments._replace(keywords=keywords))
                yield TestCase((*test.statements[:place], literal, called, *test.statements[place + 1 :]))


def _later(test: TestCase, clue: Clue, new: Callable[[], Variable]) -> Iterator[TestCase]:
    """A function that the test hands over and that answers with a number answers with a greater one, from one of the last calls
    on."""
    clocks = clocks_in(test)
    mocks = mocks_in(test)
    asked = [place for place, one in enumerate(test.statements) if isinstance(one, _ASKS) and place not in mocks]
    for step in _steps(test, clue):
        for last in asked[: -LAST_ASKED - 1 : -1]:
            for made, clock in clocks.items():
                if made < last:
                    yield TestCase((*test.statements[:last], *_gone_on({made: clock}, step, new), *test.statements[last:]))


def _failing(test: TestCase, clue: Clue, new: Callable[[], Variable], error: Callee) -> Iterator[TestCase]:
    """A function that the test hands over fails; then the last call is made again later, when it fails still or works."""
    last = test.statements[-1]
    if not isinstance(last, st.Call | st.MethodCall):
        return
    clocks = clocks_in(test)
    for place, made in mocks_in(test).items():
        if place in clocks or last is made:
            continue
        before, after = test.statements[:place], test.statements[place + 1 :]
        given = made.arguments.keywords
        if "side_effect" not in dict(given):
            raised = st.Call(new(), error, Arguments())
            arguments = made.arguments._replace(keywords=(*given, ("side_effect", raised.variable)))
            before, made = (*before, raised), made._replace(arguments=arguments)
        failing = TestCase((*before, made, *after))
        nothing = Literal(new(), None)
        working = nothing, st.SetAttribute(made.variable, "side_effect", nothing.variable)
        yield failing
        for step in [*_steps(test, clue)][:FAILING_STEPS] if clocks else [0]:
            later = _gone_on(clocks, step, new)
            yield TestCase((*failing.statements, *later, last._replace(variable=new())))
            yield TestCase((*failing.statements, *later, *working, last._replace(variable=new())))


def _gone_on(clocks: Mapping[int, tuple[Variable, int | float]], step: float, new: Callable[[], Variable]) -> list[Statement]:
    """What makes them answer so much more."""
    found: list[Statement] = []
    for variable, answer in clocks.values():
        literal = Literal(new(), type(answer)(answer + step))
        found += [literal, st.SetAttribute(variable, "return_value", literal.variable)]
    return found


def _steps(test: TestCase, clue: Clue) -> Iterator[int | float]:
    yield from (step for step in dict.fromkeys((*clue.numbers, *_numbers_in(test), *LATER)) if step > 0)


def _numbers_in(test: TestCase) -> list[int | float]:
    values = (one.value for one in test.statements if isinstance(one, Literal))
    return list(dict.fromkeys(value for value in values if type(value) is int or type(value) is float))
