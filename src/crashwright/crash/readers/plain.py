"""Reads tracebacks as Python 3.8 to 3.14 and the tools that print them show them, from texts with anything around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from crashwright.core.report import CrashReport, Link, ReportedException, Unknown
from crashwright.crash.readers.cleaning import clean
from crashwright.crash.readers.ending import read_ending, split_chain
from crashwright.crash.readers.escapes import pieces
from crashwright.crash.readers.frames import EXCEPTION, NO_STACK, read_frames
from crashwright.crash.readers.groups import cut, normal
from crashwright.crash.readers.loguru import unspaced
from crashwright.crash.readers.margins import Section, sections
from crashwright.crash.readers.refusals import NOTHING
from crashwright.crash.readers.rich import read_boxes

# Python itself prints ten levels of groups.
_DEEPEST_GROUP = 12


class PlainReader:
    """The TraceReader for what is printed: by the interpreter, ``logging``, loguru, rich, IPython, Django's debug page."""

    name = "plain"

    def read(self, text: str) -> tuple[CrashReport, ...] | Unknown:
        """Every traceback of ``text``, chains joined, in the order of printing.

        A traceback that breaks off is left out; where no other is whole, the answer is Unknown.
        """
        reports: list[CrashReport] = []
        reason = NOTHING
        for piece in pieces(clean(text)):
            found = _read(piece.text.split("\n"))
            # Log records often hold the same text twice, as the exception and within the message.
            if not piece.literal or found.reports != tuple(reports[-len(found.reports) :]):
                reports += found.reports
            reason = found.broken or reason
        return tuple(reports) or Unknown(reason)


class _Found(NamedTuple):
    reports: tuple[CrashReport, ...]
    broken: str
    "Why the last traceback could not be read; empty where it could, or there is none."


def _read(lines: Sequence[str], depth: int = 0) -> _Found:
    found = sections(lines)
    if not found:
        return _Found(_without_any_header(lines, depth), "")
    reports: list[CrashReport] = []
    broken = ""
    chain = _bare_chain(found[0].before, depth)
    for index, section in enumerate(found):
        last = index == len(found) - 1
        blocks, complete = _blocks(section, last, depth)
        chain += blocks
        broken = "" if complete else _broken_off(section, bool(chain and chain[-1].link))
        if complete and chain and (last or chain[-1].link is None):
            reports.append(CrashReport(tuple(chain)))
        if not complete or chain[-1].link is None:
            chain = []
    return _Found(tuple(reports), broken)


def _without_any_header(lines: Sequence[str], depth: int) -> tuple[CrashReport, ...]:
    """A chain without any traceback, which only the members of groups show it to be one."""
    chain = [_bare(part, depth, link) for part, link in split_chain(normal(lines).lines)]
    whole = [one for one in chain if one is not None]
    found = len(whole) == len(chain) and (depth > 0 or any(one.group for one in whole))
    return (CrashReport(tuple(whole)),) if found else ()


def _broken_off(section: Section, after_sentence: bool) -> str:
    if after_sentence:
        return "the traceback of the exception that came last is missing"
    if section.boxed or any('File "' in line for line in section.lines):
        return "the traceback breaks off before the line that names the exception"
    return "there is nothing readable after 'Traceback (most recent call last):'"


def _blocks(section: Section, last: bool, depth: int) -> tuple[list[ReportedException], bool]:
    """The exceptions of a section, and whether it is complete: its own traceback names the exception, and so does all that its
    chain sentences promise. The link of the last exception leads to the next section."""
    if section.boxed:
        blocks = read_boxes(section.lines)
    else:
        blocks = _printed_blocks(section, depth)
    # A chain goes on in the next section unless a bare exception ended it here.
    return blocks, bool(blocks) and not (last and blocks[-1].link is not None)


def _printed_blocks(section: Section, depth: int) -> list[ReportedException]:
    blocks: list[ReportedException] = []
    for lines, link in split_chain(section.lines):
        if not blocks:
            first = _headed(lines, section.flat, link, depth)
            if first is None:
                return []
            blocks.append(first)
            continue
        bare = _bare(lines, depth, link)
        if bare is not None:
            blocks.append(bare)
        elif link is not None:
            blocks[-1] = replace(blocks[-1], link=link)
    return blocks


def _headed(lines: Sequence[str], flat: bool, link: Link | None, depth: int) -> ReportedException | None:
    """The exception whose frames begin with ``lines``, with the members where it is a group."""
    grouped = cut(lines)
    own = unspaced(grouped.own if grouped else lines)
    stack = read_frames(own, flat)
    members = _members(grouped.members, depth) if grouped else ()
    found = read_ending(own[stack.end :], stack.frames, grouped is not None or link is not None, link, stack.place, members)
    if found is not None and own != lines and found.type == "AssertionError" and found.frames:
        # Loguru shows the failing line in the place of a missing message.
        return replace(found, message="") if found.message == found.frames[-1].source else found
    return found


def _bare(lines: Sequence[str], depth: int, link: Link | None = None) -> ReportedException | None:
    """An exception that was printed without a traceback; one about syntax comes with its place."""
    grouped = cut(lines)
    own = grouped.own if grouped else lines
    members = _members(grouped.members, depth) if grouped else ()
    start = next((index for index, line in enumerate(own) if line.strip()), len(own))
    if grouped and not depth:
        # Anything may stand above it; groups are called so.
        start = max((index for index, line in enumerate(own) if _names_group(line)), default=start)
    own = own[start:]
    stack = read_frames(own, False) if own and own[0].startswith('  File "') else NO_STACK
    return read_ending(own[stack.end :], stack.frames, grouped is not None or link is not None, link, stack.place, members)


def _names_group(line: str) -> bool:
    match = EXCEPTION.fullmatch(line)
    return match is not None and "Group" in match["type"]


def _members(members: Sequence[Sequence[str]], depth: int) -> tuple[CrashReport, ...]:
    if depth >= _DEEPEST_GROUP:
        return ()
    found = (_read(lines, depth + 1).reports for lines in members)
    return tuple(reports[-1] for reports in found if reports)


def _bare_chain(before: Sequence[str], depth: int) -> list[ReportedException]:
    """The exceptions without traceback at the head of a chain, from the lines above the first header."""
    parts = split_chain(before)
    if len(parts) == 1 or any(line.strip() for line in parts[-1][0]):
        return []
    found: list[ReportedException] = []
    for number, (lines, link) in enumerate(parts[:-1]):
        # Above the first one may stand anything, unless it is the text of a member.
        exception = _bare(lines if number or depth else _last_paragraph(lines), depth, link)
        if exception is None:
            found = []
        else:
            found.append(exception)
    return found


def _last_paragraph(lines: Sequence[str]) -> list[str]:
    block = list(lines)
    while block and not block[-1].strip():
        block.pop()
    start = max((index + 1 for index, line in enumerate(block) if not line.strip()), default=0)
    return block[start:]
