"""Every single change of one test: of a literal or a part of one, of an argument, of a statement. First those at the boundaries
(empty, one, twice, very many, the largest, the smallest, two alike, none), then what the code and the test themselves hold.

Chance makes any of them sooner or later, but in a test of ten statements sooner means thousands of tests. In order, and round
about through the kinds of changes, all that matters of them is run in some hundred.

# Deviation: the papers' operators change statements at random.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from typing import NamedTuple, cast

from crashwright.engine.subject.api.callee import Callee, Parameter, ParameterKind
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.editing.deletion import surviving
from crashwright.engine.testcase.editing.simpler import simpler_statements
from crashwright.engine.testcase.shape import shape_of
from crashwright.engine.testcase.statements import Arguments, Display, Literal, Ref, Statement, Value, Variable, same_value
from crashwright.engine.testcase.structure.documents import edited_documents
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import defined, used

_CALLS = (st.Call, st.MethodCall, st.CallValue)
_Call = st.Call | st.MethodCall | st.CallValue
_BY_POSITION = frozenset({ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD})
_BY_KEYWORD = frozenset({ParameterKind.POSITIONAL_OR_KEYWORD, ParameterKind.KEYWORD_ONLY})
_INTS = (0, 1, -1, 2, 255, 256, 2**31, 2**63, -(2**63))
_FLOATS = (0.0, 1.0, -1.0, 0.5, 1e308, float("inf"), float("nan"))
_PLAIN = (int, float, str, bytes)
_IN_PLACE_OF_NONE = (1, "a", Display("list", ()), Display("dict", ()), True, 0, "")
_VERY_MANY = 1500
"""Longer than a recursion may be deep, and than any field, row or line that is looked at."""
_SOME = 40
PARTS = 8
"""Parts of one container that are changed one by one."""
KNOWN = 12
"""Values that the code holds, in one place."""


class KnownValues(NamedTuple):
    """What is known beyond the test: ``values`` of the code by type, and the variables that are to stay."""

    values: Mapping[type, Sequence[Value]]
    kept: Container[Variable]


def neighbourhood(test: TestCase, known: KnownValues, fresh: Callable[[], Variable], most: int) -> Iterator[TestCase]:
    """At most so many, each once."""
    ways = (
        _at_boundaries(test, known),
        _other_arguments(test, known, fresh),
        _with_optional(test, known, fresh),
        _simpler(test, known),
        _alike(test, known),
        _known_values(test, known),
        _other_order(test),
        _once_more(test, known, fresh),
    )
    seen = {shape_of(test)}
    for one in chain.from_iterable(zip_longest(*ways)):
        if one is None or not one.is_valid() or (shape := shape_of(one)) in seen:
            continue
        seen.add(shape)
        yield one
        if len(seen) > most:
            return


def boundaries(value: Value) -> Iterator[Value]:
    """What a value becomes at its boundaries, of its own type; of a container each part becomes None, too."""
    kind = type(value)
    if kind is bool:
        yield not value
    elif type(value) is int:
        yield from (value + 1, value - 1, *_INTS)
    elif kind is float:
        yield from _FLOATS
    elif type(value) is str:
        yield from edited_documents(value, lambda document: _parts(document, boundaries))
        yield from _of_text(value)
    elif type(value) is bytes:
        yield from (b"", bytes(len(value) or 1), value[:1], value + value, b"\xff" * (len(value) or 1), bytes(_VERY_MANY))
    elif value is None:
        yield from _IN_PLACE_OF_NONE
    elif isinstance(value, Display):
        yield from _of_display(value)


def _of_text(value: str) -> Iterator[str]:
    unit = value[:1] or "a"
    yield from ("", value[:1], value[-1:], value + value, " ", value + "\n", value.upper(), value.lower())
    yield from ("0", unit * _SOME, unit * _VERY_MANY, value + "\0", value + "é")


def _of_display(value: Display) -> Iterator[Value]:
    items = value.items
    yield value._replace(items=())
    if value.kind == "bytearray":
        return
    if items:
        yield value._replace(items=items[:1])
    pairs = value.kind == "dict"
    if not pairs and value.kind in ("list", "tuple"):
        yield from (value._replace(items=items + items), value._replace(items=items[::-1]))
        if items:
            yield value._replace(items=items[:1] * _SOME)
            yield value._replace(items=(None,))
        yield value._replace(items=(value,))
    for place, item in enumerate(items[:PARTS]):
        none = (item[0], None) if pairs and type(item) is tuple else None
        if value.kind in ("list", "tuple", "dict") and item != none:
            yield value._replace(items=(*items[:place], none, *items[place + 1 :]))


def _parts(value: Value, change: Callable[[Value], Iterator[Value]], deep: int = 3) -> Iterator[Value]:
    """With the whole changed, then each of its parts."""
    yield from change(value)
    if not isinstance(value, Display) or value.kind == "bytearray" or not deep:
        return
    for place, item in enumerate(value.items[:PARTS]):
        before, after = value.items[:place], value.items[place + 1 :]
        if type(item) is tuple:
            key, held = item
            yield from (value._replace(items=(*before, (key, one), *after)) for one in _parts(held, change, deep - 1))
            if not isinstance(key, Ref | Display):
                yield from (
                    value._replace(items=(*before, (one, held), *after)) for one in change(key) if not isinstance(one, Display)
                )
        elif not isinstance(item, Ref):
            inner = _parts(cast(Value, item), change, deep - 1)
            yield from (value._replace(items=(*before, one, *after)) for one in inner)


def _in_literals(test: TestCase, known: KnownValues, change: Callable[[Value], Iterator[Value]]) -> Iterator[TestCase]:
    """In each literal and file in turn, the last ones first."""
    ways = []
    for place in reversed(range(len(test.statements))):
        one = test.statements[place]
        if not (isinstance(one, Literal) and one.variable in known.kept):
            ways.append(_with_each(test, place, _changed(one, change)))
    yield from (one for one in chain.from_iterable(zip_longest(*ways)) if one is not None)


def _changed(statement: Statement, change: Callable[[Value], Iterator[Value]]) -> Iterator[Statement]:
    if isinstance(statement, Literal):
        for value in _parts(statement.value, change):
            yield statement._replace(value=value)
    elif isinstance(statement, st.FileFixture):
        for value in change(statement.content):
            if isinstance(value, str | bytes):
                yield statement._replace(content=value)


def _at_boundaries(test: TestCase, known: KnownValues) -> Iterator[TestCase]:
    yield from _in_literals(test, known, boundaries)


def _alike(test: TestCase, known: KnownValues) -> Iterator[TestCase]:
    """Two values of one type are equal."""
    held: dict[type, list[Value]] = {}
    for one in test.statements:
        if isinstance(one, Literal):
            for value in (one.value, *_leaves(one.value)):
                alike = held.setdefault(type(value), [])
                if not any(same_value(value, other) for other in alike):
                    alike.append(value)
    yield from _in_literals(test, known, lambda value: (one for one in held.get(type(value), ()) if not same_value(one, value)))


def _leaves(value: Value) -> Iterator[Value]:
    if isinstance(value, Display) and value.kind != "bytearray":
        for item in value.items[:PARTS]:
            for one in item if type(item) is tuple else (item,):
                yield one
                yield from _leaves(one)


def _known_values(test: TestCase, known: KnownValues) -> Iterator[TestCase]:
    """Values that stand in the code, of the same type."""
    yield from _in_literals(test, known, lambda value: iter(known.values.get(type(value), ())[:KNOWN]))


def _simpler(test: TestCase, known: KnownValues) -> Iterator[TestCase]:
    """With less in one statement."""
    ways = [
        _with_each(test, place, simpler_statements(one))
        for place, one in reversed(list(enumerate(test.statements)))
        if not (isinstance(one, Literal) and one.variable in known.kept)
    ]
    yield from (one for one in chain.from_iterable(zip_longest(*ways)) if one is not None)


def _other_arguments(test: TestCase, known: KnownValues, fresh: Callable[[], Variable]) -> Iterator[TestCase]:
    """None, or another value of the test, for one argument."""
    for place in reversed(range(len(test.statements))):
        one = test.statements[place]
        if not isinstance(one, _CALLS):
            continue
        before = [variable for other in test.statements[:place] if (variable := defined(other)) is not None]
        for index, passed in enumerate(one.arguments.positional):
            if passed in known.kept:
                continue
            for variable in reversed(before):
                if variable != passed:
                    changed = (*one.arguments.positional[:index], variable, *one.arguments.positional[index + 1 :])
                    yield _with(test, place, one._replace(arguments=one.arguments._replace(positional=changed)))
            nothing = Literal(fresh(), None)
            changed = (*one.arguments.positional[:index], nothing.variable, *one.arguments.positional[index + 1 :])
            yield _with(test, place, nothing, one._replace(arguments=one.arguments._replace(positional=changed)))


def _with_optional(test: TestCase, known: KnownValues, fresh: Callable[[], Variable]) -> Iterator[TestCase]:
    """With one more argument: a switch the other way, None, a value of the code, a boundary."""
    for place in reversed(range(len(test.statements))):
        one = test.statements[place]
        if isinstance(one, _CALLS) and one.callee is not None:
            for name, value in _optional(one.arguments, one.callee, known):
                given = Literal(fresh(), value)
                more = one.arguments._replace(keywords=(*one.arguments.keywords, (name, given.variable)))
                yield _with(test, place, given, one._replace(arguments=more))


def _optional(arguments: Arguments, callee: Callee, known: KnownValues) -> Iterator[tuple[str, Value]]:
    passed = {name for name, _ in arguments.keywords}
    for place, parameter in enumerate(callee.parameters):
        by_position = parameter.kind in _BY_POSITION and place < len(arguments.positional)
        if parameter.required or by_position or parameter.name in passed or parameter.kind not in _BY_KEYWORD:
            continue
        yield from ((parameter.name, value) for value in _for_optional(parameter, known))


def _for_optional(parameter: Parameter, known: KnownValues) -> Iterator[Value]:
    default = parameter.default
    if type(default) is bool:
        yield not default
    elif any(type(default) is kind for kind in _PLAIN):
        yield from _first(boundaries(cast(Value, default)), 6)
        yield from known.values.get(type(default), ())[:4]
        yield None
    elif default is None:
        yield from (True, 0, 1, "", "a", Display("list", ()), Display("dict", ()))
        yield from known.values.get(str, ())[:4]


def _first(values: Iterator[Value], most: int) -> Iterator[Value]:
    for value, _ in zip(values, range(most), strict=False):
        yield value


def _other_order(test: TestCase) -> Iterator[TestCase]:
    """Two statements the other way round, or one left out with what needs it."""
    own = test.statements
    for place in reversed(range(len(own) - 1)):
        if not isinstance(own[place], Literal) or not isinstance(own[place + 1], Literal):
            yield TestCase((*own[:place], own[place + 1], own[place], *own[place + 2 :]))
    for place in reversed(range(len(own) - 1)):
        variable = defined(own[place])
        if not isinstance(own[place], Literal):
            gone = set() if variable is None else {variable}
            yield TestCase((*own[:place], *surviving(own[place + 1 :], gone)))


def _once_more(test: TestCase, known: KnownValues, fresh: Callable[[], Variable]) -> Iterator[TestCase]:
    """The last call once more with one literal of its own changed: the same key with another value, another key, nothing."""
    for place in reversed(range(len(test.statements))):
        one = test.statements[place]
        if not isinstance(one, _CALLS):
            continue
        held = {other.variable: other for other in test.statements[:place] if isinstance(other, Literal)}
        for variable in dict.fromkeys(used(one)):
            if variable not in held:
                continue
            for value in chain(_parts(held[variable].value, boundaries), known.values.get(type(held[variable].value), ())[:KNOWN]):
                other = Literal(fresh(), value)
                again = _renamed(one, variable, other.variable, fresh())
                yield TestCase((*test.statements[: place + 1], other, again, *test.statements[place + 1 :]))


def _renamed(call: _Call, old: Variable, new: Variable, result: Variable) -> Statement:
    def rename(variable: Variable) -> Variable:
        return new if variable == old else variable

    arguments = call.arguments
    changed = arguments._replace(
        positional=tuple(map(rename, arguments.positional)), keywords=tuple((name, rename(one)) for name, one in arguments.keywords)
    )
    return call._replace(variable=result, arguments=changed)


def _with_each(test: TestCase, place: int, others: Iterator[Statement]) -> Iterator[TestCase]:
    for other in others:
        yield _with(test, place, other)


def _with(test: TestCase, place: int, *instead: Statement) -> TestCase:
    return TestCase((*test.statements[:place], *instead, *test.statements[place + 1 :]))
