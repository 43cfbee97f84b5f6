"""Arbitrary crash reports for ``read(render(report)) == report``, one strategy for all formats.

A format says what it can carry (:class:`Carries`); what it cannot is absent from the reports drawn for it. All values are in normal
form: sources stripped, columns within the source, no link on the last exception, no message line that another format would take
for its own.
"""

import string
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from hypothesis import strategies as st

from crashwright.core.report import CrashReport, ReportedException, ReportedFrame, SyntaxPlace

names = st.text(string.ascii_letters + "_", min_size=1, max_size=8)
printable = st.characters(min_codepoint=33, max_codepoint=0x2FF, exclude_categories=("Cc", "Zs", "Cs", "Cf"))
words = st.text(printable, min_size=1, max_size=8)
text_line = st.lists(words, min_size=1, max_size=5).map(" ".join)
"Any characters: quotes, brackets, letters of several scripts."
prose = st.lists(names, min_size=1, max_size=5).map(lambda parts: "the " + " ".join(parts))
"Words that no format takes for anything but a message."
functions = st.one_of(names, st.sampled_from(["<module>", "<lambda>", "<genexpr>"]))
plain_paths = st.lists(names, min_size=1, max_size=4).map(lambda parts: "/" + "/".join(parts) + ".py")
odd_paths = st.sampled_from(["<string>", "<frozen os>", "<class 'a.B'> compilation 6", "C:\\Users\\A B\\m.py", "/x y/z.py"])
sources = names.map(lambda name: f"return {name}(a, b)")
ONE_LINE = ("KeyError", "TypeError", "AttributeError")
"Built-in types whose messages are one line, so that further lines can only be notes."
GROUPS = ("ExceptionGroup", "BaseExceptionGroup", "anyio.ExceptionGroup")


@dataclass(frozen=True)
class Carries:
    """What a format can tell."""

    source: Literal["always", "sometimes", "never"] = "sometimes"
    columns: bool = True
    anchors: bool = True
    local_values: bool = True
    repeated: bool = True
    notes: Literal["any", "one line types", "never"] = "one line types"
    "``one line types``: notes and further lines of a message look alike, so only types of ONE_LINE have notes."
    message_lines: bool = True
    "Messages of several lines (of types that are not in ONE_LINE)."
    chains: bool = True
    groups: bool = False
    places: bool = False
    paths: st.SearchStrategy[str] = field(default_factory=lambda: plain_paths | odd_paths)
    functions: st.SearchStrategy[str] = field(default_factory=lambda: functions)
    sources: st.SearchStrategy[str] = field(default_factory=lambda: sources)
    values: st.SearchStrategy[str] = field(default_factory=lambda: text_line)
    messages: st.SearchStrategy[str] = field(default_factory=lambda: text_line | prose)
    links: tuple[Literal["cause", "context"], ...] = ("cause", "context")


@st.composite
def frames(draw: st.DrawFn, carries: Carries) -> ReportedFrame:
    told = {"always": True, "never": False}.get(carries.source)
    frame = ReportedFrame(
        draw(carries.paths),
        draw(st.integers(1, 9999)),
        draw(carries.functions),
        repeated=draw(st.sampled_from([0, 0, 1, 984])) if carries.repeated else 0,
    )
    if told or (told is None and draw(st.booleans())):
        frame = replace(frame, source=draw(carries.sources))
        if carries.columns and frame.source is not None and len(frame.source) > 3 and draw(st.booleans()):
            columns, anchor = draw(marks(len(frame.source)))
            frame = replace(frame, columns=columns, anchor=anchor if carries.anchors and draw(st.booleans()) else None)
    if carries.local_values and (frame.source is not None or carries.source == "never"):
        frame = replace(frame, local_values=draw(st.dictionaries(names, carries.values, max_size=2)))
    return frame


@st.composite
def marks(draw: st.DrawFn, width: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """A caret range within ``width`` columns and a smaller anchor within it."""
    edges = sorted(draw(st.lists(st.integers(0, width), min_size=4, max_size=4, unique=True)))
    return (edges[0], edges[3]), (edges[1], edges[2])


@st.composite
def exceptions(draw: st.DrawFn, carries: Carries, depth: int = 0) -> ReportedException:
    """One block of a chain; ``depth`` is the number of groups around it. The outermost always have frames."""
    found = tuple(draw(st.lists(frames(carries), min_size=0 if depth else 1, max_size=1 if depth else 3)))
    kinds = ["one line", "package", *(["group"] if carries.groups and depth < 2 else []), *(["place"] if carries.places else [])]
    make: Callable[[], ReportedException] = {
        "one line": lambda: ReportedException(draw(st.sampled_from(ONE_LINE)), draw(prose), found),
        "package": lambda: _of_a_package(draw, carries, found),
        "group": lambda: _group(draw, carries, found, depth),
        "place": lambda: _syntax_error(draw, found),
    }[draw(st.sampled_from(kinds))]
    exception = make()
    if carries.notes == "any" or (carries.notes == "one line types" and exception.type in ONE_LINE):
        exception = replace(exception, notes=tuple(draw(st.lists(prose, max_size=2))))
    return replace(exception, link=draw(st.sampled_from(carries.links)))


def _of_a_package(draw: st.DrawFn, carries: Carries, found: tuple[ReportedFrame, ...]) -> ReportedException:
    further: list[str] = []
    if carries.message_lines and draw(st.booleans()):
        further = [*draw(st.lists(prose | st.just(""), max_size=3)), draw(prose)]
    kind = ".".join(draw(st.lists(names, min_size=2, max_size=3)))
    return ReportedException(kind, "\n".join([draw(carries.messages), *further]), found)


def _group(draw: st.DrawFn, carries: Carries, found: tuple[ReportedFrame, ...], depth: int) -> ReportedException:
    members = tuple(draw(st.lists(reports(carries, depth + 1), min_size=1, max_size=2)))
    count = f"({len(members)} sub-exception{'s' if len(members) > 1 else ''})"
    return ReportedException(draw(st.sampled_from(GROUPS)), f"{draw(prose)} {count}", found, group=members)


def _syntax_error(draw: st.DrawFn, found: tuple[ReportedFrame, ...]) -> ReportedException:
    path, line, source = draw(st.sampled_from(["/a/m.py", "<string>", "<unknown>"])), draw(st.integers(1, 99)), draw(sources)
    columns = draw(marks(len(source)))[0] if draw(st.booleans()) else None
    kind = draw(st.sampled_from(["SyntaxError", "IndentationError", "TabError"]))
    return ReportedException(kind, draw(prose), found, place=SyntaxPlace(path, line, source, columns))


@st.composite
def reports(draw: st.DrawFn, carries: Carries, depth: int = 0) -> CrashReport:
    chain = draw(st.lists(exceptions(carries, depth), min_size=1, max_size=(2 if depth else 3) if carries.chains else 1))
    return CrashReport((*chain[:-1], replace(chain[-1], link=None)))
