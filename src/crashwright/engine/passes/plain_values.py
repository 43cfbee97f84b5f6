"""How a literal of a suite's test looks to its reader, by itself: plain, empty or strange; and plainer ones in its place.

What is plain is what somebody types who has no reason for a certain value: a word, a small number, a list of two. A search finds
that noise does as well, and shrinking makes noise shorter and stops at nothing: an empty text, zero, ``[None]``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import cast

from crashwright.engine.passes.ordinary import ANOTHER_TYPE, EMPTY, STRANGE
from crashwright.engine.passes.written_words import WrittenWords
from crashwright.engine.subject.api.callee import Parameter
from crashwright.engine.subject.api.types import ANY, VARIADIC, ClassHint, Hint, UnionHint, accepts, is_any
from crashwright.engine.subject.usage.conversions import CONVERTED
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.seeds import class_of_value
from crashwright.engine.testcase.statements import Display, Ref, Statement, Value

_WORDS = re.compile(r"[A-Za-z]+(?:[ _-][A-Za-z]+)*|[1-9]\d{0,3}|[A-Za-z]+[1-9]?")
_LINE = re.compile(r"(?:[\w'\"(<{/.-][\w ,.:;/@+'\"()\[\]{}<>=?!&%*#-]*)?", re.ASCII)
"""A line that somebody may have typed, if he had to."""
_MOST_SIGNS = 0.5
"""Share of signs in a line that is no word."""
_MOST_SIGNS_ALONE = 3
_BETWEEN = ",;:|=@\t"
"""Signs that stand between two things."""
_LONGEST_WORDS, _LONGEST_LINE, _LONGEST_TEXT = 24, 40, 200
_SMALL = 100
_YEARS = range(1900, 2101)
_DIGITS = 2
_MOST_PLAIN_FLOAT = 1000.0
_ALONE = 4
"""Elements of a container that are exchanged each alone."""
_NTH: dict[type, tuple[Value, ...]] = {
    str: ("a", "b", "c", "d"),
    int: (1, 2, 3, 4),
    float: (1.0, 2.0, 0.5, 1.5),
    bytes: (b"a", b"b", b"c", b"d"),
    bool: (True, False),
}
_SEQUENCES = ("list", "tuple", "set", "frozenset")


class PlainLooks:
    """What ``Ordinary`` asks of arguments of tests that people are to keep. ``words``: those that somebody has written; others are
    odd in texts, and so are numbers in their place."""

    def __init__(self, words: WrittenWords | None = None) -> None:
        self._words = words

    def is_plain(self, value: Value) -> bool:
        """Whether somebody would type it."""
        return not (oddness_of(value) or self._is_made_up(value))

    def oddness(self, given: Statement, parameter: Parameter) -> int:
        """How odd it is by itself, or as the parts of what is asked for."""
        if isinstance(given, st.FileFixture):
            return EMPTY
        if not isinstance(given, st.Literal):
            return 0
        if not parameter.required and type(parameter.default) is type(given.value) and repr(parameter.default) == repr(given.value):
            return 0
        return oddness_of(given.value, parameter.hint) or (EMPTY if self._is_made_up(given.value) else 0)

    def _is_made_up(self, value: object) -> bool:
        """Whether a word is in it that nobody has written, or a number is all there is."""
        if self._words is None:
            return False
        if isinstance(value, Display):
            pairs = value.kind == "dict"
            parts = (part for item in value.items for part in (cast("tuple[Value, Value]", item) if pairs else (item,)))
            return any(map(self._is_made_up, parts))
        return isinstance(value, str) and (value.isdigit() or not self._words.has_all_of(value))

    def plainer(self, given: Statement, parameter: Parameter) -> Iterable[Value]:
        """What may stand there instead, the plainest first."""
        if not isinstance(given, st.Literal):
            return _NTH[str][:1]
        return [*_among_words(given.value, parameter.name), *plainer_values(given.value, parameter.hint)]


def oddness_of(value: Value, hint: Hint = ANY) -> int:
    """0 for what somebody would type; whether ``value`` itself may stand there is not asked, only whether what is in it may."""
    if isinstance(value, Display):
        return _of_display(value, hint)
    if isinstance(value, str):
        return _of_text(value)
    if isinstance(value, bytes):
        return _of_text(value.decode("latin-1"))
    if isinstance(value, bool):
        return 0
    if isinstance(value, int):
        return EMPTY if not value else 0 if abs(value) <= _SMALL or value in _YEARS or _is_round(value) else STRANGE
    if isinstance(value, float):
        return EMPTY if not value else 0 if _is_plain_float(value) else STRANGE
    return 0


def plainer_values(value: Value, hint: Hint = ANY) -> Iterator[Value]:
    """Values that are less odd, of the same type or, inside of containers, of the one that is asked for."""
    if isinstance(value, Display):
        yield from _plainer_displays(value, hint)
    elif isinstance(value, bool):
        return
    elif isinstance(value, int):
        sign = -1 if value < 0 else 1
        yield from (sign * size for size in (1, 2, 3, 5, 10, 20, 100))
        yield -sign
    elif isinstance(value, float):
        yield from (1.0, 2.0, 0.5, 1.5, 10.0, -1.0)
    elif isinstance(value, str | bytes):
        yield from _NTH[type(value)][:2]
        if isinstance(value, str) and _lacks_a_word(value):
            yield "a" + value
        if isinstance(value, str) and _of_text(value):
            yield from (text for text in CONVERTED.values() if isinstance(text, str))


def _among_words(value: Value, name: str) -> Iterator[Value]:
    """Signs alone, for which code has looked, with words around them, and a word before a text that begins with a sign: people
    write no bare ``"@"``, and no ``";1:30"``."""
    word = name.strip("_") or "text"
    if not isinstance(value, str) or not value.strip():
        return
    if len(value) <= _MOST_SIGNS_ALONE and not any(map(str.isalnum, value)):
        yield from (one for one in (f"{word}{value}{word}", f"{word}{value}", f"{value}{word}") if oddness_of(one) < STRANGE)
    elif _lacks_a_word(value):
        yield word + value


def _lacks_a_word(text: str) -> bool:
    """Whether it begins with a sign that stands between two things."""
    return text[:1] in _BETWEEN and any(map(str.isalnum, text))


def _of_text(text: str) -> int:
    if _WORDS.fullmatch(text) and len(text) <= _LONGEST_WORDS:
        return 0
    return EMPTY if not text or _is_typed(text) else STRANGE


def _is_typed(text: str) -> bool:
    lines = text.split("\n")
    if len(text) > _LONGEST_TEXT or not text.strip():
        return False
    return all(len(line) <= _LONGEST_LINE and _LINE.fullmatch(line) and _is_mostly_words(line) for line in lines)


def _is_mostly_words(line: str) -> bool:
    signs = sum(not character.isalnum() and character != " " for character in line)
    return signs <= max(1, _MOST_SIGNS * len(line))


def _is_round(value: int) -> bool:
    """One digit, and zeros."""
    digits = str(abs(value))
    return len(digits) <= 7 and not digits[1:].strip("0")


def _is_plain_float(value: float) -> bool:
    return math.isfinite(value) and abs(value) <= _MOST_PLAIN_FLOAT and round(value, _DIGITS) == value


def _of_display(value: Display, hint: Hint) -> int:
    if value.kind == "bytearray":
        return 0
    if not value.items:
        return EMPTY if _has_plain_items(value.kind, hint) else 0
    return max(_of_item(item, hint, place, value.kind) for place, item in enumerate(value.items))


def _of_item(item: object, hint: Hint, place: int, kind: str) -> int:
    if kind == "dict":
        key, held = cast("tuple[Value, Value]", item)
        return max(_of_key(key, _part(hint, 0, 0)), _of_element(held, _part(hint, 1, 1)))
    return _of_element(cast(Value, item), _part(hint, 0, place))


def _of_key(key: Value, hint: Hint) -> int:
    if isinstance(key, Ref):
        return ANOTHER_TYPE
    if key is None or (isinstance(key, bytes | float | Display) and is_any(hint)):
        return STRANGE
    return _of_element(key, hint)


def _of_element(value: Value, hint: Hint) -> int:
    if isinstance(value, Ref):
        return 0
    cls = class_of_value(value)
    if cls is None:
        return 0
    if not is_any(hint) and (not accepts(hint, cls) or (cls is bool and not accepts_bool(hint))):
        return ANOTHER_TYPE
    return STRANGE if value is None and is_any(hint) else oddness_of(value, hint)


def accepts_bool(hint: Hint) -> bool:
    """Whether a truth value is meant, and not a number."""
    parts = hint.members if isinstance(hint, UnionHint) else (hint,)
    return any(not isinstance(part, ClassHint) or part.cls in (bool, object) for part in parts)


def _part(hint: Hint, number: int, place: int) -> Hint:
    """What is asked of the elements: of the keys (0) or values (1) of a dict, or of the element at ``place``."""
    for one in hint.members if isinstance(hint, UnionHint) else (hint,):
        if isinstance(one, ClassHint) and one.arguments:
            arguments = one.arguments
            if one.cls is tuple and VARIADIC not in arguments:
                return arguments[place] if place < len(arguments) else ANY
            return arguments[number] if number < len(arguments) else ANY
    return ANY


def _has_plain_items(kind: str, hint: Hint) -> bool:
    """Whether it is known what would be in the container."""
    first = _part(hint, 0, 0)
    if kind == "dict":
        return isinstance(first, ClassHint) and first.cls in _NTH and _fitted(None, _part(hint, 1, 1), 0) is not None
    return isinstance(first, ClassHint) and first.cls in _NTH


def _plainer_displays(value: Display, hint: Hint) -> Iterator[Value]:
    kind, items = value
    if kind == "bytearray":
        return
    if not items:
        if _has_plain_items(kind, hint):
            yield Display(kind, tuple([_fitted_item(None, hint, place, kind, fresh=True) for place in range(1 + (kind != "dict"))]))
            yield Display(kind, (_fitted_item(None, hint, 0, kind, fresh=True),))
        return
    fitted = [_fitted_item(item, hint, place, kind) for place, item in enumerate(items)]
    yield Display(kind, tuple(fitted))
    if len(items) > 1:
        for place in range(min(len(items), _ALONE)):
            yield Display(kind, (*items[:place], fitted[place], *items[place + 1 :]))


def _fitted_item(item: object, hint: Hint, place: int, kind: str, fresh: bool = False) -> object:
    if kind != "dict":
        return _fitted(cast(Value, item), _part(hint, 0, place), place)
    keys = _part(hint, 0, 0)
    wanted = ClassHint(str) if is_any(keys) else keys
    if fresh:
        return _fitted(None, wanted, place), _fitted(None, _part(hint, 1, 1), place)
    key, held = cast("tuple[Value, Value]", item)
    plain = _fitted(None if isinstance(key, Ref) else key, wanted, place) if _of_key(key, keys) else key
    return plain, _fitted(held, _part(hint, 1, 1), place)


def _fitted(value: Value, hint: Hint, place: int) -> Value:
    """``value``, or in place of what is odd something plain; the elements of a container become different ones."""
    if isinstance(value, Ref):
        return value
    cls = class_of_value(value)
    is_wrong = not is_any(hint) and cls is not None and not accepts(hint, cls)
    if not is_wrong and value is not None:
        if not _of_element(value, hint):
            return value
        if isinstance(value, Display):
            return next(_plainer_displays(value, hint), value)
    wanted = _class_of(hint) if not is_any(hint) else cls if cls in _NTH else str
    return value if wanted is None else _NTH[wanted][place % len(_NTH[wanted])]


def _class_of(hint: Hint) -> type | None:
    for one in hint.members if isinstance(hint, UnionHint) else (hint,):
        if isinstance(one, ClassHint) and one.cls in _NTH:
            return one.cls
    return None
