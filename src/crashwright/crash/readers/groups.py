"""Exception groups: their ``+`` and ``|`` margins, cut into the group's own block and its members, which may hold groups again.

Behind this door a group is in *normal form*: its own block has no margin, then comes the ruler ``+-+--- 1 ---``, then the lines of
the members with ``|`` or ``+`` in the third column. So a member, margin off, is a text like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

HEADER = "Traceback (most recent call last):"
GROUP_HEADER = "Exception Group " + HEADER
_RULER = re.compile(r"(?P<before>.{0,1000}?)\+-\+-{5,} ?1 ?-{5,}\s*")
_TITLE = re.compile(r"  \+-{5,}(?: ?(?P<title>\d+|\.\.\.) ?-{5,})?\s*")
_INSIDE = re.compile(r"  (?:[|+]|  +[|+])")

Strip = Callable[[str], str | None]
"""A line without its margin, or None where the line does not belong to the traceback."""


def literal(margin: str) -> Strip:
    """Takes off exactly ``margin``."""

    def strip(line: str) -> str | None:
        if line.startswith(margin):
            return line[len(margin) :]
        return "" if line.rstrip() == margin.rstrip() or not line.strip() else None

    return strip


def varying(margin: str) -> Strip:
    """Takes off ``margin`` or one that differs in its digits (a clock, a counter)."""
    body = margin.rstrip()
    mask = "".join(r"\d+" if part.isdigit() else re.escape(part) for part in re.split(r"([0-9]+)", body))
    pattern = re.compile(mask + r"(?:" + re.escape(margin[len(body) :]) + r"(?P<rest>.*)|\s*)", re.DOTALL)

    def strip(line: str) -> str | None:
        match = pattern.fullmatch(line)
        return None if match is None else match["rest"] or ""

    return strip


class FlattenedGroups(NamedTuple):
    """Lines with their groups in normal form; ``inside`` are the indices of the members' lines."""

    lines: list[str]
    inside: frozenset[int]


def normal(lines: Sequence[str]) -> FlattenedGroups:
    """``lines`` with every group in normal form, behind whatever margin the text has."""
    done: list[str] = []
    inside: set[int] = set()
    index = 0
    while index < len(lines):
        ruler = _RULER.fullmatch(lines[index]) if "+-+-" in lines[index] else None
        done.append(lines[index])
        index += 1
        if ruler is not None:
            margin, strip, indent = _normal_own_block(done, ruler["before"])
            while index < len(lines):
                line = (strip(lines[index]) or "")[indent:]
                if not _INSIDE.match(line):
                    break
                inside.add(len(done))
                done.append(margin + line)
                index += 1
    return FlattenedGroups(done, frozenset(inside))


def _normal_own_block(done: list[str], before: str) -> tuple[str, Strip, int]:
    """Takes the margin off the lines at the end of ``done`` that are the own block of the group whose ruler is the last of them.
    The text's margin, how to strip it, and the columns that the group itself is indented."""
    margin = before.removesuffix("  ")
    for strip in (literal(margin), varying(margin)):
        start = _own_start(done, strip) if before.endswith("  ") else len(done) - 1
        if start < len(done) - 1:
            done[start:] = [*(_own_line(line, margin, strip) for line in done[start:-1]), margin + (strip(done[-1]) or "")[2:]]
            return margin, strip, 2
    # The group is in normal form already: it was within another one.
    return before, literal(before), 0


def _own_line(line: str, margin: str, strip: Strip) -> str:
    head = line.rstrip().removesuffix("+ " + GROUP_HEADER)
    return margin + (strip(line) or "")[4:] if head == line.rstrip() else head.removesuffix("  ") + HEADER


def _own_start(done: Sequence[str], strip: Strip) -> int:
    start = len(done) - 1
    while start > 0:
        line = done[start - 1]
        if line.rstrip().endswith("+ " + GROUP_HEADER):
            return start - 1
        stripped = strip(line)
        if stripped is None or not (stripped.startswith("  | ") or stripped.rstrip() == "  |"):
            break
        start -= 1
    return start


class Cut(NamedTuple):
    """The lines of a block in normal form: its own, those of each member, and what comes behind the group."""

    own: tuple[str, ...]
    members: tuple[tuple[str, ...], ...]
    rest: tuple[str, ...]


def cut(lines: Sequence[str]) -> Cut | None:
    """The first group of ``lines``; None where there is none. ``and 5 more exceptions`` is no member."""
    start = next((index for index, line in enumerate(lines) if line.startswith("+-+-") and _RULER.fullmatch(line)), None)
    if start is None:
        return None
    members: list[list[str] | None] = [[]]
    index = start + 1
    while index < len(lines) and _INSIDE.match(lines[index]):
        line = lines[index]
        title = _TITLE.fullmatch(line)
        index += 1
        if title is not None:
            members.append([] if (title["title"] or "...") != "..." else None)
        elif members[-1] is not None:
            members[-1].append(_member_line(line))
    return Cut(tuple(lines[:start]), tuple(tuple(one) for one in members if one is not None), tuple(lines[index:]))


def _member_line(line: str) -> str:
    if line.startswith("  |"):
        line = line[4:]
        return HEADER if line.rstrip() == GROUP_HEADER else line
    return line[2:]
