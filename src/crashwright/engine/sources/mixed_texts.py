"""Texts that are several steps away from one that was kept: what single steps, in order, cannot reach.

# Deviation: not in the papers. It is what fuzzers call havoc and splicing (Zalewski's AFL), with the steps of this search.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from crashwright.engine.instrument.comparison_log.wanted import Span
from crashwright.engine.testcase.samples.text_edits import NUMBERS, TOKEN

Step = tuple[Span, str]
"""What is put in place of what."""
MOST_STEPS = 4
SPLICED = 0.2
"""How often another text is put in, or goes on where this one ends."""
WANTED = 0.6
"""How often a step is one that a comparison wanted."""


def mixed_text(rng: Random, text: str, steps: Sequence[Step], words: Sequence[str], others: Sequence[str]) -> str:
    """``text`` after two or more steps that are drawn: some of ``steps``, then of its tokens. ``others`` are other texts."""
    count = rng.randint(2, MOST_STEPS)
    wanted = sum(rng.random() < WANTED for _ in range(count)) if steps else 0
    drawn = sorted((rng.choice(steps) for _ in range(wanted)), key=lambda step: step[0], reverse=True)
    before = len(text)
    for span, value in drawn:
        if span.end <= before:  # the last one first: places before it stay where they are
            text = f"{text[: span.start]}{value}{text[span.end :]}"
            before = span.start
    for _ in range(count - wanted):
        text = _step(rng, text, words, others)
    return text


def _step(rng: Random, text: str, words: Sequence[str], others: Sequence[str]) -> str:
    if others and rng.random() < SPLICED:
        other = rng.choice(others)
        at = rng.randint(0, len(text))
        return rng.choice((f"{text[:at]}{other}{text[at:]}", text[:at] + other[rng.randint(0, len(other)) :]))
    tokens = TOKEN.findall(text)
    at, to = rng.randint(0, len(tokens)), rng.randint(0, len(tokens))
    kind = rng.randrange(5)
    if kind == 0:
        del tokens[at : at + rng.randint(1, 3)]
    elif kind == 1:
        tokens[to:to] = tokens[at : at + rng.randint(1, 8)]
    elif kind == 2 and words:
        tokens.insert(at, rng.choice(words))
    elif kind == 3 and words and at < len(tokens):
        tokens[at] = rng.choice(words)
    elif at < len(tokens):
        tokens[at] = rng.choice(NUMBERS) if tokens[at].isdecimal() else rng.choice(tokens)
    return "".join(tokens)
