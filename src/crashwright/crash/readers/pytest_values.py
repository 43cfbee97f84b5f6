"""The values that pytest prints: arguments at the head of a long entry, and local values (``-l``)."""

from __future__ import annotations

import re
from collections.abc import Sequence

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_ARGUMENT = re.compile(r"(?:(?<=\n)|(?<=, )|\A)(?P<name>[^\W\d]\w*|\.0) = ")
_LOCAL = re.compile(r"(?P<padded>(?P<name>[^\W\d]\w*|\.0) *) = (?P<value>.*)", re.DOTALL)
_PADDED = 10
"Names are padded to this width: a line ``a = 1`` within a value is no local value."
_SHORTENED = re.compile(r"(?:, |[\[({])\.\.\.[\])}]")
_LIMIT = 240


def argument_values(lines: Sequence[str], source: str) -> dict[str, str]:
    """``a = 1, b = 'x'``, wrapped between arguments. The same text within a value is told apart by ``source``, which has the names
    of all parameters in it."""
    text = "\n".join(lines)
    known = {*_IDENTIFIER.findall(source), ".0"}
    found: list[re.Match[str]] = []
    for match in _ARGUMENT.finditer(text):
        if match["name"] in known:
            known.remove(match["name"])
            found.append(match)
    values: dict[str, str] = {}
    for match, following in zip(found, [*found[1:], None], strict=False):
        end = following.start() if following else len(text)
        value = text[match.end() : end]
        if following:
            value = value.removesuffix(", ") if text[end - 2 : end] == ", " else value.removesuffix("\n")
        values[match["name"]] = value
    return {name: value for name, value in values.items() if not shortened(value)}


def local_values(lines: Sequence[str], indent: str) -> dict[str, str]:
    """``name       = value`` lines at ``indent``; the further lines of a value are printed as they come."""
    values: dict[str, list[str]] = {}
    name = None
    for line in lines:
        match = _LOCAL.fullmatch(line, len(indent)) if line.startswith(indent) else None
        if match and len(match["padded"]) >= _PADDED:
            name = match["name"]
            values[name] = [match["value"]]
        elif name is not None:
            values[name].append(line)
    texts = {name: "\n".join(value).rstrip("\n") for name, value in values.items()}
    return {name: text for name, text in texts.items() if name.isidentifier() and not shortened(text)}


def shortened(value: str) -> bool:
    """Did pytest cut this text to its limit? What is left of such a value is another value."""
    middle = value[(_LIMIT - 3) // 2 : (_LIMIT - 3) // 2 + 3]
    return (len(value) >= _LIMIT and middle == "...") or _SHORTENED.search(value) is not None
