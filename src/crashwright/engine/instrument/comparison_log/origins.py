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
from crashwright.engine.subject.introspection import class_dict, class_mro, derives, identities, instance_of

Text = str | bytes | bytearray | memoryview
MOST_KNOWN = 20_000
"""Pieces of a text that are known."""
MOST_FOUND = 4
"""Places at which something is found that is not known."""
_KINDS = identities(str, bytes, bytearray)
_KNOWN_KINDS: dict[int, tuple[type, bool]] = {}
_OWN = frozenset(("__getitem__", "__len__", "__iter__", "__eq__", "__hash__", "__contains__", "decode"))
"""What a class of bytes must leave as it is, to be like any other."""
_BASES = identities(bytes, bytearray, object)
_SHORT = 2


class ComposedText(NamedTuple):
    """A text that was put together: ``span`` is a part of it, between these two."""

    before: str
    span: Span
    after: str


def is_text(value: object) -> bool:
    """Of an exact type, or of a class of bytes that only adds something: others may be anything."""
    kind = type(value)
    if id(kind) in _KINDS:
        return True
    if kind is memoryview:
        return _is_of_bytes(value)  # type: ignore[arg-type]
    known = _KNOWN_KINDS.get(id(kind))
    if known is None:
        known = _KNOWN_KINDS[id(kind)] = kind, _is_plain(kind)
    return known[1]


def _is_plain(kind: type) -> bool:
    if not derives(kind, bytes) and not derives(kind, bytearray):
        return False
    return all(id(one) in _BASES or _OWN.isdisjoint(class_dict(one)) for one in class_mro(kind))


def _is_of_bytes(view: memoryview) -> bool:
    try:
        return view.format == "B" and view.ndim == 1 and view.contiguous
    except ValueError:
        return False  # it was released


def as_text(value: object) -> str:
    """Bytes as the text of the same numbers."""
    if type(value) is bytes or type(value) is bytearray:
        return value.decode("latin-1")
    if type(value) is memoryview:
        return value.tobytes().decode("latin-1")
    if instance_of(value, bytes):
        return bytes.decode(value, "latin-1")  # type: ignore[arg-type]
    if instance_of(value, bytearray):
        return bytearray.decode(value, "latin-1")  # type: ignore[arg-type]
    return value if type(value) is str else str(value)


class TextOrigins:
    """Of one run on ``text``."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._known: dict[int, tuple[object, Span]] = {}
        self._short: dict[str, Span] = {} if text else {"": Span(0, 0)}
        self._numbers: dict[int | float, Number] = {}
        self._composed: dict[int, tuple[object, ComposedText]] = {}
        self._cursors: dict[int, tuple[object, int]] = {}
        self._bases: dict[int, tuple[object, int]] = {}
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

    def begins(self, source: object, at: int) -> None:
        """A ``source`` was made of what stands from there on."""
        self._bases[id(source)] = source, at

    def base(self, source: object) -> int:
        """Where what a source gives begins."""
        return self._bases.get(id(source), (None, 0))[1]

    def read(self, source: object, piece: object, end: int | None = None) -> None:
        """A ``source`` gave the next ``piece`` of it, up to ``end`` where that is known."""
        if not is_text(piece) or not piece:
            return
        wanted = as_text(piece)
        at = -1 if end is None else self.base(source) + end - len(wanted)
        if at < 0 or not self.text.startswith(wanted, at):
            at = self.text.find(wanted, self._cursors.get(id(source), (None, 0))[1])
        if at < 0:
            at = self.text.find(wanted)
        if at >= 0:
            self._cursors[id(source)] = source, at + len(wanted)
            self.put(piece, Span(at, at + len(wanted)))
