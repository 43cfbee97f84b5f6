"""Values that loguru prints under a source line, each at the end of an arrow from the name that it belongs to."""

from __future__ import annotations

import re
from collections.abc import Sequence

_ARROW = re.compile(r"(?P<pipes>(?:[ \t]*[│|])*[ \t]*)(?P<cap>└|->) (?P<value>.*)", re.DOTALL)
_NAME = re.compile(r"[^\W\d]\w*")
_FRAME_AT_ALL = re.compile(r">?\s*File \"")
_NOT_LOCAL = ("<function ", "<module ", "<class ", "<built-in ", "<bound method ")
"What names of the module refer to, mostly; as values of local variables they say little."


def unspaced(lines: Sequence[str]) -> tuple[str, ...]:
    """``lines`` without the blank ones between frames and without the mark of the frame that caught the exception: as Python
    prints them. Other texts are left as they are."""
    first = next((index for index, line in enumerate(lines) if line.strip()), 0)
    if not any(_FRAME_AT_ALL.match(line) for line in lines[first : first + 1]):
        return tuple(lines)
    spaced = first > 0
    plain: list[str] = []
    for index, line in enumerate(lines):
        if line.startswith('> File "'):
            plain.append(" " + line[1:])
        elif line.strip():
            if not line[0].isspace():
                return (*plain, *lines[index:])
            plain.append(line)
        elif not spaced:
            return (*plain, *lines[index:])
    return tuple(plain)


def arrow_values(details: Sequence[str]) -> dict[str, str] | None:
    """The values of the variables in the source line ``details[0]``; None where there are no arrows. Attributes of variables and
    functions, classes and modules are left out: they are no local variables."""
    if not any(_ARROW.fullmatch(line) for line in details[1:2]):
        return None
    values: dict[str, str] = {}
    name: str | None = None
    width = 0
    for line in details[1:]:
        match = _ARROW.fullmatch(line)
        if match:
            name = _variable(details[0], match.end("pipes"))
            width = match.end("cap") + 1
            if name is not None:
                values[name] = match["value"]
        elif name is not None:
            values[name] += "\n" + line[width:]
    return {name: value for name, value in values.items() if not value.startswith(_NOT_LOCAL)}


def _variable(source: str, column: int) -> str | None:
    match = _NAME.match(source, column)
    if match is None or source[:column].rstrip().endswith("."):
        return None
    return match[0]
