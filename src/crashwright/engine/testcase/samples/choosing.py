"""Which samples a search begins with: those of the formats in sight, as they are and with the subject's own words in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from crashwright.engine.testcase.samples.formats import Content, Format, Parser, Sample

_NAMES = re.compile(r"\b(?:[aA]lpha|[bB]eta|gamma|[dD]elta)\b")
"""What is to be named in samples; each name may become a word of the subject."""
_WORD = re.compile(r"[A-Za-z_][\w.:-]*")
PLAIN = 80
"""Samples of a format that come before those with words of the subject: the rest comes in any order."""


def chosen_samples(
    formats: Sequence[tuple[Format, int, Parser | None]], found: Sequence[Sample], words: Sequence[str], most: int, rng: Random
) -> list[Sample]:
    """At most ``most`` samples. The formats take turns, each with as many at a time as speaks for it; ``found``, what the code
    itself says or the machine has, comes first in each turn."""
    streams: list[tuple[Iterator[Sample], int]] = [(iter(found), 3)] if found else []
    streams += [(_parsed(_stream(one, words, rng), parser), weight) for one, weight, parser in formats]
    known: dict[Sample, None] = {}
    while streams and len(known) < most:
        left = []
        for stream, weight in streams:
            taken = list(islice(stream, 4**weight // 4))
            known.update(dict.fromkeys(taken))
            if taken:
                left.append((stream, weight))
        streams = left
    return list(known)[:most]


def _parsed(contents: Iterator[Content], parser: Parser | None) -> Iterator[Sample]:
    for content in contents:
        yield Sample(content, parser)


def _stream(one: Format, words: Sequence[str], rng: Random) -> Iterator[Content]:
    samples = list(one.samples())
    first, rest = samples[:PLAIN], samples[PLAIN:]
    rng.shuffle(rest)
    yield from first
    usable = [word for word in words if len(word) < 24 and _WORD.fullmatch(word)]
    named = [sample for sample in first if type(sample) is str and _NAMES.search(sample)] if usable else []
    rng.shuffle(named)
    for place in range(max(len(rest), len(named))):
        if place < len(named):
            yield with_words(named[place], usable, rng)
        if place < len(rest):
            yield rest[place]


def with_words(sample: str, words: Sequence[str], rng: Random) -> str:
    """``sample`` with each of its names replaced by one of ``words``, the same wherever it stands."""
    chosen: dict[str, str] = {}

    def word(match: re.Match[str]) -> str:
        name = match[0]
        if name not in chosen:
            chosen[name] = words[int(rng.random() * len(words))]
        return chosen[name]

    return _NAMES.sub(word, sample)
