"""What is said of a text after a run: what was wanted, and where."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """From the offset ``start`` to before ``end``."""

    start: int
    end: int


class Expression(NamedTuple):
    """A text that this regular expression matches."""

    pattern: str
    flags: int


class TextWant(NamedTuple):
    """At ``span`` of the text, ``value`` was wanted: by the comparison number ``site``, of whatever code."""

    span: Span
    value: str | Expression
    site: int
