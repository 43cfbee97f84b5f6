"""What the tests of a class construct alike becomes a fixture that they share."""

from __future__ import annotations

import builtins
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from keyword import iskeyword
from typing import NamedTuple, cast

from crashwright.engine.subject.api.callee import CalleeKind
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.checks import Check, Given
from crashwright.engine.testcase.editing.deletion import is_pure
from crashwright.engine.testcase.printing.imports import Imports
from crashwright.engine.testcase.printing.layout import INDENT
from crashwright.engine.testcase.printing.naming import default_name
from crashwright.engine.testcase.printing.printing import Setting, print_test
from crashwright.engine.testcase.statements import Statement, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import defined, used
from crashwright.finishing.crash.crash_statement import crashing_lines
from crashwright.finishing.suite.draft import Draft, Line

_BUILTINS = frozenset(dir(builtins))
OF_PYTEST = frozenset(
    "request cache caplog capfd capfdbinary capsys capsysbinary capteesys doctest_namespace monkeypatch pytestconfig pytester "
    "record_property record_testsuite_property record_xml_attribute recwarn subtests testdir tmp_path tmp_path_factory tmpdir "
    "tmpdir_factory".split()
)
"""Fixtures of pytest: it takes no other one called ``request``, and tests and plugins ask for the others."""
FEWEST = 3
"""Tests that construct alike, from which on they share it."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """``name`` of the function, and the statements that construct what it returns, the construction last."""

    name: str
    statements: tuple[Statement, ...]

    def lines(self, imports: Imports) -> list[str]:
        """The function, as Black would lay it out."""
        body = list(print_test(TestCase(self.statements), None, Setting(1, imports, True)).body)
        first, _ = crashing_lines(body, None)
        body[first] = "return " + body[first]
        decorator = f"@{imports.module('pytest')}.fixture"
        return [decorator, f"def {self.name}():", *(INDENT + line if line else "" for line in body)]


class _Construction(NamedTuple):
    """In a draft: the place of the call, and of what it needs."""

    at: int
    needs: tuple[int, ...]
    text: str


def shared(members: Sequence[Draft], taken: Set[str], imports: Imports) -> tuple[list[Draft], list[Fixture]]:
    """The drafts of a class, those that construct it as others do with a fixture in place of that, and the fixture. ``taken`` are
    names that mean something else."""
    found = [_construction(one, imports) for one in members]
    common = Counter(one.text for one in found if one is not None).most_common(1)
    if not common or common[0][1] < FEWEST:
        return list(members), []
    text = common[0][0]
    first = next(place for place, one in enumerate(found) if one is not None and one.text == text)
    fixture = _fixture(members[first], cast(_Construction, found[first]))
    if fixture.name in taken or any(fixture.name in one.parameters for one in members):
        return list(members), []
    drafts = [
        one if made is None or made.text != text else _with_fixture(one, made, fixture.name)
        for one, made in zip(members, found, strict=True)
    ]
    return drafts, [fixture]


def _fixture(draft: Draft, made: _Construction) -> Fixture:
    statements = tuple(cast(Statement, draft.statements[place]) for place in (*made.needs, made.at))
    name = default_name(statements[-1], draft.test)
    return Fixture(f"{name}_" if name in _BUILTINS or name in OF_PYTEST or iskeyword(name) else name, statements)


def _construction(draft: Draft, imports: Imports) -> _Construction | None:
    """Of the object on which the draft calls a method of its class. What it needs is pure and serves nothing else."""
    if draft.is_async or draft.accident:
        return None
    for at, line in enumerate(draft.statements):
        if isinstance(line, st.Call) and line.callee.kind is CalleeKind.CLASS and line.callee.qualname == draft.owner:
            needs = _needs(draft.statements, at)
            if needs is None or draft.subject == draft.owner or not _is_receiver(draft, at, line.variable):
                return None
            statements = tuple(cast(Statement, draft.statements[place]) for place in (*needs, at))
            body = print_test(TestCase(statements), None, Setting(1, imports, True)).body
            return _Construction(at, needs, "\n".join(body))
    return None


def _is_receiver(draft: Draft, at: int, variable: Variable) -> bool:
    """Whether a method is called on it, or an attribute read, and it is made but once."""
    rest = draft.statements[at + 1 :]
    if any(not isinstance(one, Check) and defined(cast(Statement, one)) == variable for one in rest):
        return False
    return any(isinstance(one, st.MethodCall | st.GetAttribute) and one.receiver == variable for one in rest)


def _needs(statements: Sequence[Line], at: int) -> tuple[int, ...] | None:
    """The places of what the statement uses, all of it; None where that does something, or others use it too."""
    wanted = set(used(cast(Statement, statements[at])))
    places: list[int] = []
    for place in range(at - 1, -1, -1):
        line = statements[place]
        if isinstance(line, Check | Given):
            if isinstance(line, Given) and line.variable in wanted:
                return None
            continue
        if defined(line) in wanted:
            makes = isinstance(line, st.Call) and line.callee.kind is CalleeKind.CLASS
            if not (is_pure(line) or makes) or isinstance(line, st.FileFixture):
                return None
            wanted.update(used(line))
            places.append(place)
    inside = {*places, at}
    variables = {defined(cast(Statement, statements[place])) for place in places}
    for place, line in enumerate(statements):
        if place not in inside and not variables.isdisjoint(used(cast(Statement, line))):
            return None
    return tuple(reversed(places))


def _with_fixture(draft: Draft, made: _Construction, name: str) -> Draft:
    call = cast(st.Call, draft.statements[made.at])
    lines: list[Line] = []
    for place, line in enumerate(draft.statements):
        if place == made.at:
            lines.append(Given(call.variable, name))
        elif place not in made.needs:
            lines.append(line)
    return replace(draft, statements=tuple(lines), fixtures=(name,))
