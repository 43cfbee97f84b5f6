"""Units of a text, found in the text itself, with no parser and no format in mind: tokens, lines with what is indented beneath
them, pairs of brackets and quotes, elements between tags.

What is looked for is as cheap as it can be, since edits outnumber everything but runs: one pass of a regular expression over a
bounded part of the text. What does not fit (a bracket that nothing closes) is no unit, and no error.
"""

from __future__ import annotations

import re
from random import Random
from typing import NamedTuple

LOOKED_AT = 512
"""Characters of a long text in which units are looked for, at a random place."""
_TOKENS_IN = 96
_TOKEN = re.compile(r"\w+|(?P<mark>[^\w\s])(?P=mark)*|[^\S\n]+|\n")
_MARK = re.compile(r"""[()\[\]{}"'`]|(?P<run>[*_~$%|#=])(?P=run)*""")
_TAG = re.compile(
    r"[<\[](?P<end>/?)(?P<name>[A-Za-z][\w:.-]*)[^<>\[\]]*[>\]]"  # <a b="c">, [a]
    r"|\{% *(?P<close>end)?(?P<word>\w+)[^%{}]*%\}"
)
_STRUCTURAL = re.compile(r"\n(?=[^\n])|[()\[\]{}<>,;:=|&]")
_CLOSES = {")": "(", "]": "[", "}": "{"}
_MOST_SHARE = 0.5
_ENOUGH = 8
"""Marks of structure in a text from which on it is edited as a structured one at the full share."""


class Unit(NamedTuple):
    """``text[start:end]``, of which ``text[opens:closes]`` is the inner part; without marks around it the two are the same."""

    start: int
    opens: int
    closes: int
    end: int


def structured_share(text: str) -> float:
    """How often an edit of ``text`` should be one of its units: never where there is nothing but a word or a number."""
    found = len(_STRUCTURAL.findall(text, 0, 128))
    return _MOST_SHARE * min(found, _ENOUGH) / _ENOUGH


def units_of(rng: Random, text: str) -> list[Unit]:
    """The units of one sort, chosen among those that ``text`` has; at least one where there is a character."""
    sorts = [_tokens]
    if "\n" in text:
        sorts += (_blocks, _blocks)
    if "<" in text or "[/" in text or "%}" in text:
        sorts += (_elements, _elements)
    sorts += (_pairs, _pairs)
    start = 0 if len(text) <= LOOKED_AT else int(rng.random() * (len(text) - LOOKED_AT))
    found = sorts[int(rng.random() * len(sorts))](rng, text, start)
    return found or _tokens(rng, text, start)


def _tokens(rng: Random, text: str, start: int) -> list[Unit]:
    """Words, runs of one mark, white space, around a random place."""
    place = start + int(rng.random() * (min(len(text), start + LOOKED_AT) - start))
    place = max(0, place - _TOKENS_IN // 2)
    while place > 0 and text[place].isalnum() and text[place - 1].isalnum():
        place -= 1
    spans = [match.span() for match in _TOKEN.finditer(text, place, place + _TOKENS_IN)]
    return [Unit(first, first, last, last) for first, last in spans]


def _blocks(rng: Random, text: str, start: int) -> list[Unit]:
    """Each line with the lines beneath it that are indented deeper, and half the time each paragraph instead."""
    if start:
        start = text.find("\n", start) + 1
    lines: list[tuple[int, int]] = []
    while start < len(text) and len(lines) < 64:
        end = text.find("\n", start) + 1 or len(text)
        lines.append((start, end))
        start = end
    if "\n\n" in text and rng.random() < 0.5:
        return _paragraphs(text, lines)
    depths = [_depth(text[first:last]) for first, last in lines]
    units = []
    for index, (first, last) in enumerate(lines):
        beneath = index + 1
        while beneath < len(lines) and depths[beneath] > depths[index] >= 0:
            beneath += 1
        end = lines[beneath - 1][1]
        units.append(Unit(first, last, end, end) if beneath > index + 1 else Unit(first, first, end, end))
    return units


def _depth(line: str) -> int:
    """Of the indentation; an empty line is deeper than any."""
    bare = line.lstrip()
    return len(line) - len(bare) if bare else 1 << 20


def _paragraphs(text: str, lines: list[tuple[int, int]]) -> list[Unit]:
    units: list[Unit] = []
    begin: int | None = None
    for first, last in lines:
        if text[first:last].strip():
            begin = first if begin is None else begin
        elif begin is not None:
            units.append(Unit(begin, begin, last, last))
            begin = None
    if begin is not None:
        units.append(Unit(begin, begin, lines[-1][1], lines[-1][1]))
    return units


def _pairs(rng: Random, text: str, start: int) -> list[Unit]:  # noqa: ARG001 (all sorts have one signature)
    """Between brackets, quotes, and runs of a mark that come again (``**``)."""
    units = []
    open_marks: list[tuple[str, int, int]] = []
    for match in _MARK.finditer(text, start, start + LOOKED_AT):
        mark = match.group()
        wanted = _CLOSES.get(mark, mark)
        for level in range(len(open_marks) - 1, -1, -1):
            if open_marks[level][0] == wanted:
                _, first, opens = open_marks[level]
                units.append(Unit(first, opens, match.start(), match.end()))
                del open_marks[level:]
                break
        else:
            if mark not in _CLOSES:
                open_marks.append((mark, match.start(), match.end()))
    return units


def _elements(rng: Random, text: str, start: int) -> list[Unit]:  # noqa: ARG001 (all sorts have one signature)
    """From a tag to the one that closes it, and tags that nothing closes: ``<a>``, ``[a]``, ``{% a %}``."""
    units = []
    open_tags: list[tuple[str, int, int]] = []
    for match in _TAG.finditer(text, start, start + LOOKED_AT):
        name = match["name"] or match["word"]
        first, last = match.span()
        if match["end"] or match["close"]:
            for level in range(len(open_tags) - 1, -1, -1):
                if open_tags[level][0] == name:
                    units.append(Unit(open_tags[level][1], open_tags[level][2], first, last))
                    units += [Unit(begin, begin, opens, opens) for _, begin, opens in open_tags[level + 1 :]]
                    del open_tags[level:]
                    break
            else:
                units.append(Unit(first, first, last, last))
        else:
            open_tags.append((name, first, last))
    return units + [Unit(begin, begin, opens, opens) for _, begin, opens in open_tags]
