"""Tracebacks as rich prints them: the frames in a box (see ``rich_frames``), the exception, its notes and members below it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from crashwright.core.report import CrashReport, Link, ReportedException, SyntaxPlace
from crashwright.crash.readers.ending import SENTENCES, is_other_output, read_ending, split_chain
from crashwright.crash.readers.frames import NO_STACK, Stack
from crashwright.crash.readers.rich_frames import UNKNOWN_PATH, read_boxed_frames, squeezed

_TOP = re.compile(r"[╭┌┏+][─━-]+(?: (?P<title>[^─━╮┐┓]{1,200}) [─━-]+)?[╮┐┓+]\s*")
_BOTTOM = re.compile(r"[╰└┗+][─━-]+[╯┘┛+]\s*")
_SIDES = ("│", "┃", "|")
_FILE = re.compile(r" (?P<path>\S.{0,4000}):(?P<line>\d{1,9})")
_MEMBER = "Sub-exception #"
_NOTE = "[NOTE] "
# Each level takes four columns of the width.
_DEEPEST_GROUP = 12


class _Panel(NamedTuple):
    """A box: its rows without the sides, and the columns it takes."""

    title: str
    rows: tuple[str, ...]
    width: int


@dataclass(slots=True)
class _Block:
    """What was read since the last box of frames."""

    stack: Stack = NO_STACK
    width: int = 0
    text: list[str] = field(default_factory=list)
    members: list[tuple[int, CrashReport]] = field(default_factory=list)
    "Each with the number of lines of text above it."


def read_boxes(lines: Sequence[str], depth: int = 0) -> list[ReportedException]:
    """The exceptions of a text that rich printed, in order; the link of the last one leads to what comes behind."""
    found: list[ReportedException] = []
    block = _Block()
    for item in _items(lines):
        if isinstance(item, str):
            block.text.append(item)
        elif item.title.startswith("Traceback"):
            found += _exceptions(block)
            block = _Block(Stack(read_boxed_frames(item.rows), None, 0), item.width)
        elif item.title.startswith(_MEMBER):
            block.width = block.width or item.width
            member = read_boxes([row.rstrip() for row in item.rows], depth + 1) if depth < _DEEPEST_GROUP else []
            if member and member[-1].link is None:
                block.members.append((len(block.text), CrashReport(tuple(member))))
        elif not item.title and not block.text:
            block.stack = block.stack._replace(place=_place(item.rows))
    return found + _exceptions(block)


def _items(lines: Sequence[str]) -> Iterator[_Panel | str]:
    index = 0
    while index < len(lines):
        line = lines[index]
        top = _TOP.fullmatch(line)
        index += 1
        if top is None:
            yield line
            continue
        end = index
        while end < len(lines) and lines[end].startswith(_SIDES):
            end += 1
        yield _Panel(top["title"] or "", tuple(_row(line) for line in lines[index:end]), len(line.rstrip()))
        index = end + 1 if end < len(lines) and _BOTTOM.fullmatch(lines[end]) else end


def _row(line: str) -> str:
    """What stands between the sides. Where it ends in a space, it was not cut off."""
    line = line.rstrip()
    return line[2:-2] if line.endswith(_SIDES) and len(line) > 3 else line[2:] + " "


def _exceptions(block: _Block) -> list[ReportedException]:
    found: list[ReportedException] = []
    for number, (lines, link) in enumerate(split_chain(_unwrapped(block.text, block.width))):
        exception = _exception(lines, NO_STACK if found else block.stack, link)
        if exception is not None:
            found.append(replace(exception, group=_members(block, number)))
        elif found and link is not None:
            found[-1] = replace(found[-1], link=link)
        elif not found and block.stack.frames:
            return []
    return found


def _members(block: _Block, number: int) -> tuple[CrashReport, ...]:
    """The members printed below the exception of that number in the block."""
    if not block.members:
        return ()
    pairs = enumerate(zip(["", *block.text], block.text, strict=False))
    sentences = [index for index, (above, line) in pairs if line.strip() in SENTENCES or _splits_sentence(above, line)]
    return tuple(member for above, member in block.members if bisect_left(sentences, above) == number)


def _exception(lines: Sequence[str], stack: Stack, link: Link | None) -> ReportedException | None:
    start = next((index for index, line in enumerate(lines) if line.strip()), len(lines))
    end = next((index for index, line in enumerate(lines) if line.startswith(_NOTE)), len(lines))
    exception = read_ending(lines[start:end], stack.frames, link is not None or end < len(lines), link, stack.place)
    if exception is None or end == len(lines):
        return exception
    return replace(exception, notes=_notes(lines[end:]))


def _notes(lines: Sequence[str]) -> tuple[str, ...]:
    notes: list[str] = []
    for line in lines:
        if line.startswith(_NOTE):
            notes.append(line[len(_NOTE) :])
        elif not line.strip() or is_other_output(line):
            break
        else:
            notes[-1] += "\n" + line
    return tuple(notes)


def _unwrapped(lines: Sequence[str], width: int) -> list[str]:
    """``lines`` with those joined that were broken at ``width`` columns: where the next word had found no room."""
    joined: list[list[str]] = []
    last = ""
    for line in lines:
        glue = _glue(last, line, width) if joined else None
        if glue is None:
            joined.append([line])
        else:
            joined[-1][-1] = joined[-1][-1].rstrip() + glue
            joined[-1].append(line)
        last = line
    return ["".join(parts) for parts in joined]


def _glue(line: str, following: str, width: int) -> str | None:
    """What stood between two lines that were one; None where they are two."""
    line = line.rstrip()
    word = following[: following.find(" ")] if " " in following else following
    if not line or not word or following.startswith(_NOTE) or len(line) > width:
        return None
    if len(line) == width and " " not in line:
        # Only a word that is longer than the width is broken itself.
        return ""
    return " " if len(line) + 1 + len(word) > width or _splits_sentence(line, following) else None


def _splits_sentence(line: str, following: str) -> bool:
    return f"{line.strip()} {following.strip()}" in SENTENCES


def _place(rows: Sequence[str]) -> SyntaxPlace | None:
    """What the box of a SyntaxError shows: the file, the line, and a mark under a place in it."""
    rows = [squeezed(row.rstrip()) for row in rows]
    file = _FILE.fullmatch(rows[0]) if rows else None
    place = SyntaxPlace(file["path"], int(file["line"])) if file else SyntaxPlace(UNKNOWN_PATH, None)
    shown = rows[1:] if file else rows
    if not shown:
        return place
    source = shown[0].strip()
    column = len(shown[1]) - 1 - (len(shown[0]) - len(shown[0].lstrip())) if len(shown) > 1 else -1
    return replace(place, source=source, columns=(column, column + 1) if column >= 0 else None)
