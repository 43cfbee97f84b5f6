"""Tests that differ in values only become one parametrised test: the values that differ are its parameters."""

from __future__ import annotations

import builtins
import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from keyword import iskeyword, issoftkeyword
from typing import NamedTuple, cast

from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.checks import Check, Given
from crashwright.engine.testcase.printing.layout import Doc
from crashwright.engine.testcase.printing.literals import value_doc
from crashwright.engine.testcase.printing.naming import default_name
from crashwright.engine.testcase.statements import Named, Statement, Value, Variable
from crashwright.engine.testcase.variables import TREES, defined, map_used, value_refs, with_variable
from crashwright.finishing.suite.draft import Draft, Line, Row
from crashwright.finishing.suite.message_pattern import pattern
from crashwright.finishing.suite.wording import case_word, readable

_MOST_PARAMETERS = 4
_FEWEST_CASES = 3
"""Two tests with names of their own read better than one with two cases."""
_LONGEST_VALUE = 40
_LONGEST_ROW = 72
_MESSAGE = -1
_RESERVED = frozenset(dir(builtins)) | {"request", "tmp_path", "self", "pytest", "asyncio", "scenario", "item", "args", "kwargs"}


class _Hole(NamedTuple):
    """A value that may differ: of the line with that index, or the message."""

    line: int
    value: Value
    document: Doc


