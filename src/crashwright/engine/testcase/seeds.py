"""Weighted seeds by type: constants of the subject, values of the report, strings for its patterns, and what comparisons
wanted at run time.

A draw costs O(1): a value holds tickets in proportion to its weight, and a draw is one index into the list of tickets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from crashwright.core.refusing import quotes_refusal
from crashwright.engine.subject.usage.layouts import Layout
from crashwright.engine.subject.usage.vocabulary import Vocabulary
from crashwright.engine.testcase.statements import Display, Value
from crashwright.engine.testcase.structure.record_edits import Fields
from crashwright.engine.testcase.variables import value_refs

_TICKETS = 4  # tickets of a value of weight 1
_MOST_TICKETS = 256
_DYNAMIC = 50  # EvoSuite's size of the dynamic pool
_LONGEST_TOKEN = 24
_WANTED = 0.35  # share of tokens that are dynamic seeds
_SCALARS: frozenset[type] = frozenset({type(None), bool, int, float, complex, str, bytes})
_DISPLAYS: dict[str, type] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "dict": dict,
    "bytearray": bytearray,
}


def class_of_value(value: Value) -> type | None:
    """The class that a literal evaluates to; None for a reference to a variable."""
    cls = type(value)
    if cls in _SCALARS:
        return cls
    return _DISPLAYS[value.kind] if isinstance(value, Display) else None


class SeedPool:
    """``strings``, ``bytes``, ``ints`` and ``floats`` are the tickets of those types: choose from them directly where a draw
    is too much. ``tokens`` are short strings, the dictionary of string mutation. Static seeds stay; of the dynamic ones the
    50 newest of a type. ``varied``: values are for a suite, where those of a container are often of one type, integers go far and
    sequences are mostly texts. ``structured``: texts and bytes are edited by the structure that they have, and bytes
    made by the ``layouts`` that the subject reads. ``samples`` are whole texts of the formats that the subject seems to read,
    ``programs``: many of them are Python, ``fields``: what stands under the keys of records in them, ``lines``:
    kinds of lines that it tells apart. ``marks`` are what these are
    made of, ``vocabulary`` is what it compares texts with. ``legal``: values change, their types do not (see
    ``search.operators``)."""

    __slots__ = (
        *("_dynamic", "_next", "_origins", "_tickets", "_tokens"),
        "answers",
        *(
            "bytes",
            "data_samples",
            "fields",
            "floats",
            "ints",
            "layouts",
            "lines",
            "legal",
            "marks",
            "samples",
            "strings",
            "structured",
            "tokens",
        ),
        *("programs", "varied", "vocabulary"),
    )

    def __init__(self, varied: bool = False, structured: bool = False) -> None:
        self.varied = varied
        self.structured = structured
        self.legal = False
        self.strings: list[Value] = []
        self.bytes: list[Value] = []
        self.ints: list[Value] = []
        self.floats: list[Value] = []
        self.tokens: list[str] = []
        self.samples: list[str] = []
        self.fields: Fields = {}
        self.lines: Sequence[str] = ()
        self.programs = False
        self.data_samples: list[bytes] = []
        self.layouts: list[Layout] = []
        self.vocabulary: Vocabulary | None = None
        self.marks: Vocabulary | None = None
        self.answers: list[tuple[Value, Value]] = []
        """What was compared lately, each with what was wanted in its place."""
        self._tickets: dict[type, list[Value]] = {str: self.strings, bytes: self.bytes, int: self.ints, float: self.floats}
        self._dynamic: dict[type, list[Value]] = {}
        self._next: dict[type, int] = {}
        self._origins: dict[tuple[type, str], str] = {}
        self._tokens: set[str] = set()

    def add(self, value: Value, weight: float = 1.0, origin: str = "") -> None:
        """Adds a static seed; adding it again adds weight. Raises ValueError for a value that refers to variables. What quotes our
        own refusals is none, here and below."""
        cls = _seed_class(value)
        if quotes_refusal(value):
            return
        tickets = min(_MOST_TICKETS, max(1, round(weight * _TICKETS)))
        self._tickets.setdefault(cls, []).extend([value] * tickets)
        if origin:
            self._origins.setdefault((cls, repr(value)), origin)
        if isinstance(value, str):
            self.add_token(value)

    def add_dynamic(self, value: Value) -> None:
        """Adds a value that a comparison wanted at run time, in place of the oldest where there are 50. Raises as :meth:`add`."""
        cls = _seed_class(value)
        if quotes_refusal(value):
            return
        ring = self._dynamic.setdefault(cls, [])
        if len(ring) < _DYNAMIC:
            ring.append(value)
            return
        place = self._next.get(cls, 0)
        ring[place] = value
        self._next[cls] = (place + 1) % _DYNAMIC

    def add_sample(self, sample: str | bytes) -> None:
        """Adds a whole text, or bytes, of a format."""
        if isinstance(sample, str):
            self.samples.append(sample)
        else:
            self.data_samples.append(sample)

    def add_token(self, token: str) -> None:
        """Adds a string to the dictionary of string mutation, unless it is empty, long or known."""
        if 0 < len(token) <= _LONGEST_TOKEN and token not in self._tokens and not quotes_refusal(token):
            self._tokens.add(token)
            self.tokens.append(token)

    def token(self, rng: Random) -> str:
        """A token: now and then a string that a comparison wanted lately; "" where there is none at all."""
        wanted = self._dynamic.get(str)
        if wanted and rng.random() < _WANTED:
            value = wanted[int(rng.random() * len(wanted))]
            return value if isinstance(value, str) else ""
        tokens = self.tokens
        return tokens[int(rng.random() * len(tokens))] if tokens else ""

    def favour_tokens(self, tokens: Iterable[str], share: float = 0.5) -> None:
        """Repeat these tokens so that together they make up about this share of all draws."""
        chosen = [token for token in dict.fromkeys(tokens) if token in self._tokens]
        if chosen:
            wanted = share / (1.0 - share) * (len(self.tokens) - len(chosen))
            self.tokens.extend(chosen * min(200, round(wanted / len(chosen))))

    def draw(self, rng: Random, cls: type) -> Value:
        """A seed of exactly this class, half the time a dynamic one where there are any; None where there is none."""
        dynamic = self._dynamic.get(cls)
        if dynamic and rng.random() < 0.5:
            return dynamic[int(rng.random() * len(dynamic))]
        tickets = self._tickets.get(cls) or dynamic
        return tickets[int(rng.random() * len(tickets))] if tickets else None

    def likeliest(self, cls: type, most: int) -> list[Value]:
        """The seeds of exactly this class, each once: first what comparisons wanted, at most half, then those drawn most often."""
        dynamic = self._dynamic.get(cls, [])
        place = self._next.get(cls, 0)
        found = {repr(value): value for value in [*reversed(dynamic[:place]), *reversed(dynamic[place:])][: most // 2]}
        tickets: dict[str, list[Value]] = {}
        for value in self._tickets.get(cls, ()):
            tickets.setdefault(repr(value), []).append(value)
        for name, same in sorted(tickets.items(), key=lambda one: -len(one[1])):
            found.setdefault(name, same[0])
        return list(found.values())[:most]

    def has(self, cls: type) -> bool:
        """Is there a seed of exactly this class?"""
        return bool(self._tickets.get(cls) or self._dynamic.get(cls))

    def origin(self, value: Value) -> str:
        """Where a static seed came from ("" where unknown)."""
        return self._origins.get((_seed_class(value), repr(value)), "")


def _seed_class(value: Value) -> type:
    cls = class_of_value(value)
    if cls is None or (type(value) is Display and next(value_refs(value), None) is not None):
        raise ValueError(f"a seed cannot refer to variables: {value!r}")
    return cls
