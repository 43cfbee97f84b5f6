"""read(render(report)) == report, and no text at all breaks the reader."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from crashwright.core.errors import ReportError
from crashwright.core.report import CrashReport, ReportedException, ReportedFrame
from crashwright.crash.readers.registry import read_reports

SENTENCES = {
    "cause": "The above exception was the direct cause of the following exception:",
    "context": "During handling of the above exception, another exception occurred:",
}
GOLDEN = [
    path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parents[1].joinpath("golden/tracebacks").glob("*.txt"))
]


def render(report: CrashReport) -> str:
    """As Python 3.11 prints it."""
    return (
        "\n".join("\n".join([*_block(one), *(["", SENTENCES[one.link], ""] if one.link else [])]) for one in report.exceptions)
        + "\n"
    )


def _block(exception: ReportedException) -> list[str]:
    lines = ["Traceback (most recent call last):"]
    for frame in exception.frames:
        lines.append(f'  File "{frame.path}", line {frame.line}, in {frame.function}')
        if frame.source is not None:
            lines.append(f"    {frame.source}")
        if frame.columns is not None:
            lines.append("    " + _carets(frame.columns, frame.anchor))
        lines += [f"    {name} = {value}" for name, value in frame.local_values.items()]
        if frame.repeated:
            lines.append(f"  [Previous line repeated {frame.repeated} more time{'s' if frame.repeated > 1 else ''}]")
    lines.append(f"{exception.type}: {exception.message}" if exception.message else exception.type)
    return [*lines, *exception.notes]


def _carets(columns: tuple[int, int], anchor: tuple[int, int] | None) -> str:
    start, end = columns
    first, last = anchor or columns
    return " " * start + "~" * (first - start) + "^" * (last - first) + "~" * (end - last)


names = st.from_regex(r"[a-zA-Z_][a-zA-Z0-9_]{0,8}", fullmatch=True)
printable = st.characters(min_codepoint=33, max_codepoint=0x2FF, exclude_categories=("Cc", "Zs", "Cs"))
words = st.text(printable, min_size=1, max_size=8)
text_line = st.lists(words, min_size=1, max_size=5).map(" ".join)
prose = st.lists(names, min_size=1, max_size=5).map(lambda parts: "the " + " ".join(parts))
paths = st.one_of(
    st.sampled_from(["<string>", "<frozen os>", "<class 'a.B'> compilation 6", "C:\\Users\\A B\\m.py", "/x y/z.py"]),
    st.lists(names, min_size=1, max_size=4).map(lambda parts: "/" + "/".join(parts) + ".py"),
)


@st.composite
def frames(draw: st.DrawFn) -> ReportedFrame:
    function = draw(st.one_of(names, st.sampled_from(["<module>", "<lambda>", "<genexpr>"])))
    repeated = draw(st.sampled_from([0, 0, 1, 984]))
    source = draw(st.none() | names.map(lambda name: f"return {name}(a, b)"))
    if source is None:
        return ReportedFrame(draw(paths), draw(st.integers(1, 9999)), function, repeated=repeated)
    edges = sorted(draw(st.lists(st.integers(0, len(source)), min_size=4, max_size=4, unique=True)))
    marked, anchored = draw(st.booleans()), draw(st.booleans())
    return ReportedFrame(
        draw(paths),
        draw(st.integers(1, 9999)),
        function,
        source,
        (edges[0], edges[3]) if marked else None,
        (edges[1], edges[2]) if marked and anchored else None,
        draw(st.dictionaries(names, text_line, max_size=2)),
        repeated,
    )


@st.composite
def exceptions(draw: st.DrawFn) -> ReportedException:
    found = tuple(draw(st.lists(frames(), min_size=1, max_size=3)))
    link = draw(st.sampled_from(["cause", "context"]))
    if draw(st.booleans()):
        kind = draw(st.sampled_from(["KeyError", "TypeError", "AttributeError"]))
        return ReportedException(kind, draw(prose), found, tuple(draw(st.lists(prose, max_size=2))), link)
    kind = ".".join(draw(st.lists(names, min_size=2, max_size=3)))
    further = [*draw(st.lists(prose | st.just(""), max_size=3)), draw(prose)] if draw(st.booleans()) else []
    message = draw(st.one_of(text_line, prose))
    return ReportedException(kind, "\n".join([message, *further]), found, (), link)


@st.composite
def reports(draw: st.DrawFn) -> CrashReport:
    chain = draw(st.lists(exceptions(), min_size=1, max_size=3))
    last = ReportedException(chain[-1].type, chain[-1].message, chain[-1].frames, chain[-1].notes, None)
    return CrashReport((*chain[:-1], last))


@given(reports())
@settings(max_examples=60, deadline=None)
def test_read_undoes_render(report: CrashReport) -> None:
    assert read_reports(render(report)) == (report,)


@given(reports(), st.sampled_from(["    ", "> ", "web-1  | ", "\t"]))
@settings(max_examples=25, deadline=None)
def test_margins_make_no_difference(report: CrashReport, margin: str) -> None:
    text = "".join(margin + line + "\n" for line in render(report).splitlines())
    assert read_reports(text) == (report,)


@given(reports(), st.lists(prose, max_size=2))
@settings(max_examples=25, deadline=None)
def test_noise_around_makes_no_difference(report: CrashReport, noise: list[str]) -> None:
    around = "\n".join(noise)
    assert read_reports(f"{around}\n{render(report)}```\n{around}\n") == (report,)


pieces = st.sampled_from(
    [
        "Traceback (most recent call last):",
        '  File "a.py", line 1, in f',
        '  File "a.py", line ?, in f',
        "    x()",
        "    ^^^",
        "  | ",
        "  + Exception Group Traceback (most recent call last):",
        "  +-+---------------- 1 ----------------",
        "  [Previous line repeated 3 more times]",
        "ValueError: x",
        *SENTENCES.values(),
        "",
        "web | ",
        "\n",
        "12:00 ",
    ]
)


@given(st.one_of(st.text(), st.lists(pieces | st.text(max_size=6)).map("".join), st.lists(pieces).map("\n".join)))
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    _read_or_refuse(text)


@given(st.sampled_from(GOLDEN), st.data())
@settings(max_examples=100, deadline=None)
def test_cut_reports_are_read_or_refused(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    _read_or_refuse(text[start:end])


def _read_or_refuse(text: str) -> None:
    try:
        found = read_reports(text)
    except ReportError as error:
        refusal = error
    else:
        assert found
        assert all(report.exceptions and report.crash.link is None for report in found)
        return
    assert refusal.message
    assert refusal.advice
