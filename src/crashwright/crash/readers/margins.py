"""Cutting a text into the sections that begin with a traceback header, with indentation and log prefixes taken off."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from crashwright.crash.readers.groups import HEADER as HEADER
from crashwright.crash.readers.groups import Strip, literal, normal, varying

_HEADERLESS = re.compile(r'(?P<margin>.{0,200}?) {0,2}File ".{1,4096}", line \d+(?:, in \S.*|\s*)')
_BOX_TOP = re.compile(r"(?P<margin>[^│┃]{0,500}?)[╭┌┏+][─━-]+ Traceback \(most recent call last\) [─━-]+[╮┐┓+]\s*")
_LONGEST_MARGIN = 500


class Section(NamedTuple):
    """The lines after one header up to the next, without their margin. ``before`` are the lines between the previous section's
    header (or the beginning) and this header, only filled for the first section. ``flat``: frames are not indented. ``boxed``: the
    header is the first of ``lines``, the top of a box."""

    lines: tuple[str, ...]
    flat: bool
    before: tuple[str, ...] = ()
    boxed: bool = False


def sections(lines: Sequence[str]) -> tuple[Section, ...]:
    """The sections of ``lines``. A text without any header whose frames are plain to see is one section."""
    lines, inside = normal(lines)
    headers = [index for index, line in enumerate(lines) if index not in inside and _is_header(line)]
    if not headers:
        return tuple(_headerless(lines, inside))
    found = []
    for number, (start, end) in enumerate(zip(headers, [*headers[1:], len(lines)], strict=True)):
        box = _BOX_TOP.fullmatch(lines[start])
        if box is not None:
            strip, flat, marked = _boxed_margin(box["margin"], lines[start + 1 : start + 2])
            kept = _inside(lines[start:end], strip, marked)
        else:
            prefix = lines[start].rstrip()[: -len(HEADER)]
            strip, flat, marked = _margin(prefix, lines[start + 1 : end])
            kept = _inside(lines[start + 1 : end], strip, marked)
            if re.fullmatch(r"(?:.*[^`])?`", prefix[-3:], re.DOTALL):
                kept = _until_backtick(kept)
        before = tuple(strip(line) or "" for line in lines[:start]) if number == 0 else ()
        found.append(Section(kept, flat, before, box is not None))
    return tuple(found)


def _is_header(line: str) -> bool:
    if HEADER[:-1] not in line:
        return False
    return line.rstrip().endswith(HEADER) or _BOX_TOP.fullmatch(line) is not None


def _inside(lines: Iterable[str], strip: Strip, marked: bool) -> tuple[str, ...]:
    """The stripped lines: strangers are left out where every line of ours is ``marked``, else the first one ends the section."""
    kept = []
    for line in lines:
        stripped = strip(line)
        if stripped is not None:
            kept.append(stripped)
        elif not marked:
            break
    return tuple(kept)


def _until_backtick(lines: tuple[str, ...]) -> tuple[str, ...]:
    """The text between the backtick in front of the header and the next one that has no partner in its line."""
    for index, line in enumerate(lines):
        if line.count("`") % 2:
            return (*lines[:index], line[: line.rindex("`")])
    return lines


def _headerless(lines: Sequence[str], inside: frozenset[int]) -> Iterator[Section]:
    for index, line in enumerate(lines):
        match = _HEADERLESS.fullmatch(line) if 'File "' in line and index not in inside else None
        if match:
            strip, flat, marked = _margin(match["margin"], lines[index : index + 6])
            yield Section(_inside(lines[index:], strip, marked), flat, tuple(strip(line) or "" for line in lines[:index]))
            return


def _boxed_margin(prefix: str, following: Sequence[str]) -> tuple[Strip, bool, bool]:
    """The margin of a box: that of its top, unless the top stands behind the text of a log line."""
    side = next((re.match(r"(?P<margin>.*?)[│┃|]", line) for line in following), None)
    margin = prefix if side is None or following[0].startswith(prefix) else side["margin"]
    if margin == prefix and prefix.strip():
        return varying(prefix), False, True
    return literal(margin), False, False


def _margin(prefix: str, following: Sequence[str]) -> tuple[Strip, bool, bool]:
    """How to strip the lines after a header printed behind ``prefix``; whether frames are flat; whether the margin can be seen."""
    if len(prefix) > _LONGEST_MARGIN:
        prefix = ""
    frame = next((line for line in following[:6] if 'File "' in line[:_LONGEST_MARGIN]), None)
    if frame is None:
        known = prefix if all(not line.strip() or line.startswith(prefix) for line in following[:1]) else ""
        return literal(known), False, bool(known.strip())
    before = frame[: frame.index('File "')]
    if before.startswith(prefix) and before[len(prefix) :] == "> ":
        # The mark of the frame that caught the exception (loguru) stands in the place of the indentation.
        before = prefix + "  "
    if before.startswith(prefix) and not before[len(prefix) :].strip() and len(before) - len(prefix) <= 2:
        return literal(prefix), before == prefix, bool(prefix.strip())
    if prefix.strip():
        # A log prefix with a clock or a counter in it: the same but for its digits.
        strip = varying(prefix)
        indent = strip(before)
        if indent is not None and not indent.strip():
            return strip, indent == "", True
    margin = before[:-2] if before.endswith("  ") else before.rstrip()
    if margin.strip():
        return varying(margin), not before.endswith("  "), True
    return literal(margin), not before, False
