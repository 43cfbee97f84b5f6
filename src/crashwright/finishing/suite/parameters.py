"""Tests that differ in values only become one parametrised test: the values that differ are its parameters."""

from __future__ import annotations

import builtins
from collections import Counter
from collections.abc import Iterable, Sequence
from keyword import iskeyword, issoftkeyword
from typing import NamedTuple, cast

from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.checks import Check, Given
from crashwright.engine.testcase.printing.expressions import named
from crashwright.engine.testcase.printing.imports import Imports
from crashwright.engine.testcase.printing.layout import Doc
from crashwright.engine.testcase.printing.literals import Name, value_doc
from crashwright.engine.testcase.printing.naming import default_name
from crashwright.engine.testcase.statements import Display, Expected, Named, Ref, Statement, Variable
from crashwright.engine.testcase.variables import defined, map_used, value_refs, with_variable
from crashwright.finishing.suite.draft import CaseRow, Draft, Line
from crashwright.finishing.suite.fixtures import OF_PYTEST
from crashwright.finishing.suite.message_pattern import pattern
from crashwright.finishing.suite.titles import plain_titles
from crashwright.finishing.suite.wording import case_word, readable

MOST_TESTS = 8
"""Test functions for one function of the module, where they can be cases of others."""
_MOST_PARAMETERS = 4
_FEWEST_CASES, _PAIR = 3, 2
"""Two tests with names of their own read better than one with two cases."""
_LONGEST_VALUE = 40
_LONGEST_ROW = 72
_MESSAGE = -1
_RESERVED = frozenset(dir(builtins)) | OF_PYTEST | {"self", "pytest", "asyncio", "scenario", "item", "args", "kwargs"}


class _Hole(NamedTuple):
    """A value that may differ: of the line with that index, or the message."""

    line: int
    value: Expected
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


def parametrised(drafts: Sequence[Draft], imports: Imports, most: int = MOST_TESTS) -> list[Draft]:
    """Fewer drafts that do the same, in the order of the first test of each, at most ``most`` for a function of the module,
    but for those that alone take a branch. Where there are more, two that are alike are enough for one, and where two would have
    the same name."""
    found = _all_merged(drafts, imports, _FEWEST_CASES)
    counts = Counter(draft.subject for draft in found)
    names = list(zip(found, plain_titles(found), strict=True))
    common = Counter((draft.owner, name) for draft, name in names)
    crowded = [draft for draft, name in names if counts[draft.subject] > most or common[draft.owner, name] > 1]
    rest = [draft for draft in found if not any(draft is one for one in crowded)]
    again = _all_merged([one for one in crowded if not one.rows], imports, _PAIR)
    return _at_most(most, sorted([*rest, *again, *(one for one in crowded if one.rows)], key=lambda draft: draft.indices[0]))


def _at_most(most: int, drafts: Sequence[Draft]) -> list[Draft]:
    """No more than ``most`` of each function of the module: those that say most, but all that are ``needed``."""
    by_subject: dict[str, list[Draft]] = {}
    for draft in drafts:
        by_subject.setdefault(draft.subject, []).append(draft)
    kept = {id(one) for group in by_subject.values() for one in sorted(group, key=_emptiness)[:most]}
    return [draft for draft in drafts if draft.needed or id(draft) in kept]


def _emptiness(draft: Draft) -> tuple[bool, bool, bool, int]:
    """For sorting: first what takes branches of its own, plain returns before errors."""
    own = len(draft.rows) + len(draft.conditions)
    return not draft.needed, draft.is_bare, draft.raised is not None, -own


def _all_merged(drafts: Sequence[Draft], imports: Imports, fewest: int) -> list[Draft]:
    groups: dict[str, list[_Shape]] = {}
    for draft in drafts:
        shape = _shape(draft, lambda one: named(one, imports))
        groups.setdefault(shape.key, []).append(shape)
    return [draft for group in groups.values() for draft in _merged(group, imports.names, fewest)]


def distinct(drafts: Iterable[Draft]) -> tuple[Draft, ...]:
    """One of each where drafts are alike."""
    seen: dict[tuple[str, tuple[str, ...]], Draft] = {}
    for draft in drafts:
        shape = _shape(draft, _address)
        seen.setdefault((shape.key, shape.texts), draft)
    return tuple(seen.values())


