"""Tests whose crash somebody else catches: a runner of commands keeps it, a server logs it and answers. They are changed as little
as it takes for the crash to leave the test, ahead of the assertion that failed for it.
"""

from __future__ import annotations

import ast

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LOGGED, HANDLED, PASSING = "logged", "handled", "passing"
"""What is recorded of an exception that was logged, that the test itself handled, or that was seen on its way."""
_CAUGHT = "catch_exceptions"
"""The option of the test runners of click and of what is built on it."""


def let_through(source: str, name: str, kept: str, line: int) -> tuple[str, ...]:
    """Files in which the test ``name`` (as pytest names it) lets through what ``kept`` says is caught; the best first. ``line`` is
    that of the test at which it failed (0: it passed)."""
    test = _test(ast.parse(source), name)
    if test is None or kept == HANDLED:
        return ()
    if kept == PASSING:
        return (*_not_caught(source, test), *_turned(source))
    if kept != LOGGED:
        raised = _before(source, test, line, [f"if {kept} is not None:", f"    raise {kept}"])
        return (*_not_caught(source, test), raised)
    if not _takes_fixtures(source, test):
        return ()
    found = ["for record in caplog.records:", "    if record.exc_info:", "        raise record.exc_info[1]"]
    return (_with_parameter(_before(source, test, line, found), test, "caplog"),)


def _test(tree: ast.Module, name: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    wanted = name.partition("[")[0].split("::")
    body: list[ast.stmt] = tree.body
    for part in wanted[:-1]:
        body = next((node.body for node in body if isinstance(node, ast.ClassDef) and node.name == part), [])
    return next((node for node in body if isinstance(node, _FUNCTIONS) and node.name == wanted[-1]), None)


def _not_caught(source: str, test: ast.AST) -> tuple[str, ...]:
    """With the runner told not to catch anything."""
    calls = [
        node
        for node in ast.walk(test)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "invoke"
    ]
    if not calls or any(word.arg == _CAUGHT for call in calls for word in call.keywords):
        return ()
    lines = source.splitlines()
    for call in sorted(calls, key=lambda one: (one.end_lineno or 0, one.end_col_offset or 0), reverse=True):
        at, column = (call.end_lineno or 0) - 1, (call.end_col_offset or 0) - 1
        text = lines[at].encode()
        before = text[:column].decode().rstrip()
        if before:
            comma = " " if before.endswith(",") else "" if before.endswith("(") else ", "
            lines[at] = f"{before}{comma}{_CAUGHT}=False{text[column:].decode()}"
            continue
        last = lines[at - 1]
        if not last.rstrip().endswith((",", "(")):
            lines[at - 1] = last = f"{last},"
        lines.insert(at, f"{last[: len(last) - len(last.lstrip())]}{_CAUGHT}=False,")
    return ("\n".join(lines) + "\n",)


def _turned(source: str) -> tuple[str, ...]:
    """With options turned round that say what becomes of exceptions: ``raise_exceptions=False``."""
    lines = source.splitlines()
    found = [
        word
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        for word in node.keywords
        if word.arg and "exception" in word.arg.lower() and isinstance(word.value, ast.Constant) and type(word.value.value) is bool
    ]
    for word in sorted(found, key=lambda one: (one.value.lineno, one.value.col_offset), reverse=True):
        assert isinstance(word.value, ast.Constant)
        row, text = word.value.lineno - 1, lines[word.value.lineno - 1].encode()
        start, end = text[: word.value.col_offset].decode(), text[word.value.end_col_offset or 0 :].decode()
        lines[row] = f"{start}{not word.value.value}{end}"
    return ("\n".join(lines) + "\n",) if found else ()


def _before(source: str, test: ast.FunctionDef | ast.AsyncFunctionDef, line: int, new: list[str]) -> str:
    """With ``new`` lines ahead of the statement at ``line``, or at the end of the test."""
    lines = source.splitlines()
    found = [
        node
        for node in ast.walk(test)
        if isinstance(node, ast.stmt) and node is not test and node.lineno <= line <= (node.end_lineno or 0)
    ]
    inner = [node for node in found if not any(isinstance(part, ast.stmt) for part in ast.walk(node) if part is not node)]
    statement = inner[-1] if inner else None
    at = (test.end_lineno or len(lines)) if statement is None else statement.lineno - 1
    indent = " " * (test.body[0].col_offset if statement is None else statement.col_offset)
    lines[at:at] = [indent + one for one in new]
    return "\n".join(lines) + "\n"


def _takes_fixtures(source: str, test: ast.AST) -> bool:
    """Not a method of ``unittest``."""
    around = [
        node for node in ast.parse(source).body if isinstance(node, ast.ClassDef) and node.lineno <= getattr(test, "lineno", 0)
    ]
    inside = [node for node in around if getattr(test, "lineno", 0) <= (node.end_lineno or 0)]
    return not any(node.bases for node in inside)


def _with_parameter(source: str, test: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> str:
    arguments = test.args
    if any(one.arg == name for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)):
        return source
    lines = source.splitlines()
    start = test.lineno - 1
    at = lines[start].index("(", lines[start].index(test.name)) + 1
    if arguments.args:
        last = arguments.args[-1]
        row, column = (last.end_lineno or 0) - 1, last.end_col_offset or 0
        text = lines[row].encode()
        lines[row] = f"{text[:column].decode()}, {name}{text[column:].decode()}"
    else:
        lines[start] = f"{lines[start][:at]}{name}{lines[start][at:]}"
    return "\n".join(lines) + "\n"
