"""Where in the text that a test gives the values of a run come from.

Values keep their exact types, and nothing is put in their place: texts are known by their identity (and kept alive, so that no
other gets it), those of one character and numbers by where they were read last, and what is not known is looked for in the text.
Bytes are texts of the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from crashwright.engine.instrument.comparison_log.numbers import Number
from crashwright.engine.instrument.comparison_log.wanted import Span
from crashwright.engine.subject.introspection import identities

Text = str | bytes | bytearray
MOST_KNOWN = 20_000
"""Pieces of a text that are known."""
MOST_FOUND = 4
"""Places at which something is found that is not known."""
_KINDS = identities(str, bytes, bytearray)
_SHORT = 2


class ComposedText(NamedTuple):
    """A text that was put together: ``span`` is a part of it, between these two."""

    before: str
    span: Span
    after: str


def is_text(value: object) -> bool:
    """Of an exact type: others may be anything."""
    return id(type(value)) in _KINDS


def as_text(value: object) -> str:
    """Bytes as the text of the same numbers."""
    if type(value) is bytes or type(value) is bytearray:
        return value.decode("latin-1")
    return value if type(value) is str else str(value)


class TextOrigins:
    """Of one run on ``text``."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._known: dict[int, tuple[object, Span]] = {}
        self._short: dict[str, Span] = {}
        self._numbers: dict[int | float, Number] = {}
        self._composed: dict[int, tuple[object, ComposedText]] = {}
        self._cursors: dict[int, tuple[object, int]] = {}
        self.latest = 0
        """Where what was read last ends."""

    @property
    def end(self) -> Span:
        """Behind everything."""
        return Span(len(self.text), len(self.text))

    def put(self, value: object, span: Span) -> None:
        """A text of an exact type comes from there."""
        if not is_text(value):
            return
        self.latest = span.end
        if len(value) < _SHORT:  # type: ignore[arg-type]
            self._short[as_text(value)] = span
        elif len(self._known) < MOST_KNOWN:
            self._known[id(value)] = value, span

    def of(self, value: object) -> Span | None:
        """Where a text is known to come from."""
        if not is_text(value):
            return None
        if len(value) < _SHORT:  # type: ignore[arg-type]
            return self._short.get(as_text(value))
        known = self._known.get(id(value))
        return None if known is None else known[1]

    def places(self, value: object) -> Sequence[Span]:
        """Where it comes from, or where the like of it stands."""
        known = self.of(value)
        if known is not None:
            return (known,)
        if not is_text(value) or not value:
            return ()
        return self._found(as_text(value))

    def place(self, value: object) -> Span | None:
        """The first of them; what is longer than a character is known from then on."""
        found = self.places(value)
        if not found:
            return None
        if len(value) >= _SHORT:  # type: ignore[arg-type]
            self.put(value, found[0])
        return found[0]

    def _found(self, wanted: str) -> list[Span]:
        found: list[Span] = []
        at = self.text.find(wanted)
        while at >= 0 and len(found) < MOST_FOUND:
            found.append(Span(at, at + len(wanted)))
            at = self.text.find(wanted, at + 1)
        return found

    def put_number(self, value: int | float, number: Number) -> None:
        """A number comes from a text."""
        self._numbers[value] = number

    def number(self, value: object) -> Number | None:
        """What is known of a number."""
        return self._numbers.get(value) if type(value) is int or type(value) is float else None

    def put_composed(self, value: object, composed: ComposedText) -> None:
        """A text was put together around a part that is known."""
        if len(self._composed) < MOST_KNOWN:
            self._composed[id(value)] = value, composed

    def composed(self, value: object) -> ComposedText | None:
        """How it was put together."""
        known = self._composed.get(id(value))
        return None if known is None else known[1]

    def read(self, source: object, piece: object, end: int | None = None) -> None:
        """A ``source`` gave the next ``piece`` of it, up to ``end`` where that is known."""
        if not is_text(piece) or not piece:
            return
        wanted = as_text(piece)
        at = -1 if end is None else end - len(wanted)
        if at < 0 or not self.text.startswith(wanted, at):
            at = self.text.find(wanted, self._cursors.get(id(source), (None, 0))[1])
        if at < 0:
            at = self.text.find(wanted)
        if at >= 0:
            self._cursors[id(source)] = source, at + len(wanted)
            self.put(piece, Span(at, at + len(wanted)))