class _Shape(NamedTuple):
    """A draft without its values. Drafts of one ``key`` differ in their holes at most."""

    draft: Draft
    key: str
    holes: tuple[_Hole, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """The values as text; that of NaN equals itself."""
        return tuple(hole.document.flat for hole in self.holes)


def parametrised(drafts: Sequence[Draft], banned: frozenset[str]) -> list[Draft]:
    """Fewer drafts that do the same, in the order of the first test of each. ``banned`` cannot be names of parameters."""
    groups: dict[str, list[_Shape]] = {}
    for draft in drafts:
        shape = _shape(draft)
        groups.setdefault(shape.key, []).append(shape)
    merged = itertools.chain.from_iterable(_merged(group, banned) for group in groups.values())
    return sorted(merged, key=lambda draft: draft.indices[0])


def distinct(drafts: Iterable[Draft]) -> tuple[Draft, ...]:
    """One of each where drafts are alike."""
    seen: dict[tuple[str, tuple[str, ...]], Draft] = {}
    for draft in drafts:
        shape = _shape(draft)
        seen.setdefault((shape.key, shape.texts), draft)
    return tuple(seen.values())


def case_ids(draft: Draft) -> tuple[str, ...]:
    """Names for the cases; "" for those where pytest's own can be read."""
    inputs = [name for name in draft.parameters if name != draft.match and not name.startswith("expected")] or draft.parameters
    cases = list(zip(*(draft.column(name) for name in inputs), strict=True))
    names = ["" if all(map(readable, case)) else _case_name(case) for case in cases]
    common, numbers = Counter(names), Counter[str]()
    ids = []
    for name in names:
        numbers[name] += 1
        ids.append(f"{name}-{numbers[name]}" if name and common[name] > 1 else name)
    named = [name for name in ids if name]
    if len(set(named)) == len(named):
        return tuple(ids)
    return tuple(f"case-{number}" if name else "" for number, name in enumerate(ids, 1))


def _case_name(case: tuple[Value, ...]) -> str:
    return "-".join(map(case_word, case))[:_LONGEST_VALUE].strip("-")


def _merged(group: list[_Shape], banned: frozenset[str]) -> list[Draft]:
    """The cases whose values are short as one draft, where there are enough; the rest as they are."""
    differing = _differing(group)
    inside = [shape for shape in group if _fits(shape, differing)]
    differing = _differing(inside)
    if len(inside) < _FEWEST_CASES or not 0 < len(differing) <= _MOST_PARAMETERS:
        return [shape.draft for shape in group]
    rest = [shape.draft for shape in group if shape not in inside]
    return [_with_parameters(inside, differing, banned), *rest]


def _differing(group: list[_Shape]) -> list[int]:
    columns = zip(*(shape.texts for shape in group), strict=True)
    return [place for place, column in enumerate(columns) if len(set(column)) > 1]


def _fits(shape: _Shape, differing: list[int]) -> bool:
    texts = [shape.texts[place] for place in differing]
    return all(len(text) <= _LONGEST_VALUE for text in texts) and sum(len(text) + 2 for text in texts) <= _LONGEST_ROW


def _with_parameters(group: list[_Shape], differing: list[int], banned: frozenset[str]) -> Draft:
    first = group[0]
    lines = list(first.draft.statements)
    names: list[str] = []
    match = ""
    looks = sum(type(lines[first.holes[place].line]) is Check for place in differing if first.holes[place].line != _MESSAGE)
    for place in differing:
        index = first.holes[place].line
        name = _parameter_name(first.draft, index, looks, banned.union(names))
        names.append(name)
        if index == _MESSAGE:
            match = name
            continue
        line = lines[index]
        lines[index] = (
            line._replace(expected=Given(line.variable, name)) if isinstance(line, Check) else Given(_variable(line), name)
        )
    rows = [
        Row(
            tuple(shape.holes[place].value for place in differing),
            tuple(shape.holes[place].document for place in differing),
        )
        for shape in group
    ]
    return Draft(
        indices=tuple(shape.draft.indices[0] for shape in group),
        subject=first.draft.subject,
        line=min(shape.draft.line for shape in group),
        statements=tuple(lines),
        raised=first.draft.raised,
        parameters=tuple(names),
        rows=tuple(rows),
        match=match,
        accident=first.draft.accident,
    )


def _variable(line: Line) -> Variable:
    assert isinstance(line, st.Literal)
    return line.variable


def _parameter_name(draft: Draft, index: int, looks: int, banned: frozenset[str]) -> str:
    """After what the value is passed to; ``expected`` and what is looked at for others."""
    line = draft.statements[index]
    if index == _MESSAGE:
        wanted = "message"
    elif isinstance(line, Check):
        last = line.path[-1].strip("._") if line.path and looks > 1 else ""
        wanted = f"expected_{last}" if last.isidentifier() else "expected"
    else:
        wanted = default_name(cast(Statement, line), draft.test)
    if wanted in _RESERVED or iskeyword(wanted) or issoftkeyword(wanted):
        wanted += "_"
    name, number = wanted, 1
    while name in banned or name in _RESERVED:
        number += 1
        name = f"{wanted.rstrip('_')}_{number}"
    return name


def _shape(draft: Draft) -> _Shape:
    numbers: dict[Variable, int] = {}
    holes: list[_Hole] = []
    keys = [f"{draft.subject} {draft.accident}"]
    for index, line in enumerate(draft.statements):
        keys.append(_line_key(index, line, numbers, holes))
    if draft.raised is not None:
        named, message = draft.raised
        text = pattern(message or "")
        keys.append(f"raises {named.module}:{named.qualname} {bool(text)}")
        if text:
            holes.append(_Hole(_MESSAGE, message, Doc(text)))
    return _Shape(draft, "\n".join(keys), tuple(holes))


def _line_key(index: int, line: Line, numbers: dict[Variable, int], holes: list[_Hole]) -> str:
    """What remains of the line without its value, which goes to ``holes``; variables are numbered in the order of the test."""
    if isinstance(line, Check):
        return _check_key(index, line, numbers, holes)
    if isinstance(line, st.Literal) and not any(True for _ in value_refs(line.value)):
        numbers[line.variable] = index
        holes.append(_Hole(index, line.value, value_doc(line.value, _no_variable)))
        return f"Literal {index}"
    statement = map_used(cast(Statement, line), lambda variable: numbers[variable])
    variable = defined(statement)
    if variable is not None:
        numbers[variable] = index
        statement = with_variable(statement, index)
    return _key(statement)


def _check_key(index: int, check: Check, numbers: dict[Variable, int], holes: list[_Hole]) -> str:
    expected = check.expected
    key = f"{numbers[check.variable]} {check.path} {check.kind}"
    if isinstance(expected, Named | Given):
        return f"{key} {_key(expected)}"
    if type(expected) in TREES and any(True for _ in value_refs(expected)):
        return f"{key} {_key(tuple(numbers[variable] for variable in value_refs(expected)))} {_key(expected)}"
    if check.kind == "nan":
        return key
    holes.append(_Hole(index, expected, value_doc(expected, _no_variable)))
    return f"{key} {type(expected).__name__ if check.kind == 'is' else ''}"


def _key(value: object) -> str:
    """The same for equal things, in whatever process; live objects do not count."""
    if isinstance(value, Callee):
        return f"{value.kind.value} {value.address}"
    if isinstance(value, Named):
        return f"{value.module}:{value.qualname}"
    if isinstance(value, tuple):
        return f"{type(value).__name__}({', '.join(map(_key, value))})"
    return repr(value)


def _no_variable(_: Variable) -> Doc:
    raise ValueError("a value of its own has no references")
