"""What the plain reader refuses, and how tracebacks of this very interpreter read."""

import traceback

import pytest

from crashwright.core.errors import ReportError
from crashwright.core.report import ReportedFrame, SyntaxPlace, Unknown
from crashwright.crash.readers.plain import PlainReader
from crashwright.crash.readers.registry import read_reports

HEAD = "Traceback (most recent call last):\n"
WHOLE = """Traceback (most recent call last):
  File "/x/a.py", line 3, in one
    two()
ValueError: bad
"""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("hello\n", "no Python traceback"),
        ("Traceback (most recent call last):\n", "nothing readable"),
        (WHOLE[: WHOLE.index("ValueError")], "breaks off before the line that names the exception"),
        (WHOLE + "\nDuring handling of the above exception, another exception occurred:\n", "came last is missing"),
        (WHOLE + "\nDuring handling of the above exception, another exception occurred:\n\n" + WHOLE[:60], "came last is missing"),
    ],
)
def test_what_cannot_be_read_is_told_in_words(text: str, words: str) -> None:
    with pytest.raises(ReportError) as caught:
        read_reports(text)
    assert words in caught.value.message
    assert caught.value.advice


def test_a_broken_traceback_before_a_whole_one_is_left_out() -> None:
    reports = read_reports(WHOLE[:60] + "\n" + WHOLE)
    assert [report.crash.type for report in reports] == ["ValueError"]


def test_the_last_reader_with_a_report_wins() -> None:
    class Nothing:
        name = "nothing"

        def read(self, text: str) -> Unknown:
            return Unknown("never")

    assert read_reports(WHOLE, (Nothing(), PlainReader()))[0].crash.message == "bad"
    with pytest.raises(ReportError, match="never"):
        read_reports(WHOLE, (Nothing(),))


def test_reads_what_this_interpreter_prints() -> None:
    def fail(table: dict[str, int]) -> int:
        return table["a: b"] + 1

    try:
        try:
            fail({})
        except KeyError as error:
            error.add_note("while failing")
            raise ValueError("no:\n\n  such: part") from error
    except ValueError:
        text = traceback.format_exc()
    (report,) = read_reports(text)
    first, last = report.exceptions
    assert (first.type, first.message, first.notes, first.link) == ("KeyError", "'a: b'", ("while failing",), "cause")
    assert [frame.function for frame in first.frames] == ["test_reads_what_this_interpreter_prints", "fail"]
    frame = first.frames[-1]
    assert frame.source is not None
    assert frame.columns is not None
    assert frame.source[slice(*frame.columns)] == 'table["a: b"]'
    assert (last.type, last.message, last.link) == ("ValueError", "no:\n\n  such: part", None)


def test_other_output_ends_a_message() -> None:
    for noise in ("2024-01-01 10:00:00 bye", "```", "INFO done", "ann@box:~/x$ ls", "Process finished with exit code 1"):
        assert read_reports(WHOLE + noise + "\nmore\n")[0].crash.message == "bad"


def test_a_blank_line_ends_a_builtin_message_but_not_a_packages() -> None:
    assert read_reports(WHOLE + "\nWhat now?")[0].crash.message == "bad"
    assert read_reports(WHOLE.replace("ValueError", "x.Error") + "\nsecond part")[0].crash.message == "bad\n\nsecond part"
    assert read_reports(WHOLE.replace("bad", "wrong:") + "\nsecond part")[0].crash.message == "wrong:\n\nsecond part"


def frame_of(lines: str) -> ReportedFrame:
    return read_reports(f'{HEAD}  File "/a.py", line 3, in f\n{lines}ValueError: x\n')[0].crash.frames[-1]


def test_columns_are_those_of_the_first_of_several_echoed_lines() -> None:
    frame = frame_of("    value // (\n    ~~~~~~^^~~\n            value\n            ~~~~~\n      - 2\n      ~~~\n    )\n    ~\n")
    assert (frame.source, frame.columns, frame.anchor) == ("value // (", (0, 10), (6, 8))
    deeper_first = frame_of("        items\n        ~~~~~\n    .take(\n    ~~~~~^\n    count = 3,\n    ^^^^^^^^^\n    )\n    ^\n")
    assert (deeper_first.source, deeper_first.columns, deeper_first.local_values) == ("items", (0, 5), {})


def test_arguments_of_an_open_call_are_no_local_values() -> None:
    assert frame_of("    f(\n    a = 1,\n    b = 2)\n    c = 3\n").local_values == {"b": "2)", "c": "3"}
    assert frame_of("    f(\n        a=1,\n    )\n    c = 3\n    d = [4,\n 5]\n").local_values == {"c": "3", "d": "[4,\n 5]"}


