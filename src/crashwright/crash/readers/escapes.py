"""Tracebacks inside of string literals: JSON log lines, reprs, lists of lines, syslog's ``#012``; escaped once or several times."""

from __future__ import annotations

import re
from typing import NamedTuple

from crashwright.crash.readers.cleaning import clean

_START = re.compile(r"Traceback \(most recent call last\):(?:\\+r)?(?:(?P<slashes>\\+)n|(?P<octal>\#012))")
_NEXT_STRING = re.compile(r"\s{0,200},\s{0,200}[bu]?(?P<quote>\\*[\"'])")
_OPENING = re.compile(r"(?<!\w)[bu]?'")
_ESCAPE = re.compile(r"\\(?:u(?P<wide>[0-9a-fA-F]{4})|x(?P<byte>[0-9a-fA-F]{2})|(?P<one>.))", re.S)
_ONE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "a": "\a", "v": "\v", "0": "\0"}
_LINE_BREAK_ONLY = re.compile(r"\\+n(?=  | *\\|[\w.]*(?:Error|Exception|Warning|Exit|Group)\b|Traceback|During|The above|\s*$)")
_MOST_LEVELS = 4
_FIRST_FRAME = 10_000
"The characters after a header within which the first frame is found."


class EscapedPiece(NamedTuple):
    """A part of a text; ``literal``: it stood in a string literal and is unescaped."""

    text: str
    literal: bool


def pieces(text: str) -> list[EscapedPiece]:
    """``text`` in parts to be read one by one."""
    found: list[EscapedPiece] = []
    done = line_end = 0
    for match in _START.finditer(text):
        if match.start() < done:
            continue
        start = max(done, text.rfind("\n", done, match.start()) + 1)
        if start > done:
            found.append(EscapedPiece(text[done:start], False))
        if match.end() > line_end:
            line_end = _line_end(text, match.end())
        literal, done = _literal(text, start, match, line_end)
        found.append(EscapedPiece(literal, True))
    if done < len(text):
        found.append(EscapedPiece(text[done:], False))
    return found


def _literal(text: str, start: int, match: re.Match[str], line_end: int) -> tuple[str, int]:
    """The unescaped text of the literal that holds the header, with what stands before it in its line, and where it ends."""
    if match["octal"]:
        return text[start:line_end].replace("#012", "\n").replace("#011", "\t"), line_end
    levels = min(len(match["slashes"]).bit_length(), _MOST_LEVELS)
    quote = _quote(text[start : match.start()], text[match.end() : min(line_end, match.end() + _FIRST_FRAME)])
    if not quote:
        return _LINE_BREAK_ONLY.sub("\n", text[start:line_end]), line_end
    end = _closing(text, match.end(), line_end, quote, levels)
    parts = [text[start:end]]
    # ``format_exception`` gives a list of lines: a first string with the header alone, then more of them.
    listed = end == match.end()
    while listed and (following := _NEXT_STRING.match(text, end + 1)):
        begin = following.end()
        if begin > line_end:
            line_end = _line_end(text, begin)
        end = _closing(text, begin, line_end, following["quote"][-1], levels)
        parts.append(text[begin:end])
        listed = parts[-1].endswith("n")
    unescaped = "".join(parts)
    for _ in range(levels):
        unescaped = _unescape(unescaped)
    return clean(unescaped), end


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _quote(before: str, after: str) -> str:
    """The quote around the literal: double where those inside it are escaped, single where they need not be, none without any."""
    frame = re.search(r"File (\\*)\"", after)
    if frame is None or frame[1]:
        return '"'
    return "'" if _OPENING.search(before) else ""


def _closing(text: str, start: int, end: int, quote: str, levels: int) -> int:
    """Where the literal ends: at a quote with fewer backslashes than one within it would have, or with the line."""
    whole: int = 1 << levels
    for match in re.compile(r"(\\*)" + quote).finditer(text, start, end):
        if len(match[1]) % whole != whole - 1:
            # The backslashes before it belong to the quote where the literal itself stands in one.
            return match.end() - 1 - len(match[1]) % whole
    return end


def _unescape(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        number = match["wide"] or match["byte"]
        if number:
            return chr(int(number, 16))
        one = match["one"]
        return _ONE.get(one, one if one in "\\\"'/\n" else match[0])

    # Pairs of surrogates are one character.
    return _ESCAPE.sub(character, text).encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
