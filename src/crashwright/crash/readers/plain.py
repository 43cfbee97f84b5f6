"""Reads tracebacks as Python 3.8 to 3.14 print them, from texts with other output around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from crashwright.core.report import CrashReport, Link, ReportedException, Unknown
from crashwright.crash.readers.ending import read_ending, split_chain
from crashwright.crash.readers.frames import EXCEPTION, read_frames
from crashwright.crash.readers.margins import Section, sections


class PlainReader:
    """The TraceReader for what the interpreter, ``traceback`` and ``logging`` print."""

    name = "plain"

    def read(self, text: str) -> tuple[CrashReport, ...] | Unknown:
        """Every traceback of ``text``, chains joined, in the order of printing.

        A text that breaks off within its last traceback is Unknown: what the user meant is not there.
        """
        found = sections(text)
        if not found:
            return Unknown("there is no Python traceback in it")
        reports: list[CrashReport] = []
        chain: list[ReportedException] = _bare_exceptions(found[0].before)
        for index, section in enumerate(found):
            last = index == len(found) - 1
            blocks, complete = _blocks(section, last)
            chain += blocks
            if not complete and last:
                return _broken_off(section, bool(chain and chain[-1].link))
            if complete and chain and (last or chain[-1].link is None):
                reports.append(CrashReport(tuple(chain)))
            if not complete or chain[-1].link is None:
                chain = []
        return tuple(reports)


def _broken_off(section: Section, after_sentence: bool) -> Unknown:
    if after_sentence:
        return Unknown("the traceback of the exception that came last is missing")
    if any('File "' in line for line in section.lines):
        return Unknown("the traceback breaks off before the line that names the exception")
    return Unknown("there is nothing readable after 'Traceback (most recent call last):'")


def _blocks(section: Section, last: bool) -> tuple[list[ReportedException], bool]:
    """The exceptions of a section, and whether it is complete: its own traceback names the exception, and so does all that its
    chain sentences promise. The link of the last exception leads to the next section."""
    parts = split_chain(section.lines)
    lines, link = parts[0]
    frames, start = read_frames(lines, section.flat)
    first = read_ending(lines[start:], frames, link is not None, link)
    if first is None:
        return [], False
    blocks = [first]
    for part, part_link in parts[1:]:
        bare = _bare(part, part_link is not None, part_link)
        if bare is not None:
            blocks.append(bare)
        elif part_link is not None:
            blocks[-1] = replace(blocks[-1], link=part_link)
    # A chain goes on in the next section unless a bare exception ended it here.
    return blocks, not (last and blocks[-1].link is not None)


def _bare(lines: Sequence[str], bounded: bool, link: Link | None) -> ReportedException | None:
    """An exception of a chain that was printed without a traceback."""
    start = next((index for index, line in enumerate(lines) if line.strip()), len(lines))
    return read_ending(lines[start:], (), bounded, link)


def _bare_exceptions(before: Sequence[str]) -> list[ReportedException]:
    """The exceptions without traceback at the head of a chain, from the lines above the first header."""
    parts = split_chain(before)
    if len(parts) == 1 or any(line.strip() for line in parts[-1][0]):
        return []
    found: list[ReportedException] = []
    for lines, link in parts[:-1]:
        block = list(lines)
        while block and not block[-1].strip():
            block.pop()
        start = max((index + 1 for index, line in enumerate(block) if not line.strip()), default=0)
        exception = read_ending(block[start:], (), True, link) if start < len(block) and EXCEPTION.fullmatch(block[start]) else None
        if exception is None:
            found = []
        else:
            found.append(exception)
    return found
