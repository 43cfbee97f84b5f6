"""Edits of the attributes of a tag: one is dropped, emptied, doubled, loses its value, or takes that of another."""

from __future__ import annotations

import re
from random import Random

from crashwright.engine.testcase.structure.units import LOOKED_AT

_TAG = re.compile(r"<[A-Za-z][\w:.-]*(?P<inside>\s[^<>]*?)/?>")
_ATTRIBUTE = re.compile(r"""\s+(?P<name>[^\s=<>"'/]+)(?P<value>\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]*))?""")


def attributes_edited(rng: Random, text: str) -> str:
    """One edit of one attribute; unchanged where there is none."""
    start = 0 if len(text) <= LOOKED_AT else int(rng.random() * (len(text) - LOOKED_AT))
    found = [
        one
        for tag in _TAG.finditer(text, start, start + LOOKED_AT)
        for one in _ATTRIBUTE.finditer(text, tag.start("inside"), tag.end("inside"))
    ]
    if not found:
        return text
    one, other = found[int(rng.random() * len(found))], found[int(rng.random() * len(found))]
    name, value = " " + one["name"], one["value"] or ""
    return text[: one.start()] + _edited(rng, name, value, other) + text[one.end() :]


def _edited(rng: Random, name: str, value: str, other: re.Match[str]) -> str:
    roll = rng.random()
    if roll < 0.25:
        return ""
    if roll < 0.45:
        return name
    if roll < 0.65:
        return name + '=""'
    if roll < 0.75:
        return (name + value) * 2
    if roll < 0.9:
        return name + (other["value"] or '="1"')
    return " " + other["name"] + value
