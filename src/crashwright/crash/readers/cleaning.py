"""What terminals, editors, web pages and wrong decoders add to a text, taken off: colours, odd spaces, entities, encodings."""

from __future__ import annotations

import codecs
import re

from crashwright.crash.readers.notebooks import from_notebook
from crashwright.crash.readers.web_pages import from_page

_CONTROL = re.compile(
    r"""(?x) \x1b \[ [0-9;:?]* [ -/]* [@-~]      # colours and cursor movements
    | \x1b \] [^\x07\x1b]{0,2000} (?:\x07|\x1b\\)  # links and window titles
    | \x1b [()] [0-9A-Z] | \x1b [=>78]
    """
)
_COLOUR_WITHOUT_ESCAPE = re.compile(r"(?:␛|\^\[)?\[\d{0,3}(?:;\d{1,3}){0,4}m")
_COLOURED_FRAME = re.compile(r"\[[\d;]{0,12}m {0,4}(?:File\b|Traceback \()|File \[[\d;]{0,12}m")
"Where colours lost their escape character on the way: no message looks like this."
_ODD = "\xa0\u1680\u2000-\u200f\u202f\u205f\u2060\u3000\ufeff"
_ODD_MARGIN = re.compile(rf"^[ \t]*[{_ODD}][ \t{_ODD}]*", re.M)
_ODD_IN_FRAME = re.compile(r"^.{0,300}?(?:File[ \xa0]\"|Traceback[ \xa0]\(most).*$", re.M)
_NO_WIDTH = re.compile("[\u200b-\u200f\u2060\ufeff]")
_ODD_SPACE = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_MANGLED = re.compile("â(?:[\x94\x95”•]|\x9d±)")
"Lines of boxes in UTF-8, read as Windows-1252 or Latin-1. Other mangled characters may be what the crash is about."


def decoded(data: bytes) -> str:
    """The text of a file: UTF-8, or a wide encoding that says so at its beginning. Other bytes stay visible."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    return data.decode("utf-8-sig", errors="backslashreplace")


def clean(text: str) -> str:
    """``text`` as its writer meant it. Messages and values keep their characters: what is taken off is what no report has."""
    text = narrow(text).replace("\r\n", "\n").replace("\r", "\n")
    if "\x1b" in text:
        text = _CONTROL.sub("", text)
    elif ("[0m" in text or "[39m" in text) and _COLOURED_FRAME.search(text):
        text = _COLOUR_WITHOUT_ESCAPE.sub("", text)
    if _MANGLED.search(text):
        text = "\n".join(_unmangled(line) for line in text.split("\n"))
    text = from_page(text)
    if not text.isascii():
        text = _ODD_MARGIN.sub(lambda match: plain_spaces(match[0]), text)
        text = _ODD_IN_FRAME.sub(lambda match: plain_spaces(match[0]), text)
    return from_notebook(text)


def plain_spaces(text: str) -> str:
    """Spaces that look like spaces; characters without any width go."""
    return _NO_WIDTH.sub("", _ODD_SPACE.sub(" ", text))


def narrow(text: str) -> str:
    """Without byte order marks, and without the zero bytes of a wide encoding (PowerShell writes files so) read as a narrow one."""
    for mark in ("\ufeff", "\\xff\\xfe", "\\xfe\\xff", "ÿþ", "þÿ"):
        text = text.removeprefix(mark)
    return text.replace("\0", "") if text.count("\0") * 4 >= len(text) else text


def _unmangled(line: str) -> str:
    """UTF-8 that was read as Windows-1252 or Latin-1, read again; the line itself where it is not that."""
    try:
        return b"".join(map(_byte, line)).decode("utf-8")
    except UnicodeError:
        return line


def _byte(character: str) -> bytes:
    return character.encode("latin-1" if ord(character) < 256 else "cp1252")
