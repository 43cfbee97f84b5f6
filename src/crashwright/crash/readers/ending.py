"""The end of a block: the exception's type and message, and where the message stops and other output begins."""

from __future__ import annotations

import builtins
import re
from collections.abc import Sequence

from crashwright.core.report import Link, ReportedException, ReportedFrame
from crashwright.crash.readers.frames import EXCEPTION

SENTENCES: dict[str, Link] = {
    "The above exception was the direct cause of the following exception:": "cause",
    "During handling of the above exception, another exception occurred:": "context",
}
# The interpreter's own messages of these are one line, so further lines are notes.
_ONE_LINE = frozenset({"AttributeError", "IndexError", "KeyError", "NameError", "RecursionError", "TypeError", "UnboundLocalError"})
_OTHER_OUTPUT = re.compile(
    r"""(?x) \[?\d{4}-\d\d-\d\d[ T] | \[?\d\d:\d\d:\d\d | [A-Z][a-z]{2}\ +\d+\ \d\d:\d\d:\d\d   # clocks
    | \[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL|FATAL)\b                               # log levels
    | ``` | ~~~$ | (?:\"\"\"|''')$ | </?(?:pre|code|details|summary)>                             # fences
    | \$\  | >>>\  | In\ \[\d+\]: | \(\S+\)\ [$%\#]\  | (?:\(\S+\)\ )?[\w.-]+@[\w.-]+[:\ ]\S*[$%\#]  # prompts
    | Process\ finished\ with | Exception\ ignored\ in | Exception\ in\ thread | ={5,}
    """
)


def read_ending(
    lines: Sequence[str], frames: tuple[ReportedFrame, ...], bounded: bool, link: Link | None
) -> ReportedException | None:
    """The exception whose first line is ``lines[0]``; None where that names none. ``bounded``: the lines are known to end where
    the message does (a chain goes on behind them); otherwise other output may follow."""
    match = EXCEPTION.fullmatch(lines[0]) if lines else None
    if match is None:
        return None
    kind, first = match["type"], (match["message"] or " ")[1:]
    further = _further(kind, first, lines[1:], bounded)
    while further and not further[-1].strip():
        further.pop()
    if kind in _ONE_LINE:
        return ReportedException(kind, first, frames, tuple(further), link)
    return ReportedException(kind, "\n".join((first, *further)), frames, (), link)


def _further(kind: str, first: str, lines: Sequence[str], bounded: bool) -> list[str]:
    """The lines that still belong to the message. A blank line ends the message of a built-in exception, unless it announced more;
    those of packages are often several paragraphs long."""
    builtin = hasattr(builtins, kind)
    paragraphs = bounded or not builtin or not first.strip() or (kind not in _ONE_LINE and first.rstrip().endswith(":"))
    kept: list[str] = []
    for line in lines:
        if _OTHER_OUTPUT.match(line) or not (paragraphs or line.strip()):
            break
        kept.append(line)
    return kept


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
