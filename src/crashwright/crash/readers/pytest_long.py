"""One entry of pytest's long style: argument values, the source from ``def`` to the ``>`` line, ``E`` lines, local values. The
place comes after all of it; the function's name stands nowhere but in the ``def`` shown."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from crashwright.core.report import ReportedFrame
from crashwright.crash.readers.pytest_values import argument_values, local_values

_MARK = re.compile(r">(?= {3}|$)")
_CARETS = re.compile(r"(?P<indent>\s+)(?P<marks>\^+)\s*")
_ERROR = re.compile(r"E(?P<text> {3,}.*|\s*)")
_DEFINES = re.compile(r"(?:async\s+)?(?:def|class)\s+(?P<name>[^\W\d]\w*)")
_OPENS = re.compile(r"(?:async\s+)?(?:def|class)\b|@")
_TRIPLE = re.compile(r"""\"{3}|'{3}""")
_CLOSES = re.compile(r"[)\]}]")
_COMPREHENSIONS: dict[type[ast.expr], str] = {
    ast.ListComp: "<listcomp>",
    ast.SetComp: "<setcomp>",
    ast.DictComp: "<dictcomp>",
    ast.GeneratorExp: "<genexpr>",
}


class PrintedFrame(NamedTuple):
    """A frame, and the text of the ``E`` lines printed with it."""

    frame: ReportedFrame
    error: tuple[str, ...] = ()


def long_entry(lines: Sequence[str], path: str, number: int) -> PrintedFrame | None:
    """The entry whose lines end before its place ``path:number:``; None where no line is marked ``>``."""
    mark = next((index for index, line in enumerate(lines) if _MARK.match(line)), None)
    if mark is None:
        return None
    start = _source_start(lines, mark)
    after = lines[mark + 1 :]
    source = [line.removeprefix(">")[3:] if line.startswith(">") else line[4:] for line in lines[start : mark + 1]]
    shown = "\n".join([*source, *_rest_of_statement(after)])
    values = argument_values(_arguments(lines[:start]), shown)
    text = source[-1].strip()
    columns = _columns(lines[mark], after[0]) if after else None
    column = len(source[-1]) - len(source[-1].lstrip()) + (columns[0] if columns else 0)
    frame = ReportedFrame(
        path,
        number,
        _function(source, path) or (_comprehension(shown, len(source), column) if ".0" in values else _nameless(source)),
        None if text in ("", "???") else text,
        columns,
        None,
        {name: value for name, value in {**values, **local_values(_locals_region(after), "")}.items() if name.isidentifier()},
    )
    return PrintedFrame(frame, error_text(after))


def error_text(lines: Sequence[str]) -> tuple[str, ...]:
    """The first run of ``E`` lines without their margin: what Python prints below the frames."""
    found: list[str] = []
    for line in lines:
        match = _ERROR.fullmatch(line)
        if match:
            found.append(match["text"])
        elif found:
            break
    indents = [len(text) - len(text.lstrip()) for text in found if text.strip()]
    # A SyntaxError begins with lines that are indented themselves, so the margin is the smallest.
    margin = min(indents, default=0)
    return tuple(text[margin:] for text in found)


def _source_start(lines: Sequence[str], mark: int) -> int:
    """The first line of the source above the ``>`` line. Its blank lines keep four spaces unless an editor took them off."""
    start = mark
    while start > 0:
        blank = not lines[start - 1].strip() and start > 1 and not _OPENS.match(lines[start][4:])
        if not lines[start - 2 if blank else start - 1].startswith("    "):
            break
        start -= 1
    return start


def _arguments(lines: Sequence[str]) -> list[str]:
    """The block of lines right above the source, without the blank line between."""
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    start = end
    while start and lines[start - 1].strip():
        start -= 1
    return list(lines[start:end])


def _rest_of_statement(after: Sequence[str]) -> Iterator[str]:
    """The lines of a statement below its marked line."""
    for line in after:
        if not line.startswith("    "):
            return
        if not _CARETS.fullmatch(line):
            yield line[4:]


def _columns(marked: str, below: str) -> tuple[int, int] | None:
    carets = _CARETS.fullmatch(below)
    if carets is None:
        return None
    text = marked[1:]
    start = len(carets["indent"]) - 1 - (len(text) - len(text.lstrip()))
    return (start, start + len(carets["marks"])) if start >= 0 else None


def _locals_region(after: Sequence[str]) -> Sequence[str]:
    """Local values stand behind the first blank line below the ``E`` lines."""
    index = next((index for index, line in enumerate(after) if not line.strip()), len(after))
    return after[index + 1 :]


def _function(source: Sequence[str], path: str) -> str | None:
    """The name of the code object whose source begins with the first line and runs on the last, None where it shows none."""
    if source[-1].strip() == "???":
        return "<module>" if path.startswith("<") else "<unknown>"
    return _defined(source)


def _nameless(source: Sequence[str]) -> str:
    if source[0][:1].isspace():
        return "<unknown>"  # the source was pasted in part: it is printed without the indentation of its first line
    return "<lambda>" if "lambda" in source[0] else "<module>"


def _defined(source: Sequence[str]) -> str | None:
    """The function (or class body) at the head of ``source`` where its last line is still inside of it: the source of a module
    begins with whatever its file begins with."""
    indent = len(source[0]) - len(source[0].lstrip())
    name = None
    decorating = source[0].lstrip().startswith("@")
    quote = ""
    for line in source:
        inside, quote = bool(quote), _open_quote(line, quote)
        if inside or not line.strip() or len(line) - len(line.lstrip()) > indent or _CLOSES.match(line.lstrip()):
            continue
        match = _DEFINES.match(line.lstrip())
        if match and name is None:
            name, decorating = match["name"], False
        elif not decorating and not line.lstrip().startswith("#"):
            return None
    return name


def _open_quote(line: str, quote: str) -> str:
    """The triple quote that is open behind ``line`` if ``quote`` was open before it."""
    for mark in _TRIPLE.findall(line):
        if not quote:
            quote = mark
        elif mark == quote:
            quote = ""
    return quote


def _comprehension(shown: str, row: int, column: int) -> str:
    """``.0`` among the values means a comprehension. Which kind, the source tells: the innermost one around the failing place, or
    the only one."""
    try:
        tree = ast.parse(shown)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "<genexpr>"
    found = [node for node in ast.walk(tree) if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp))]
    around = [node for node in found if _extent(node)[0] <= (row, column) < _extent(node)[1]]
    kinds = {_COMPREHENSIONS[type(node)] for node in around[-1:] or found}
    return kinds.pop() if len(kinds) == 1 else "<genexpr>"


def _extent(node: ast.expr) -> tuple[tuple[int, int], tuple[int, int]]:
    return (node.lineno, node.col_offset), (node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
