"""Values of arguments that the conditions leave open: those that the report quotes, and plain ones of each type."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Scalar
from crashwright.symbolic.ir.nodes import Constant, Function

_EMPTY: Final = {name: st.Display(name, ()) for name in ("list", "tuple", "dict", "set")}
USUAL: Final[Mapping[str, tuple[st.Value, ...]]] = MappingProxyType(
    {
        "str": ("", "a"),
        "bytes": (b"", b"a"),
        "int": (1, 0, -1),
        "float": (1.0, 0.0),
        "bool": (False, True),
        "list": (_EMPTY["list"],),
        "tuple": (_EMPTY["tuple"],),
        "dict": (_EMPTY["dict"],),
        "set": (_EMPTY["set"],),
        "": ("", 1, _EMPTY["list"], None, _EMPTY["dict"], "a"),
    }
)
"""By what the annotation says, in the order in which they are tried."""
_MORE: Final[tuple[st.Value, ...]] = (
    0,
    -1,
    "\n",
    b"",
    *[st.Display("list", (one,)) for one in ("", None, 1)],
    st.Display("list", (st.Display("list", (None,)),)),
    st.Display("dict", (("a", None),)),
    st.Display("dict", (("a", 1),)),
    st.Display("list", ("a", "a")),
)
"""Where a test costs less than to know more."""
MOST: Final = 44
MARKS: Final = 2
LONGEST: Final = 20
"""Word of a function."""
_QUOTED: Final = re.compile(r"'([^'\n]{1,60})'|\"([^\"\n]{1,60})\"")
_NUMBER: Final = re.compile(r"(?<![\w.])-?\d{1,30}(?:\.\d{1,30})?(?![\w.])")
_BYTE: Final = re.compile(r"\bbyte 0x([0-9a-f]{2})\b")
_WORDS: Final = ((re.compile(r"\bnan\b", re.IGNORECASE), math.nan), (re.compile(r"\binfinity\b", re.IGNORECASE), math.inf))
ODD: Final[Mapping[str, tuple[Scalar, ...]]] = MappingProxyType(
    {
        "OverflowError": (math.inf, 10**400, -1),
        "UnicodeEncodeError": ("\udc80", "\xe9"),
        "UnicodeDecodeError": (b"\xf9",),
    }
)
"""Values that what is written in C refuses, by the exception: the walk back knows no conditions of it."""


def quoted(message: str) -> tuple[Scalar, ...]:
    """Constants that a message shows."""
    return tuple([one for one in dict.fromkeys(_quoted(message)) if one is not None])


def usual_of(stem: str) -> tuple[st.Value, ...]:
    """Plain values for an argument with such an annotation ("": none)."""
    return USUAL.get(stem, USUAL[""])


def filling(stem: str, told: Iterable[Scalar], words: Iterable[Scalar]) -> tuple[st.Value, ...]:
    """Whatever there is for it: those ``told`` of first, ``words`` last."""
    if stem and stem in USUAL:
        return tuple(_distinct(one for one in (*told, *usual_of(stem), *_MORE, *words) if _is_of(one, stem)))[:MOST]
    return tuple(_distinct(("", "a", *told, 1, 0, *usual_of(""), *_MORE, *words)))[:MOST]


def words_of(function: Function | None) -> Iterator[Scalar]:
    """Texts made of the constants that a function reads: what separates is put between others."""
    for node in () if function is None else function.nodes:
        for one in node.operands:
            value = one.value if isinstance(one, Constant) else None
            if isinstance(value, str | bytes) and 0 < len(value) <= LONGEST:
                yield value
                if not any(map(_is_letter, value if isinstance(value, str) else value.decode("latin-1"))):
                    yield from (f"a{value}", f"{value}a") if isinstance(value, str) else (b"a" + value, value + b"a")


def joined(told: Iterable[Scalar], words: Iterable[Scalar]) -> Iterator[str]:
    """Texts that a message shows, with what separates before them and behind."""
    marks = [one for one in words if isinstance(one, str) and not any(map(_is_letter, one))][:MARKS]
    for text in [one for one in told if isinstance(one, str)][:MARKS]:
        for mark in marks:
            yield text + mark
            yield mark + text


def _is_letter(character: str) -> bool:
    return character.isalnum() or character.isspace()


def _quoted(message: str) -> Iterator[Scalar]:
    try:
        whole = ast.literal_eval(message)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        whole = None
    if isinstance(whole, (str, bytes, int, float)):
        yield whole
    for one in _QUOTED.finditer(message):
        yield one[1] or one[2]
    for one in _BYTE.finditer(message):
        yield bytes([int(one[1], 16)])
    for number in _NUMBER.findall(message):
        yield float(number) if "." in number else int(number)
    for pattern, value in _WORDS:
        if pattern.search(message):
            yield value


def _is_of(value: st.Value, stem: str) -> bool:
    return value.kind == stem if isinstance(value, st.Display) else type(value).__name__ == stem


def _distinct(values: Iterable[st.Value]) -> Iterator[st.Value]:
    seen: set[tuple[str, str]] = set()
    for one in values:
        key = type(one).__name__, repr(one)
        if key not in seen:
            seen.add(key)
            yield one
