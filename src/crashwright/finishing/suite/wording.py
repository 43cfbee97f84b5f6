"""What is particular about a value, in a word or two, for the names of tests and cases."""

from __future__ import annotations

import math
import re
from decimal import Decimal, InvalidOperation

from crashwright.engine.testcase.statements import Display, Expected, Made, Named, Ref
from crashwright.finishing.naming import snake

_LONG = 40
_LARGE = 1 << 31
_SMALL = tuple(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen".split()
)
_TENS = tuple("_ _ twenty thirty forty fifty sixty seventy eighty ninety".split())
_MOST_KEYS = 3
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
    if isinstance(value, Made):
        return _made(value)
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
        number = _amount(value)
        whole = number is not None and number == int(number)
        return number_word(int(number)) if number is not None and whole else detail(value.named)
    return f"{value.kind}_of_{number_word(len(value.items)) or 'many'}" if isinstance(value, Display) else ""


def number_word(number: int) -> str:
    """A small number in a word, since names that end in figures look as if they were counted; "" for others."""
    if 0 <= number < len(_SMALL):
        return _SMALL[number]
    tens, ones = divmod(number, 10)
    if 0 < tens < len(_TENS):
        return f"{_TENS[tens]}_{_SMALL[ones]}" if ones else _TENS[tens]
    hundreds, rest = divmod(number, 100)
    return f"{_SMALL[hundreds]}_hundred" if 0 < hundreds < 10 and not rest else ""


def case_word(value: Expected) -> str:
    """A value as a part of the name of a case: as ``detail``, or the beginning of a text, or the type."""
    word = detail(value)
    if isinstance(value, Display) and value.kind == "dict" and 0 < len(value.items) <= _MOST_KEYS:
        keys = [item[0] for item in value.items if isinstance(item, tuple) and isinstance(item[0], str)]
        word = "-".join(snake(key) for key in keys) or word
    if isinstance(value, Display) and value.kind == "list":
        words = [snake(item) for item in value.items if isinstance(item, str)]
        whole = "-".join(filter(None, words))
        word = whole if whole and len(words) == len(value.items) and len(whole) <= _LONG else word
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


def _amount(value: Made) -> Decimal | None:
    """The number that a call with its digits makes."""
    if len(value.positional) != 1 or value.keywords or not isinstance(value.positional[0], str):
        return None
    try:
        number = Decimal(value.positional[0])
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number) < _LARGE else None


def _made(value: Made) -> str:
    number = _amount(value)
    return "" if number is None or number > 0 else "negative" if number < 0 else "zero"


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
