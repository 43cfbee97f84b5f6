"""read(render(report)) == report for the printed formats, whatever stands around the report."""

import json
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from rendering import Box, loguru_text, python_text, rich_text
from reports import Carries, exceptions, frames, functions, names, odd_paths, plain_paths, prose, reports, words

from crashwright.core.report import CrashReport, ReportedException, ReportedFrame
from crashwright.crash.readers.plain import PlainReader

PYTHON = Carries(groups=True, places=True)


def read(text: str) -> tuple[CrashReport, ...]:
    found = PlainReader().read(text)
    assert isinstance(found, tuple), found
    return found


@given(reports(PYTHON))
@settings(max_examples=24, deadline=None)
def test_python(report: CrashReport) -> None:
    assert read(python_text(report)) == (report,)


MARGINS = ["    ", "> ", "web-1  | ", "\t", "ERROR:root:", "2026-01-02T03:04:05.6Z ", "Jan  2 03:04:05 host app[77]: ", "- > "]


@given(reports(PYTHON), st.sampled_from(MARGINS))
@settings(max_examples=25, deadline=None)
def test_margins_make_no_difference(report: CrashReport, margin: str) -> None:
    assert read(_behind(python_text(report), margin)) == (report,)


@given(reports(PYTHON), st.integers(1, 9))
@settings(max_examples=15, deadline=None)
def test_clocks_make_no_difference(report: CrashReport, second: int) -> None:
    lines = python_text(report).splitlines()
    text = "".join(
        f"2026-01-02 03:{second:02}:{number % 60:02},{number * 37 % 1000} ERR | {line}\n" for number, line in enumerate(lines)
    )
    assert read(text) == (report,)


def _behind(text: str, margin: str) -> str:
    return "".join(margin + line + "\n" for line in text.splitlines())


@given(
    reports(PYTHON), st.lists(prose, max_size=2), st.sampled_from(["\n```\n", "\n~~~\n", "\n</details>\n", "2026-01-02 03:04 on\n"])
)
@settings(max_examples=20, deadline=None)
def test_noise_around_makes_no_difference(report: CrashReport, noise: list[str], end: str) -> None:
    around = "\n".join(noise)
    assert read(f"# {around}\n```pytb\n{python_text(report)}{end}{around}\n") == (report,)


@given(st.lists(reports(PYTHON), min_size=2, max_size=3))
@settings(max_examples=15, deadline=None)
def test_several_are_read_in_order(several: list[CrashReport]) -> None:
    text = "".join(f"INFO next\n{python_text(report)}" for report in several)
    assert read(text) == tuple(several)


@given(reports(PYTHON), st.integers(1, 3), st.booleans(), names)
@settings(max_examples=25, deadline=None)
def test_json_strings(report: CrashReport, times: int, to_ascii: bool, key: str) -> None:
    text = python_text(report)
    for _ in range(times):
        text = json.dumps({"at": "3 o'clock \\", f"x_{key}": text, "z": [1, "é"]}, ensure_ascii=to_ascii)
    assert read(f"before\n{text}\nafter\n") == (report,)


@given(reports(PYTHON), st.booleans())
@settings(max_examples=20, deadline=None)
def test_reprs_and_lists_of_lines(report: CrashReport, listed: bool) -> None:
    text = python_text(report)
    assert read(f"got {text.splitlines(True) if listed else text!r} there") == (report,)


@given(reports(PYTHON))
@settings(max_examples=15, deadline=None)
def test_line_ends_and_colours_make_no_difference(report: CrashReport) -> None:
    text = python_text(report)
    assert read(text.replace("\n", "\r\n")) == (report,)
    assert read("\ufeff" + text) == (report,)
    coloured = text.replace("File ", "File \x1b[35m").replace(", line", "\x1b[0m, line").replace("Traceback", "\x1b[1mTraceback")
    assert read(coloured) == (report,)


@given(reports(replace(PYTHON, values=words, messages=prose)))
@settings(max_examples=15, deadline=None)
def test_no_break_spaces_in_margins_make_no_difference(report: CrashReport) -> None:
    text = "\n".join(line.replace(" ", "\xa0", len(line) - len(line.lstrip())) for line in python_text(report).split("\n"))
    assert read(text) == (report,)


@st.composite
def arrowed_frames(draw: st.DrawFn) -> ReportedFrame:
    """With the values of names in the source alone."""
    frame = draw(frames(LOGURU))
    if frame.source is None:
        return frame
    own = draw(st.lists(st.sampled_from(["a", "b"]), unique=True, max_size=2))
    # In the order of printing: the last name of the line first.
    return replace(frame, source="return (a, b)", local_values={name: draw(words) for name in sorted(own, reverse=True)})


LOGURU = Carries(columns=False, local_values=False, groups=True, places=True, messages=prose)


@given(reports(LOGURU), st.data(), st.booleans())
@settings(max_examples=30, deadline=None)
def test_loguru(report: CrashReport, data: st.DataObject, ascii_only: bool) -> None:
    def arrowed(exception: ReportedException) -> ReportedException:
        return replace(exception, frames=tuple(data.draw(arrowed_frames()) for _ in exception.frames))

    report = CrashReport(tuple(map(arrowed, report.exceptions)))
    assert read(loguru_text(report, *(("|", "->") if ascii_only else ()))) == (report,)


RICH = Carries(
    columns=False,
    repeated=False,
    notes="any",
    groups=True,
    paths=plain_paths | odd_paths.filter(lambda path: "/" in path),
    functions=functions,
    values=st.lists(names | st.sampled_from(["'日本'", "[1,", "{}"]), min_size=1, max_size=3).map(" ".join),
    messages=prose,
)


@given(reports(RICH), st.sampled_from([100, 120, 200]), st.booleans())
@settings(max_examples=24, deadline=None)
def test_rich(report: CrashReport, width: int, ascii_only: bool) -> None:
    assert read(rich_text(report, Box(width, ascii_only))) == (report,)


@given(reports(RICH), st.sampled_from(MARGINS))
@settings(max_examples=15, deadline=None)
def test_rich_behind_a_margin(report: CrashReport, margin: str) -> None:
    assert read(_behind(rich_text(report, Box(120)), margin)) == (report,)


@given(exceptions(Carries(places=True)))
@settings(max_examples=15, deadline=None)
def test_boxes_of_syntax_errors(exception: ReportedException) -> None:
    place = exception.place
    if place is None or place.path.startswith("<"):
        return
    narrow = replace(place, columns=(place.columns[0], place.columns[0] + 1) if place.columns else None)
    report = CrashReport((ReportedException("SyntaxError", exception.message, (ReportedFrame("/a.py", 3, "f"),), place=narrow),))
    assert read(rich_text(report, Box(100))) == (report,)
