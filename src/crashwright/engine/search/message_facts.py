"""Values that an exception's message names: keys, quoted texts, numbers (SPEC 2: messages carry facts to seed)."""

from __future__ import annotations

import ast
import re

# A quotation mark within a word is an apostrophe (``can't encode character '\xeb'``).
_QUOTED = re.compile(r"(?<!\w)(b?)('(?:[^'\\\n]|\\.){0,200}'|\"(?:[^\"\\\n]|\\.){0,200}\")")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.])")
_NAMED_LAST = re.compile(r":\s+([^\s'\"<>()\[\]{}]*[^\W\d][^\s'\"<>()\[\]{}]*)$")
"""A word after a colon, at the end: what could not be found or read."""
_SHOWN = re.compile(r"^[ \t]*([^\n]*\S)[ \t]*\n[ \t]*[\^~]+[ \t]*$", re.MULTILINE)


def message_values(message: str) -> tuple[object, ...]:
    """The literals in ``message``, the whole message first where it is one (a KeyError's is its key's repr)."""
    found: list[object] = []
    whole = _literal(message.strip())
    if whole is not None:
        found.append(whole[0])
    for prefix, text in _QUOTED.findall(message):
        value = _literal(prefix + text)
        if value is not None:
            found.append(value[0])
    for text in _NUMBER.findall(message):
        value = _literal(text)
        if value is not None:
            found.append(value[0])
    found += _NAMED_LAST.findall(message)
    found += shown_lines(message)
    unique: dict[tuple[type, str], object] = {(type(value), repr(value)): value for value in found}
    return tuple(unique.values())


def shown_lines(message: str) -> tuple[str, ...]:
    """Lines of what was read, each over a mark: a parser shows where it stopped."""
    return tuple(dict.fromkeys(_SHOWN.findall(message)))


def _literal(text: str) -> tuple[object] | None:
    try:
        return (ast.literal_eval(text),)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None  # not a literal: nothing to learn