def test_values_at_arrows_belong_to_the_names_they_point_at() -> None:
    lines = """    total = shelf.count(name) + shelf.take(1)
            │     │     │       │     └ <function Shelf.take at 0x1>
            │     │     │       └ <Shelf
            │     │     │         of bolts>
            │     │     └ 'größe'
            │     └ <function Shelf.count at 0x1>
            └ <Shelf of bolts>
"""
    assert frame_of(lines).local_values == {"name": "'größe'", "shelf": "<Shelf of bolts>"}
    assert frame_of(lines).columns is None


def test_a_missing_message_is_not_what_loguru_shows_instead() -> None:
    text = f'{HEAD}\n  File "/a.py", line 3, in f\n    assert total == 3\n           └ 4\n\nAssertionError: assert total == 3\n'
    assert read_reports(text)[0].crash.message == ""
    assert read_reports(text.replace("\n\n", "\n"))[0].crash.message == "assert total == 3"


def test_syntax_errors_without_any_frame() -> None:
    (report,) = read_reports('$ python x.py\n  File "x.py", line 3\n    a b\n      ^\nSyntaxError: invalid syntax\n$ ')
    assert report.crash.place == SyntaxPlace("x.py", 3, "a b", (2, 3))
    assert report.crash.frames == ()
    (report,) = read_reports(HEAD + '  File "<string>", line 1\n    x = 1\nIndentationError: unexpected indent\n')
    assert report.crash.place == SyntaxPlace("<string>", 1, "x = 1")


def test_local_values_beside_the_source_in_a_box() -> None:
    rows = [
        "╭────────────────── Traceback (most recent call last) ──────────────────╮",
        "│ /a.py:3 in f                                                          │",
        "│                                                                       │",
        "│   2 def f(a):                     ╭──── locals ────╮                  │",
        "│ ❱ 3 │   return take(a)            │    a = '日本'  │                  │",
        "│   4                               │ name = [       │                  │",
        "│                                   │        │   1,  │                  │",
        "│                                   │        ]       │                  │",
        "│                                   ╰────────────────╯                  │",
        "╰───────────────────────────────────────────────────────────────────────╯",
        "ValueError: x",
    ]
    frame = read_reports("\n".join(rows))[0].crash.frames[0]
    assert (frame.source, frame.local_values) == ("return take(a)", {"a": "'日本'", "name": "[1,]"})


def test_frames_that_rich_hid_of_a_recursion_are_counted() -> None:
    frame = "│ /a.py:3 in f      │\n│                   │\n│ ❱ 3 f()           │\n"
    hidden = "│ ... 900 frames hidden ... │\n"
    text = f"╭── Traceback (most recent call last) ──╮\n{frame * 4}{hidden}{frame * 4}╰──╯\nRecursionError: x\n"
    frames = read_reports(text)[0].crash.frames
    assert len(frames) == 3
    assert sum(1 + one.repeated for one in frames) == 908


def test_long_lines_of_a_box_are_joined_again() -> None:
    text = """╭─ Traceback (most recent call last) ─╮
│ /very/long/path/of/a/project/module │
│ .py:12 in take                      │
│                                     │
│ ❱ 12 │   return values[index] + oth │
│                                     │
│ /very/long/path/of/a/module.py:3 in │
│ give                                │
╰─────────────────────────────────────╯
ValueError: a message that is too long,
for the box

The above exception was the direct
cause of the following exception:

╭─ Traceback (most recent call last) ─╮
│ /a.py:3 in f                        │
╰─────────────────────────────────────╯
KeyError: 3
"""
    first, last = read_reports(text)[0].exceptions
    assert [(frame.path, frame.line, frame.function, frame.source) for frame in first.frames] == [
        ("/very/long/path/of/a/project/module.py", 12, "take", None),
        ("/very/long/path/of/a/module.py", 3, "give", None),
    ]
    assert (first.message, first.link, last.type) == ("a message that is too long, for the box", "cause", "KeyError")


def test_groups_without_a_traceback_and_cut_groups() -> None:
    bare = (
        "  | ExceptionGroup: a (1 sub-exception)\n  +-+---------------- 1 ----------------\n    | ValueError: b\n    +----------\n"
    )
    (report,) = read_reports(f"failed:\n{bare}")
    assert (report.crash.message, report.crash.frames) == ("a (1 sub-exception)", ())
    assert report.crash.group[0].crash.message == "b"
    cut = (
        bare[: bare.index("    +-----")]
        + "    +---------------- 2 ----------------\n    | Traceback (most recent call last):\n    |   File"
    )
    assert [one.crash.type for one in read_reports(cut)[0].crash.group] == ["ValueError"]
