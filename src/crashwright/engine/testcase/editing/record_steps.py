"""Steps by record: what somebody would change in a test that is nearly right. A row, a line, an item or a whole statement twice or
not at all, an argument left out that may be, another member of the same enum, a date at the end of a month or a year, a number of a
text at the ends of what its digits hold.

They are few and in an order, so that all of them can be run around one test. Chance comes by them late: it repeats a row in one
test of thousands, and hardly ever the one that matters.

# Deviation: the papers' operators change one statement at random.
"""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Callable, Container, Iterator, Sequence
from enum import Enum
from functools import partial
from itertools import chain, zip_longest

from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.introspection import class_dict, class_mro, is_class
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.editing.item_steps import EACH, item_steps
from crashwright.engine.testcase.editing.text_steps import digit_steps, line_steps, said_steps
from crashwright.engine.testcase.shape import shape_of
from crashwright.engine.testcase.statements import Arguments, Literal, Named, Statement, Value, Variable
from crashwright.engine.testcase.testcase import TestCase

_CALLS = (st.Call, st.MethodCall, st.CallValue)
_DATES = (datetime.date, datetime.datetime)
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)")


def record_steps(
    test: TestCase,
    kept: Container[Variable],
    fresh: Callable[[], Variable],
    most: int,
    said: Sequence[str] = (),
    numbers: bool = False,
) -> list[TestCase]:
    """At most so many, of each kind one after the other. Values of ``kept`` stay; ``fresh`` gives variables; ``said`` are words of
    the message. ``numbers``: those of texts come to the ends of their digits, too."""
    ways = (
        _repeated(test, fresh),
        _in_values(test, kept, item_steps),
        _in_values(test, kept, _lines),
        _without_arguments(test),
        _other_members(test, kept, fresh),
        _ends(test, kept, fresh),
        _in_values(test, kept, _of_texts(digit_steps)) if numbers else iter(()),
        _in_values(test, kept, _of_texts(partial(said_steps, said=said))),
    )
    found: dict[int, TestCase] = {}
    for one in chain.from_iterable(zip_longest(*ways)):
        if one is not None and one.is_valid():
            found.setdefault(shape_of(one), one)
            if len(found) == most:
                break
    return list(found.values())


def _repeated(test: TestCase, fresh: Callable[[], Variable]) -> Iterator[TestCase]:
    """A call once more, the last ones first: two rows of one kind, the same request twice."""
    for place in reversed(range(len(test.statements))):
        one = test.statements[place]
        if isinstance(one, _CALLS):
            again = one._replace(variable=fresh())
            yield TestCase((*test.statements[: place + 1], again, *test.statements[place + 1 :]))


def _in_values(test: TestCase, kept: Container[Variable], vary: Callable[[Value], Iterator[Value]]) -> Iterator[TestCase]:
    """With one literal or the content of one file changed, the last ones first."""
    for place in reversed(range(len(test.statements))):
        one = test.statements[place]
        if isinstance(one, Literal) and one.variable not in kept:
            yield from (_with(test, place, one._replace(value=value)) for value in vary(one.value))
        elif isinstance(one, st.FileFixture):
            for value in vary(one.content):
                if isinstance(value, str | bytes):
                    yield _with(test, place, one._replace(content=value))


def _lines(value: Value) -> Iterator[Value]:
    """A line of a text twice or not at all."""
    text = value if type(value) is str else value.decode("latin-1") if type(value) is bytes else ""
    for step in line_steps(text, EACH) if len(text.splitlines()) > 1 else ():
        yield step if type(value) is str else step.encode("latin-1")


def _of_texts(steps: Callable[[str], Iterator[str]]) -> Callable[[Value], Iterator[Value]]:
    """Of values that are texts or bytes, each becomes what it takes one of these steps to."""

    def vary(value: Value) -> Iterator[Value]:
        text = value if type(value) is str else value.decode("latin-1") if type(value) is bytes else ""
        for step in steps(text) if text else ():
            yield step if type(value) is str else step.encode("latin-1", "replace")

    return vary


def _without_arguments(test: TestCase) -> Iterator[TestCase]:
    """Without one argument that its callee does not ask for."""
    for place in reversed(range(len(test.statements))):
        one = test.statements[place]
        if isinstance(one, _CALLS):
            for arguments in _fewer(one.arguments, one.callee):
                yield _with(test, place, one._replace(arguments=arguments))


