"""Every small edit of a text, in order: what a person would try who reads a parser, one step at a time.

# Deviation: not in the papers. Random edits come by a given step of a text of 100 tokens once in thousands of tests, and by most of
them twice before they have come by all; in order each is tried once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
LONGEST = 4000
"""Characters of a text that is edited, and of what becomes of it."""
MOST_TOKENS = 5
"""Tokens in a row that are left out, doubled or turned round at once."""
MOST_PLACES = 48
"""Places at which one word is put into a text."""
FEW_WORDS, FEW_LINES = 16, 6
"""Words that are put at the beginnings and ends of lines first of all, and of how many lines."""
MOST_LINES = 24
"""Lines of other texts that are put in."""
NUMBERS = ("0", "1", "-1", "", "99999999999999999999")


def edits(text: str, words: Sequence[str] = (), others: Sequence[str] = ()) -> Iterator[str]:
    """The smallest first: ``words`` at the beginnings and ends of lines, lines left out or doubled, lines of ``others`` put in, cut
    off, single tokens, ``words`` anywhere, then more tokens at once. The same text may come twice."""
    tokens = TOKEN.findall(text[:LONGEST])
    for made in _steps(tokens, text[:LONGEST], words, others):
        if made != text and len(made) <= LONGEST:
            yield made


def _steps(tokens: list[str], text: str, words: Sequence[str], others: Sequence[str]) -> Iterator[str]:
    lines = text.splitlines(keepends=True)
    for word in words[:FEW_WORDS]:
        yield from _beside_lines(lines[:FEW_LINES], "".join(lines[FEW_LINES:]), word)
    if len(lines) > 1:
        yield from _changed(lines, 1)
    yield from _with_lines(lines, others)
    yield from _cut(tokens)
    yield from _changed(tokens, 1)
    yield from _renumbered(tokens)
    yield from _with_words(tokens, words)
    for count in range(2, MOST_TOKENS + 1):
        yield from _changed(tokens, count)
        if len(lines) > count:
            yield from _changed(lines, count)
    yield from _repeated(tokens)


def _beside_lines(lines: list[str], rest: str, word: str) -> Iterator[str]:
    for at in range(len(lines) + 1):
        before, after = "".join(lines[:at]), "".join(lines[at:]) + rest
        yield f"{before}{word}{after}"
        yield f"{before}{word}\n{after}"
        if before.endswith("\n"):
            yield f"{before[:-1]}{word}\n{after}"


def _with_lines(lines: list[str], others: Sequence[str]) -> Iterator[str]:
    known = set(lines)
    new = [line for line in dict.fromkeys(one for other in others for one in other.splitlines(keepends=True)) if line not in known]
    for line in new[:MOST_LINES]:
        whole = line if line.endswith("\n") else f"{line}\n"
        for at in range(min(len(lines), MOST_PLACES) + 1):
            before = "".join(lines[:at])
            if before and not before.endswith("\n"):
                before += "\n"
            yield f"{before}{whole}{''.join(lines[at:])}"


def _cut(tokens: list[str]) -> Iterator[str]:
    """The beginnings, longest first, then the ends."""
    for end in range(len(tokens) - 1, -1, -1):
        yield "".join(tokens[:end])
    for start in range(1, len(tokens)):
        yield "".join(tokens[start:])


def _changed(parts: list[str], count: int) -> Iterator[str]:
    """With ``count`` parts in a row left out, doubled, and exchanged with their neighbour."""
    for at in range(len(parts) - count + 1):
        before, these, after = parts[:at], parts[at : at + count], parts[at + count :]
        yield "".join((*before, *after))
        yield "".join((*before, *these, *these, *after))
        if after:
            yield "".join((*before, after[0], *these, *after[1:]))


def _renumbered(tokens: list[str]) -> Iterator[str]:
    for at, token in enumerate(tokens):
        if token.isdecimal():
            for number in (*NUMBERS, "0" * len(token), "9" * len(token)):  # as many digits: what reads four takes no fewer
                yield "".join((*tokens[:at], number, *tokens[at + 1 :]))


def _with_words(tokens: list[str], words: Sequence[str]) -> Iterator[str]:
    """Each word in place of a token of its kind, and then between two tokens: the ends, the beginnings of lines, the others."""
    breaks = [at + 1 for at, token in enumerate(tokens) if "\n" in token]
    places = [*dict.fromkeys((len(tokens), 0, *breaks, *range(1, len(tokens))))][:MOST_PLACES]
    for word in words:
        for at, token in enumerate(tokens[:MOST_PLACES]):
            if _kind(token) == _kind(word[:1]) and token != word:
                yield "".join((*tokens[:at], word, *tokens[at + 1 :]))
        for at in places:
            yield "".join((*tokens[:at], word, *tokens[at:]))


def _repeated(tokens: list[str]) -> Iterator[str]:
    """Many of one token: what nests, and what counts."""
    for at in range(min(len(tokens), MOST_PLACES)):
        for times in (3, 9, 99):
            yield "".join((*tokens[:at], tokens[at] * times, *tokens[at + 1 :]))


def _kind(token: str) -> int:
    return 0 if token.isspace() else 1 if token.isalnum() or token.startswith("_") else 2
