"""What holds for every reader of reports, and for the door that callers use."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from conforming import Bug, conformance
from hypothesis import given, settings
from hypothesis import strategies as some
from reading import read_or_refuse

from crashwright.core.codec import from_json
from crashwright.core.report import CrashReport, ReportedException, ReportedFrame, Unknown
from crashwright.crash.readers.cleaning import narrow
from crashwright.crash.readers.plain import PlainReader
from crashwright.crash.readers.registry import READERS, TraceReader

Read = tuple[CrashReport, ...] | Unknown
GOLDEN = {
    narrow(path.read_text(encoding="utf-8")): tuple(
        from_json(CrashReport, one) for one in json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    )
    for path in sorted(Path(__file__).parents[1].joinpath("golden/tracebacks").glob("*.txt"))
}
"""Reports as their tools printed them, and what they say."""


class Door:
    """``read_reports`` as a reader: what it refuses comes with words and advice."""

    name = "every format"

    def read(self, text: str) -> Read:
        return read_or_refuse(text)


PIECES = r"""
Traceback (most recent call last):
  File "a.py", line 1, in f
  File "a.py", line ?, in f
> File "a.py", line 1, in f
    x()
    ^^^
  |
  + Exception Group Traceback (most recent call last):
  +-+---------------- 1 ----------------
    +---------------- 2 ----------------
  [Previous line repeated 3 more times]
ValueError: x
ExceptionGroup: x (1 sub-exception)
  File "a.py", line 1
web |
12:00
"
'
\
\n
\\n
\"
{"a":
{"exception": {"values": [{"type": "E", "stacktrace": {"frames": [
[{"exc_type": "E", "frames": [{"lineno": null}]}]
<testcase><failure>
</failure></testcase>
╭──── Traceback (most recent call last) ────╮
│ /a.py:1 in f  │
│ ❱ 1 x()  │
╰──────────╯
│ ╭ locals ╮ │
      │ └ 3
#012
The above exception was the direct cause of the following exception:
During handling of the above exception, another exception occurred:
[31m
&quot;
E   x
>   x
a.py:3: KeyError
____ test ____
"""
pieces = some.sampled_from([*PIECES.split("\n"), "\n", "\r", "\0", "\xa0", "\ufeff", "\ud800", "\x1b[0m"])
goldens = some.sampled_from([*GOLDEN])
patches = some.lists(some.tuples(some.floats(0, 1), some.integers(0, 3), pieces | some.text(max_size=2)), max_size=8)


def patched(text: str, changes: list[tuple[float, int, str]]) -> str:
    for place, length, instead in changes:
        at = int(place * len(text))
        text = text[:at] + instead + text[at + length :]
    return text


def cut(text: str, start: float, end: float) -> str:
    return text[int(start * len(text)) : int(end * len(text))]


texts = some.one_of(
    some.text(),
    some.lists(pieces | some.text(max_size=6)).map("".join),
    some.lists(pieces, max_size=25).map("\n".join),
    some.builds(cut, goldens, some.floats(0, 1), some.floats(0, 1)),
    some.builds(patched, goldens, patches),
)
NASTY = [
    "\0",
    "\ud800",
    "\ufeff",
    "\r",
    "\\",
    "[" * 3000,
    '{"exception":' * 300,
    "<testsuite>" * 300,
    "  File " * 300,
    "\x85\u2028",
]
PROSE = [
    "",
    "\n \n",
    "The shop was closed on Monday, said the keeper.\nNobody knew why.\n",
    "def f(x):\n    return x + 1\n",
    '{"shelves": [1, 2, {"width": 3}]}',
    "<html><body>Closed</body></html>",
    "2026-01-02 03:04:05 INFO handled 3 requests\n",
]


def it_answers_whatever_the_text(reader: TraceReader) -> None:
    """With reports that are whole, or with none; it never raises."""

    @given(texts)
    @settings(max_examples=50)
    def answers(text: str) -> None:
        check_whole(reader.read(text))

    for text in (*NASTY, *[*GOLDEN][::6], *[text[: 2 * len(text) // 3].rstrip("\n") for text in [*GOLDEN][::6]]):
        check_whole(reader.read(text))
    answers()


def check_whole(found: Read) -> None:
    if isinstance(found, Unknown):
        assert isinstance(found.reason, str)
        return
    assert isinstance(found, tuple)
    assert found
    for report in found:
        assert report.exceptions
        assert report.crash.link is None
        assert all(one.link is not None for one in report.exceptions[:-1])
        for exception in report.exceptions:
            check_exception(exception)


def check_exception(exception: ReportedException) -> None:
    assert exception.type
    for frame in exception.frames:
        assert frame.path
        assert frame.function
        assert frame.repeated >= 0
        check_columns(frame)
    if exception.group:
        check_whole(exception.group)


def check_columns(frame: ReportedFrame) -> None:
    for columns in (frame.columns, frame.anchor):
        assert columns is None or (frame.source is not None and 0 <= columns[0] < columns[1])


def it_declines_what_is_no_report(reader: TraceReader) -> None:
    for text in PROSE:
        found = reader.read(text)
        assert isinstance(found, Unknown), text
        assert "\n" not in found.reason


def it_reads_a_report_as_its_tool_wrote_it(reader: TraceReader) -> None:
    """For each reader there is at least one, which says what was recorded of it to the last value; it is read behind another one
    too."""
    own = [*islice((text for text, recorded in GOLDEN.items() if reader.read(text) == recorded), 3)]
    assert own
    for text in own:
        assert isinstance(reader.read(f"{text.rstrip()}\n\n{text}"), tuple)


def it_remembers_nothing(reader: TraceReader) -> None:
    some_texts = [*PROSE, *[*GOLDEN][::16]]
    first = [reader.read(text) for text in some_texts]
    assert [reader.read(text) for text in reversed(some_texts)] == first[::-1]


class Broken:
    """Reads well, but for one thing."""

    name = "broken"

    def __init__(self, spoil: Callable[[str, Read], Read]) -> None:
        self._spoil = spoil

    def read(self, text: str) -> Read:
        return self._spoil(text, PlainReader().read(text))


def wants_the_end(text: str, found: Read) -> Read:
    if "Traceback" in text and not text.endswith("\n"):
        raise Bug
    return found


def loses_lines(_text: str, found: Read) -> Read:
    """Everything but the lines."""
    if isinstance(found, Unknown):
        return found
    return tuple(CrashReport(tuple(ReportedException(one.type, one.message, ()) for one in report.exceptions)) for report in found)


def sees_crashes_everywhere(_text: str, found: Read) -> Read:
    return found if isinstance(found, tuple) else (CrashReport((ReportedException("Exception", "", ()),)),)


def forgetful() -> Callable[[str, Read], Read]:
    seen: set[str] = set()

    def read(text: str, found: Read) -> Read:
        fresh = text not in seen
        seen.add(text)
        return found if fresh else Unknown("read before")

    return read


test_every_reader, test_broken_ones_are_refused = conformance(
    {reader.name: reader for reader in (*READERS, Door())},
    {
        it_answers_whatever_the_text: Broken(wants_the_end),
        it_declines_what_is_no_report: Broken(sees_crashes_everywhere),
        it_reads_a_report_as_its_tool_wrote_it: Broken(loses_lines),
        it_remembers_nothing: Broken(forgetful()),
    },
)
