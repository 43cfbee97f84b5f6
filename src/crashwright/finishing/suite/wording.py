"""What is particular about a value, in a word or two, for the names of tests and cases."""

from __future__ import annotations

import math
import re
from typing import cast

from crashwright.engine.testcase.statements import Display, Expected, Made, Named, Ref
from crashwright.finishing.naming import snake

_LONG = 40
_LARGE = 1 << 31
_NUMBERS = tuple("zero one two three four five six seven eight nine ten eleven twelve".split())
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,11}")
_PART = re.compile(r"([A-Za-z0-9]+)|(\s+)|(.)", re.DOTALL)
_MOST_PARTS = 3
_LONGEST_PARTS = 24
_SIGNS = {
    "!": "bang",
    '"': "quote",
    "#": "hash",
    "$": "dollar",
    "%": "percent",
    "&": "ampersand",
    "'": "apostrophe",
    "(": "parenthesis",
    ")": "parenthesis",
    "*": "star",
    "+": "plus",
    ",": "comma",
    "-": "dash",
    ".": "dot",
    "/": "slash",
    ":": "colon",
    ";": "semicolon",
    "<": "less",
    "=": "equals",
    ">": "greater",
    "?": "question_mark",
    "@": "at",
    "[": "bracket",
    "\\": "backslash",
    "]": "bracket",
    "^": "caret",
    "_": "underscore",
    "`": "backtick",
    "{": "brace",
    "|": "bar",
    "}": "brace",
    "~": "tilde",
}
"""What to call a sign in a name."""


def particular(value: Expected) -> str:
    """Why somebody would choose just this value: ``empty_string``, ``negative``; "" where it is like any other."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, str | bytes):
        return _text(value)
    return f"empty_{value.kind}" if isinstance(value, Display) and not value.items else ""


def detail(value: Expected) -> str:
    """What tells the value from others: the number or word itself; "" where that says nothing."""
    word = particular(value)
    if word:
        return word
    if isinstance(value, int):
        return number_word(value)
    if isinstance(value, str) and _WORD.fullmatch(value):
        return snake(value)
    if isinstance(value, str) and value.isdigit():
        return number_word(int(value)) or "digits" if value.isascii() else "digits"
    if isinstance(value, str):
        return _parts(value)
    if isinstance(value, Named):
        return snake(value.qualname.rpartition(".")[2])
    if isinstance(value, Made):
        return "_".join(
            word for word in (detail(value.named), *(detail(cast(Expected, one)) for one in value.positional[:1])) if word
        )
    return f"{value.kind}_of_{number_word(len(value.items)) or 'many'}" if isinstance(value, Display) else ""


def number_word(number: int) -> str:
    """A small number in a word, since names that end in figures look as if they were counted; "" for others."""
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else ""


def case_word(value: Expected) -> str:
    """A value as a part of the name of a case: as ``detail``, or the beginning of a text, or the type."""
    word = detail(value)
    if not word and isinstance(value, str):
        word = snake(value[: _LONG // 2])
    return (word or type_word(value) or "other").replace("_", "-")


def type_word(value: Expected) -> str:
    """What kind of value it is."""
    if isinstance(value, Display):
        return value.kind
    if isinstance(value, Made | Named):
        return snake((value.named if isinstance(value, Made) else value).qualname.rpartition(".")[2])
    return "" if isinstance(value, Ref) else {"str": "string"}.get(type(value).__name__, type(value).__name__)


def readable(value: Expected) -> bool:
    """pytest's own name for a case with this value says what it is."""
    if isinstance(value, str):
        return value.isascii() and len(value) <= _LONG
    if isinstance(value, Named):
        return True
    return value is None or isinstance(value, bytes | float) or (isinstance(value, int) and abs(value) < 10**9)


def _parts(value: str) -> str:
    """The words and signs of a short text; "" for others."""
    parts: list[str] = []
    for word, blank, sign in _PART.findall(value):
        part = (
            (number_word(int(word)) or "number" if word.isdigit() else snake(word))
            if word
            else "space"
            if blank
            else _SIGNS.get(sign, "")
        )
        if part and parts[-1:] != [part]:
            parts.append(part)
    name = "_".join(parts)
    return name if len(parts) <= _MOST_PARTS and len(name) <= _LONGEST_PARTS else ""


def _number(value: float) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "infinity" if value > 0 else "negative_infinity"
    if value == 0:
        return "zero"
    sign = "negative" if value < 0 else ""
    return sign or ("large_number" if value >= _LARGE else "")


def _text(value: str | bytes) -> str:
    noun = "string" if isinstance(value, str) else "bytes"
    if not value:
        return f"empty_{noun}"
    if value.isspace():
        return f"blank_{noun}"
    if len(value.splitlines()) > 1:
        return f"multiline_{noun}"
    if len(value) > _LONG:
        return f"long_{noun}"
    return "" if value.isascii() else f"non_ascii_{noun}"
