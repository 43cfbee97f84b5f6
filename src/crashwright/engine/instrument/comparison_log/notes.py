"""The notes of one run: where its values come from, and what was wanted of them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from crashwright.engine.instrument.comparison_log.numbers import BYTE, LENGTH, Number, derived, written
from crashwright.engine.instrument.comparison_log.origins import TextOrigins, as_text, is_text
from crashwright.engine.instrument.comparison_log.wanted import Expression, Span, TextWant
from crashwright.engine.instrument.operations import ORDERINGS
from crashwright.engine.subject.introspection import (
    class_dict,
    class_mro,
    derives,
    identities,
    instance_dict,
    is_class,
    is_module,
    module_dict,
)

MOST = 4000
"""What is noted of one run."""
MOST_ITEMS = 64
"""Elements of a container, and keys of a table, that are wanted where another one is looked for."""
LARGEST = 5000
"""Elements of the largest container that is looked at."""
LONGEST = 200
"""Characters of what is wanted."""
MOST_WORDS = 128
_NUMBERS, _SETS = identities(int, float), identities(set, frozenset)
_CONTAINERS = identities(list, tuple, set, frozenset)


class ComparisonNotes:
    """See :mod:`log`. ``words`` were wanted of something that does not come from the text."""

    def __init__(self, text: str) -> None:
        self.origins = TextOrigins(text)
        self.wants: dict[TextWant, None] = {}
        self.words: dict[str, None] = {}
        self.has_ended = False
        """Whether more of the text was asked for than there is: what stands for its end is compared from then on."""
        self._length: tuple[int, Number] | None = None

    @property
    def is_full(self) -> bool:
        """Nothing more is noted."""
        return len(self.wants) >= MOST

    def want(self, span: Span, value: str | Expression, site: int) -> None:
        """Noted; what is wanted again is wanted later."""
        text = self.origins.text
        if type(value) is str and (len(value) > LONGEST or text[span.start : span.end] == value):
            return
        one = TextWant(span, value, site)
        self.wants.pop(one, None)
        self.wants[one] = None

    def want_text(self, value: object, wanted: object, site: int) -> None:
        """Of a text ``value``, wherever it stands. If nothing was there, at the end."""
        if not is_text(wanted):
            return
        text = as_text(wanted)
        for span in self.origins.places(value):
            self.want(span, text, site)
        if not value or not is_text(value):
            self.want(self.origins.of(value) or self.origins.end, text, site)

    def word(self, wanted: object) -> None:
        """Wanted of whatever."""
        if is_text(wanted) and 0 < len(wanted) <= LONGEST and len(self.words) < MOST_WORDS:  # type: ignore[arg-type]
            self.words[as_text(wanted)] = None

    def character(self, value: object, at: int) -> None:
        """A character of the text, or the number of a byte."""
        span = Span(at, at + 1)
        if type(value) is int:
            self.read(value, Number(span, BYTE))
        else:
            self.origins.put(value, span)

    def compared(self, value: object, wanted: object, site: int, fixed: bool, symbol: str) -> None:
        """``value`` was compared with ``wanted``; ``fixed``: that is a constant of the source."""
        if id(type(wanted)) in _NUMBERS:  # first: most comparisons of a scanner are of numbers
            number = self._length_of(value) or self.origins.number(value)
            if number is not None and (value != wanted or symbol in ORDERINGS):
                self._number(number, wanted, site, symbol)  # type: ignore[arg-type]
        elif is_text(wanted):
            if is_text(value):
                if value == wanted:
                    return
                if fixed or self.origins.of(value) is not None or self.origins.of(wanted) is None:
                    self._text(value, wanted, site)
            elif (fixed or self.has_ended) and (value is None or type(value) is int):
                self.want(self.origins.end, as_text(wanted), site)

    def _text(self, value: object, wanted: object, site: int) -> None:
        composed = self.origins.composed(value)
        text = as_text(wanted)
        if composed is not None:
            self._inside(composed.before, composed.span, composed.after, text, site)
        elif self.origins.places(value) or not value:
            self.want_text(value, wanted, site)
        else:
            self.word(wanted)

    def _inside(self, before: str, span: Span, after: str, wanted: str, site: int) -> None:
        if wanted.startswith(before) and wanted.endswith(after) and len(wanted) >= len(before) + len(after):
            self.want(span, wanted[len(before) : len(wanted) - len(after)], site)

    def _number(self, number: Number, wanted: float, site: int, symbol: str) -> None:
        for value in (wanted, wanted + 1, wanted - 1) if symbol in ORDERINGS else (wanted,):
            made = written(number, value, self.origins.text)
            if made is not None:
                self.want(number.span, made, site)

    def membership(self, item: object, items: Any, site: int) -> None:
        """``item in items``."""
        kind = type(items)
        if is_text(items):
            if is_text(item):
                self._part(item, items, site)
        elif id(kind) in _CONTAINERS or derives(kind, dict):
            if is_text(item):
                self.keys(item, items, site)
            else:
                self.numbers(item, items, site)

    def numbers(self, item: object, items: Iterable[object], site: int) -> None:
        """A number is looked for in a container: each of its elements may be wanted."""
        number = self.origins.number(item)
        if number is not None:
            for one in islice(items, MOST_ITEMS):
                if type(one) is int:
                    self._number(number, one, site, "==")

    def read(self, value: object, number: Number) -> None:
        """A number was read."""
        if type(value) is int or type(value) is float:
            self.origins.put_number(value, number)
        self.origins.latest = number.span.end

    def number_wanted(self, value: object, wanted: int, site: int) -> None:
        """A number that comes from the text should be another one."""
        number = self.origins.number(value)
        if number is not None and value != wanted:
            self._number(number, wanted, site, "==")

    def more(self, span: Span, missing: int, site: int) -> None:
        """So many bytes more were asked for than there are up to the end of ``span``."""
        if 0 < missing <= LONGEST:
            self.want(Span(span.end, span.end), "\0" * missing, site)

    def operated(self, symbol: str, left: int, right: int, made: int, site: int) -> None:
        """Two integers were made into one."""
        origins = self.origins
        one, other = origins.number(left), origins.number(right)
        number = None if one is None and other is None else derived(symbol, one, other, left, right)
        if number is None:
            return
        origins.put_number(made, number)
        if symbol == "&":
            wanted = written(number, 0 if made else (right if one is not None else left), origins.text)
            if wanted is not None:
                self.want(number.span, wanted, site)

    def _part(self, item: object, items: object, site: int) -> None:
        """A text in a text: one of the alphabet's characters is wanted, or that it stands in a longer one."""
        inside = self.origins.place(items) if self.origins.of(items) is not None or self.origins.of(item) is None else None
        if inside is not None:
            self.want(Span(inside.end, inside.end), as_text(item), site)
            self.want(Span(inside.start, inside.start), as_text(item), site)
            return
        for character in dict.fromkeys(as_text(items)[:MOST_ITEMS]):
            self.want_text(item, character, site)

    def keys(self, item: object, items: Iterable[object], site: int) -> None:
        """A text is looked for in a container: each of its elements may be wanted."""
        table = dict.keys(items) if derives(type(items), dict) else items  # type: ignore[arg-type]
        if len(table) > LARGEST:  # type: ignore[arg-type]
            return
        kind = type(item)
        words = [one for one in table if type(one) is kind and one != item]
        if id(type(items)) in _SETS:
            words.sort()
        composed = self.origins.composed(item)
        known = composed is None and (not item or bool(self.origins.places(item)))
        for wanted in words[:MOST_ITEMS]:
            if composed is not None:
                self._inside(composed.before, composed.span, composed.after, as_text(wanted), site)
            elif known:
                self.want_text(item, wanted, site)
            else:
                self.word(wanted)

    def attribute(self, owner: object, name: object, site: int) -> None:
        """An attribute is asked for by a name that was put together: others of its kind may be wanted."""
        composed = self.origins.composed(name)
        span = self.origins.of(name)
        if composed is None and span is None:
            return
        for wanted in islice(sorted(name for name in _names(owner) if type(name) is str), LARGEST):
            if composed is not None:
                self._inside(composed.before, composed.span, composed.after, wanted, site)
            elif span is not None and not wanted.startswith("_"):
                self.want(span, wanted, site)

    def length(self, value: object, size: int) -> None:
        """``len(value)``."""
        if is_text(value):
            span = self.origins.place(value)
            if span is not None:
                self._length = size, Number(span, LENGTH)

    def _length_of(self, value: object) -> Number | None:
        """What was asked for its length last, if that is ``value``."""
        return self._length[1] if self._length is not None and type(value) is int and value == self._length[0] else None

    def group(self, match: Any, group: object, made: object) -> None:
        """What a group of a match is."""
        whole = self.origins.place(match.string)
        if whole is not None and is_text(made):
            start, end = match.span(group)
            self.origins.put(made, Span(whole.start + start, whole.start + end))

    def pieces(self, whole: object, made: Iterable[object], between: int = 0) -> None:
        """``whole`` was split into these, from left to right, with so many characters ``between`` two of them."""
        span = self.origins.place(whole)
        if span is None or span.end - span.start != len(whole):  # type: ignore[arg-type]
            return
        text, at = as_text(whole), 0
        for piece in made:
            if is_text(piece):
                found = text.find(as_text(piece), at)
                if found < 0:
                    return
                at = found + len(piece)  # type: ignore[arg-type]
                self.origins.put(piece, Span(span.start + found, span.start + at))
                at += between


def _names(owner: object) -> set[str]:
    if is_module(owner):
        return set(module_dict(owner))
    names = set() if is_class(owner) else {name for name in instance_dict(owner) if type(name) is str}
    for cls in class_mro(owner if is_class(owner) else type(owner)):
        if cls is not object:
            names |= set(class_dict(cls))
    return names