def _fewer(arguments: Arguments, callee: Callee | None) -> Iterator[Arguments]:
    needed = {one.name for one in callee.parameters if one.required} if callee is not None else frozenset()
    for keyword in arguments.keywords:
        if keyword[0] not in needed:
            yield arguments._replace(keywords=tuple(one for one in arguments.keywords if one is not keyword))
    asked = callee.parameters if callee is not None else ()
    last = len(arguments.positional) - 1
    if 0 <= last < len(asked) and not asked[last].required:
        yield arguments._replace(positional=arguments.positional[:last])


def _other_members(test: TestCase, kept: Container[Variable], fresh: Callable[[], Variable]) -> Iterator[TestCase]:
    """Another member of an enum, by its name or by its value."""
    for place in reversed(range(len(test.statements))):
        one = test.statements[place]
        if isinstance(one, st.Reference) and one.variable not in kept:
            for other in _members(one.named):
                yield _with(test, place, one._replace(named=other))
        elif isinstance(one, st.Call) and len(one.arguments.positional) == 1 and one.callee.kind is CalleeKind.CLASS:
            held = _literal(test, one.arguments.positional[0])
            for value in _values(one.callee.live) if held is not None and held.variable not in kept else ():
                given = Literal(fresh(), value)
                called = one._replace(arguments=Arguments((given.variable,)))
                yield TestCase((*test.statements[:place], given, called, *test.statements[place + 1 :]))


def _members(named: Named) -> Iterator[Named]:
    members = class_dict(type(named.live)).get("_member_map_") if _is_enum(type(named.live)) else None
    holder, _, own = named.qualname.rpartition(".")
    for name, member in members.items() if type(members) is dict and own in members else ():
        if name != own:
            yield Named(named.module, f"{holder}.{name}" if holder else name, member)


def _values(cls: object) -> Iterator[Value]:
    if is_class(cls) and _is_enum(cls):
        known = class_dict(cls).get("_value2member_map_")
        yield from (value for value in known if type(value) is str or type(value) is int) if type(known) is dict else ()


def _is_enum(cls: type) -> bool:
    return any(one is Enum for one in class_mro(cls))


def _ends(test: TestCase, kept: Container[Variable], fresh: Callable[[], Variable]) -> Iterator[TestCase]:
    """A date at the end of its month or year, or on a leap day: as the arguments of its class, or written in a text."""
    for place in reversed(range(len(test.statements))):
        one = test.statements[place]
        if isinstance(one, st.Call) and any(one.callee.live is cls for cls in _DATES):
            given = [_literal(test, variable) for variable in one.arguments.positional]
            numbers = [held.value for held in given[:3] if held is not None and type(held.value) is int]
            for day in _days(*numbers) if len(numbers) == 3 and not any(held and held.variable in kept for held in given) else ():
                made = [Literal(fresh(), number) for number in day]
                rest = (*(held.variable for held in made), *one.arguments.positional[3:])
                called = one._replace(arguments=one.arguments._replace(positional=rest))
                yield TestCase((*test.statements[:place], *made, called, *test.statements[place + 1 :]))
        elif isinstance(one, Literal) and type(one.value) is str and one.variable not in kept:
            for text in _other_days(one.value):
                yield _with(test, place, one._replace(value=text))


def _other_days(text: str) -> Iterator[str]:
    match = _DAY.search(text)
    for day in _days(*map(int, match.groups())) if match is not None else ():
        yield text[: match.start()] + "{:04}-{:02}-{:02}".format(*day) + text[match.end() :] if match is not None else text


def _days(year: int, month: int, day: int) -> Iterator[tuple[int, int, int]]:
    if not (1 <= month <= 12 and 1 <= year <= datetime.MAXYEAR):
        return
    found = ((year, month, calendar.monthrange(year, month)[1]), (year, 12, 31), (year, 1, 31), (2024, 2, 29), (year, month, 1))
    yield from (one for one in dict.fromkeys(found) if one != (year, month, day))


def _literal(test: TestCase, variable: Variable) -> Literal | None:
    return next((one for one in test.statements if isinstance(one, Literal) and one.variable == variable), None)


def _with(test: TestCase, place: int, statement: Statement) -> TestCase:
    return TestCase((*test.statements[:place], statement, *test.statements[place + 1 :]))
