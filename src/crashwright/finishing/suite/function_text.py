"""One test as lines of source, decorators included, laid out as Black would."""

from __future__ import annotations

from crashwright.engine.testcase.printing.imports import Imports
from crashwright.engine.testcase.printing.layout import INDENT, Doc, group, lay_out
from crashwright.engine.testcase.printing.literals import quoted
from crashwright.engine.testcase.printing.printing import WIDTH, PrintedTest, Setting, print_test
from crashwright.finishing.crash.crash_statement import crashing_lines
from crashwright.finishing.suite.draft import Draft
from crashwright.finishing.suite.message_pattern import LONGEST, pattern
from crashwright.finishing.suite.parameters import case_ids


def function_lines(draft: Draft, name: str, imports: Imports, method: bool) -> list[str]:
    """The test function, not indented; ``method`` of a class that will be. Raises ValueError where it cannot be printed."""
    depth = 2 if method else 1
    printed = print_test(draft.test, None, Setting(depth, imports, draft.raised is not None))
    body = list(printed.body)
    if draft.raised is not None:
        body = _raising(draft, body, imports, WIDTH - len(INDENT) * (depth + printed.is_async))
    room = WIDTH - len(INDENT) * (depth - 1)
    return [*_decorator(draft, imports, room), *_definition(draft, name, printed, method, room), *_body(body, printed, imports)]


def _raising(draft: Draft, body: list[str], imports: Imports, width: int) -> list[str]:
    """``body`` with the last statement under ``pytest.raises``."""
    assert draft.raised is not None
    first, last = crashing_lines(body, None)
    indent = body[first][: len(body[first]) - len(body[first].lstrip())]
    named = draft.raised.exception
    expected = [Doc(imports.text(named.module, named.qualname))]
    room = width - len(indent)
    match = draft.match or pattern(
        draft.raised.message or "", min(LONGEST, room - len(INDENT) - len(expected[0].flat) - len(", match="))
    )
    if match:
        expected.append(Doc(f"match={match}"))
    opening = [indent + line for line in lay_out(group(f"with {imports.module('pytest')}.raises(", tuple(expected), "):"), room)]
    return [*body[:first], *opening, *(INDENT + line if line else "" for line in body[first : last + 1]), *body[last + 1 :]]


def _decorator(draft: Draft, imports: Imports, room: int) -> list[str]:
    if not draft.rows:
        return []
    names = tuple(Doc(quoted(name)) for name in draft.parameters)
    single = len(names) == 1
    pytest = imports.module("pytest")
    ids = case_ids(draft)
    rows: list[Doc] = []
    for number, row in enumerate(draft.rows):
        if ids[number]:
            rows.append(group(f"{pytest}.param(", (*row.documents, Doc(f"id={quoted(ids[number])}")), ")"))
        else:
            rows.append(row.documents[0] if single else group("(", row.documents, ")"))
    argument = names[0] if single else group("(", names, ")")
    whole = group(f"@{pytest}.mark.parametrize(", (argument, group("[", tuple(rows), "]")), ")")
    if len(whole.flat) <= room:
        return [whole.flat]
    inside = room - 2 * len(INDENT)
    listed = [INDENT * 2 + line for row in rows for line in lay_out(row, inside, suffix=",")]
    return [whole.head, f"{INDENT}{argument.flat},", f"{INDENT}[", *listed, f"{INDENT}],", ")"]


def _definition(draft: Draft, name: str, printed: PrintedTest, method: bool, room: int) -> list[str]:
    items = ("self",) * method + printed.fixtures + draft.fixtures + draft.parameters
    return lay_out(group(f"def {name}(", tuple(Doc(item) for item in items), "):"), room)


def _body(body: list[str], printed: PrintedTest, imports: Imports) -> list[str]:
    if not printed.is_async:
        return [INDENT + line if line else "" for line in body]
    inner = [INDENT * 2 + line if line else "" for line in body]
    return [f"{INDENT}async def scenario():", *inner, "", f"{INDENT}{imports.module('asyncio')}.run(scenario())"]
