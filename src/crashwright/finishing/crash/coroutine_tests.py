"""Tests that are coroutine functions, which pytest does not run by itself, as plain functions that run a coroutine."""

from __future__ import annotations

import ast

from crashwright.finishing.crash.suggested_file import inside_texts, with_lines, without_unused_imports

_MARK = "asyncio"


def has_coroutines(source: str) -> bool:
    """Needs a test or a fixture of the file a plugin that runs coroutines? Methods of ``unittest`` classes do not."""
    tree = ast.parse(source)
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and not node.bases]
    bodies = [tree.body, *(one.body for one in classes)]
    functions = [node for body in bodies for node in body if isinstance(node, ast.AsyncFunctionDef)]
    return any(node.name.startswith("test") or node.decorator_list for node in functions)


def synchronous(source: str, name: str) -> str:
    """The file with the test ``name`` (``test_x`` or ``TestX::test_x``, with parameters or without) as a plain function."""
    test = _test(ast.parse(source), name.partition("[")[0].split("::"))
    if test is None:
        return source
    lines = source.splitlines()
    first, last = test.lineno - 1, (test.end_lineno or test.lineno)
    body = test.body[0].lineno - 1
    if body == first:  # on one line
        return source
    indent = " " * test.body[0].col_offset
    fixed = inside_texts(test.body)
    inner = [line if at in fixed or not line.strip() else f"    {line}" for at, line in enumerate(lines[body:last], body)]
    head = [lines[first].replace("async def", "def", 1), *lines[first + 1 : body]]
    made = [*head, f"{indent}async def scenario():", *inner, "", f"{indent}asyncio.run(scenario())"]
    marks = [one for one in test.decorator_list if isinstance(one, ast.Attribute) and one.attr == _MARK]
    before = [line for at, line in enumerate(lines[:first]) if all(at != one.lineno - 1 for one in marks)]
    text = "\n".join([*before, *made, *lines[last:]]) + "\n"
    text = without_unused_imports(source, text)
    return text if any(line.strip() == "import asyncio" for line in lines) else with_lines(text, ["import asyncio"])


def _test(tree: ast.Module, wanted: list[str]) -> ast.AsyncFunctionDef | None:
    body: list[ast.stmt] = tree.body
    for part in wanted[:-1]:
        body = next((node.body for node in body if isinstance(node, ast.ClassDef) and node.name == part), [])
    return next((node for node in body if isinstance(node, ast.AsyncFunctionDef) and node.name == wanted[-1]), None)
