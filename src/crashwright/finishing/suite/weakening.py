"""A suite without the assertions that a fresh run has found untrue: the rest of their tests stays."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from crashwright.engine.testcase.checks import Check
from crashwright.engine.testcase.statements import Display, Named
from crashwright.finishing.suite.draft import Draft, Line, needed_lines
from crashwright.finishing.suite.file import SuiteFile

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Untrue:
    """What was untrue in a run of one test: the lines of the file where assertions, or ``with`` statements that match a message,
    begin. ``whole`` says that without them this run would have passed."""

    lines: tuple[int, ...]
    whole: bool = False


def weakened(file: SuiteFile, untrue: Mapping[int, Untrue]) -> SuiteFile:
    """``file`` without these, by the places of their tests."""
    functions = functions_of(file.text)
    drafts = {one.indices[0]: one for one in file.drafts}
    for test in file.tests:
        for index in test.indices:
            if index in untrue and test.node in functions:
                drafts[index] = _weaker(drafts[index], functions[test.node], frozenset(untrue[index].lines))
    return file.with_drafts(drafts.values())


def _weaker(draft: Draft, function: _Function, lines: frozenset[int]) -> Draft:
    """The printer writes one ``assert`` for each check, in their order."""
    nodes = list(ast.walk(function))
    asserts = sorted(node.lineno for node in nodes if isinstance(node, ast.Assert))
    gone = {place for place, line in enumerate(asserts) if line in lines}
    checks = [place for place, line in enumerate(draft.statements) if isinstance(line, Check)]
    left_out = {checks[place] for place in gone if place < len(checks)}
    kept: list[Line] = [line for place, line in enumerate(draft.statements) if place not in left_out]
    if draft.raised is None and left_out == set(checks) and left_out:
        kept = _with_class(draft.statements, left_out)
    raised = draft.raised
    if raised is not None and any(isinstance(node, ast.With) and node.lineno in lines for node in nodes):
        raised = raised._replace(message=None)
    return replace(draft, statements=needed_lines(kept, raised is not None), raised=raised)


def _with_class(lines: Sequence[Line], gone: Collection[int]) -> list[Line]:
    """``lines`` without the checks that are ``gone``, but for the class of what the last one of a plain value looks at: a test that
    asserts nothing would pass whatever came back."""
    found = [place for place in sorted(gone) if _class_of(lines[place]) is not None]
    told: dict[int, Line] = {}
    if found:
        check = cast(Check, lines[found[-1]])
        told[found[-1]] = check._replace(kind="isinstance", expected=_class_of(check))
    return [told.get(place, line) for place, line in enumerate(lines) if place not in gone or place in told]


def _class_of(line: Line) -> Named | None:
    """Of the plain value that a check compares with; not of None and truth values, which say little by it."""
    value = line.expected if isinstance(line, Check) and line.kind != "isinstance" else None
    if isinstance(value, Display):
        return Named("builtins", value.kind)
    plain = isinstance(value, str | bytes | int | float) and not isinstance(value, bool)
    return Named("builtins", type(value).__name__) if plain else None


def functions_of(text: str) -> dict[str, _Function]:
    """The test functions of a file as pytest names them within it."""
    return _functions(ast.parse(text).body, "")


def _functions(body: Iterable[ast.stmt], owner: str) -> dict[str, _Function]:
    found: dict[str, _Function] = {}
    for node in body:
        if isinstance(node, _Function):
            found[owner + node.name] = node
        elif isinstance(node, ast.ClassDef) and not owner:
            found.update(_functions(node.body, f"{node.name}::"))
    return found
