"""Takes off what stands left of pytest's output: clocks of a CI service, indentation, quote marks, colours."""

from __future__ import annotations

import re
from collections.abc import Sequence

from crashwright.crash.readers.cleaning import clean

_COLOUR = re.compile(r"(?:␛|\^\[|#x1B|\\x1b)?\[\d{1,3}(?:;\d{1,3}){0,4}m")
_COLOURED = re.compile(rf"^(?:{_COLOUR.pattern})+(?:[=_]{{3}}|E {{3}})", re.MULTILINE)
"Colours whose first character was lost or spelled out: seen in lines that no message has."
_RULER = re.compile(r"(?<!=)={3,} (?:FAILURES|ERRORS|test session starts|short test summary info) ={3,}|(?<!_ )(?:_ ){10,}")
_TITLE = re.compile(r"(?<!_)_{5,} \S")
_QUOTE = re.compile(r"^\s*> ?")
_QUOTES = 5
_WIDEST = 200
_NUMBER = re.compile(r"(\d+)")


def without_margin(text: str) -> list[str]:
    """The lines of ``text``. The margin is what stands before the first ruled line, or else the indentation of all lines; its
    digits may differ from line to line."""
    text = clean(text)
    lines = (_COLOUR.sub("", text) if _COLOURED.search(text) else text).split("\n")
    found = next(filter(None, map(_ruled, lines)), None)
    if found is None:
        return _dedented(lines)
    margin = found.string[: found.start()]
    return _without(lines, margin) if 0 < len(margin) <= _WIDEST else lines


def _ruled(line: str) -> re.Match[str] | None:
    return _RULER.search(line) or (_TITLE.search(line) if line.rstrip().endswith("_____") else None)


def _without(lines: Sequence[str], margin: str) -> list[str]:
    body = margin.rstrip()
    mask = "".join(r"\d+" if part.isdecimal() else re.escape(part) for part in _NUMBER.split(body))
    pattern = re.compile(f"{mask}(?:{re.escape(margin[len(body) :])}|\\s*$)")
    stripped = []
    for line in lines:
        match = pattern.match(line)
        stripped.append(line[match.end() :] if match else line)
    return stripped


def _dedented(lines: Sequence[str]) -> list[str]:
    """Without what all lines begin with: quote marks (pytest's own stands before one line of a frame), indentation."""
    kept = list(lines)
    for _ in range(_QUOTES):
        shown = [line for line in kept if line.strip()]
        if len(shown) < 2 or not all(line.lstrip().startswith(">") for line in shown):
            break
        kept = [_QUOTE.sub("", line) for line in kept]
    depth = min((len(line) - len(line.lstrip()) for line in kept if line.strip()), default=0)
    return [line[depth:] for line in kept] if depth else kept
