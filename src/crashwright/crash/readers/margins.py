"""Cutting a text into the sections that begin with a traceback header, with indentation, log prefixes and colours taken off."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

HEADER = "Traceback (most recent call last):"
_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_GROUP_HEADER = re.compile(r"\s*\+ Exception Group " + re.escape(HEADER) + r"\s*")
_GROUP_MARGIN = re.compile(r"\s*\| ?(?P<rest>.*)")
_GROUP_INSIDE = re.compile(r"\s*(\+|\|)")
_HEADERLESS = re.compile(r'(?P<margin>.*?) {0,2}File ".+", line \d+, in \S')

Strip = Callable[[str], str | None]
"""A line without its margin, or None where the line does not belong to the traceback."""


class Section(NamedTuple):
    """The lines after one header up to the next, without their margin. ``before`` are the lines between the previous section's
    header (or the beginning) and this header, only filled for the first section. ``flat``: frames are not indented."""

    lines: tuple[str, ...]
    flat: bool
    before: tuple[str, ...] = ()


def sections(text: str) -> tuple[Section, ...]:
    """The sections of ``text``. A text without any header whose frames are plain to see is one section."""
    lines = list(_without_groups(_COLOUR.sub("", text).replace("\r\n", "\n").split("\n")))
    headers = [index for index, line in enumerate(lines) if line.rstrip().endswith(HEADER)]
    if not headers:
        return tuple(_headerless(lines))
    found = []
    for number, (start, end) in enumerate(zip(headers, [*headers[1:], len(lines)], strict=True)):
        prefix = lines[start].rstrip()[: -len(HEADER)]
        strip, flat, marked = _margin(prefix, lines[start + 1 : end])
        before = tuple(strip(line) or "" for line in lines[:start]) if number == 0 else ()
        found.append(Section(_inside(lines[start + 1 : end], strip, marked), flat, before))
    return tuple(found)


def _inside(lines: Sequence[str], strip: Strip, marked: bool) -> tuple[str, ...]:
    """The stripped lines: strangers are left out where every line of ours is ``marked``, else the first one ends the section."""
    kept = []
    for line in lines:
        stripped = strip(line)
        if stripped is not None:
            kept.append(stripped)
        elif not marked:
            break
    return tuple(kept)


def _headerless(lines: list[str]) -> Iterator[Section]:
    for index, line in enumerate(lines):
        match = _HEADERLESS.match(line)
        if match:
            strip, flat, marked = _margin(match["margin"], lines[index:])
            yield Section(_inside(lines[index:], strip, marked), flat)
            return


def _margin(prefix: str, following: Sequence[str]) -> tuple[Strip, bool, bool]:
    """How to strip the lines after a header printed behind ``prefix``; whether frames are flat; whether the margin can be seen."""
    frame = next((line for line in following[:6] if 'File "' in line), None)
    if frame is None:
        known = prefix if all(not line.strip() or line.startswith(prefix) for line in following[:1]) else ""
        return _literal(known), False, bool(known.strip())
    before = frame[: frame.index('File "')]
    if before.startswith(prefix) and not before[len(prefix) :].strip() and len(before) - len(prefix) <= 2:
        return _literal(prefix), before == prefix, bool(prefix.strip())
    if prefix.strip():
        # A log prefix with a clock or a counter in it: the same but for its digits.
        varying = _varying(prefix)
        match = varying(before)
        if match is not None and not match.strip():
            return varying, match == "", True
    margin = before[:-2] if before.endswith("  ") else before.rstrip()
    if margin.strip():
        return _varying(margin), not before.endswith("  "), True
    return _literal(margin), not before, False


def _literal(margin: str) -> Strip:
    def strip(line: str) -> str | None:
        if line.startswith(margin):
            return line[len(margin) :]
        return "" if line.rstrip() == margin.rstrip() or not line.strip() else None

    return strip


def _varying(margin: str) -> Strip:
    body = margin.rstrip()
    mask = "".join(r"\d+" if part.isdigit() else re.escape(part) for part in re.split(r"([0-9]+)", body))
    pattern = re.compile(mask + r"(?:" + re.escape(margin[len(body) :]) + r"(?P<rest>.*)|\s*)", re.DOTALL)

    def strip(line: str) -> str | None:
        match = pattern.fullmatch(line)
        return None if match is None else match["rest"] or ""

    return strip


def _without_groups(lines: Iterable[str]) -> Iterator[str]:
    """Exception groups reduced to their own block: what lies inside a group is another exception's report."""
    outside, inner = True, False
    for line in lines:
        if outside and _GROUP_HEADER.fullmatch(line):
            outside, inner = False, False
            yield HEADER
        elif outside:
            yield line
        elif not _GROUP_INSIDE.match(line):
            outside = True
            yield line
        elif not inner:
            match = _GROUP_MARGIN.fullmatch(line)
            inner = match is None
            if match is not None:
                yield match["rest"]
