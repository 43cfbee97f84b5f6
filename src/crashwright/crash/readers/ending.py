"""The end of a block: the exception's type and message, and where the message stops and other output begins."""

from __future__ import annotations

import builtins
import re
from collections.abc import Sequence

from crashwright.core.report import CrashReport, Link, ReportedException, ReportedFrame, SyntaxPlace
from crashwright.crash.readers.frames import EXCEPTION

SENTENCES: dict[str, Link] = {
    "The above exception was the direct cause of the following exception:": "cause",
    "During handling of the above exception, another exception occurred:": "context",
}
ONE_LINE = frozenset(
    """AttributeError IndentationError IndexError KeyError NameError RecursionError StopIteration SyntaxError TabError TypeError
    UnboundLocalError UnicodeDecodeError UnicodeEncodeError ZeroDivisionError""".split()
)
"The interpreter's own messages of these types are one line, so further lines are notes."
_CLOSING = re.compile(r"(?:```|\{(?:code|noformat)\}|</(?:pre|code|details)>)+\s*$")
"The end of a code block on the last line of the message itself."
_GROUP_COUNT = re.compile(r".*\(\d+ sub-exceptions?\)")
_OTHER_OUTPUT = re.compile(
    r"""(?x) \[?\d{4}-\d\d-\d\d[ T,] | \[?\d\d:\d\d:\d\d | [A-Z][a-z]{2}\ +\d+\ \d\d:\d\d:\d\d   # clocks
    | (?:\S+\ ){0,3}\[\d\d/[A-Z][a-z]{2}/\d{4}[:\ ]\d\d:\d\d:\d\d                                    # requests
    | [^\"]{0,80}\"[A-Z]{3,7}\ \S+\ HTTP/\d
    | \[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL|FATAL)\b                               # log levels
    | \S.{0,40}\ {2}\d\d?:\d\d\ [AP]M$ | -{60,}$ | \{(?:code|noformat)\b                           # chats, rulers, fences
    | ``` | ~~~$ | (?:\"\"\"|''')$ | </?(?:pre|code|details|summary)>                             # fences
    | \$\  | >>>\  | In\ \[\d+\]: | \(\S+\)\ [$%\#]\  | (?:\(\S+\)\ )?[\w.-]+@[\w.-]+[:\ ]\S*[$%\#]  # prompts
    | Process\ finished\ with | Exception\ ignored\ in | Exception\ in\ thread | ={5,}
    """
)


def read_ending(
    lines: Sequence[str],
    frames: tuple[ReportedFrame, ...],
    bounded: bool,
    link: Link | None,
    place: SyntaxPlace | None = None,
    group: tuple[CrashReport, ...] = (),
) -> ReportedException | None:
    """The exception whose first line is ``lines[0]``; None where that names none. ``bounded``: the lines are known to end where
    the message does (a chain or the members of a group go on behind them); otherwise other output may follow."""
    match = EXCEPTION.fullmatch(lines[0]) if lines else None
    if match is None:
        return None
    kind, first = match["type"], (match["message"] or " ")[1:]
    message = [first, *_further(kind, first, lines[1:], bounded)]
    if not bounded:
        message = _until_closed(message)
    while len(message) > 1 and not message[-1].strip():
        message.pop()
    end = _message_end(kind, message, bool(group))
    return ReportedException(kind, "\n".join(message[:end]), frames, tuple(message[end:]), link, group, place)


def is_other_output(line: str) -> bool:
    """Whether the line is surely none of a message: the next log record, a prompt, the end of a code block."""
    return _OTHER_OUTPUT.match(line) is not None


def _message_end(kind: str, lines: Sequence[str], grouped: bool) -> int:
    """How many of ``lines`` are the message; notes look the same."""
    if kind in ONE_LINE:
        return 1
    if grouped:
        return next((number for number, line in enumerate(lines, 1) if _GROUP_COUNT.fullmatch(line)), len(lines))
    return len(lines)


def _further(kind: str, first: str, lines: Sequence[str], bounded: bool) -> list[str]:
    """The lines that still belong to the message. A blank line ends the message of a built-in exception, unless it announced more;
    those of packages are often several paragraphs long."""
    builtin = hasattr(builtins, kind)
    paragraphs = bounded or not builtin or not first.strip() or (kind not in ONE_LINE and first.rstrip().endswith(":"))
    kept: list[str] = []
    for line in lines:
        if is_other_output(line) or not (paragraphs or line.strip()):
            break
        kept.append(line)
    return kept


def _until_closed(lines: Sequence[str]) -> list[str]:
    """``lines`` up to the one that ends with the end of a code block."""
    for index, line in enumerate(lines):
        closing = _CLOSING.search(line)
        if closing is not None:
            return [*lines[:index], line[: closing.start()]]
    return list(lines)


def split_chain(lines: Sequence[str]) -> list[tuple[tuple[str, ...], Link | None]]:
    """``lines`` cut at the sentences that join a chain: each part with the link to the next one; the last part has none."""
    parts: list[tuple[tuple[str, ...], Link | None]] = []
    part: list[str] = []
    for line in lines:
        link = SENTENCES.get(line.strip())
        if link is None:
            part.append(line)
        else:
            parts.append((tuple(part), link))
            part = []
    return [*parts, (tuple(part), None)]
