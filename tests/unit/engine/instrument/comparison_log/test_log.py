"""What functions compare with pieces of a text is wanted just where these stand."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FunctionType

import pytest

from crashwright.engine.instrument.comparison_log.log import ComparisonLog
from crashwright.engine.instrument.comparison_log.notes import ComparisonNotes
from crashwright.engine.instrument.comparison_log.rewriting import logged_functions
from crashwright.engine.instrument.comparison_log.wanted import Expression, Span

HEAD = """
import io, re, struct
TABLE = {"go": 1, "stop": 2}
NAME = re.compile("[a-z]+=")


class Visitor:
    def visit_list(self): ...
    def visit_map(self): ...


"""


def notes_of(body: str, text: str | bytes, given: object = None) -> ComparisonNotes:
    """Of a function ``read(text)`` with this body."""
    source = HEAD + "def read(text):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    names: dict[str, object] = {}
    exec(compile(source, "read.py", "exec"), names)
    log = ComparisonLog()
    codes, _ = logged_functions(source, "read.py", log, 0)
    read = names["read"]
    assert isinstance(read, FunctionType)
    read.__code__ = codes["read", read.__code__.co_firstlineno]
    call: Callable[[object], object] = read
    log.begin(text if isinstance(text, str) else text.decode("latin-1"))
    with suppress(ValueError, KeyError, IndexError, AttributeError, struct.error):
        call(text if given is None else given)
    return log.end()


def wanted(notes: ComparisonNotes) -> set[tuple[int, int, str]]:
    return {(want.span.start, want.span.end, want.value) for want in notes.wants if isinstance(want.value, str)}


@pytest.mark.parametrize(
    ("body", "text", "want"),
    [
        ('return text[2:4] == "xy"', "abcdef", (2, 4, "xy")),
        ('return text[-1] != ";"', "abc", (2, 3, ";")),
        ('return "[" == text[1]', "abc", (1, 2, "[")),
        ('return [c for c in text if c == "x"]', "ab", (1, 2, "x")),
        ('return any(c == "x" for n, c in enumerate(text))', "abc", (2, 3, "x")),
        ('head, _, tail = text.partition(":")\nreturn tail == "yes"', "k:no", (2, 4, "yes")),
        ('return text.split(",")[1] == "x"', "a,,bc", (2, 2, "x")),
        ("return int(text[2:], 16) == 171", "0x1", (2, 3, "AB")),
        ("return int(text, 2) == 5", "0000", (0, 4, "0101")),
        ('return text.partition(":")', "ab", (2, 2, ":")),
        ('return [w for w in text.split() if w in ("if", "else")]', "a  bcd", (3, 6, "else")),
        ('return [line.strip() == "END" for line in text.splitlines()]', "a\n  b \n", (4, 5, "END")),
        ('return text[1:].startswith(("on", "off"))', "abcde", (1, 4, "off")),
        ('return text.endswith("end")', "abcde", (2, 5, "end")),
        ('return text.find("#", 1)', "abc", (1, 1, "#")),
        ("return TABLE[text[1:]]", "xgone", (1, 5, "stop")),
        ("return TABLE.get(text)", "ab", (0, 2, "go")),
        ('return text[0] in "+-"', "abc", (0, 1, "-")),
        ('return "::" in text', "ab", (2, 2, "::")),
        ("return text[1].isdigit()", "ab", (1, 2, "0")),
        ("return int(text[1:])", "xab", (1, 3, "1")),
        ("return int(text[1:]) == 42", "x7", (1, 2, "42")),
        ("return int(text[1:]) > 99", "x7", (1, 2, "100")),
        ("return len(text) == 4", "ab", (0, 2, "abab")),
        ("return ord(text[1]) == 0x41", "ab", (1, 2, "A")),
        ('name = text[1:]\nreturn getattr(Visitor, f"visit_{name}", None)', "<ab", (1, 3, "list")),
        ('return getattr(Visitor, "visit_" + text[1:], None)', "<ab", (1, 3, "map")),
        ('made = ""\nfor c in text[1:]:\n    made += c\nreturn made == "word"', "<abc", (1, 4, "word")),
        ('return NAME.match(text, 1).group() == "x="', "1ab=", (1, 4, "x=")),
        ('return re.split(",", text)[1] == "x"', "a,bc", (2, 4, "x")),
        ('match text:\n    case "start" | "stop":\n        return 1', "ab", (0, 2, "stop")),
        ('stream = io.StringIO(text)\nstream.readline()\nreturn stream.readline() == "x"', "a\nbc", (2, 4, "x")),
        ('c = text[0]\nreturn "a" < c < "f"', "z", (0, 1, "f")),
        ("try:\n    c = text[9]\nexcept IndexError:\n    c = None\nreturn c == TABLE or c == chr(93)", "ab", (2, 2, "]")),
    ],
)
def test_what_is_wanted_and_where(body: str, text: str, want: tuple[int, int, str]) -> None:
    assert want in wanted(notes_of(body, text))


@pytest.mark.parametrize(
    ("body", "text", "want"),
    [
        ("return text[:2] == b'PK'", b"abcd", (0, 2, "PK")),
        ("return text[1] == 0x1f", b"abcd", (1, 2, "\x1f")),
        ("return struct.unpack('>HH', text[1:5])[1] == 258", b"abcdef", (3, 5, "\x01\x02")),
        ("return struct.unpack('<I', text)", b"ab", (0, 2, "ab\0\0")),
        ("return int.from_bytes(text[1:3], 'little') == 1", b"abc", (1, 3, "\x01\0")),
        ("stream = io.BytesIO(text)\nstream.seek(2)\nreturn stream.read(2) == b'xy'", b"abababab", (2, 4, "xy")),
        ("return text.decode()[2:] == 'x'", b"abcd", (2, 4, "x")),
    ],
)
def test_bytes_are_texts_of_the_same_numbers(body: str, text: bytes, want: tuple[int, int, str]) -> None:
    assert want in wanted(notes_of(body, text))


def test_what_is_read_from_a_file_is_found_there(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("a\na\nbc\n")
    body = 'with open(text) as stream:\n    return [line.strip() == "x" for line in stream]'
    assert (2, 3, "x") in wanted(notes_of(body, "a\na\nbc\n", str(file)))
    assert (4, 6, "x") in wanted(notes_of(body, "a\na\nbc\n", str(file)))


def test_expressions_are_wanted_where_they_were_tried() -> None:
    notes = notes_of("return NAME.match(text, 2), NAME.search(text)", "ab12")
    expression = Expression("[a-z]+=", 32)
    assert {want.span for want in notes.wants if want.value == expression} >= {Span(2, 2), Span(2, 4), Span(4, 4)}


def test_what_does_not_come_from_the_text_is_a_word() -> None:
    notes = notes_of('kind = type(text).__name__ * 2\nreturn kind == "number"', "ab")
    assert not notes.wants
    assert list(notes.words) == ["number"]


def test_what_was_right_is_not_wanted() -> None:
    assert not notes_of('return text[:1] == "a" and text.startswith("ab")', "ab").wants


def test_streams_give_what_they_give() -> None:
    notes = notes_of("return text.read(2) == 'xy', text.read(2) == 'xy'", "abcd", io.StringIO("abcd"))
    assert {(0, 2, "xy"), (2, 4, "xy")} <= wanted(notes)
