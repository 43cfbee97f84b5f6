"""What the plain reader refuses, and how tracebacks of this very interpreter read."""

import traceback

import pytest

from crashwright.core.errors import ReportError
from crashwright.core.report import Unknown
from crashwright.crash.readers.plain import PlainReader
from crashwright.crash.readers.registry import read_reports

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