def case_ids(draft: Draft) -> tuple[str, ...]:
    """Names for the cases; "" for those where pytest's own can be read."""
    inputs = [name for name in draft.parameters if name != draft.match and not name.startswith("expected")] or draft.parameters
    cases = list(zip(*(draft.column(name) for name in inputs), strict=True))
    names = ["" if all(map(readable, case)) else _case_name(case) for case in cases]
    if draft.match and len(set(names)) < len(names):  # then the messages say better which is which
        names = [name and _case_name((message,)) for name, message in zip(names, draft.column(draft.match), strict=True)]
    common, numbers = Counter(names), Counter[str]()
    ids = []
    for name in names:
        numbers[name] += 1
        ids.append(f"{name}-{numbers[name]}" if name and common[name] > 1 else name)
    named = [name for name in ids if name]
    if len(set(named)) == len(named):
        return tuple(ids)
    return tuple(f"case-{number}" if name else "" for number, name in enumerate(ids, 1))


def _case_name(case: tuple[Expected, ...]) -> str:
    return "-".join(map(case_word, case))[:_LONGEST_VALUE].strip("-")


def _merged(group: list[_Shape], banned: frozenset[str], fewest: int) -> list[Draft]:
    """The cases whose values are short as one draft, where there are enough; the rest as they are."""
    differing = _differing(group)
    inside = [shape for shape in group if _fits(shape, differing)]
    differing = _differing(inside)
    if len(inside) < fewest or not 0 < len(differing) <= _MOST_PARAMETERS:
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
        CaseRow(
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
        needed=any(shape.draft.needed for shape in group),
    )


def _variable(line: Line) -> Variable:
    assert isinstance(line, st.Literal | st.Reference)
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


def _shape(draft: Draft, name: Name) -> _Shape:
    numbers: dict[Variable, int] = {}
    holes: list[_Hole] = []
    keys = [f"{draft.subject} {draft.accident}"]
    for index, line in enumerate(draft.statements):
        keys.append(_line_key(index, line, numbers, holes, name))
    if draft.raised is not None:
        named, message = draft.raised
        text = pattern(message or "")
        keys.append(f"raises {named.module}:{named.qualname} {bool(text)}")
        if text:
            holes.append(_Hole(_MESSAGE, message, Doc(text)))
    return _Shape(draft, "\n".join(keys), tuple(holes))


def _line_key(index: int, line: Line, numbers: dict[Variable, int], holes: list[_Hole], name: Name) -> str:
    """What remains of the line without its value, which goes to ``holes``; variables are numbered in the order of the test."""
    if isinstance(line, Check):
        return _check_key(index, line, numbers, holes, name)
    if isinstance(line, st.Literal) and not any(True for _ in value_refs(line.value)):
        numbers[line.variable] = index
        holes.append(_Hole(index, line.value, value_doc(line.value, _no_variable)))
        return f"Literal {index}"
    if isinstance(line, st.Reference):
        numbers[line.variable] = index
        holes.append(_Hole(index, line.named, name(line.named)))
        return f"Reference {index}"
    statement = map_used(cast(Statement, line), lambda variable: numbers[variable])
    variable = defined(statement)
    if variable is not None:
        numbers[variable] = index
        statement = with_variable(statement, index)
    return _key(statement)


def _check_key(index: int, check: Check, numbers: dict[Variable, int], holes: list[_Hole], name: Name) -> str:
    expected = check.expected
    key = f"{numbers[check.variable]} {check.path} {check.kind}"
    if isinstance(expected, Given) or (isinstance(expected, Named) and check.kind != "is"):
        return f"{key} {_key(expected)}"
    if isinstance(expected, Ref | Display) and any(True for _ in value_refs(expected)):
        return f"{key} {_key(tuple(numbers[variable] for variable in value_refs(expected)))} {_key(expected)}"
    if check.kind == "nan":
        return key
    holes.append(_Hole(index, expected, value_doc(expected, _no_variable, name)))
    return f"{key} {type(expected).__name__ if check.kind == 'is' else ''}"


def _address(one: Named) -> Doc:
    return Doc(f"{one.module}:{one.qualname}")


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
